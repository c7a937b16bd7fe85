//! s390x subjects (z/Architecture Principles of Operation; s390x ELF ABI 1.6).

use model::{Abi, CfaRule, Reg, ValueRule};

use super::subject::{Subject, Writer};
use super::truth::Value;

const R1: Reg = Reg(1);
const R11: Reg = Reg(11);
const R14: Reg = Reg(14);
const R15: Reg = Reg(15);
// DWARF numbers (s390x ELF ABI 1.6, table 1.17).
const F0: Reg = Reg(16);
const F2: Reg = Reg(17);
/// stmg %r11,%r15,88(%r15)
const SAVE: &[u8] = &[0xeb, 0xbf, 0xf0, 0x58, 0x00, 0x24];
const LGR_R15_TO_R11: &[u8] = &[0xb9, 0x04, 0x00, 0xbf];
const BR_R14: &[u8] = &[0x07, 0xfe];
const NOPR: &[u8] = &[0x07, 0x07];
/// Where SAVE puts %r11 and %r14, from SP at entry.
const R11_AT: i64 = 88;
const R14_AT: i64 = 112;

fn new(name: &str) -> Writer {
    Writer::new(Abi::S390x, name)
}

fn cfa(reg: Reg, offset: i64) -> CfaRule {
    CfaRule::Register { reg, offset }
}

/// lghi of a register
fn lghi(reg: Reg, value: i16) -> [u8; 4] {
    let [high, low] = value.to_be_bytes();
    [0xa7, (reg.0 as u8) << 4 | 9, high, low]
}

impl Writer {
    fn save(self) -> Self {
        self.op(SAVE, |truth| {
            truth.store(R15, R11_AT, truth.reg(R11));
            truth.store(R15, R14_AT, truth.reg(R14));
        })
        .frame(|frame| {
            frame.ra = ValueRule::AtCfa(R14_AT - 160);
            frame.fp = ValueRule::AtCfa(R11_AT - 160);
        })
    }

    /// aghi %r15,bytes
    fn add_r15(self, bytes: i16) -> Self {
        let [high, low] = bytes.to_be_bytes();
        self.op(&[0xa7, 0xfb, high, low], |truth| truth.move_sp(i64::from(bytes)))
    }

    /// lmg %r11,%r15,at(base): what SAVE saved.
    fn restore(self, base: Reg, at: u16) -> Self {
        // The 20-bit displacement is split: 12 low bits, then 8 high ones, which are 0 here.
        let [high, low] = at.to_be_bytes();
        self.op(&[0xeb, 0xbf, (base.0 as u8) << 4 | high, low, 0x00, 0x04], |truth| {
            let (r11, r14) = (truth.load(base, i64::from(at)), truth.load(base, i64::from(at) + 24));
            truth.set(R11, r11);
            truth.set(R14, r14);
            truth.set(R15, Value::CfaPlus(-160));
        })
        .entry_frame()
    }
}

pub(super) fn start() -> Subject {
    new("_start")
        .outermost()
        .op(&lghi(R11, 0x5a5a), |truth| truth.set(R11, Value::Unknown))
        .add_r15(-160)
        .call("main")
        .nop(&lghi(Reg(2), 0))
        .nop(&[0x0a, 0x01])
        .finish()
}

pub(super) fn main(callees: &[&str]) -> Subject {
    let writer = new("main")
        .save()
        .add_r15(-160)
        .frame(|frame| frame.cfa = cfa(R15, 320))
        .op(LGR_R15_TO_R11, |truth| truth.set(R11, truth.sp()))
        .frame(|frame| frame.cfa = cfa(R11, 320))
        .add_r15(-32);
    callees.iter().fold(writer, |writer, callee| writer.call(callee)).restore(R11, 248).nop(BR_R14).finish()
}

pub(super) fn leaf(name: &str) -> Subject {
    new(name).nop(NOPR).nop(BR_R14).finish()
}

/// Saves FP and uses it for something else; the CFA counts from SP.
pub(super) fn no_fp() -> Subject {
    new("no_fp")
        .save()
        .add_r15(-160)
        .frame(|frame| frame.cfa = cfa(R15, 320))
        .op(&lghi(R11, 7), |truth| truth.set(R11, Value::Unknown))
        .call("leaf")
        .restore(R15, 248)
        .nop(BR_R14)
        .finish()
}

/// More than 256 bytes of code, and a frame whose scaled size needs two bytes.
pub(super) fn big() -> Subject {
    new("big")
        .add_r15(-2048)
        .frame(|frame| frame.cfa = cfa(R15, 2208))
        // jg over 300 bytes and itself, in halfwords
        .nop(&[0xc0, 0xf4, 0, 0, 0, 153])
        .filler(&NOPR.repeat(150))
        .add_r15(2048)
        .entry_frame()
        .nop(BR_R14)
        .finish()
}

/// Three blocks of 16 bytes that move SP down and up. The last falls into the function behind.
pub(super) fn blocks() -> Subject {
    let block = |writer: Writer, _| {
        let writer = writer.add_r15(-160).frame(|frame| frame.cfa = cfa(R15, 320)).add_r15(160).entry_frame();
        (0..4).fold(writer, |writer, _| writer.nop(NOPR))
    };
    (0..3).fold(new("blocks").blocks(16), block).finish()
}

/// Return address and FP rest in floating point registers while their own are used for something else.
pub(super) fn in_registers() -> Subject {
    let held = |reg| ValueRule::Register { reg, offset: 0 };
    new("in_registers")
        // ldgr %f0,%r14; ldgr %f2,%r11
        .op(&[0xb3, 0xc1, 0x00, 0x0e], |truth| truth.set(F0, truth.reg(R14)))
        .frame(|frame| frame.ra = held(F0))
        .op(&[0xb3, 0xc1, 0x00, 0x2b], |truth| truth.set(F2, truth.reg(R11)))
        .frame(|frame| frame.fp = held(F2))
        .op(&lghi(R14, 1), |truth| truth.set(R14, Value::Unknown))
        .op(&lghi(R11, 2), |truth| truth.set(R11, Value::Unknown))
        .nop(NOPR)
        // lgdr %r11,%f2; lgdr %r14,%f0
        .op(&[0xb3, 0xcd, 0x00, 0xb2], |truth| truth.set(R11, truth.reg(F2)))
        .frame(|frame| frame.fp = ValueRule::SameValue)
        .op(&[0xb3, 0xcd, 0x00, 0xe0], |truth| truth.set(R14, truth.reg(F0)))
        .entry_frame()
        .nop(BR_R14)
        .finish()
}

/// The CFA is saved at 160(%r11) and found there, which only a flexible row can say.
pub(super) fn saved_cfa() -> Subject {
    new("saved_cfa")
        .save()
        .add_r15(-168)
        .frame(|frame| frame.cfa = cfa(R15, 328))
        .op(LGR_R15_TO_R11, |truth| truth.set(R11, truth.sp()))
        .frame(|frame| frame.cfa = cfa(R11, 328))
        // la %r1,328(%r15); stg %r1,160(%r15)
        .op(&[0x41, 0x10, 0xf1, 0x48], |truth| truth.set(R1, Value::CfaPlus(0)))
        .op(&[0xe3, 0x10, 0xf0, 0xa0, 0x00, 0x24], |truth| truth.store(R15, 160, truth.reg(R1)))
        .frame(|frame| frame.cfa = CfaRule::Memory { reg: R11, offset: 160 })
        .add_r15(-32)
        .nop(NOPR)
        .restore(R11, 256)
        .nop(BR_R14)
        .finish()
}

//! s390x subjects (s390x ELF ABI 1.6).

use types::{Abi, CfaRule, Reg, ValueRule};

use super::S390x;
use super::asm::{self, EXIT, F0, F2, Gpr, R1, R2, R7, R11, R14, R15, at, dwarf};
use crate::mutate::subject::{Subject, Subjects, Writer};
use crate::mutate::truth::Value;
use crate::sframe::Layout;

/// Offsets from SP at entry at which a called function may save r11 and r14 (s390x ELF ABI 1.6,
/// figure 1-3).
const R11_AT: i64 = 88;
const R14_AT: i64 = 112;

fn new(name: &str) -> Writer {
    Writer::new(Abi::S390x, name)
}

fn cfa(reg: Reg, offset: i64) -> CfaRule {
    CfaRule::Register { reg, offset }
}

impl Writer {
    fn save(self) -> Self {
        self.op(asm::stmg(R11, R15, at(R11_AT as i32, R15)), |truth| {
            truth.store(dwarf::R15, R11_AT, truth.reg(dwarf::R11));
            truth.store(dwarf::R15, R14_AT, truth.reg(dwarf::R14));
        })
        .frame(|frame| {
            frame.ra = ValueRule::AtCfa(R14_AT - 160);
            frame.fp = ValueRule::AtCfa(R11_AT - 160);
        })
    }

    fn add_r15(self, bytes: i16) -> Self {
        self.op(asm::aghi(R15, bytes), |truth| truth.move_sp(i64::from(bytes)))
    }

    /// Restores the registers that [`Writer::save`] saved, including r15, from a frame of `size`
    /// bytes that begins at the base register's address.
    fn restore(self, base: Gpr, size: i32) -> Self {
        let from = size + R11_AT as i32;
        self.op(asm::lmg(R11, R15, at(from, base)), |truth| {
            let base = Reg(u16::from(base.0));
            let (r11, r14) = (truth.load(base, i64::from(from)), truth.load(base, i64::from(from) + R14_AT - R11_AT));
            truth.set(dwarf::R11, r11);
            truth.set(dwarf::R14, r14);
            truth.set(dwarf::R15, Value::CfaPlus(-160));
        })
        .entry_frame()
    }
}

impl Subjects for S390x {
    fn start(&self) -> Subject {
        new("_start")
            .outermost()
            .op(asm::lghi(R11, 0x5a5a), |truth| truth.set(dwarf::R11, Value::Unknown))
            .add_r15(-160)
            .call("main")
            .nop(asm::lghi(R2, 0))
            .nop(asm::svc(EXIT))
            .finish()
    }

    fn main(&self, callees: &[&str]) -> Subject {
        let writer = new("main")
            .save()
            .add_r15(-160)
            .frame(|frame| frame.cfa = cfa(dwarf::R15, 320))
            .op(asm::lgr(R11, R15), |truth| truth.set(dwarf::R11, truth.sp()))
            .frame(|frame| frame.cfa = cfa(dwarf::R11, 320))
            .add_r15(-32);
        callees.iter().fold(writer, |writer, callee| writer.call(callee)).restore(R11, 160).nop(asm::br(R14)).finish()
    }

    fn leaf(&self, name: &str) -> Subject {
        new(name).nop(asm::nopr(R7)).nop(asm::br(R14)).finish()
    }

    fn no_fp(&self) -> Subject {
        new("no_fp")
            .save()
            .add_r15(-160)
            .frame(|frame| frame.cfa = cfa(dwarf::R15, 320))
            .op(asm::lghi(R11, 7), |truth| truth.set(dwarf::R11, Value::Unknown))
            .call("leaf")
            .restore(R15, 160)
            .nop(asm::br(R14))
            .finish()
    }

    fn big(&self) -> Subject {
        new("big")
            .add_r15(-2048)
            .frame(|frame| frame.cfa = cfa(dwarf::R15, 2208))
            // Jumps over 300 bytes and the jump itself.
            .nop(asm::jg(6 + 300))
            .filler(&asm::nopr(R7).repeat(150))
            .add_r15(2048)
            .entry_frame()
            .nop(asm::br(R14))
            .finish()
    }

    fn blocks(&self) -> Subject {
        let block = |writer: Writer, _| {
            let writer =
                writer.add_r15(-160).frame(|frame| frame.cfa = cfa(dwarf::R15, 320)).add_r15(160).entry_frame();
            (0..4).fold(writer, |writer, _| writer.nop(asm::nopr(R7)))
        };
        (0..3).fold(new("blocks").blocks(16), block).finish()
    }

    fn special(&self, layout: Layout) -> Vec<Subject> {
        [in_registers()].into_iter().chain(layout.has_flex().then(saved_cfa)).collect()
    }
}

/// Return address and FP are kept in floating-point registers while their own are reused.
fn in_registers() -> Subject {
    let held = |reg| ValueRule::Register { reg, offset: 0 };
    new("in_registers")
        .op(asm::ldgr(F0, R14), |truth| truth.set(dwarf::F0, truth.reg(dwarf::R14)))
        .frame(|frame| frame.ra = held(dwarf::F0))
        .op(asm::ldgr(F2, R11), |truth| truth.set(dwarf::F2, truth.reg(dwarf::R11)))
        .frame(|frame| frame.fp = held(dwarf::F2))
        .op(asm::lghi(R14, 1), |truth| truth.set(dwarf::R14, Value::Unknown))
        .op(asm::lghi(R11, 2), |truth| truth.set(dwarf::R11, Value::Unknown))
        .nop(asm::nopr(R7))
        .op(asm::lgdr(R11, F2), |truth| truth.set(dwarf::R11, truth.reg(dwarf::F2)))
        .frame(|frame| frame.fp = ValueRule::SameValue)
        .op(asm::lgdr(R14, F0), |truth| truth.set(dwarf::R14, truth.reg(dwarf::F0)))
        .entry_frame()
        .nop(asm::br(R14))
        .finish()
}

/// The CFA is saved at 160(%r11) and loaded from there, which only a flexible row can describe.
fn saved_cfa() -> Subject {
    new("saved_cfa")
        .save()
        .add_r15(-168)
        .frame(|frame| frame.cfa = cfa(dwarf::R15, 328))
        .op(asm::lgr(R11, R15), |truth| truth.set(dwarf::R11, truth.sp()))
        .frame(|frame| frame.cfa = cfa(dwarf::R11, 328))
        .op(asm::la(R1, at(328, R15)), |truth| truth.set(dwarf::R1, Value::CfaPlus(0)))
        .op(asm::stg(R1, at(160, R15)), |truth| truth.store(dwarf::R15, 160, truth.reg(dwarf::R1)))
        .frame(|frame| frame.cfa = CfaRule::Memory { reg: dwarf::R11, offset: 160 })
        .add_r15(-32)
        .nop(asm::nopr(R7))
        .restore(R11, 168)
        .nop(asm::br(R14))
        .finish()
}

//! AArch64 subjects, both byte orders (Arm ARM; AAPCS64).

use model::{Abi, CfaRule, PacKey, Reg, ValueRule};

use super::subject::{Subject, Writer};
use super::truth::Value;

const X29: Reg = Reg(29);
const X30: Reg = Reg(30);
const SP: Reg = Reg(31);
/// stp x29, x30, [sp, #-16]!
const PUSH_FRAME: u32 = 0xa9bf_7bfd;
/// ldp x29, x30, [sp], #16
const POP_FRAME: u32 = 0xa8c1_7bfd;
const MOV_SP_TO_X29: u32 = 0x9100_03fd;
const MOV_X29_TO_SP: u32 = 0x9100_03bf;
const RET: u32 = 0xd65f_03c0;
const NOP: u32 = 0xd503_201f;

fn cfa(reg: Reg, offset: i64) -> CfaRule {
    CfaRule::Register { reg, offset }
}

impl Writer {
    fn word(self, word: u32) -> Self {
        self.nop(&word.to_le_bytes())
    }

    fn push_frame(self) -> Self {
        self.op(&PUSH_FRAME.to_le_bytes(), |truth| {
            truth.move_sp(-16);
            truth.store(SP, 0, truth.reg(X29));
            truth.store(SP, 8, truth.reg(X30));
        })
        .frame(|frame| (frame.cfa, frame.ra, frame.fp) = (cfa(SP, 16), ValueRule::AtCfa(-8), ValueRule::AtCfa(-16)))
    }

    fn pop_frame(self) -> Self {
        self.op(&POP_FRAME.to_le_bytes(), |truth| {
            truth.set(X29, truth.load(SP, 0));
            truth.set(X30, truth.load(SP, 8));
            truth.move_sp(16);
        })
        .frame(|frame| (frame.cfa, frame.ra, frame.fp) = (cfa(SP, 0), ValueRule::SameValue, ValueRule::SameValue))
    }

    /// mov x29, sp; then SP moves away from it.
    fn frame_pointer(self) -> Self {
        self.op(&MOV_SP_TO_X29.to_le_bytes(), |truth| truth.set(X29, truth.sp()))
            .frame(|frame| frame.cfa = cfa(X29, 16))
            .add_sp(-32)
    }

    fn mov_x29_to_sp(self) -> Self {
        self.op(&MOV_X29_TO_SP.to_le_bytes(), |truth| truth.set(SP, truth.reg(X29)))
    }

    /// add or sub sp, sp, #bytes
    fn add_sp(self, bytes: i32) -> Self {
        let operation = if bytes < 0 { 0xd100_03ff } else { 0x9100_03ff };
        let word: u32 = operation | bytes.unsigned_abs() << 10;
        self.op(&word.to_le_bytes(), |truth| truth.move_sp(i64::from(bytes)))
    }
}

/// movz reg, #value
fn movz(reg: Reg, value: u16) -> [u8; 4] {
    (0xd280_0000 | u32::from(value) << 5 | u32::from(reg.0)).to_le_bytes()
}

pub(super) fn start(abi: Abi) -> Subject {
    Writer::new(abi, "_start")
        .outermost()
        .op(&movz(X29, 0x5a5a), |truth| truth.set(X29, Value::Unknown))
        .call("main")
        .nop(&movz(Reg(0), 0))
        .nop(&movz(Reg(8), 93))
        .word(0xd400_0001)
        .finish()
}

pub(super) fn main(abi: Abi, callees: &[&str]) -> Subject {
    let writer = Writer::new(abi, "main").push_frame().frame_pointer();
    callees.iter().fold(writer, |writer, callee| writer.call(callee)).mov_x29_to_sp().pop_frame().word(RET).finish()
}

pub(super) fn leaf(abi: Abi, name: &str) -> Subject {
    Writer::new(abi, name).word(NOP).word(RET).finish()
}

/// Saves FP and uses it for something else; the CFA counts from SP.
pub(super) fn no_fp(abi: Abi) -> Subject {
    Writer::new(abi, "no_fp")
        .add_sp(-32)
        .frame(|frame| frame.cfa = cfa(SP, 32))
        // stp x29, x30, [sp, #16]
        .op(&0xa901_7bfd_u32.to_le_bytes(), |truth| {
            truth.store(SP, 16, truth.reg(X29));
            truth.store(SP, 24, truth.reg(X30));
        })
        .frame(|frame| (frame.ra, frame.fp) = (ValueRule::AtCfa(-8), ValueRule::AtCfa(-16)))
        .op(&movz(X29, 7), |truth| truth.set(X29, Value::Unknown))
        .call("leaf")
        // ldp x29, x30, [sp, #16]
        .op(&0xa941_7bfd_u32.to_le_bytes(), |truth| {
            truth.set(X29, truth.load(SP, 16));
            truth.set(X30, truth.load(SP, 24));
        })
        .frame(|frame| (frame.ra, frame.fp) = (ValueRule::SameValue, ValueRule::SameValue))
        .add_sp(32)
        .entry_frame()
        .word(RET)
        .finish()
}

/// Signs its return address, saves it, calls.
pub(super) fn signed(abi: Abi, name: &str, key: PacKey) -> Subject {
    let (sign, authenticate): (u32, u32) = match key {
        PacKey::A => (0xd503_233f, 0xd503_23bf),
        PacKey::B => (0xd503_237f, 0xd503_23ff),
    };
    Writer::new(abi, name)
        .key(key)
        .op(&sign.to_le_bytes(), |truth| {
            truth.signed = Some(key);
            truth.set(X30, Value::Signed(key));
        })
        .frame(|frame| frame.signed = true)
        .push_frame()
        .frame_pointer()
        .call("leaf")
        .mov_x29_to_sp()
        .pop_frame()
        .op(&authenticate.to_le_bytes(), |truth| {
            truth.signed = None;
            truth.set(X30, Value::ReturnAddress);
        })
        .entry_frame()
        .word(RET)
        .finish()
}

/// More than 256 bytes of code, and a frame whose size needs two bytes.
pub(super) fn big(abi: Abi) -> Subject {
    Writer::new(abi, "big")
        .add_sp(-512)
        .frame(|frame| frame.cfa = cfa(SP, 512))
        // b over 75 words
        .word(0x1400_0000 | 76)
        .filler(&NOP.to_le_bytes().repeat(75))
        .add_sp(512)
        .entry_frame()
        .word(RET)
        .finish()
}

/// Three blocks of 16 bytes that move SP down and up. The last falls into the function behind.
pub(super) fn blocks(abi: Abi) -> Subject {
    let block = |writer: Writer, _| {
        writer.add_sp(-16).frame(|frame| frame.cfa = cfa(SP, 16)).add_sp(16).entry_frame().word(NOP).word(NOP)
    };
    (0..3).fold(Writer::new(abi, "blocks").blocks(16), block).finish()
}

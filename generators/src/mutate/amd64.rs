//! AMD64 subjects (Intel SDM volume 2; AMD64 psABI 1.0).

use model::{Abi, CfaRule, Reg, ValueRule};

use super::subject::{Subject, Writer};
use super::truth::Value;

const RAX: Reg = Reg(0);
const RBP: Reg = Reg(6);
const RSP: Reg = Reg(7);
const R10: Reg = Reg(10);
const PUSH_RBP: &[u8] = &[0x55];
const PUSH_RBX: &[u8] = &[0x53];
const PUSH_RAX: &[u8] = &[0x50];
const POP_RBP: &[u8] = &[0x5d];
const POP_RBX: &[u8] = &[0x5b];
const POP_RAX: &[u8] = &[0x58];
const MOV_RSP_TO_RBP: &[u8] = &[0x48, 0x89, 0xe5];
const LEAVE: &[u8] = &[0xc9];
const RET: &[u8] = &[0xc3];
const NOP: &[u8] = &[0x90];

fn new(name: &str) -> Writer {
    Writer::new(Abi::Amd64, name)
}

fn cfa(reg: Reg, offset: i64) -> CfaRule {
    CfaRule::Register { reg, offset }
}

impl Writer {
    fn push(self, bytes: &[u8], reg: Reg) -> Self {
        self.op(bytes, |truth| {
            truth.move_sp(-8);
            truth.store(RSP, 0, truth.reg(reg));
        })
    }

    fn pop(self, bytes: &[u8], reg: Reg) -> Self {
        self.op(bytes, |truth| {
            truth.set(reg, truth.load(RSP, 0));
            truth.move_sp(8);
        })
    }

    fn mov_rsp_to_rbp(self) -> Self {
        self.op(MOV_RSP_TO_RBP, |truth| truth.set(RBP, truth.sp()))
    }

    fn leave(self) -> Self {
        self.op(LEAVE, |truth| {
            truth.set(RSP, truth.reg(RBP));
            truth.set(RBP, truth.load(RSP, 0));
            truth.move_sp(8);
        })
    }

    /// sub or add of a multiple of 8 below 128.
    fn add_rsp(self, bytes: i8) -> Self {
        let instruction = match bytes < 0 {
            true => [0x48, 0x83, 0xec, bytes.unsigned_abs()],
            false => [0x48, 0x83, 0xc4, bytes.unsigned_abs()],
        };
        self.op(&instruction, |truth| truth.move_sp(i64::from(bytes)))
    }
}

/// Gives FP a value that no default is, calls, exits.
pub(super) fn start() -> Subject {
    let exit = |writer: Writer| writer.nop(&[0x31, 0xff]).nop(&[0xb8, 60, 0, 0, 0]).nop(&[0x0f, 0x05]).nop(&[0xf4]);
    exit(new("_start").outermost().op(&[0xbd, 0x5a, 0x5a, 0, 0], |truth| truth.set(RBP, Value::Unknown)).call("main"))
        .finish()
}

/// Keeps a frame pointer, moves SP away from it, and calls all others.
pub(super) fn main(callees: &[&str]) -> Subject {
    let writer = new("main")
        .push(PUSH_RBP, RBP)
        .frame(|frame| (frame.cfa, frame.fp) = (cfa(RSP, 16), ValueRule::AtCfa(-16)))
        .mov_rsp_to_rbp()
        .frame(|frame| frame.cfa = cfa(RBP, 16))
        .add_rsp(-32);
    callees.iter().fold(writer, |writer, callee| writer.call(callee)).leave().entry_frame().nop(RET).finish()
}

pub(super) fn leaf(name: &str) -> Subject {
    new(name).nop(NOP).nop(RET).finish()
}

/// Saves FP and uses it for something else; the CFA counts from SP.
pub(super) fn no_fp() -> Subject {
    new("no_fp")
        .push(PUSH_RBP, RBP)
        .frame(|frame| (frame.cfa, frame.fp) = (cfa(RSP, 16), ValueRule::AtCfa(-16)))
        .push(PUSH_RBX, Reg(3))
        .frame(|frame| frame.cfa = cfa(RSP, 24))
        .op(&[0x31, 0xed], |truth| truth.set(RBP, Value::Unknown))
        .add_rsp(-24)
        .frame(|frame| frame.cfa = cfa(RSP, 48))
        .call("leaf")
        .add_rsp(24)
        .frame(|frame| frame.cfa = cfa(RSP, 24))
        .pop(POP_RBX, Reg(3))
        .frame(|frame| frame.cfa = cfa(RSP, 16))
        .pop(POP_RBP, RBP)
        .entry_frame()
        .nop(RET)
        .finish()
}

/// More than 256 bytes of code, and a frame whose size needs two bytes.
pub(super) fn big() -> Subject {
    new("big")
        .op(&[0x48, 0x81, 0xec, 0, 2, 0, 0], |truth| truth.move_sp(-512))
        .frame(|frame| frame.cfa = cfa(RSP, 520))
        .nop(&[0xe9, 0x2c, 1, 0, 0])
        .filler(&[0x90; 300])
        .op(&[0x48, 0x81, 0xc4, 0, 2, 0, 0], |truth| truth.move_sp(512))
        .entry_frame()
        .nop(RET)
        .finish()
}

/// Three blocks of 16 bytes: push $0; pop %rax; nothing. The last falls into the function behind.
pub(super) fn blocks() -> Subject {
    let mut writer = new("blocks").blocks(16);
    for _ in 0..3 {
        writer = writer
            .op(&[0x6a, 0], |truth| {
                truth.move_sp(-8);
                truth.store(RSP, 0, Value::Unknown);
            })
            .frame(|frame| frame.cfa = cfa(RSP, 16))
            .pop(POP_RAX, RAX)
            .entry_frame();
        writer = (0..13).fold(writer, |writer, _| writer.nop(NOP));
    }
    writer.finish()
}

/// What only flexible rows can say: a CFA in memory, a CFA from another register, a return address in a register.
pub(super) fn flexible() -> Vec<Subject> {
    let realigned = new("realigned")
        .push(PUSH_RBP, RBP)
        .frame(|frame| (frame.cfa, frame.fp) = (cfa(RSP, 16), ValueRule::AtCfa(-16)))
        .mov_rsp_to_rbp()
        .frame(|frame| frame.cfa = cfa(RBP, 16))
        .op(&[0x48, 0x8d, 0x45, 0x10], |truth| truth.set(RAX, Value::CfaPlus(0)))
        .push(PUSH_RAX, RAX)
        .frame(|frame| {
            frame.cfa = CfaRule::Memory { reg: RBP, offset: -8 };
            frame.fp = ValueRule::Memory { reg: RBP, offset: 0 };
        })
        .op(&[0x48, 0x83, 0xe4, 0xe0], |truth| truth.set(RSP, Value::Unknown))
        .nop(NOP)
        .leave()
        .entry_frame()
        .nop(RET)
        .finish();
    let foreign = new("foreign")
        .op(&[0x4c, 0x8d, 0x54, 0x24, 0x08], |truth| truth.set(R10, Value::CfaPlus(0)))
        .frame(|frame| frame.cfa = cfa(R10, 0))
        .add_rsp(-40)
        .nop(NOP)
        .op(&[0x49, 0x8d, 0x62, 0xf8], |truth| truth.set(RSP, Value::CfaPlus(-8)))
        .entry_frame()
        .nop(RET)
        .finish();
    let parked = new("parked")
        .pop(POP_RAX, RAX)
        .frame(|frame| (frame.cfa, frame.ra) = (cfa(RSP, 0), ValueRule::Register { reg: RAX, offset: 0 }))
        // movq $0,-8(%rsp)
        .op(&[0x48, 0xc7, 0x44, 0x24, 0xf8, 0, 0, 0, 0], |truth| truth.store(RSP, -8, Value::Unknown))
        .nop(NOP)
        .push(PUSH_RAX, RAX)
        .entry_frame()
        .nop(RET)
        .finish();
    vec![realigned, foreign, parked]
}

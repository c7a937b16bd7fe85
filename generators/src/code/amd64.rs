//! AMD64: instructions (Intel SDM volume 2) and how SFrame rows are formed ("AMD64" in the SFrame specification).

use model::{Abi, CfaRule, Reg, ValueRule};

use super::{FrameState, Function, frames};
use crate::sframe::Base;

pub(super) const RET: [u8; 1] = [0xc3];
pub(super) const NOP: [u8; 1] = [0x90];
const PUSH_RBP: [u8; 1] = [0x55];
const MOV_RSP_TO_RBP: [u8; 3] = [0x48, 0x89, 0xe5];
const POP_RBP: [u8; 1] = [0x5d];
const XOR_EBP_EBP: [u8; 2] = [0x31, 0xed];
const XOR_EDI_EDI: [u8; 2] = [0x31, 0xff];
/// mov $60, %eax: Linux's number of exit.
const MOV_EXIT_TO_EAX: [u8; 5] = [0xb8, 60, 0, 0, 0];
const SYSCALL: [u8; 2] = [0x0f, 0x05];
const HLT: [u8; 1] = [0xf4];

/// Where the SFrame header's fixed offset puts the return address.
const FIXED_RA: i64 = -8;
const RBP: Reg = Reg(6);
const RSP: Reg = Reg(7);

/// E8 rel32; the displacement counts from the next instruction.
pub(super) fn call(distance: i32) -> [u8; 5] {
    let [a, b, c, d] = distance.wrapping_sub(5).to_le_bytes();
    [0xe8, a, b, c, d]
}

/// E9 rel32; the displacement counts from the next instruction.
pub(super) fn jump(distance: i32) -> [u8; 5] {
    let [a, b, c, d] = distance.wrapping_sub(5).to_le_bytes();
    [0xe9, a, b, c, d]
}

pub(super) fn framed(name: &str, callee: &str) -> Function {
    let entry = FrameState::at_entry(Abi::Amd64);
    let pushed = FrameState { fp: ValueRule::AtCfa(-16), ..entry };
    let code = [&PUSH_RBP[..], &MOV_RSP_TO_RBP, &call(0), &POP_RBP, &RET].concat();
    let frames = frames(&[(0, entry), (1, pushed.cfa(RSP, 16)), (4, pushed.cfa(RBP, 16)), (10, entry)]);
    Function::plain(name, code, frames).calling(4, callee)
}

pub(super) fn start(name: &str, callee: &str) -> Function {
    let entry = FrameState::at_entry(Abi::Amd64).outermost();
    let code = [&XOR_EBP_EBP[..], &call(0), &XOR_EDI_EDI, &MOV_EXIT_TO_EAX, &SYSCALL, &HLT].concat();
    Function::plain(name, code, frames(&[(0, entry)])).calling(2, callee)
}

/// Base and offsets of a default row: CFA, then FP if it was saved. The return address is where the header says.
pub(super) fn default_offsets(frame: &FrameState) -> Option<(Base, Vec<i64>)> {
    let CfaRule::Register { reg, offset } = frame.cfa else { return None };
    let base = match reg {
        RSP => Base::Sp,
        RBP => Base::Fp,
        _ => return None,
    };
    if frame.ra != ValueRule::AtCfa(FIXED_RA) {
        return None;
    }
    match frame.fp {
        ValueRule::SameValue => Some((base, vec![offset])),
        ValueRule::AtCfa(fp) => Some((base, vec![offset, fp])),
        _ => None,
    }
}

/// The return address that a flexible row without a pair for it has.
pub(super) const FLEX_DEFAULT_RA: ValueRule = ValueRule::AtCfa(FIXED_RA);

/// push %rbp; mov %rsp,%rbp; lea 16(%rbp),%rax; push %rax; nop; leave; ret: the CFA is saved on the stack, as functions that
/// realign theirs do.
pub(super) fn saved_cfa(name: &str) -> Function {
    const LEA_16_RBP_TO_RAX: [u8; 4] = [0x48, 0x8d, 0x45, 0x10];
    const PUSH_RAX: [u8; 1] = [0x50];
    const LEAVE: [u8; 1] = [0xc9];
    let entry = FrameState::at_entry(Abi::Amd64);
    let pushed = FrameState { fp: ValueRule::AtCfa(-16), ..entry };
    let cfa = CfaRule::Memory { reg: RBP, offset: -8 };
    let saved = FrameState { cfa, fp: ValueRule::Memory { reg: RBP, offset: 0 }, ..entry };
    let code = [&PUSH_RBP[..], &MOV_RSP_TO_RBP, &LEA_16_RBP_TO_RAX, &PUSH_RAX, &NOP, &LEAVE, &RET].concat();
    let frames = frames(&[(0, entry), (1, pushed.cfa(RSP, 16)), (4, pushed.cfa(RBP, 16)), (9, saved), (11, entry)]);
    Function::plain(name, code, frames)
}

/// lea 8(%rsp),%r10; mov %r10,%rax; ret: between, the CFA counts from r10.
pub(super) fn foreign_base(name: &str) -> Function {
    const LEA_8_RSP_TO_R10: [u8; 5] = [0x4c, 0x8d, 0x54, 0x24, 0x08];
    const MOV_R10_TO_RAX: [u8; 3] = [0x4c, 0x89, 0xd0];
    let entry = FrameState::at_entry(Abi::Amd64);
    let code = [&LEA_8_RSP_TO_R10[..], &MOV_R10_TO_RAX, &RET].concat();
    Function::plain(name, code, frames(&[(0, entry), (5, entry.cfa(Reg(10), 0)), (8, entry)]))
}

/// Stubs of 16 bytes as in a procedure linkage table: jmp *0(%rip); push $0; jmp to the first stub.
pub(super) fn stubs(name: &str, count: u32) -> Function {
    const JMP_RIP: [u8; 6] = [0xff, 0x25, 0, 0, 0, 0];
    const PUSH_0: [u8; 5] = [0x68, 0, 0, 0, 0];
    let entry = FrameState::at_entry(Abi::Amd64);
    let (mut code, mut states) = (Vec::new(), Vec::new());
    for stub in 0..count {
        let back = -16 * i64::from(stub) - 16;
        code.extend([&JMP_RIP[..], &PUSH_0, &[0xe9], &(back as i32).to_le_bytes()].concat());
        states.extend([(16 * stub, entry), (16 * stub + 11, entry.cfa(RSP, 16))]);
    }
    Function::plain(name, code, frames(&states))
}

/// push 8(%rip); jmp *16(%rip); nopl 0(%rax): a slot has pushed its number, this pushes the link map (AMD64 psABI,
/// "Procedure Linkage Table").
pub(super) fn plt_first(name: &str) -> Function {
    const PUSH_LINK_MAP: [u8; 6] = [0xff, 0x35, 0, 0, 0, 0];
    const JMP_RESOLVER: [u8; 6] = [0xff, 0x25, 0, 0, 0, 0];
    const NOPL: [u8; 4] = [0x0f, 0x1f, 0x40, 0x00];
    let entry = FrameState::at_entry(Abi::Amd64);
    let code = [&PUSH_LINK_MAP[..], &JMP_RESOLVER, &NOPL].concat();
    Function::plain(name, code, frames(&[(0, entry.cfa(RSP, 16)), (6, entry.cfa(RSP, 24))]))
}

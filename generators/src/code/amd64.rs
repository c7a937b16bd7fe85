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

//! AArch64 of both byte orders: instructions (Arm ARM, always little-endian words) and how SFrame rows are formed
//! ("AArch64" in the SFrame specification).

use model::{Abi, CfaRule, PacKey, Reg, ValueRule};

use super::{FrameState, Function, frames};
use crate::sframe::Base;

pub(super) const RET: [u8; 4] = 0xd65f_03c0_u32.to_le_bytes();
pub(super) const NOP: [u8; 4] = 0xd503_201f_u32.to_le_bytes();
/// stp x29, x30, [sp, #-16]!
const PUSH_FRAME: [u8; 4] = 0xa9bf_7bfd_u32.to_le_bytes();
const MOV_SP_TO_X29: [u8; 4] = 0x9100_03fd_u32.to_le_bytes();
/// ldp x29, x30, [sp], #16
const POP_FRAME: [u8; 4] = 0xa8c1_7bfd_u32.to_le_bytes();
const PACIASP: [u8; 4] = 0xd503_233f_u32.to_le_bytes();
const AUTIASP: [u8; 4] = 0xd503_23bf_u32.to_le_bytes();
const PACIBSP: [u8; 4] = 0xd503_237f_u32.to_le_bytes();
const AUTIBSP: [u8; 4] = 0xd503_23ff_u32.to_le_bytes();
const MOV_0_TO_X29: [u8; 4] = 0xd280_001d_u32.to_le_bytes();
const MOV_0_TO_X0: [u8; 4] = 0xd280_0000_u32.to_le_bytes();
/// mov x8, #93: Linux's number of exit.
const MOV_EXIT_TO_X8: [u8; 4] = 0xd280_0ba8_u32.to_le_bytes();
const SVC_0: [u8; 4] = 0xd400_0001_u32.to_le_bytes();

const X29: Reg = Reg(29);
const SP: Reg = Reg(31);

/// bl: a 26-bit count of words.
pub(super) fn bl(distance: i32) -> [u8; 4] {
    (0x9400_0000 | (distance as u32 >> 2) & 0x03ff_ffff).to_le_bytes()
}

/// b: a 26-bit count of words.
pub(super) fn b(distance: i32) -> [u8; 4] {
    (0x1400_0000 | (distance as u32 >> 2) & 0x03ff_ffff).to_le_bytes()
}

pub(super) fn framed(abi: Abi, name: &str, callee: &str) -> Function {
    let entry = FrameState::at_entry(abi);
    let pushed = entry.saved(-8, -16);
    let code = [PUSH_FRAME, MOV_SP_TO_X29, bl(0), POP_FRAME, RET].concat();
    let frames = frames(&[(0, entry), (4, pushed.cfa(SP, 16)), (8, pushed.cfa(X29, 16)), (16, entry)]);
    Function::plain(name, code, frames).calling(8, callee)
}

pub(super) fn signed(abi: Abi, name: &str, callee: &str, key: PacKey) -> Function {
    let (sign, authenticate) = match key {
        PacKey::A => (PACIASP, AUTIASP),
        PacKey::B => (PACIBSP, AUTIBSP),
    };
    let plain = FrameState::at_entry(abi);
    let entry = FrameState { signed: true, ..plain };
    let pushed = entry.saved(-8, -16);
    let code = [sign, PUSH_FRAME, MOV_SP_TO_X29, bl(0), POP_FRAME, authenticate, RET].concat();
    let frames =
        frames(&[(0, plain), (4, entry), (8, pushed.cfa(SP, 16)), (12, pushed.cfa(X29, 16)), (20, entry), (24, plain)]);
    Function { key, ..Function::plain(name, code, frames).calling(12, callee) }
}

pub(super) fn start(abi: Abi, name: &str, callee: &str) -> Function {
    let entry = FrameState::at_entry(abi).outermost();
    let code = [MOV_0_TO_X29, bl(0), MOV_0_TO_X0, MOV_EXIT_TO_X8, SVC_0].concat();
    Function::plain(name, code, frames(&[(0, entry)])).calling(4, callee)
}

/// Base and offsets of a default row: CFA, then the return address if it was saved, then FP if that was saved too. A saved FP
/// without a saved return address has no form.
pub(super) fn default_offsets(frame: &FrameState) -> Option<(Base, Vec<i64>)> {
    let CfaRule::Register { reg, offset } = frame.cfa else { return None };
    let base = match reg {
        SP => Base::Sp,
        X29 => Base::Fp,
        _ => return None,
    };
    let mut offsets = vec![offset];
    match (frame.ra, frame.fp) {
        (ValueRule::SameValue, ValueRule::SameValue) => {}
        (ValueRule::AtCfa(ra), ValueRule::SameValue) => offsets.push(ra),
        (ValueRule::AtCfa(ra), ValueRule::AtCfa(fp)) => offsets.extend([ra, fp]),
        _ => return None,
    }
    Some((base, offsets))
}

/// stp x30, xzr, [sp, #-16]!; bl; ldp x30, xzr, [sp], #16; ret: the return address is saved, FP is not.
pub(super) fn ra_only(abi: Abi, name: &str, callee: &str) -> Function {
    const PUSH_X30: [u8; 4] = 0xa9bf_7ffe_u32.to_le_bytes();
    const POP_X30: [u8; 4] = 0xa8c1_7ffe_u32.to_le_bytes();
    let entry = FrameState::at_entry(abi);
    let pushed = FrameState { ra: ValueRule::AtCfa(-16), ..entry };
    let code = [PUSH_X30, bl(0), POP_X30, RET].concat();
    Function::plain(name, code, frames(&[(0, entry), (4, pushed.cfa(SP, 16)), (12, entry)])).calling(4, callee)
}

//! s390x: instructions (z/Architecture Principles of Operation) and how SFrame rows are formed ("s390x" in the SFrame
//! specification, from V2 errata 1): CFA offsets are stored scaled, registers as odd numbers.

use model::{Abi, CfaRule, Reg, ValueRule};

use super::{FrameState, Function, frames};
use crate::sframe::Base;

pub(super) const BR_R14: [u8; 2] = [0x07, 0xfe];
/// nopr %r7: branch on no condition.
pub(super) const NOPR: [u8; 2] = [0x07, 0x07];
/// stmg %r11,%r15,88(%r15)
const SAVE_R11_TO_R15: [u8; 6] = [0xeb, 0xbf, 0xf0, 0x58, 0x00, 0x24];
/// lmg %r11,%r15,248(%r11)
const LOAD_R11_TO_R15: [u8; 6] = [0xeb, 0xbf, 0xb0, 0xf8, 0x00, 0x04];
/// aghi %r15,-160
const PUSH_160: [u8; 4] = [0xa7, 0xfb, 0xff, 0x60];
const LGR_R15_TO_R11: [u8; 4] = [0xb9, 0x04, 0x00, 0xbf];
/// lghi %r2,0
const LGHI_0_TO_R2: [u8; 4] = [0xa7, 0x29, 0x00, 0x00];
/// svc 1: Linux's number of exit.
const SVC_EXIT: [u8; 2] = [0x0a, 0x01];

const R11: Reg = Reg(11);
const R15: Reg = Reg(15);
/// Where stmg above puts %r11 and %r14: CFA - 160 + 88, and 24 further.
const R11_SLOT: i64 = -72;
const R14_SLOT: i64 = -48;

/// brasl %r14: a 32-bit count of halfwords.
pub(super) fn brasl_r14(distance: i32) -> [u8; 6] {
    let [a, b, c, d] = (distance >> 1).to_be_bytes();
    [0xc0, 0xe5, a, b, c, d]
}

pub(super) fn framed(name: &str, callee: &str) -> Function {
    let entry = FrameState::at_entry(Abi::S390x);
    let pushed = entry.saved(R14_SLOT, R11_SLOT);
    let code = [&SAVE_R11_TO_R15[..], &PUSH_160, &LGR_R15_TO_R11, &brasl_r14(0), &LOAD_R11_TO_R15, &BR_R14].concat();
    let frames =
        frames(&[(0, entry), (6, pushed), (10, pushed.cfa(R15, 320)), (14, pushed.cfa(R11, 320)), (26, entry)]);
    Function::plain(name, code, frames).calling(14, callee)
}

pub(super) fn start(name: &str, callee: &str) -> Function {
    let entry = FrameState::at_entry(Abi::S390x).outermost();
    let code = [&PUSH_160[..], &brasl_r14(0), &LGHI_0_TO_R2, &SVC_EXIT].concat();
    Function::plain(name, code, frames(&[(0, entry), (4, entry.cfa(R15, 320))])).calling(4, callee)
}

/// The stored form of a CFA offset, if it loses nothing: eighths of the distance from 160.
pub(super) fn scaled(offset: i64) -> Option<i64> {
    let distance = offset.checked_sub(160)?;
    (distance % 8 == 0).then_some(distance / 8)
}

/// Base and offsets of a default row: CFA, then the return address, then FP. An unsaved return address in front of a saved FP
/// is 0; a register is twice its number plus one, in V2 only.
pub(super) fn default_offsets(frame: &FrameState, registers: Registers) -> Option<(Base, Vec<i64>)> {
    let CfaRule::Register { reg, offset } = frame.cfa else { return None };
    let base = match reg {
        R15 => Base::Sp,
        R11 => Base::Fp,
        _ => return None,
    };
    let word = |rule| match rule {
        ValueRule::SameValue => Some(0),
        // 0 reads as "not saved".
        ValueRule::AtCfa(offset) => (offset != 0 && offset % 2 == 0).then_some(offset),
        ValueRule::Register { reg, offset: 0 } => (registers == Registers::Odd).then_some(i64::from(reg.0) * 2 + 1),
        _ => None,
    };
    let mut offsets = vec![scaled(offset)?, word(frame.ra)?, word(frame.fp)?];
    while offsets.len() > 1 && offsets.last() == Some(&0) {
        offsets.pop();
    }
    Some((base, offsets))
}

/// Whether default rows can name a register that holds a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Registers {
    /// V2 errata 1: by an odd offset.
    Odd,
    /// V3: flexible rows only.
    No,
}

/// The return address that a flexible row without a pair for it has.
pub(super) const FLEX_DEFAULT_RA: ValueRule = ValueRule::SameValue;

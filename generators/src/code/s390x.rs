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

/// jg: a 32-bit count of halfwords.
pub(super) fn jg(distance: i32) -> [u8; 6] {
    let [a, b, c, d] = (distance >> 1).to_be_bytes();
    [0xc0, 0xf4, a, b, c, d]
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

/// The CFA is saved at 160(%r11) and found there; then the frame goes as it came.
pub(super) fn saved_cfa(name: &str) -> Function {
    /// aghi %r15,-168
    const PUSH_168: [u8; 4] = [0xa7, 0xfb, 0xff, 0x58];
    /// la %r1,328(%r15)
    const LA_328_R15_TO_R1: [u8; 4] = [0x41, 0x10, 0xf1, 0x48];
    /// stg %r1,160(%r15)
    const STG_R1_TO_160: [u8; 6] = [0xe3, 0x10, 0xf0, 0xa0, 0x00, 0x24];
    /// lmg %r11,%r15,256(%r11)
    const LOAD_FROM_256: [u8; 6] = [0xeb, 0xbf, 0xb1, 0x00, 0x00, 0x04];
    let entry = FrameState::at_entry(Abi::S390x);
    let pushed = entry.saved(R14_SLOT, R11_SLOT);
    let saved = FrameState { cfa: CfaRule::Memory { reg: R11, offset: 160 }, ..pushed };
    let code = [
        &SAVE_R11_TO_R15[..],
        &PUSH_168,
        &LGR_R15_TO_R11,
        &LA_328_R15_TO_R1,
        &STG_R1_TO_160,
        &NOPR,
        &LOAD_FROM_256,
        &BR_R14,
    ]
    .concat();
    let frames = frames(&[
        (0, entry),
        (6, pushed),
        (10, pushed.cfa(R15, 328)),
        (14, pushed.cfa(R11, 328)),
        (24, saved),
        (32, entry),
    ]);
    Function::plain(name, code, frames)
}

/// ldgr %f0,%r14; ldgr %f2,%r11; lgdr %r11,%f2; lgdr %r14,%f0; br %r14: return address and FP rest in floating point
/// registers, as in functions that make no call.
pub(super) fn saved_in_registers(name: &str) -> Function {
    const LDGR_R14_TO_F0: [u8; 4] = [0xb3, 0xc1, 0x00, 0x0e];
    const LDGR_R11_TO_F2: [u8; 4] = [0xb3, 0xc1, 0x00, 0x2b];
    const LGDR_F2_TO_R11: [u8; 4] = [0xb3, 0xcd, 0x00, 0xb2];
    const LGDR_F0_TO_R14: [u8; 4] = [0xb3, 0xcd, 0x00, 0xe0];
    // DWARF 16 is %f0, 17 is %f2 (s390x ELF ABI 1.6, table 1.17).
    let (f0, f2) = (ValueRule::Register { reg: Reg(16), offset: 0 }, ValueRule::Register { reg: Reg(17), offset: 0 });
    let entry = FrameState::at_entry(Abi::S390x);
    let half = FrameState { ra: f0, ..entry };
    let code = [&LDGR_R14_TO_F0[..], &LDGR_R11_TO_F2, &LGDR_F2_TO_R11, &LGDR_F0_TO_R14, &BR_R14].concat();
    let frames = frames(&[(0, entry), (4, half), (8, FrameState { fp: f2, ..half }), (12, half), (16, entry)]);
    Function::plain(name, code, frames)
}

/// Slots of a procedure linkage table (s390x ELF ABI, "Procedure Linkage Table"): they touch no frame.
pub(super) fn stubs(name: &str, count: u32) -> Function {
    /// larl %r1,.; lg %r1,0(%r1); br %r1; basr %r1,0; lgf %r1,12(%r1); jg .; and the offset of a relocation.
    const SLOT: [u8; 32] = [
        0xc0, 0x10, 0, 0, 0, 0, 0xe3, 0x10, 0x10, 0x00, 0x00, 0x04, 0x07, 0xf1, 0x0d, 0x10, 0xe3, 0x10, 0x10, 0x0c,
        0x00, 0x14, 0xc0, 0xf4, 0, 0, 0, 0, 0, 0, 0, 0,
    ];
    let states: Vec<_> = (0..count).map(|slot| (32 * slot, FrameState::at_entry(Abi::S390x))).collect();
    Function::plain(name, SLOT.repeat(count as usize), frames(&states))
}

/// The first entry: it passes its arguments in the caller's register save area, and touches no frame either.
pub(super) fn plt_first(name: &str) -> Function {
    /// stg %r1,56(%r15); larl %r1,.; mvc 48(8,%r15),8(%r1); lg %r1,16(%r1); br %r1; three nopr.
    const FIRST: [u8; 32] = [
        0xe3, 0x10, 0xf0, 0x38, 0x00, 0x24, 0xc0, 0x10, 0, 0, 0, 0, 0xd2, 0x07, 0xf0, 0x30, 0x10, 0x08, 0xe3, 0x10,
        0x10, 0x10, 0x00, 0x04, 0x07, 0xf1, 0x07, 0x00, 0x07, 0x00, 0x07, 0x00,
    ];
    Function::plain(name, FIRST.to_vec(), frames(&[(0, FrameState::at_entry(Abi::S390x))]))
}

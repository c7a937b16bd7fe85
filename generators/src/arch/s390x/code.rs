//! s390x: functions, and the encoding of SFrame rows (SFrame V2 errata 1 and V3, "s390x"): CFA
//! offsets are stored scaled, registers in V2 as odd numbers.

use types::{Abi, CfaRule, ValueRule};

use super::S390x;
use super::asm::{self, EXIT, F0, F2, R0, R1, R2, R7, R11, R14, R15, at, dwarf};
use crate::arch::Arch as _;
use crate::code::{FrameState, Function, Functions, frames};
use crate::sframe::{Base, Layout};

/// Offset from SP at entry at which a called function may save r11 to r15 (s390x ELF ABI 1.6,
/// figure 1-3).
const R11_SAVE: i32 = 88;
/// Offsets of the slots of %r11 and %r14 from the CFA: -160 + 88, and 24 more.
const R11_SLOT: i64 = -72;
const R14_SLOT: i64 = -48;

impl Functions for S390x {
    fn framed(&self, name: &str, callee: &str) -> Function {
        let entry = FrameState::at_entry(Abi::S390x);
        let pushed = entry.saved(R14_SLOT, R11_SLOT);
        let code = [
            &asm::stmg(R11, R15, at(R11_SAVE, R15))[..],
            &asm::aghi(R15, -160),
            &asm::lgr(R11, R15),
            &asm::brasl(R14, 0),
            &asm::lmg(R11, R15, at(160 + R11_SAVE, R11)),
            &asm::br(R14),
        ]
        .concat();
        let frames = frames(&[
            (0, entry),
            (6, pushed),
            (10, pushed.cfa(dwarf::R15, 320)),
            (14, pushed.cfa(dwarf::R11, 320)),
            (26, entry),
        ]);
        Function::plain(name, code, frames).calling(14, callee)
    }

    fn start(&self, name: &str, callee: &str) -> Function {
        let entry = FrameState::at_entry(Abi::S390x).outermost();
        let code = [&asm::aghi(R15, -160)[..], &asm::brasl(R14, 0), &asm::lghi(R2, 0), &asm::svc(EXIT)].concat();
        Function::plain(name, code, frames(&[(0, entry), (4, entry.cfa(dwarf::R15, 320))])).calling(4, callee)
    }

    /// Base and offsets of a default row: CFA, then the return address, then FP. An unsaved return
    /// address before a saved FP is 0; a register is twice its number plus one, in V2 only.
    fn default_offsets(&self, frame: &FrameState, layout: Layout) -> Option<(Base, Vec<i64>)> {
        let CfaRule::Register { reg, offset } = frame.cfa else { return None };
        let base = match reg {
            dwarf::R15 => Base::Sp,
            dwarf::R11 => Base::Fp,
            _ => return None,
        };
        let word = |rule| match rule {
            ValueRule::SameValue => Some(0),
            // 0 means "not saved".
            ValueRule::AtCfa(offset) => (offset != 0 && offset % 2 == 0).then_some(offset),
            ValueRule::Register { reg, offset: 0 } => layout.has_odd_words().then_some(i64::from(reg.0) * 2 + 1),
            _ => None,
        };
        let mut offsets = vec![self.target().stored_cfa(offset)?, word(frame.ra)?, word(frame.fp)?];
        while offsets.len() > 1 && offsets.last() == Some(&0) {
            offsets.pop();
        }
        Some((base, offsets))
    }

    /// The CFA is saved at 160(%r11) and loaded from there; then the frame is undone.
    fn saved_cfa(&self, name: &str) -> Option<Function> {
        let entry = FrameState::at_entry(Abi::S390x);
        let pushed = entry.saved(R14_SLOT, R11_SLOT);
        let saved = FrameState { cfa: CfaRule::Memory { reg: dwarf::R11, offset: 160 }, ..pushed };
        let code = [
            &asm::stmg(R11, R15, at(R11_SAVE, R15))[..],
            &asm::aghi(R15, -168),
            &asm::lgr(R11, R15),
            &asm::la(R1, at(328, R15)),
            &asm::stg(R1, at(160, R15)),
            &asm::nopr(R7),
            &asm::lmg(R11, R15, at(168 + R11_SAVE, R11)),
            &asm::br(R14),
        ]
        .concat();
        let frames = frames(&[
            (0, entry),
            (6, pushed),
            (10, pushed.cfa(dwarf::R15, 328)),
            (14, pushed.cfa(dwarf::R11, 328)),
            (24, saved),
            (32, entry),
        ]);
        Some(Function::plain(name, code, frames))
    }

    /// ldgr %f0,%r14; ldgr %f2,%r11; lgdr %r11,%f2; lgdr %r14,%f0; br %r14: return address and FP
    /// are kept in floating-point registers, as in functions without calls.
    fn foreign_registers(&self, name: &str) -> Option<Function> {
        let (f0, f2) =
            (ValueRule::Register { reg: dwarf::F0, offset: 0 }, ValueRule::Register { reg: dwarf::F2, offset: 0 });
        let entry = FrameState::at_entry(Abi::S390x);
        let half = FrameState { ra: f0, ..entry };
        let code =
            [&asm::ldgr(F0, R14)[..], &asm::ldgr(F2, R11), &asm::lgdr(R11, F2), &asm::lgdr(R14, F0), &asm::br(R14)]
                .concat();
        let frames = frames(&[(0, entry), (4, half), (8, FrameState { fp: f2, ..half }), (12, half), (16, entry)]);
        Some(Function::plain(name, code, frames))
    }

    /// PLT slots (s390x ELF ABI, "Procedure Linkage Table"): they do not change the frame.
    fn stubs(&self, name: &str, count: u32) -> Option<Function> {
        // A relocation's offset is at 28.
        let slot = [
            &asm::larl(R1, 0)[..],
            &asm::lg(R1, at(0, R1)),
            &asm::br(R1),
            &asm::basr(R1, R0),
            &asm::lgf(R1, at(12, R1)),
            &asm::jg(0),
            &[0; 4],
        ]
        .concat();
        let states: Vec<_> = (0..count).map(|slot| (32 * slot, FrameState::at_entry(Abi::S390x))).collect();
        Some(Function::plain(name, slot.repeat(count as usize), frames(&states)))
    }

    /// The first PLT entry: it passes its arguments in the caller's register save area, and does
    /// not change the frame either.
    fn plt_first(&self, name: &str) -> Option<Function> {
        let code = [
            &asm::stg(R1, at(56, R15))[..],
            &asm::larl(R1, 0),
            &asm::mvc(at(48, R15), 8, at(8, R1)),
            &asm::lg(R1, at(16, R1)),
            &asm::br(R1),
            &asm::nopr(R0).repeat(3),
        ]
        .concat();
        Some(Function::plain(name, code, frames(&[(0, FrameState::at_entry(Abi::S390x))])))
    }
}

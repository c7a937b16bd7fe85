//! AArch64 in both byte orders: functions, and the encoding of SFrame rows (SFrame V2 errata 1 and
//! V3, "AArch64").

use types::{CfaRule, PacKey, ValueRule};

use super::Aarch64;
use super::asm::{self, EXIT, RECORD, SP, Stack, X0, X8, X29, X30, XZR, dwarf};
use crate::code::{FrameState, Function, Functions, frames};
use crate::sframe::{Base, Layout};

/// The address for saving x29 and x30.
const PUSH: Stack = Stack::Before(-16);
const POP: Stack = Stack::After(16);

impl Functions for Aarch64 {
    fn framed(&self, name: &str, callee: &str) -> Function {
        let entry = FrameState::at_entry(self.abi);
        let pushed = entry.saved(-8, -16);
        let code =
            [asm::stp(RECORD, PUSH), asm::mov_sp(X29, SP), asm::bl(0), asm::ldp(RECORD, POP), asm::ret()].concat();
        let frames =
            frames(&[(0, entry), (4, pushed.cfa(dwarf::SP, 16)), (8, pushed.cfa(dwarf::X29, 16)), (16, entry)]);
        Function::plain(name, code, frames).calling(8, callee)
    }

    fn signed(&self, name: &str, callee: &str, key: PacKey) -> Option<Function> {
        let plain = FrameState::at_entry(self.abi);
        let entry = FrameState { signed: true, ..plain };
        let pushed = entry.saved(-8, -16);
        let code = [
            asm::sign_x30(key),
            asm::stp(RECORD, PUSH),
            asm::mov_sp(X29, SP),
            asm::bl(0),
            asm::ldp(RECORD, POP),
            asm::authenticate_x30(key),
            asm::ret(),
        ]
        .concat();
        let frames = frames(&[
            (0, plain),
            (4, entry),
            (8, pushed.cfa(dwarf::SP, 16)),
            (12, pushed.cfa(dwarf::X29, 16)),
            (20, entry),
            (24, plain),
        ]);
        Some(Function { key, ..Function::plain(name, code, frames).calling(12, callee) })
    }

    fn start(&self, name: &str, callee: &str) -> Function {
        let entry = FrameState::at_entry(self.abi).outermost();
        let code = [asm::movz(X29, 0), asm::bl(0), asm::movz(X0, 0), asm::movz(X8, EXIT), asm::svc(0)].concat();
        Function::plain(name, code, frames(&[(0, entry)])).calling(4, callee)
    }

    /// Base and offsets of a default row: CFA, then the return address if saved, then FP if saved.
    /// A saved FP without a saved return address has no default form.
    fn default_offsets(&self, frame: &FrameState, _layout: Layout) -> Option<(Base, Vec<i64>)> {
        let CfaRule::Register { reg, offset } = frame.cfa else { return None };
        let base = match reg {
            dwarf::SP => Base::Sp,
            dwarf::X29 => Base::Fp,
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

    /// stp x30, xzr, [sp, #-16]!; bl; ldp x30, xzr, [sp], #16; ret: the return address is saved, FP
    /// is not.
    fn ra_only(&self, name: &str, callee: &str) -> Option<Function> {
        let entry = FrameState::at_entry(self.abi);
        let pushed = FrameState { ra: ValueRule::AtCfa(-16), ..entry };
        let code = [asm::stp([X30, XZR], PUSH), asm::bl(0), asm::ldp([X30, XZR], POP), asm::ret()].concat();
        Some(
            Function::plain(name, code, frames(&[(0, entry), (4, pushed.cfa(dwarf::SP, 16)), (12, entry)]))
                .calling(4, callee),
        )
    }
}

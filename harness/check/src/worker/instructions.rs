//! What the judge asks of instructions, decoded from an image.

use isa::effects;
use isa::flow::{self, Flow, Insn};
use judge::saves::Instructions;
use types::{Image, Pc, Reg, SavedAt};

/// The instructions of an image.
pub(super) struct Decoded<'a>(pub(super) &'a Image);

impl Instructions for Decoded<'_> {
    fn saves(&self, pc: Pc, reg: Reg) -> Option<SavedAt> {
        /// No instruction of any ABI is longer.
        const LONGEST: usize = 15;
        let bytes = self.0.bytes_at(pc.0)?;
        let bytes = bytes.get(..LONGEST).unwrap_or(bytes);
        effects::saves(self.0.abi, bytes, pc.0, reg)
    }

    fn is_in_stub(&self, pc: Pc, ra: Pc) -> bool {
        /// Most instructions of a stub before its jump: BTI and MOV on AArch64.
        const MOST_BEFORE: usize = 2;
        let decode = |at: u64| flow::decode(self.0.abi, self.0.bytes_at(at)?, at);
        let called = |length: u64| match decode(ra.0.wrapping_sub(length))? {
            Insn { flow: Flow::Call(target), length: own, .. } if u64::from(own) == length => Some(target),
            _ => None,
        };
        let Some(mut at) = [4, 6, 2].into_iter().find_map(called) else { return false };
        let mut passes = false;
        for _ in 0..=MOST_BEFORE {
            passes |= at == pc.0;
            match decode(at) {
                Some(insn) if insn.flow == Flow::Next => at = at.wrapping_add(u64::from(insn.length)),
                Some(insn) => return passes && insn.flow == Flow::IndirectJump,
                None => return false,
            }
        }
        false
    }
}

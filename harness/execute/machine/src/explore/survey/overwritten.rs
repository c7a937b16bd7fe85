//! The registers, and the words of its caller's frame, that a callee overwrites, as far as its code
//! shows that at once.

use std::rc::Rc;

use isa::Code;
use isa::effects::{self, Effect};
use isa::flow::{self, Flow, Marks, Registers};
use types::{Abi, Reg};

use super::functions::Functions;

/// Maximum number of instructions of a callee to look at.
const MOST: usize = 32;

/// What a callee overwrites.
#[derive(Clone, Default)]
pub(in crate::explore) struct Overwritten {
    /// Registers that a callee need not keep.
    pub(in crate::explore) registers: Registers,
    /// The words of its caller's frame in which it saves registers, by their distance from SP.
    pub(in crate::explore) words: Rc<[(Reg, i64)]>,
}

impl Functions {
    /// What the first instructions of a callee overwrite, up to the first branch or call. A
    /// register that it saves first may be restored.
    pub(in crate::explore) fn overwritten(&self, callee: u64) -> Overwritten {
        let (mut all, mut kept, mut words) = (Registers::NONE, Registers::NONE, Vec::new());
        let mut changed = Registers::NONE;
        let facts = self.abi.facts();
        let mut sp_is_of_entry = facts.link_register;
        let mut pc = callee;
        for _ in 0..MOST {
            let bytes = self.bytes(pc).unwrap_or_default();
            let Some((insn, effects)) = effects::decode(self.abi, &mut Code::new(self.abi, bytes, pc), 0) else {
                break;
            };
            let next = pc.wrapping_add(u64::from(insn.length.max(1)));
            for effect in effects {
                if let Effect::Stores { from, base, offset } = effect
                    && (base, sp_is_of_entry) == (facts.sp, true)
                    && !changed.iter().any(|written| written == from)
                {
                    words.push((from, offset));
                }
                if let Effect::Stores { from, .. } | Effect::Sets { base: from, .. } | Effect::Adds { by: from, .. } =
                    effect
                {
                    kept = kept.and(Registers::one(from));
                }
            }
            sp_is_of_entry &= !insn.marks.any(Marks::WRITES_SP);
            if insn.flow == Flow::Next {
                let written = flow::written(self.abi, bytes, pc).unwrap_or_default();
                all = all.and(written.without(kept));
                changed = changed.and(written);
            }
            pc = match insn.flow {
                Flow::Next => next,
                Flow::Jump(target) if !self.is_unresolved(pc..next) => target,
                _ => break,
            };
        }
        Overwritten { registers: all.without(kept_by_callees(self.abi)), words: words.into() }
    }
}

/// The registers that a callee keeps, the link register included, and those beyond the general
/// ones.
fn kept_by_callees(abi: Abi) -> Registers {
    let facts = abi.facts();
    let is_kept = |number: &u16| {
        let is_link = facts.link_register && facts.ra == Reg(*number);
        *number >= facts.general_registers || facts.callee_saved.contains(number) || is_link
    };
    (0..32).filter(is_kept).fold(Registers::NONE, |all, number| all.and(Registers::one(Reg(number))))
}

//! The registers that a callee overwrites, as far as its code shows that at once.

use isa::Code;
use isa::effects::{self, Effect};
use isa::flow::{self, Flow, Registers};
use types::{Abi, Reg};

use super::functions::Functions;

/// Maximum number of instructions of a callee to look at.
const MOST: usize = 32;

impl Functions {
    /// The registers that a callee need not keep and that its first instructions overwrite, up to
    /// the first branch or call. A register that it saves first may be restored.
    pub(in crate::explore) fn overwritten(&self, callee: u64) -> Registers {
        let (mut all, mut kept) = (Registers::NONE, Registers::NONE);
        let mut pc = callee;
        for _ in 0..MOST {
            let bytes = self.bytes(pc).unwrap_or_default();
            let Some((insn, effects)) = effects::decode(self.abi, &mut Code::new(self.abi, bytes, pc), 0) else {
                break;
            };
            let next = pc.wrapping_add(u64::from(insn.length.max(1)));
            for effect in effects {
                if let Effect::Stores { from, .. } | Effect::Sets { base: from, .. } | Effect::Adds { by: from, .. } =
                    effect
                {
                    kept = kept.and(Registers::one(from));
                }
            }
            if insn.flow == Flow::Next {
                let written = flow::written(self.abi, bytes, pc).unwrap_or_default();
                all = all.and(written.without(kept));
            }
            pc = match insn.flow {
                Flow::Next => next,
                Flow::Jump(target) if !self.is_unresolved(pc..next) => target,
                _ => break,
            };
        }
        all.without(kept_by_callees(self.abi))
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

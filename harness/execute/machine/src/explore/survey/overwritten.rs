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
        all.without(keeps(self.abi))
    }
}

/// The registers that a callee keeps, SP and link register included (System V
/// psABI AMD64 1.0, figure 3.4; AAPCS64, 6.1.1; ELF ABI s390x Supplement, "Register Usage").
fn keeps(abi: Abi) -> Registers {
    let scratch: &[u16] = match abi {
        Abi::Amd64 => &[0, 1, 2, 4, 5, 8, 9, 10, 11],
        Abi::Aarch64 | Abi::Aarch64Be => &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17],
        Abi::S390x => &[0, 1, 2, 3, 4, 5],
    };
    let all = (0..32).map(Reg).filter(|reg| !scratch.contains(&reg.0));
    all.fold(Registers::NONE, |all, reg| all.and(Registers::one(reg)))
}

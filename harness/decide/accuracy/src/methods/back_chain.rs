//! The back chain of s390x (`-mbackchain`).

use results::UnwindMethod;
use types::{Abi, CodePoint, FrameRegs, Pc, RegFile as _, Stack};

use super::patterns::{Recognised, Recognises};
use crate::{Caller, Lost, Mark, Method, Parts, Position};

/// Offset of the saved return address: the slot of %r14 in the save area at the caller's SP (ELF
/// ABI s390x Supplement, "Register Save Area").
const RA_SLOT: u64 = 112;

/// Walks the back chain: `[SP]` is the caller's SP, and the return address is saved 112 bytes above
/// that. It stops if the chain does not ascend or the return address is not code.
pub struct BackChain<'p> {
    pub(crate) parts: &'p Parts<'p>,
}

impl Method for BackChain<'_> {
    fn name(&self) -> UnwindMethod {
        UnwindMethod::BackChain
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let facts = Abi::S390x.facts();
        let sp = frame.regs.read(facts.sp).ok_or(Lost::Unreadable)?;
        let word = |address: u64| stack.read(address).map_err(|_| Lost::Unreadable);
        let above = word(sp)?;
        if above == 0 {
            return Ok(None);
        }
        if above <= sp || above % 8 != 0 {
            return Err(Lost::Unreadable);
        }
        let ra = word(above.wrapping_add(RA_SLOT))?;
        if !self.parts.is_code(ra) {
            return Err(Lost::Unreadable);
        }
        let mut regs = FrameRegs::none();
        regs.set(facts.sp, Some(above));
        let frame = Position { at: CodePoint::AfterCall(Pc(ra)), regs, innermost: false };
        Ok(Some(Caller { mark: Mark::CallerSp(above), frame }))
    }
}

impl Recognises for BackChain<'_> {
    const NAME: UnwindMethod = UnwindMethod::BackChainPatterns;

    fn parts(&self) -> &Parts<'_> {
        self.parts
    }

    /// Before the frame is created, and at the return.
    fn recognise(&self, code: &[u8], frame: &Position, _: &Stack<'_>) -> Option<Recognised> {
        let facts = Abi::S390x.facts();
        let unmade = match code {
            // stmg; aghi %r15; lay %r15.
            [0xeb, _, base, _, _, 0x24, ..] => base >> 4 == 15,
            [0xa7, 0xfb, ..] => true,
            [0xe3, 0xf0, base, _, _, 0x71, ..] => base >> 4 == 15,
            // br %r14.
            [0x07, 0xfe, ..] => true,
            _ => false,
        };
        let (sp, fp) = (frame.regs.read(facts.sp)?, frame.regs.read(facts.fp)?);
        let ra = frame.regs.read(facts.ra)?;
        unmade.then_some(Recognised { ra, mark: Mark::CallerSp(sp), fp })
    }
}

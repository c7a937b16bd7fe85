//! A walk of records with byte patterns for the innermost frame, as in profilers that handle
//! prologues and epilogues.

use results::UnwindMethod;
use types::{Abi, CodePoint, FrameRegs, Pc, Stack};

use crate::{Caller, Lost, Mark, Method, Parts, Position};

/// A walk that finds the caller of the innermost frame by the instruction at the PC, if it is one
/// of a prologue or an epilogue.
pub struct Patterns<W> {
    pub(crate) walk: W,
}

/// A walk with patterns.
pub trait Recognises: Method {
    /// Name with patterns.
    const NAME: UnwindMethod;

    /// The objects whose code is examined.
    fn parts(&self) -> &Parts<'_>;

    /// The caller by the instruction that is about to execute; `None` if it matches no pattern.
    fn recognise(&self, code: &[u8], frame: &Position, stack: &Stack<'_>) -> Option<Recognised>;
}

/// Result of a pattern.
#[derive(Clone, Copy, Debug)]
pub struct Recognised {
    /// Return address, which may be signed.
    pub ra: u64,
    /// Evidence of the frame that it belongs to.
    pub mark: Mark,
    /// The caller's FP.
    pub fp: u64,
}

impl<W: Recognises> Method for Patterns<W> {
    fn name(&self) -> UnwindMethod {
        W::NAME
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let parts = self.walk.parts();
        let recognised = match frame.at {
            CodePoint::Exact(pc) if frame.innermost => {
                let abi = parts.at(pc).map(|(_, part)| part.image.abi);
                let found = parts.bytes(pc).and_then(|code| self.walk.recognise(code, frame, stack));
                abi.zip(found)
            }
            CodePoint::Exact(_) | CodePoint::AfterCall(_) => None,
        };
        let Some((abi, found)) = recognised else { return self.walk.caller(frame, stack) };
        let ra = found.ra & abi.facts().address_mask;
        if !parts.is_code(ra) {
            return self.walk.caller(frame, stack);
        }
        Ok(Some(found.caller(abi, ra)))
    }
}

impl Recognised {
    fn caller(self, abi: Abi, ra: u64) -> Caller {
        let facts = abi.facts();
        let sp = match self.mark {
            Mark::CallerSp(sp) => Some(sp),
            Mark::Record(record) => Some(record.wrapping_add(16)),
        };
        let mut known = FrameRegs::none();
        known.set(facts.fp, Some(self.fp));
        known.set(facts.sp, sp);
        let frame = Position { at: CodePoint::AfterCall(Pc(ra)), regs: known, innermost: false };
        Caller { mark: self.mark, frame }
    }
}

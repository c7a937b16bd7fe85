//! Unwinding by tables: `.sframe`, `.sframe` with a walk of records where it has no descriptor, and
//! `.eh_frame`.

use results::UnwindMethod;
use types::{Answer, CodePoint, Fault, Pc, Stack};
use unwind::Unwinder;

use crate::{Caller, Lost, Mark, Method, Parts, Position};

/// Unwinds by the object's `.sframe`.
pub struct Sframe<'p> {
    pub(crate) parts: &'p Parts<'p>,
}

/// Unwinds by the `.sframe` synthesised from the object's `.eh_frame`.
pub struct Synthesised<'p> {
    pub(crate) parts: &'p Parts<'p>,
}

/// Unwinds by the object's `.eh_frame`.
pub struct EhFrame<'p> {
    pub(crate) parts: &'p Parts<'p>,
}

/// Unwinds by the object's `.sframe`, or by a walk of records if it has no descriptor for the code.
pub struct SframeOrFramePointer<'p, W> {
    pub(crate) table: Sframe<'p>,
    pub(crate) walk: W,
}

impl Method for Sframe<'_> {
    fn name(&self) -> UnwindMethod {
        UnwindMethod::Sframe
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let (_, part) = self.parts.at(frame.at.lookup()).ok_or(Lost::NoTable)?;
        by(part.tables.sframe.as_ref().ok_or(Lost::NoTable)?, frame, stack)
    }
}

impl Method for Synthesised<'_> {
    fn name(&self) -> UnwindMethod {
        UnwindMethod::Synthesised
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let (_, part) = self.parts.at(frame.at.lookup()).ok_or(Lost::NoTable)?;
        by(&part.synthesised.ok_or(Lost::NoTable)?.table, frame, stack)
    }
}

impl Method for EhFrame<'_> {
    fn name(&self) -> UnwindMethod {
        UnwindMethod::EhFrame
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let (_, part) = self.parts.at(frame.at.lookup()).ok_or(Lost::NoTable)?;
        by(part.tables.cfi.as_ref().ok_or(Lost::NoTable)?, frame, stack)
    }
}

impl<W: Method> Method for SframeOrFramePointer<'_, W> {
    fn name(&self) -> UnwindMethod {
        UnwindMethod::SframeOrFramePointer
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        match self.table.caller(frame, stack) {
            Err(Lost::NoTable) => self.walk.caller(frame, stack),
            found => found,
        }
    }
}

/// The caller according to a table.
fn by<U: Unwinder>(table: &U, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
    let lost = |fault: Fault| match fault {
        Fault::NoFunction => Lost::NoTable,
        Fault::NoRow
        | Fault::NoCfa
        | Fault::UnknownRegister { .. }
        | Fault::DeadMemory { .. }
        | Fault::UnreadableMemory { .. }
        | Fault::Expression
        | Fault::Overflow => Lost::Unreadable,
    };
    let row = table.row(frame.at).map_err(lost)?;
    let caller = match table.evaluate(row, frame.at, &frame.regs, stack).map_err(lost)? {
        Answer::Caller(caller) => caller,
        Answer::Outermost => return Ok(None),
    };
    // Start code may have 0 for a caller where its row has no undefined return address.
    if caller.ra == 0 {
        return Ok(None);
    }
    let regs = table.caller_regs(row, frame.at, &caller, &frame.regs, stack);
    let pc = Pc(caller.ra);
    let at = if caller.signal { CodePoint::Exact(pc) } else { CodePoint::AfterCall(pc) };
    Ok(Some(Caller { mark: Mark::CallerSp(caller.sp), frame: Position { at, regs, innermost: false } }))
}

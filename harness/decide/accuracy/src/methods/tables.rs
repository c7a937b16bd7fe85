//! Unwinding by tables: `.sframe`, `.sframe` with a walk of records where it has no descriptor, and
//! `.eh_frame`.

use results::UnwindMethod;
use types::{Answer, CodePoint, Fault, Pc, Stack};
use unwind::Unwinder;

use crate::{Caller, Lost, Mark, Method, Parts, Position};

/// A table that an object may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableOf {
    /// Its `.sframe`.
    Sframe,
    /// The `.sframe` synthesised from its `.eh_frame`.
    Synthesised,
    /// Its `.eh_frame`.
    EhFrame,
}

/// Unwinds by a table of the object.
pub struct ByTable<'p> {
    pub(crate) parts: &'p Parts<'p>,
    pub(crate) table: TableOf,
}

/// Unwinds by the object's `.sframe`, or by a walk of records if it has no descriptor for the code.
pub struct SframeOrFramePointer<'p, W> {
    pub(crate) table: ByTable<'p>,
    pub(crate) walk: W,
}

impl Method for ByTable<'_> {
    fn name(&self) -> UnwindMethod {
        match self.table {
            TableOf::Sframe => UnwindMethod::Sframe,
            TableOf::Synthesised => UnwindMethod::Synthesised,
            TableOf::EhFrame => UnwindMethod::EhFrame,
        }
    }

    fn caller(&self, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
        let (_, part) = self.parts.at(frame.at.lookup()).ok_or(Lost::NoTable)?;
        match self.table {
            TableOf::Sframe => by(part.tables.sframe.as_ref(), frame, stack),
            TableOf::Synthesised => by(part.synthesised.map(|made| &made.table), frame, stack),
            TableOf::EhFrame => by(part.tables.cfi.as_ref(), frame, stack),
        }
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
fn by<U: Unwinder>(table: Option<&U>, frame: &Position, stack: &Stack<'_>) -> Result<Option<Caller>, Lost> {
    let table = table.ok_or(Lost::NoTable)?;
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

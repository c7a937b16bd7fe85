//! Walks of whole chains: from the innermost frame to the outermost by one table's own answers.

use types::{Answer, Caller, CodePoint, Fault, FrameRegs, Pc, Step};
use unwind::Unwinder;

use crate::slot::{Slot, slot};

/// One table on its way from callee to caller.
pub(crate) struct Walk<'t, U> {
    /// The frame that is next; none if the walk has ended.
    next: Option<Position<'t, U>>,
}

struct Position<'t, U> {
    table: &'t U,
    regs: FrameRegs,
    at: CodePoint,
}

/// What a table gives for a frame of a chain.
pub(crate) struct ChainFrame {
    /// The row that it used.
    pub(crate) slot: Slot,
    /// Its caller, or why the table gives none.
    pub(crate) answer: Result<Answer, Fault>,
    /// The address of the frame's code.
    pub(crate) at: CodePoint,
}

impl<'t, U: Unwinder> Walk<'t, U> {
    /// Begins in the frame that called the innermost one, which `answer` found by the row in
    /// `slot`.
    pub(crate) fn begin(
        table: Option<&'t U>,
        slot: Slot,
        at: CodePoint,
        answer: Option<Result<Answer, Fault>>,
        step: &Step<'_>,
    ) -> Self {
        let next = match (table, slot, answer) {
            (Some(table), Slot::Row(row), Some(Ok(Answer::Caller(caller)))) => {
                let regs = table.caller_regs(row, at, &caller, &step.regs, &step.stack);
                Some(Position { table, regs, at: call_site(&caller) })
            }
            _ => None,
        };
        Walk { next }
    }

    /// A walk that goes nowhere: its table was wrong about the innermost frame.
    pub(crate) fn ended() -> Self {
        Walk { next: None }
    }

    /// Begins in a function that a signal interrupted, by the registers that the kernel saved.
    pub(crate) fn interrupted(table: Option<&'t U>, at: Pc, regs: FrameRegs) -> Self {
        Walk { next: table.map(|table| Position { table, regs, at: CodePoint::Exact(at) }) }
    }

    /// What the table gives for the frame reached.
    pub(crate) fn frame(&self, step: &Step<'_>) -> Option<ChainFrame> {
        let Position { table, regs, at } = self.next.as_ref()?;
        let slot = slot(Some(*table), *at);
        let answer = match slot {
            Slot::Row(row) => table.evaluate(row, *at, regs, &step.stack),
            Slot::NoRow => Err(Fault::NoRow),
            Slot::Absent | Slot::NoFunction => Err(Fault::NoFunction),
        };
        Some(ChainFrame { slot, answer, at: *at })
    }

    /// Goes on to the caller of `frame`. The walk ends where the table has none.
    pub(crate) fn advance(&mut self, frame: &ChainFrame, step: &Step<'_>) {
        self.next = match (self.next.take(), frame.slot, &frame.answer) {
            (Some(Position { table, regs, at }), Slot::Row(row), Ok(Answer::Caller(caller))) => {
                let regs = table.caller_regs(row, at, caller, &regs, &step.stack);
                Some(Position { table, regs, at: call_site(caller) })
            }
            _ => None,
        };
    }

    /// Ends the walk: the table was wrong about the frame reached.
    pub(crate) fn end(&mut self) {
        self.next = None;
    }
}

/// A signal frame's caller was interrupted, not calling: its pc is exact.
fn call_site(caller: &Caller) -> CodePoint {
    match caller.signal {
        true => CodePoint::Exact(Pc(caller.ra)),
        false => CodePoint::AfterCall(Pc(caller.ra)),
    }
}

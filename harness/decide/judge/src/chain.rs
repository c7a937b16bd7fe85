//! Walks of complete call chains: from the innermost frame to the outermost, by one table's own
//! answers.

use types::{Answer, Caller, CodePoint, Fault, FrameRegs, Pc, Step};
use unwind::Unwinder;

use crate::slot::{Slot, slot};

/// State of one table's walk from callee to caller.
pub(crate) struct Walk<'t, U> {
    /// The next frame; `None` if the walk has ended.
    next: Option<Position<'t, U>>,
}

struct Position<'t, U> {
    table: &'t U,
    regs: FrameRegs,
    at: CodePoint,
}

/// A table's answer for a frame of a chain.
pub(crate) struct ChainFrame {
    /// Row that the answer is from.
    pub(crate) slot: Slot,
    /// The frame's caller, or why the table gives none.
    pub(crate) answer: Result<Answer, Fault>,
    /// Code address of the frame.
    pub(crate) at: CodePoint,
}

impl<'t, U: Unwinder> Walk<'t, U> {
    /// Begins in the frame that called the innermost one, found as `answer` by the row in `slot`.
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

    /// A walk without frames: its table was wrong about the innermost frame.
    pub(crate) fn ended() -> Self {
        Walk { next: None }
    }

    /// Begins in a function that a signal interrupted, with the registers that the kernel saved.
    pub(crate) fn interrupted(table: Option<&'t U>, at: Pc, regs: FrameRegs) -> Self {
        Walk { next: table.map(|table| Position { table, regs, at: CodePoint::Exact(at) }) }
    }

    /// The table's answer for the current frame.
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

    /// Continues with the caller of `frame`. The walk ends if the table has none.
    pub(crate) fn advance(&mut self, frame: &ChainFrame, step: &Step<'_>) {
        self.next = match (self.next.take(), frame.slot, &frame.answer) {
            (Some(Position { table, regs, at }), Slot::Row(row), Ok(Answer::Caller(caller))) => {
                let regs = table.caller_regs(row, at, caller, &regs, &step.stack);
                Some(Position { table, regs, at: call_site(caller) })
            }
            _ => None,
        };
    }

    /// Ends the walk: the table was wrong about the current frame.
    pub(crate) fn end(&mut self) {
        self.next = None;
    }
}

/// Code address of a caller. The caller of a signal frame was interrupted, not calling: its PC is
/// exact.
fn call_site(caller: &Caller) -> CodePoint {
    match caller.signal {
        true => CodePoint::Exact(Pc(caller.ra)),
        false => CodePoint::AfterCall(Pc(caller.ra)),
    }
}

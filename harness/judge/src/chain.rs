//! Walks of whole chains: from the innermost frame to the outermost by each table's own answers, each frame against the truth.

use model::{Answer, Caller, CodePoint, Fault, FrameRegs, Pc, Stack};
use unwind::{RowId, Unwinder};

use crate::slot::{Slot, slot};

/// One table on its way up a chain.
pub(crate) struct Climb<'t, U> {
    table: &'t U,
    regs: FrameRegs,
    at: CodePoint,
}

/// What a table says about a frame it has climbed to.
pub(crate) struct Rung {
    /// The row it used.
    pub(crate) slot: Slot,
    /// Its answer.
    pub(crate) answer: Result<Answer, Fault>,
    /// Where it was asked.
    pub(crate) at: CodePoint,
}

impl<'t, U: Unwinder> Climb<'t, U> {
    /// Starts in the frame that called the innermost one. `regs` are the registers at the step.
    pub(crate) fn start(
        table: &'t U,
        row: RowId,
        at: CodePoint,
        caller: &Caller,
        regs: &model::Regs<'_>,
        stack: &Stack<'_>,
    ) -> Self {
        let above = table.caller_regs(row, at, caller, regs, stack);
        Climb { table, regs: above, at: call_site(caller) }
    }

    /// Asks the table about the frame reached.
    pub(crate) fn ask(&self, stack: &Stack<'_>) -> Rung {
        let slot = slot(Some(self.table), self.at);
        let answer = match slot {
            Slot::Row(row) => self.table.evaluate(row, self.at, &self.regs, stack),
            Slot::NoRow => Err(Fault::NoRow),
            Slot::Absent | Slot::NoFunction => Err(Fault::NoFunction),
        };
        Rung { slot, answer, at: self.at }
    }

    /// Goes on to the frame above the one that `rung` answered for; false where the chain ends.
    pub(crate) fn climb(&mut self, rung: &Rung, stack: &Stack<'_>) -> bool {
        let (Slot::Row(row), Ok(Answer::Caller(caller))) = (rung.slot, &rung.answer) else { return false };
        self.regs = self.table.caller_regs(row, self.at, caller, &self.regs, stack);
        self.at = call_site(caller);
        true
    }
}

/// A signal frame's caller was interrupted, not calling: its pc is exact.
fn call_site(caller: &Caller) -> CodePoint {
    match caller.signal {
        true => CodePoint::Exact(Pc(caller.ra)),
        false => CodePoint::AfterCall(Pc(caller.ra)),
    }
}

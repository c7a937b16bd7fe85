//! Walks of complete call chains: from the innermost frame to the outermost, by one table's own
//! answers.

use types::{Answer, Caller, CodePoint, Fault, Frame, FrameRegs, LeftBy, Pc, RegFile, Step};
use unwind::Unwinder as _;

use crate::blame::Table;
use crate::slot::Slot;
use crate::tables::Tables;

/// Maximum number of parts of a function that lead to each other.
const MOST_PARTS: usize = 4;

/// State of one table's walk from callee to caller.
pub(crate) struct Walk<'t> {
    tables: &'t Tables,
    table: Table,
    /// The next frame; `None` if the walk has ended.
    next: Option<Position>,
}

struct Position {
    regs: FrameRegs,
    at: CodePoint,
}

/// A table's answer for a frame of a chain.
#[derive(Clone, Copy)]
pub(crate) struct ChainFrame {
    /// Row that the answer is from.
    pub(crate) slot: Slot,
    /// The frame's caller, or why the table gives none.
    pub(crate) answer: Result<Answer, Fault>,
    /// Code address of the frame.
    pub(crate) at: CodePoint,
}

impl<'t> Walk<'t> {
    /// A walk that has ended, or not begun.
    pub(crate) fn ended(tables: &'t Tables, table: Table) -> Self {
        Walk { tables, table, next: None }
    }

    /// Begins in the frame that called the innermost one.
    pub(crate) fn begin(&mut self, innermost: &ChainFrame, step: &Step<'_>) {
        self.next = self.caller(innermost, &step.regs, step, step.frames.innermost());
    }

    /// Begins in a function that a signal interrupted, with the registers that the kernel saved.
    pub(crate) fn interrupted(&mut self, at: Pc, regs: FrameRegs) {
        self.next = Some(Position { regs, at: CodePoint::Exact(at) });
    }

    /// The table's answer for the current frame.
    pub(crate) fn frame(&mut self, step: &Step<'_>) -> Option<ChainFrame> {
        for _ in 0..MOST_PARTS {
            let Position { regs, at } = self.next.as_ref()?;
            let slot = self.tables.slot(self.table, *at);
            let frame =
                ChainFrame { slot, answer: self.tables.answer(self.table, slot, *at, regs, &step.stack)?, at: *at };
            if !self.tables.leads_into_code(self.table, slot) {
                return Some(frame);
            }
            self.advance(&frame, step, None);
        }
        None
    }

    /// The table's answer for the function in whose frame a part of it is, if the row of that part
    /// leads into the function's code; `part` is what the table answers for the part.
    pub(crate) fn of_function(
        tables: &'t Tables,
        table: Table,
        part: &ChainFrame,
        step: &Step<'_>,
    ) -> Option<ChainFrame> {
        if !tables.leads_into_code(table, part.slot) {
            return None;
        }
        let mut walk = Walk::ended(tables, table);
        walk.next = walk.caller(part, &step.regs, step, None);
        walk.frame(step)
    }

    /// Continues with the caller of `frame`, which is `truth`. The walk ends if the table has none.
    pub(crate) fn advance(&mut self, frame: &ChainFrame, step: &Step<'_>, truth: Option<&Frame>) {
        self.next = self.next.take().and_then(|Position { regs, .. }| self.caller(frame, &regs, step, truth));
    }

    /// Ends the walk: the table was wrong about the current frame.
    pub(crate) fn end(&mut self) {
        self.next = None;
    }

    fn caller<R: RegFile + ?Sized>(
        &self,
        frame: &ChainFrame,
        regs: &R,
        step: &Step<'_>,
        truth: Option<&Frame>,
    ) -> Option<Position> {
        let (Some(row), Ok(Answer::Caller(caller))) = (frame.slot.row(), &frame.answer) else { return None };
        let regs = match self.table {
            Table::Sframe => self.tables.sframe.as_ref()?.caller_regs(row, frame.at, caller, regs, &step.stack),
            Table::EhFrame => self.tables.cfi.as_ref()?.caller_regs(row, frame.at, caller, regs, &step.stack),
        };
        Some(Position { regs, at: call_site(caller, truth) })
    }
}

/// Code address of a caller. If it was interrupted, not calling, its PC is exact: so wrong marks of
/// signal frames, which are findings of their own, have no consequences.
fn call_site(caller: &Caller, truth: Option<&Frame>) -> CodePoint {
    let was_interrupted = match truth.map(|frame| frame.left_by) {
        Some(LeftBy::Signal) => true,
        Some(LeftBy::Call) => false,
        Some(LeftBy::Nothing) | None => caller.signal,
    };
    match was_interrupted {
        true => CodePoint::Exact(Pc(caller.ra)),
        false => CodePoint::AfterCall(Pc(caller.ra)),
    }
}

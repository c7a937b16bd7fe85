//! The walk of a whole chain by both tables, frame by frame against the truth.

use types::{CodePoint, LeftBy, Step};

use super::Judge;
use super::answers::Answers;
use crate::blame::Table;
use crate::chain::{ChainFrame, Walk};
use crate::per_table::PerTable;
use crate::slot::Slot;
use crate::tables::TableAnswer;

impl Judge<'_> {
    /// Walks from the innermost frame to the outermost by each table that was right about the
    /// innermost one. The walk of a table ends at the first frame about which it is wrong.
    /// `sframe`: its answer for the innermost frame.
    pub(super) fn walk(&mut self, step: &Step<'_>, slots: PerTable<Slot>, sframe: TableAnswer, right: PerTable<bool>) {
        let tables = self.tables;
        let at = CodePoint::Exact(step.pc);
        let mut walks = PerTable::from_fn(|table| Walk::ended(tables, table));
        for (walk, table) in [(&mut walks.sframe, Table::Sframe), (&mut walks.eh_frame, Table::EhFrame)] {
            let slot = *slots.get(table);
            let answer = match table {
                _ if !right.get(table) => None,
                Table::Sframe => sframe,
                Table::EhFrame => tables.answer(table, slot, at, &step.regs, &step.stack),
            };
            if let Some(answer) = answer {
                walk.begin(&ChainFrame { slot, answer, at }, step);
            }
        }
        self.record.counts.over_signals += u64::from(enter_interrupted(step, 0, slots, &mut walks));
        for depth in 1..=step.frames.depth() {
            let truth = step.frames.iter().nth(depth);
            let before = step.frames.iter().nth(depth - 1);
            let is_last = before.is_some_and(|frame| frame.left_by == LeftBy::Nothing);
            if is_last || (truth.is_none() && !self.knows_outermost(step)) {
                break;
            }
            let frames = PerTable { sframe: walks.sframe.frame(step), eh_frame: walks.eh_frame.frame(step) };
            let Some(at) = frames.sframe.or(frames.eh_frame).map(|frame| frame.at) else { break };
            let slots = frames.map(|_, frame| frame.map_or(Slot::Absent, |frame| frame.slot));
            let given = frames.map(|_, frame| frame.map(|frame| frame.answer));
            self.record.counts.frames += 1;
            let answers = Answers { image: self.image, tables, step, at, depth, truth, slots, given };
            let right = self.judge_frame(&answers);
            for (walk, table) in [(&mut walks.sframe, Table::Sframe), (&mut walks.eh_frame, Table::EhFrame)] {
                match frames.get(table).filter(|_| *right.get(table)) {
                    Some(frame) => walk.advance(&frame, step, truth),
                    None => walk.end(),
                }
            }
            self.record.counts.over_signals += u64::from(enter_interrupted(step, depth, slots, &mut walks));
        }
    }
}

/// Continues walks in a function that a signal interrupted. The code that a handler returns to
/// often has no row: unwinders recognise that code, and continue with the registers that the kernel
/// saved. The walk of a table that reached it does the same. Returns true if one did.
fn enter_interrupted(step: &Step<'_>, depth: usize, slots: PerTable<Slot>, walks: &mut PerTable<Walk<'_>>) -> bool {
    let truth = step.frames.iter().nth(depth).filter(|frame| frame.left_by == LeftBy::Signal);
    let Some((truth, around)) = truth.zip(step.frames.depth().checked_sub(depth + 1)) else { return false };
    let Some(registers) = step.stack.outer.interrupted(around) else { return false };
    let undescribed = slots.map(|_, slot| matches!(slot, Slot::NoRow | Slot::NoFunction));
    if undescribed.sframe {
        walks.sframe.interrupted(truth.ra, *registers);
    }
    if undescribed.eh_frame {
        walks.eh_frame.interrupted(truth.ra, *registers);
    }
    undescribed.any(|is| *is)
}

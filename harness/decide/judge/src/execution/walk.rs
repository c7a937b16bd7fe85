//! The walk of a whole chain by both tables, frame by frame against the truth.

use types::{Answer, CodePoint, Fault, LeftBy, Step};
use unwind::{CfiUnwinder, SframeUnwinder};

use super::{Answers, Judge, answer};
use crate::chain::{ChainFrame, Walk};
use crate::memo::PcFacts;
use crate::slot::Slot;

impl<'a> Judge<'a> {
    /// Walks from the innermost frame to the outermost by each table that was right about the
    /// innermost one. The walk of a table ends at the first frame about which it is wrong.
    pub(super) fn walk(
        &mut self,
        step: &Step<'_>,
        facts: PcFacts,
        sframe: Option<Result<Answer, Fault>>,
        right: (bool, bool),
    ) {
        let at = CodePoint::Exact(step.pc);
        let tables = self.tables;
        let mut sframe = match right.0 {
            true => Walk::begin(tables.sframe.as_ref(), facts.sframe, at, sframe, step),
            false => Walk::ended(),
        };
        let mut cfi = match right.1 {
            true => {
                let answer = answer(tables.cfi.as_ref(), facts.cfi, at, step);
                Walk::begin(tables.cfi.as_ref(), facts.cfi, at, answer, step)
            }
            false => Walk::ended(),
        };
        self.go_over(step, 0, (facts.sframe, facts.cfi), (&mut sframe, &mut cfi));
        for depth in 1..=step.frames.depth() {
            let truth = step.frames.iter().nth(depth);
            let before = step.frames.iter().nth(depth - 1);
            let is_last = before.is_some_and(|frame| frame.left_by == LeftBy::Nothing);
            if is_last || (truth.is_none() && !self.knows_outermost(step)) {
                break;
            }
            let frames = (sframe.frame(step), cfi.frame(step));
            let Some(at) = frames.0.as_ref().or(frames.1.as_ref()).map(|frame| frame.at) else { break };
            let slot = |frame: &Option<ChainFrame>| frame.as_ref().map_or(Slot::Absent, |frame| frame.slot);
            let answers = Answers {
                step,
                at,
                depth,
                truth,
                slots: (slot(&frames.0), slot(&frames.1)),
                sframe: frames.0.as_ref().map(|frame| frame.answer),
                cfi: frames.1.as_ref().map(|frame| frame.answer),
            };
            self.counts.frames += 1;
            let right = self.judge_frame(&answers);
            match frames.0.filter(|_| right.0) {
                Some(frame) => sframe.advance(&frame, step),
                None => sframe.end(),
            }
            match frames.1.filter(|_| right.1) {
                Some(frame) => cfi.advance(&frame, step),
                None => cfi.end(),
            }
            self.go_over(step, depth, answers.slots, (&mut sframe, &mut cfi));
        }
    }

    /// Continues a walk in a function that a signal interrupted. The code that a handler returns to
    /// often has no row: unwinders recognise that code, and continue with the registers that the
    /// kernel saved. The walk of a table that reached it does the same.
    fn go_over(
        &mut self,
        step: &Step<'_>,
        depth: usize,
        slots: (Slot, Slot),
        (sframe, cfi): (&mut Walk<'a, SframeUnwinder>, &mut Walk<'a, CfiUnwinder>),
    ) {
        let truth = step.frames.iter().nth(depth).filter(|frame| frame.left_by == LeftBy::Signal);
        let Some((truth, around)) = truth.zip(step.frames.depth().checked_sub(depth + 1)) else { return };
        let Some(registers) = step.stack.outer.interrupted(around) else { return };
        let undescribed = |slot| matches!(slot, Slot::NoRow | Slot::NoFunction);
        if undescribed(slots.0) {
            *sframe = Walk::interrupted(self.tables.sframe.as_ref(), truth.ra, *registers);
        }
        if undescribed(slots.1) {
            *cfi = Walk::interrupted(self.tables.cfi.as_ref(), truth.ra, *registers);
        }
        self.counts.over_signals += u64::from(undescribed(slots.0) || undescribed(slots.1));
    }
}

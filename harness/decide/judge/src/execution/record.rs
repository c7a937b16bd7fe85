//! What the steps so far have shown: findings, undecided answers, and findings that are deferred.

use std::collections::{BTreeMap, BTreeSet};

use types::{Event, Pc, Reg, Step, UndecidedCause};

use super::Counts;
use super::deferred::Deferred;
use super::doubts::{Doubts, Refusal};
use super::jump_entries::{Decided, Pending};
use super::overwritten::LastRight;
use crate::fold::{Fold, Identity};
use crate::memo::PcFacts;
use crate::per_table::PerTable;
use crate::slot::Slot;

/// Findings, undecided answers, deferred findings and counts.
#[derive(Default)]
pub(crate) struct Record {
    /// Findings from execution.
    pub(crate) fold: Fold,
    /// Pairs of rows that execution showed wrong.
    pub(crate) charged: BTreeSet<PerTable<Slot>>,
    /// Findings in functions that were jumped to with words pushed.
    lowered: BTreeSet<Identity>,
    /// Undecided answers.
    pub(crate) doubts: Doubts,
    pub(crate) counts: Counts,
    /// Registers whose rules are wrong, other than FP and RA.
    pub(crate) registers: BTreeMap<Pc, Vec<Reg>>,
    pub(super) deferred: Deferred,
}

impl Record {
    /// An event that may decide deferred findings. `entry`: a function begins at this step.
    pub(super) fn observe_event(&mut self, step: &Step<'_>, entry: bool) {
        let depth = step.frames.depth();
        match step.event {
            // The target of a jump or fall-through may be a function entry.
            Event::Jump | Event::Sequential if entry => self.deferred.jump_entries.enter(step),
            Event::Return | Event::Unwound => self.leave(step, entry),
            Event::Call => self.deferred.overwritten.call(depth),
            Event::Resumed => self.deferred.resume(depth),
            Event::Signal => {
                for level in [depth, depth.saturating_sub(1)] {
                    self.deferred.overwritten.call(level);
                }
                self.deferred.interrupt(depth);
            }
            Event::Switched => {
                self.deferred.switched(step).into_iter().for_each(|decided| self.decide(decided));
                self.deferred.forget_all();
            }
            Event::Jump | Event::Sequential | Event::Entry => {}
        }
        if self.deferred.awaits_landing() {
            self.decide_landing(step, false);
        }
        if !self.deferred.jump_entries.is_empty()
            && let Some(pending) = self.deferred.jump_entries.raised(step)
        {
            self.lowered.extend(pending.fold.identities());
            self.absorb(pending);
        }
    }

    /// The innermost frame was judged at this step.
    #[inline]
    pub(super) fn observe_right(&mut self, step: &Step<'_>, facts: &PcFacts, right: PerTable<bool>) {
        if !right.any(|is_right| *is_right) {
            return;
        }
        let slots = facts.slots.map(|table, slot| if *right.get(table) { slot } else { Slot::Absent });
        self.deferred.overwritten.right(step.frames.depth(), LastRight { pc: step.pc, slots });
        if self.deferred.awaits_landing() {
            self.decide_landing(step, true);
        }
    }

    /// Frames ended: findings that were deferred until then may be errors after all.
    fn leave(&mut self, step: &Step<'_>, entry: bool) {
        let jumped = self.deferred.jump_entries.leave(step);
        let overwritten = self.deferred.overwritten.leave(step, entry);
        if let Some(Decided::Wrong(pending)) = &jumped {
            self.lowered.extend(pending.fold.identities());
        }
        jumped.into_iter().chain(overwritten).for_each(|decided| self.decide(decided));
    }

    /// Decides findings that are deferred until a landing, if possible.
    #[cold]
    fn decide_landing(&mut self, step: &Step<'_>, right: bool) {
        self.deferred.landed(step, right).into_iter().for_each(|decided| self.decide(decided));
    }

    fn decide(&mut self, decided: Decided) {
        match decided {
            Decided::Wrong(pending) => self.absorb(pending),
            Decided::Right(Pending { undecided, doubted, .. }) => {
                self.doubts.confirm(undecided);
                self.doubts.confirm(doubted);
            }
            Decided::Gone(answers) => self.doubts.leave(answers),
        }
    }

    /// Charges answers that were undecided and are wrong.
    fn absorb(&mut self, pending: Pending) {
        self.fold.absorb(pending.fold);
        self.charged.extend(pending.charged);
        self.doubts.charge(&pending.undecided);
    }

    /// Ends an execution: deferred findings are charged, those of `others` too.
    pub(super) fn end(&mut self, others: Vec<Pending>) {
        for pending in self.deferred.end().into_iter().chain(others) {
            self.absorb(pending);
        }
        self.fold.join_dead_stack(&self.lowered);
    }

    /// Adds a row that could not be evaluated.
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.doubts.first_refusal.get_or_insert(refusal);
        self.counts.refused_answers += 1;
        self.doubts.refused.add(UndecidedCause::Refused, refusal.pc);
    }

    /// Adds an undecided answer.
    pub(super) fn undecided(&mut self, why: UndecidedCause, pc: Pc) {
        self.doubts.open.add(why, pc);
    }
}

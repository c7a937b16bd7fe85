//! Slots that held the caller's value and that the program overwrote: by a throw that makes its own
//! frame return to the handler (`__builtin_eh_return`), or by writing past a buffer. The table
//! refers to the right slot, and is not wrong.
//!
//! A slot held the value if the same rule was right earlier in the same activation. But a table may
//! also refer to a wrong slot that held the value by chance, or to one that may be reused: then the
//! caller has its value again when the function returns. So a finding is deferred until the end of
//! the function. If control returns to the caller, the return address was elsewhere (moved down for
//! a tail call with more arguments), and the table is wrong. If control goes where the slots' new
//! contents lead, the table is right. In any other case the finding stays undecided.

use std::collections::BTreeMap;

use types::{Event, Field, Frame, Pc, Step, UndecidedCause};

use super::deferred::{ANSWERS, Landing};
use super::doubts::Tally;
use super::jump_entries::{Decided, Pending};
use crate::per_table::PerTable;
use crate::slot::Slot;

/// The rows by which the live frames were last found right, and the values overwritten since.
#[derive(Default)]
pub(super) struct Overwritten {
    /// By the number of frames around a function. Entries deeper than the live frames are stale.
    last_right: Vec<LastRight>,
    by_level: BTreeMap<usize, Lost>,
    /// Number of frames around the function that executed last.
    innermost: usize,
}

/// Rows that were last right about a frame; [`Slot::Absent`] for a table that was not.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastRight {
    pub(super) pc: Pc,
    pub(super) slots: PerTable<Slot>,
}

const NEVER: LastRight = LastRight { pc: Pc(0), slots: PerTable { sframe: Slot::Absent, eh_frame: Slot::Absent } };

/// Values of the caller that the function no longer has.
#[derive(Default)]
struct Lost {
    /// True for the caller's FP, and its return address.
    fp: bool,
    ra: bool,
    /// The frame as a call made it; `None` if an overwritten return address led to the function.
    frame: Option<Frame>,
    /// True if an overwritten return address led to the start of a function: its frame is unknown.
    all: bool,
    /// True if FP in the function itself is not its own.
    own_fp: bool,
    pending: Pending,
    /// Answers that are confirmed if control goes to their landing next.
    landings: Vec<(Landing, Tally)>,
}

impl Lost {
    /// Returns the pending answers for which control has now landed in their frame.
    fn landed(&mut self, step: &Step<'_>) -> Pending {
        let mut landed = Pending::default();
        for (_, answers) in self.landings.extract_if(.., |(landing, _)| landing.is_in_its_frame(step)) {
            landed.undecided.give(answers);
        }
        landed
    }
}

impl Overwritten {
    /// Records a step at which a table was right about the innermost frame.
    #[inline]
    pub(super) fn right(&mut self, level: usize, right: LastRight) {
        match self.last_right.get_mut(level) {
            Some(place) => *place = right,
            None => self.grow(level, right),
        }
    }

    #[cold]
    fn grow(&mut self, level: usize, right: LastRight) {
        self.last_right.resize(level.saturating_add(1), NEVER);
        if let Some(place) = self.last_right.get_mut(level) {
            *place = right;
        }
    }

    /// A function is called: no row has been right about its frame yet.
    #[inline]
    pub(super) fn call(&mut self, level: usize) {
        if let Some(place) = self.last_right.get_mut(level) {
            *place = NEVER;
        }
    }

    /// The rows that were last right about the function at this depth.
    pub(super) fn last_right(&self, level: usize) -> LastRight {
        self.last_right.get(level).copied().unwrap_or(NEVER)
    }

    /// Records that a value of the function's caller is no longer in its slot.
    pub(super) fn lose(&mut self, level: usize, field: Field, frame: &Frame) {
        let lost = self.by_level.entry(level).or_default();
        lost.fp |= field == Field::Fp;
        lost.ra |= field == Field::Ra;
        lost.frame = Some(*frame);
    }

    /// Returns true if a value of the function's caller was overwritten.
    pub(super) fn has_lost(&self, level: usize, field: Field) -> bool {
        self.by_level.get(&level).is_some_and(|lost| match field {
            Field::Fp => lost.fp,
            Field::Ra => lost.ra,
            // SP's slot is adjacent to those of FP and RA.
            Field::Sp => lost.fp || lost.ra,
            Field::Outermost | Field::DeadStack | Field::Cfa | Field::Signed => false,
        })
    }

    /// Returns true if the function's frame is unknown.
    pub(super) fn has_lost_all(&self, level: usize) -> bool {
        self.by_level.get(&level).is_some_and(|lost| lost.all)
    }

    /// Returns true if FP in the function is not its own: a function that it called did not restore
    /// it.
    pub(super) fn has_lost_own_fp(&self, level: usize) -> bool {
        self.by_level.get(&level).is_some_and(|lost| lost.own_fp)
    }

    /// The findings that are deferred until the end of the function.
    pub(super) fn pending(&mut self, level: usize) -> Option<&mut Pending> {
        self.by_level.get_mut(&level).map(|lost| &mut lost.pending)
    }

    /// Adds an answer that is right if control goes to this landing next.
    pub(super) fn await_landing(&mut self, level: usize, landing: Landing, why: UndecidedCause, pc: Pc) {
        let Some(lost) = self.by_level.get_mut(&level) else { return };
        let known = lost.landings.iter().position(|(other, _)| *other == landing);
        if known.is_none() && lost.landings.len() < ANSWERS {
            lost.landings.push((landing, Tally::default()));
        }
        let last = lost.landings.len().saturating_sub(1);
        if let Some((kept, answers)) = lost.landings.get_mut(known.unwrap_or(last))
            && *kept == landing
        {
            answers.add(why, pc);
        }
    }

    /// A function at this depth executes.
    #[inline]
    pub(super) fn executes(&mut self, level: usize) {
        self.innermost = level;
    }

    /// Frames ended. Answers in a function that restored a value which its slot no longer held were
    /// wrong: the slot was a different one. Answers that lead to the current position were right.
    /// `entry`: a function begins at this step.
    #[inline]
    pub(super) fn leave(&mut self, step: &Step<'_>, entry: bool) -> Option<Decided> {
        if self.by_level.is_empty() {
            return None;
        }
        let depth = step.frames.depth();
        let mut ended = self.by_level.split_off(&depth.saturating_add(1));
        let left = ended.get_mut(&self.innermost).filter(|_| step.event == Event::Unwound);
        let landed = left.map(|lost| Decided::Right(lost.landed(step)));
        let Some(lost) = ended.remove(&depth.saturating_add(1)) else { return landed };
        let fp_is_back = lost.frame.is_some_and(|frame| frame.fp == step.regs.fp);
        match step.event {
            // It returned to its caller: the return address was elsewhere, or was restored from
            // there.
            Event::Return if lost.ra || (lost.fp && fp_is_back) => return Some(Decided::Wrong(lost.pending)),
            Event::Return if (lost.fp || lost.own_fp) && !fp_is_back => self.lose_own_fp(step),
            Event::Unwound if lost.ra && entry => self.by_level.entry(depth).or_default().all = true,
            _ => {}
        }
        landed
    }

    fn lose_own_fp(&mut self, step: &Step<'_>) {
        let lost = self.by_level.entry(step.frames.depth()).or_default();
        lost.own_fp = true;
        lost.frame = step.frames.innermost().copied();
    }

    /// Returns true if no live function has lost a value.
    pub(super) fn is_empty(&self) -> bool {
        self.by_level.is_empty()
    }

    /// Removes everything: another execution begins.
    pub(super) fn clear(&mut self) {
        self.by_level.clear();
        self.last_right.clear();
    }
}

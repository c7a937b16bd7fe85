//! Slots that held the caller's value and that the program wrote over: a throw that makes its own
//! frame return to the handler (`__builtin_eh_return`), or a program that writes past a buffer. The
//! table names the right slot, and is not wrong.
//!
//! A slot held the value if the same rule was right earlier in the same activation. A table may
//! also name a wrong slot in which the value stood by chance, or one that is free to use again:
//! then the caller has the value back when the function returns. So a finding waits for the end of
//! the function: what returns to its caller had the return address elsewhere (moved down for a tail
//! call with more arguments).

use std::collections::BTreeMap;

use types::{Event, Field, Frame, Pc, Step};

use super::jump_entries::Pending;
use crate::slot::Slot;

/// By which rows the live frames were last found right, and what was written over since.
#[derive(Default)]
pub(super) struct Overwritten {
    /// By the number of frames around a function. Deeper ones than live frames are stale.
    last_right: Vec<LastRight>,
    by_level: BTreeMap<usize, Lost>,
}

/// The rows that were last right about a frame; [`Slot::Absent`] of a table that was not.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastRight {
    pub(super) pc: Pc,
    pub(super) slots: (Slot, Slot),
}

const NEVER: LastRight = LastRight { pc: Pc(0), slots: (Slot::Absent, Slot::Absent) };

/// What a function no longer has of its caller.
#[derive(Default)]
struct Lost {
    /// The caller's FP, and its return address.
    fp: bool,
    ra: bool,
    /// The frame as a call made it; none where control came by an overwritten return address.
    frame: Option<Frame>,
    /// Control came by an overwritten return address to where a function begins: nothing is known
    /// of its frame.
    all: bool,
    /// FP in the function itself is not its own.
    own_fp: bool,
    pending: Pending,
}

impl Overwritten {
    /// Takes note of a step at which a table was right about the innermost frame.
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

    /// A function is called: nothing was right about its frame yet.
    #[inline]
    pub(super) fn call(&mut self, level: usize) {
        if let Some(place) = self.last_right.get_mut(level) {
            *place = NEVER;
        }
    }

    /// The rows last right about the function with so many frames around it.
    pub(super) fn last_right(&self, level: usize) -> LastRight {
        self.last_right.get(level).copied().unwrap_or(NEVER)
    }

    /// A value of the function's caller is no longer in its slot.
    pub(super) fn lose(&mut self, level: usize, field: Field, frame: &Frame) {
        let lost = self.by_level.entry(level).or_default();
        lost.fp |= field == Field::Fp;
        lost.ra |= field == Field::Ra;
        lost.frame = Some(*frame);
    }

    /// True when a value of the function's caller was written over.
    pub(super) fn has_lost(&self, level: usize, field: Field) -> bool {
        self.by_level.get(&level).is_some_and(|lost| match field {
            Field::Fp => lost.fp,
            Field::Ra => lost.ra,
            // Its slot is in a row with theirs.
            Field::Sp => lost.fp || lost.ra,
            Field::Outermost | Field::DeadStack | Field::Cfa | Field::Signed => false,
        })
    }

    /// True when nothing is known of the function's frame.
    pub(super) fn has_lost_all(&self, level: usize) -> bool {
        self.by_level.get(&level).is_some_and(|lost| lost.all)
    }

    /// True when FP in the function is not its own: one that it called did not restore it.
    pub(super) fn has_lost_own_fp(&self, level: usize) -> bool {
        self.by_level.get(&level).is_some_and(|lost| lost.own_fp)
    }

    /// What waits for the end of the function.
    pub(super) fn pending(&mut self, level: usize) -> Option<&mut Pending> {
        self.by_level.get_mut(&level).map(|lost| &mut lost.pending)
    }

    /// Frames ended. Gives what was found in a function that restored what its slot no longer held:
    /// that slot was the wrong one. `entry`: a function begins at this step.
    #[inline]
    pub(super) fn leave(&mut self, step: &Step<'_>, entry: bool) -> Option<Pending> {
        if self.by_level.is_empty() {
            return None;
        }
        let depth = step.frames.depth();
        let lost = self.by_level.split_off(&depth.saturating_add(1)).remove(&depth.saturating_add(1))?;
        let fp_is_back = lost.frame.is_some_and(|frame| frame.fp == step.regs.fp);
        match step.event {
            // It returned to where it was called: its return address was elsewhere, or was put back
            // from there.
            Event::Return if lost.ra || (lost.fp && fp_is_back) => return Some(lost.pending),
            Event::Return if (lost.fp || lost.own_fp) && !fp_is_back => self.lose_own_fp(step),
            Event::Unwound if lost.ra && entry => self.by_level.entry(depth).or_default().all = true,
            _ => {}
        }
        None
    }

    fn lose_own_fp(&mut self, step: &Step<'_>) {
        let lost = self.by_level.entry(step.frames.depth()).or_default();
        lost.own_fp = true;
        lost.frame = step.frames.innermost().copied();
    }

    /// True when nothing of a live function is known to be lost.
    pub(super) fn is_empty(&self) -> bool {
        self.by_level.is_empty()
    }

    /// Forgets everything: another execution begins.
    pub(super) fn clear(&mut self) {
        self.by_level.clear();
        self.last_right.clear();
    }
}

//! The protocol by which an observer answers for steps that it has judged before, so that the
//! engine does not show them again. An engine may ignore any part of it: it then shows every step,
//! as to an observer without a memo.
//!
//! The results, including all counts, are at every moment the same as if every step had been shown:
//! a memo hit is allowed only where [`Observer::step`] would have had the same effect as the hit.
//! The tests of `--every-step` compare the two.
//!
//! 1. The engine shows a step. If nothing has to be checked at the instruction itself, it calls
//!    [`Memo::note`] before it shows another step. The result is the memo's number for the
//!    instruction, or `None` if the memo will not recognise it.
//! 2. When the instruction is reached again by [`Event::Sequential`] or [`Event::Jump`], the
//!    engine calls [`Memo::hit`] instead of [`Observer::step`]. True: the step is counted and not
//!    shown. False: nothing has changed, and the engine shows the step.
//! 3. The engine calls [`Memo::hit_alike`] in place of [`Memo::hit`] if control continues from a
//!    hit to the next instruction, if the instruction of that hit wrote neither memory nor SP, FP
//!    or link register, and if [`Memo::are_alike`] is true of the two notes. That hit cannot fail.

use core::num::NonZeroU32;

#[cfg(doc)]
use crate::Event;
use crate::{Observer, Step};

/// An observer's number for an instruction, valid for one execution.
pub type Note = NonZeroU32;

/// An observer that recognises steps like those it was shown; see [the protocol](self).
///
/// No method has a default, so that a wrapper around another observer cannot forget one.
pub trait Memo: Observer {
    /// The number of the instruction whose step was shown last; `None` if the observer does not
    /// recognise it.
    fn note(&mut self) -> Option<Note>;

    /// Counts a step of a noted instruction and returns true if it is like the step before;
    /// otherwise returns false without effect.
    fn hit(&mut self, note: Note, step: &Step<'_>) -> bool;

    /// Returns true if the same comparisons are made at two noted instructions.
    fn are_alike(&self, one: Note, other: Note) -> bool;

    /// Counts a step that follows a hit of an alike instruction, if no compared value has changed
    /// in between.
    fn hit_alike(&mut self, note: Note);
}

/// An observer without a memo: every step is shown to it. Of one type for all observers, so that an
/// engine is compiled once for them.
pub struct NoMemo<'o>(pub &'o mut dyn Observer);

impl Observer for NoMemo<'_> {
    fn step(&mut self, step: &Step<'_>) {
        self.0.step(step);
    }
}

impl Memo for NoMemo<'_> {
    #[inline]
    fn note(&mut self) -> Option<Note> {
        None
    }
    #[inline]
    fn hit(&mut self, _: Note, _: &Step<'_>) -> bool {
        false
    }
    fn are_alike(&self, _: Note, _: Note) -> bool {
        false
    }
    #[inline]
    fn hit_alike(&mut self, _: Note) {}
}

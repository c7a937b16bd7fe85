//! How an observer answers for steps that it has judged before, so that an engine need not show
//! them again. This is the whole protocol between an engine and a [`Memo`]; an engine may ignore
//! any part of it, and shows every step to an observer without a memo.
//!
//! What comes out is the same as if every step had been shown, to the count, and at every moment: a
//! memo answers "yes" only where [`Observer::step`] would have had no other effect than what the
//! answer has. The tests of `--every-step` compare the two.
//!
//! 1. The engine shows a step. If nothing has to be looked for at the instruction itself, it calls
//!    [`Memo::note`] before it shows another one. The answer is the memo's number for the
//!    instruction, or `None` if the memo will not recognise it.
//! 2. When the instruction is reached again by [`Event::Sequential`] or [`Event::Jump`], the
//!    engine calls [`Memo::hit`] instead of [`Observer::step`]. True: the step counts, and is not
//!    shown. False: nothing has happened, and the engine shows it.
//! 3. Where control continues from a hit to the next instruction, the first one having written
//!    neither memory nor SP, FP or link register, and the notes [`Memo::are_alike`], the engine
//!    calls [`Memo::hit_alike`] with the second note. That hit cannot fail.

use core::num::NonZeroU32;

#[cfg(doc)]
use crate::Event;
use crate::{Observer, Step};

/// An observer's own number for an instruction, for as long as an execution lasts.
pub type Note = NonZeroU32;

/// An observer that recognises steps like those it was shown; see [the protocol](self).
///
/// No method has a default, so that what passes steps on to another observer cannot forget one.
pub trait Memo: Observer {
    /// The number of the instruction whose step was shown last; `None` if it is not recognised.
    fn note(&mut self) -> Option<Note>;

    /// Counts a step of a noted instruction if it is like the one before; false: nothing happens.
    fn hit(&mut self, note: Note, step: &Step<'_>) -> bool;

    /// Returns true if the same is compared with the same at two noted instructions.
    fn are_alike(&self, one: Note, other: Note) -> bool;

    /// Counts a step after a hit of an instruction that is alike, where nothing that is compared
    /// has changed in between.
    fn hit_alike(&mut self, note: Note);
}

/// An observer without a memo: every step is shown to it.
pub struct NoMemo<'o, O: ?Sized>(pub &'o mut O);

impl<O: Observer + ?Sized> Observer for NoMemo<'_, O> {
    #[inline]
    fn step(&mut self, step: &Step<'_>) {
        self.0.step(step);
    }
}

impl<O: Observer + ?Sized> Memo for NoMemo<'_, O> {
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

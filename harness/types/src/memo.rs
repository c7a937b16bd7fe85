//! How an observer answers for steps that it has judged before, so that an engine need not show
//! them again. This is the whole protocol between an engine and a [`Memo`]; an engine may ignore
//! any part of it, and shows every step to an observer without a memo.
//!
//! What comes out is the same as if every step had been shown, to the count, and at every moment: a
//! memo answers "yes" only where [`Observer::step`] would have had no other effect than what the
//! answer has. The tests of `--every-step` compare the two.
//!
//! # One instruction: a memo hit
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
//!
//! # Many instructions: a block hit
//!
//! An engine that executes blocks of instructions, of which the last alone may go elsewhere, uses
//! [`Memo::blocks`], if the memo has it. Each number below is a call or a sequence of calls.
//!
//! 1. *Which instructions.* A block executes step by step. At each of its steps, after it was shown
//!    or was a memo hit, the engine calls [`BlockMemo::known`]. If all gave a note, it describes
//!    the block to [`BlockMemo::block`]. The answer is the memo's number for the block, or none
//!    where it is not eligible: a save slot that one store hits and another one restores would be
//!    unseen.
//! 2. *In which state.* The block executes step by step again, its first step by any event. Before
//!    [`BlockMemo::known`] of the first step the engine calls [`BlockMemo::open`] with that step,
//!    and after the last instruction [`BlockMemo::close`] with the state at its end. In between,
//!    it calls [`BlockMemo::known`] as in 1; if one gives none, [`BlockMemo::close`] is not called.
//!    Now the memo knows the block in one more state.
//! 3. *The hit.* Where the block begins again the engine calls [`BlockMemo::block_hit`]. True: its
//!    steps count, and none is shown. False: nothing has happened; the engine continues as in 2, or
//!    shows the first step and asks again for the others ([`Entered::Shown`]).
//! 4. *Its end.* Before anything else happens after a hit, the engine calls
//!    [`BlockMemo::block_ended`] with the state at its end. False: an instruction within it did
//!    something else than before (a store hit a save slot), so its steps may have been others. Then
//!    the engine calls [`BlockMemo::start_over`] and executes the program again without blocks. It
//!    does the same if a block that was hit did not reach its end.

use core::num::NonZeroU32;

#[cfg(doc)]
use crate::Event;
use crate::{Frames, Observer, Stack, Step};

/// An observer's own number for an instruction, for as long as an execution lasts.
pub type Note = NonZeroU32;

/// An observer's own number for a block, for as long as an execution lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockNote(pub NonZeroU32);

/// An observer that recognises steps like those it was shown; see [the protocol](self).
///
/// No method has a default, so that what passes steps on to another observer cannot forget one.
pub trait Memo: Observer {
    /// What recognises whole blocks; [`NoBlocks`] where nothing does.
    type Blocks: BlockMemo;

    /// The number of the instruction whose step was shown last; `None` if it is not recognised.
    fn note(&mut self) -> Option<Note>;

    /// Counts a step of a noted instruction if it is like the one before; false: nothing happens.
    fn hit(&mut self, note: Note, step: &Step<'_>) -> bool;

    /// Returns true if the same is compared with the same at two noted instructions.
    fn are_alike(&self, one: Note, other: Note) -> bool;

    /// Counts a step after a hit of an instruction that is alike, where nothing that is compared
    /// has changed in between.
    fn hit_alike(&mut self, note: Note);

    /// What recognises blocks, if this execution may have its blocks recognised.
    fn blocks(&mut self) -> Option<&mut Self::Blocks>;
}

/// Recognises whole blocks of steps; see [the protocol](self).
pub trait BlockMemo {
    /// Forgets the execution, which begins again.
    fn start_over(&mut self);

    /// The number of the step's instruction, if [`Memo::hit`] would count the step now.
    fn known(&mut self, step: &Step<'_>) -> Option<Note>;

    /// The number of a block whose steps were all known, if it is eligible.
    fn block(&mut self, block: &Block<'_>) -> Option<BlockNote>;

    /// A numbered block begins with this step, and each of its steps is shown or is a memo hit.
    fn open(&mut self, block: BlockNote, step: &Step<'_>);

    /// The opened block has ended, and all its steps were known.
    fn close(&mut self, after: &Boundary<'_>);

    /// Counts the steps of a block that begins in a known state; false: nothing happens.
    fn block_hit(&mut self, block: BlockNote, step: &Step<'_>, entered: Entered) -> bool;

    /// Returns true if the state after the last block hit is the recorded one.
    fn block_ended(&mut self, after: &Boundary<'_>) -> bool;
}

/// How control reached a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// By [`Event::Sequential`] or [`Event::Jump`].
    Within,
    /// By [`Event::Call`] or [`Event::Return`].
    Edge,
    /// The first step was shown: the hit counts the others.
    Shown,
}

/// Instructions that follow one another, of which the last alone may go elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// What the observer calls each.
    pub notes: &'a [Note],
    /// Which write FP.
    pub fp: Written,
    /// Which write the link register.
    pub link: Written,
    /// What they store to memory, in order.
    pub stores: &'a [Store],
    /// SP and FP at the first one, from the CFA; 0 where there is no frame.
    pub begins: FromCfa,
    /// The last one is a call.
    pub calls: bool,
}

/// SP and FP, as distances from the CFA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FromCfa {
    /// SP.
    pub sp: i64,
    /// FP.
    pub fp: i64,
}

/// Bytes that an instruction of a block stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Store {
    /// The instruction, from 0.
    pub number: usize,
    /// Where the address counts from.
    pub base: Base,
    /// The first byte, from there.
    pub offset: i64,
    /// Bytes.
    pub size: u64,
    /// What is stored, where that matters.
    pub value: Option<Stored>,
}

/// Where the address of a store counts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// SP at the beginning of the block.
    Sp,
    /// FP at the beginning of the block.
    Fp,
    /// A value that is the same for stores of the block with the same number.
    Other(u32),
    /// Nothing is known: the store may hit any bytes.
    Unknown,
}

/// What a store of 64 bits stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// FP.
    Fp,
    /// The link register.
    Link,
    /// SP, which is this much more than at the beginning of the block.
    Sp(i64),
}

/// Which instructions of a block write a register, by how many have executed then, they included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The first; 0: none does.
    pub first: usize,
    /// The first that writes what does not follow from what the block begins with; 0: none does.
    pub loose: usize,
    /// The last.
    pub last: usize,
}

impl Written {
    /// An instruction writes it. `follows`: the state at the block's start determines the value.
    pub fn write(&mut self, count: usize, follows: bool) {
        self.first = if self.first == 0 { count } else { self.first };
        self.loose = if self.loose == 0 && !follows { count } else { self.loose };
        self.last = count;
    }

    /// Returns true if the register has its value of the beginning after that many instructions.
    pub fn is_old(&self, after: usize) -> bool {
        self.first == 0 || after < self.first
    }

    /// Returns true if neither the beginning nor the end determines it after that many.
    pub fn is_hidden(&self, after: usize) -> bool {
        self.loose != 0 && (self.loose..self.last).contains(&after)
    }
}

/// The state after a block, before anything else happens.
#[derive(Clone, Copy)]
pub struct Boundary<'a> {
    /// SP.
    pub sp: u64,
    /// FP.
    pub fp: u64,
    /// Link register.
    pub link: u64,
    /// Stack memory.
    pub stack: Stack<'a>,
    /// Those of the block's last step.
    pub frames: Frames<'a>,
}

/// What recognises no block: there is no value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBlocks {}

impl BlockMemo for NoBlocks {
    fn start_over(&mut self) {
        match *self {}
    }
    fn known(&mut self, _: &Step<'_>) -> Option<Note> {
        match *self {}
    }
    fn block(&mut self, _: &Block<'_>) -> Option<BlockNote> {
        match *self {}
    }
    fn open(&mut self, _: BlockNote, _: &Step<'_>) {
        match *self {}
    }
    fn close(&mut self, _: &Boundary<'_>) {
        match *self {}
    }
    fn block_hit(&mut self, _: BlockNote, _: &Step<'_>, _: Entered) -> bool {
        match *self {}
    }
    fn block_ended(&mut self, _: &Boundary<'_>) -> bool {
        match *self {}
    }
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
    type Blocks = NoBlocks;

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
    #[inline]
    fn blocks(&mut self) -> Option<&mut NoBlocks> {
        None
    }
}

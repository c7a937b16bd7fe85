//! What is to be explored, and what came of it.

use std::ops::Range;
use std::time::Instant;

use types::{ExploredCounts, Reach};

use super::bits::Bits;

/// What is to be explored of an image: addresses that tables have.
#[derive(Clone, Copy, Debug)]
pub struct Territory<'a> {
    /// Functions, or the parts of them that are apart.
    pub functions: &'a [Range<u64>],
    /// Where control goes when a call in a range of addresses throws, by range.
    pub pads: &'a [Pad],
    /// Where arguments are on the stack that are gone when a call throws, by address: how many
    /// bytes.
    pub pushed: &'a [(Range<u64>, u64)],
    /// Functions that may be entered as by a call; others are parts that are jumped into, or have a
    /// convention of their own.
    pub callable: &'a [u64],
    /// Addresses at which what a table answers may change.
    pub stops: &'a [u64],
    /// Entries that are left out, counted from 1: they killed the process.
    pub skipped: &'a [u64],
    /// No function is begun after it.
    pub deadline: Option<Instant>,
    /// The most bytes of guest memory.
    pub memory_limit: u64,
    /// The executor of simple instructions.
    pub executor: Executor,
}

/// The executor of simple instructions; the emulator always executes the others. Both give
/// the same results, one sooner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// This crate, but for a sample that both execute.
    Crate,
    /// The emulator.
    Emulator,
}

/// A landing pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pad {
    /// The calls that it is for.
    pub site: Range<u64>,
    /// Where control goes.
    pub pad: u64,
}

/// A stretch of instructions that this crate executed otherwise than the emulator: a bug of one
/// of them. The emulator's result was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreement {
    /// The first instruction.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
}

/// What became of it.
#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// How much was reached.
    pub reach: Reach,
    /// How much of that was judged, and at which addresses.
    pub judged: ExploredCounts,
    /// See `judged`.
    pub judged_pcs: Bits,
    /// Entries of functions.
    pub entries: u64,
    /// Stretches about which a table was wrong, and of those the ones that rested on made-up values
    /// or on a state that may be none.
    pub suspects: u64,
    /// See `suspects`.
    pub dropped: u64,
    /// Functions that were not begun before the deadline.
    pub left_out: u64,
    /// The addresses of the instructions reached, [`Reach::executed`] and [`Reach::padding`].
    pub pcs: Bits,
    /// Of the sample that both executed.
    pub disagreements: Vec<Disagreement>,
}

/// Where a function is entered, and the number of that execution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) number: u64,
    pub(super) start: u64,
}

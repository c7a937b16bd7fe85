//! The input and the result of exploration.

use std::ops::Range;

use types::{AssumedEntry, ExploredCounts, Reach, Unreached};

use super::bits::Bits;
use super::budget::Budget;

/// The parts of an image to explore: addresses from tables.
#[derive(Clone, Copy, Debug)]
pub struct Territory<'a> {
    /// Functions, or separate parts of them.
    pub functions: &'a [Range<u64>],
    /// Landing pads by the range of addresses whose calls may throw.
    pub pads: &'a [Pad],
    /// Bytes of stack arguments that are gone when a call throws, by range of call addresses.
    pub pushed: &'a [(Range<u64>, u64)],
    /// Functions that may be entered as by a call; others are parts that are jumped into, or have a
    /// convention of their own.
    pub callable: &'a [u64],
    /// Addresses at which a table's answer may change.
    pub stops: &'a [u64],
    /// Ranges of addresses at each of which a table's answer may change.
    pub watched: &'a [Range<u64>],
    /// Numbers of skipped entries, counted from 1: executing these killed the process.
    pub skipped: &'a [u64],
    /// Addresses, ascending, of the instructions that a run executed.
    pub ran: &'a [u64],
    /// When no more functions are started.
    pub budget: Budget,
    /// Maximum number of bytes of guest memory.
    pub memory_limit: u64,
    /// The executor of simple instructions.
    pub executor: Executor,
}

/// The executor of simple instructions; the emulator always executes the others. Both give the same
/// results at different speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// This crate. A sample of the instructions is also executed by the emulator, and compared.
    Crate,
    Emulator,
}

/// A landing pad.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pad {
    /// The range of calls that may throw to it.
    pub site: Range<u64>,
    /// Address of the landing pad.
    pub pad: u64,
}

/// A stretch of instructions for which this crate and the emulator differ: a bug of one of them.
/// The emulator's result was used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Disagreement {
    /// The first instruction.
    pub start: u64,
    /// The address after the last.
    pub end: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Explored {
    /// Counts of the reached code.
    pub reach: Reach,
    /// Functions with instructions that were not reached.
    pub unreached: Vec<Unreached>,
    /// Counts of the judged part of the reached code.
    pub judged: ExploredCounts,
    /// Addresses of the instructions counted in `judged`.
    pub judged_pcs: Bits,
    /// Number of function entries executed.
    pub entries: u64,
    /// The entries that no call in the file leads to.
    pub assumed: Vec<(u64, AssumedEntry)>,
    /// Number of runs of instructions at which a table was wrong.
    pub suspects: u64,
    /// Number of suspects that depend on made-up values or on a state that may be impossible.
    pub dropped: u64,
    /// Number of functions not started within the budget.
    pub left_out: u64,
    /// The addresses of the instructions that exploration reached.
    pub pcs: Bits,
    /// Differences in the sample that both executed.
    pub disagreements: Vec<Disagreement>,
}

/// An entry of a function, and the number of its execution.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) number: u64,
    pub(super) start: u64,
}

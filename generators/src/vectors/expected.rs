//! Allowed answers for an address, derived from the known functions of a section.

use types::{PacKey, Reg};

use super::caller::Word;

use crate::code::{FrameAt, FrameState};

/// An address and its allowed answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookup {
    pub pc: u64,
    pub expected: Expected,
}

/// The allowed answers for an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expected {
    Row(Row),
    /// No row: no function covers the address.
    NoRow,
    /// No row: the row's bytes are missing, or meaningless.
    Refuse,
    /// This row, which the section has completely, or no answer.
    RowOrRefuse(Row),
    /// One of these: the text does not decide between them.
    OneOf(Vec<Expected>),
    /// Any answer, as long as the reader does not crash.
    Anything,
}

/// The rules of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The frame. With an undefined return address it is the outermost frame, and nothing else
    /// counts.
    pub frame: FrameState,
    /// AArch64: key of a signed return address.
    pub key: Option<PacKey>,
    /// The frame is a signal frame.
    pub signal: bool,
}

/// A stack recorded in a run, and its callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain {
    /// The instruction about to execute.
    pub pc: u64,
    /// Registers by DWARF number.
    pub registers: Vec<(Reg, u64)>,
    /// The stack word by word, from the lowest live address. Return addresses on AArch64 are signed
    /// as in the run.
    pub memory: Vec<Word>,
    /// PCs of the callers, the innermost first.
    pub callers: Vec<u64>,
    /// The table decides that the chain ends after the last caller: no caller, or no row. Otherwise
    /// further callers must not be asked for.
    pub ends: bool,
}

/// The true rules of a function, independent of the encoding.
#[derive(Clone, Debug)]
pub(super) struct KnownFunction {
    pub start: u64,
    pub size: u32,
    /// Offsets of frames are relative to blocks of this size in bytes.
    pub block: Option<u8>,
    pub key: PacKey,
    /// The function is a signal frame.
    pub signal: bool,
    /// Frames with the offset at which each begins, ascending.
    pub frames: Vec<FrameAt>,
}

impl KnownFunction {
    fn end(&self) -> u64 {
        self.start.saturating_add(u64::from(self.size))
    }

    fn index_at(&self, pc: u64) -> Option<usize> {
        if pc < self.start || pc >= self.end() {
            return None;
        }
        let offset = pc - self.start;
        let offset = self.block.map_or(offset, |block| offset % u64::from(block));
        self.frames.iter().rposition(|at| u64::from(at.offset) <= offset)
    }

    fn row(&self, index: usize) -> Row {
        let frame = self.frames[index].frame;
        Row { frame, key: frame.signed.then_some(self.key), signal: self.signal }
    }

    /// Offsets at which a rule may change: bounds of the function and its frames, in the first,
    /// second and last block.
    fn edges(&self) -> Vec<u64> {
        let mut edges = vec![self.start, self.end()];
        let step = self.block.map_or(u64::from(self.size), u64::from).max(1);
        let blocks = u64::from(self.size).div_ceil(step);
        for block in [0, 1, blocks.saturating_sub(1)] {
            let bounds = self.frames.iter().map(|at| self.start.saturating_add(block * step + u64::from(at.offset)));
            edges.extend(bounds.filter(|pc| *pc <= self.end()));
        }
        edges
    }
}

/// Index of the function that covers an address, and of its frame there.
pub(super) fn found(functions: &[KnownFunction], pc: u64) -> Option<(usize, Option<usize>)> {
    let function = functions.iter().position(|known| known.start <= pc && pc < known.end())?;
    Some((function, functions[function].index_at(pc)))
}

/// The expected answer at an address.
pub(super) fn at(functions: &[KnownFunction], pc: u64) -> Expected {
    match found(functions, pc) {
        Some((function, Some(frame))) => Expected::Row(functions[function].row(frame)),
        _ => Expected::NoRow,
    }
}

/// Addresses to ask for: first, middle and last byte of every row, and one before and after every
/// function.
pub(super) fn probes(functions: &[KnownFunction]) -> Vec<u64> {
    let mut pcs = Vec::new();
    for known in functions {
        let mut edges = known.edges();
        edges.sort_unstable();
        pcs.extend(edges.windows(2).map(|pair| pair[0] + (pair[1] - pair[0]) / 2));
        pcs.extend(edges.iter().flat_map(|edge| [edge.saturating_sub(1), *edge]));
    }
    pcs.sort_unstable();
    pcs.dedup();
    pcs
}

//! Which function answers at each address when ranges overlap: the one that starts last, as a binary search over a sorted table finds;
//! of several with one start, the first in the section. Where that one ends inside another, the other answers again.

use model::Pc;

use crate::FunctionRange;

/// Disjoint ranges, ascending, each with the index of its function.
#[derive(Debug, Default)]
pub(crate) struct Cover(Vec<Piece>);

/// A range in which one function answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) function: usize,
}

impl Cover {
    /// The function that answers at an address.
    #[inline]
    pub(crate) fn find(&self, pc: Pc) -> Option<usize> {
        let after = self.0.partition_point(|piece| piece.start <= pc.0);
        let piece = self.0.get(after.checked_sub(1)?)?;
        (pc.0 < piece.end).then_some(piece.function)
    }

    /// The pieces that touch `start..end`, ascending.
    pub(crate) fn pieces(&self, start: Pc, end: Pc) -> impl Iterator<Item = Piece> + '_ {
        let first = self.0.partition_point(|piece| piece.end <= start.0);
        self.0.get(first..).unwrap_or_default().iter().copied().take_while(move |piece| piece.start < end.0)
    }

    /// The ranges of a table's functions, in the table's order.
    pub(crate) fn new(functions: impl Iterator<Item = FunctionRange>) -> Self {
        let mut ranges: Vec<(FunctionRange, usize)> =
            functions.zip(0..).filter(|(range, _)| range.start < range.end).collect();
        // Each range takes precedence over those before it.
        ranges.sort_by_key(|(range, _)| (range.start, std::cmp::Reverse(range.offset)));

        let mut sweep = Sweep { pieces: Vec::new(), open: Vec::new(), position: 0 };
        for (range, function) in ranges {
            sweep.advance(range.start.0);
            // Whatever ends before the new range does never answers again.
            while sweep.open.last().is_some_and(|(end, _)| *end <= range.end.0) {
                sweep.open.pop();
            }
            sweep.open.push((range.end.0, function));
        }
        sweep.advance(u64::MAX);
        Cover(sweep.pieces)
    }
}

/// The ranges that hold at a position, by falling end: the last one answers.
struct Sweep {
    pieces: Vec<Piece>,
    open: Vec<(u64, usize)>,
    position: u64,
}

impl Sweep {
    fn advance(&mut self, to: u64) {
        while let Some((end, function)) = self.open.last().copied() {
            let until = end.min(to);
            if self.position < until {
                self.pieces.push(Piece { start: self.position, end: until, function });
                self.position = until;
            }
            if end > to {
                break;
            }
            self.open.pop();
        }
        self.position = to;
    }
}

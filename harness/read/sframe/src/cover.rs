//! Look-up of the function that covers an address when ranges may overlap. Among the covering
//! functions the one that starts last is found, as by a binary search over a sorted table; of
//! several with the same start, the first. Where its range ends inside that of another, the other
//! is found again.
//!
//! A search begins at an estimate of the position, so that it compares one or two of a hundred
//! thousand functions.

use alloc::collections::BinaryHeap;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// First address, and first address after it.
type Range = (u64, u64);

/// Index of the addresses that functions cover. The owner of the cover keeps the functions: each
/// query passes them by position, sorted by start.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// Disjoint ascending ranges, each with the position of its function; `None` if no two
    /// functions overlap and none is empty, so that the ranges are those of the functions.
    pieces: Option<Vec<(Range, u32)>>,
    starts: Starts,
}

/// A range of addresses in which one function is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// First address.
    pub start: u64,
    /// First address after it.
    pub end: u64,
    /// Position of the function.
    pub function: usize,
}

impl Cover {
    /// The cover of functions that are sorted by start, at most 2^32 of them. There are at most two
    /// pieces per function.
    pub fn new(functions: impl Iterator<Item = Range> + Clone) -> Cover {
        let mut last = 0;
        let apart = functions.clone().all(|(start, end)| start < end && core::mem::replace(&mut last, end) <= start);
        if apart {
            return Cover { pieces: None, starts: Starts::new(functions.map(|(start, _)| start)) };
        }
        let functions: Vec<Range> = functions.collect();
        let pieces = overlapping(&functions);
        Cover { starts: Starts::new(pieces.iter().map(|((start, _), _)| *start)), pieces: Some(pieces) }
    }

    /// Position of the function that is found for an address.
    #[inline]
    pub fn find(&self, pc: u64, function: impl Fn(usize) -> Option<Range>) -> Option<usize> {
        let index = self.upto(pc, &function).checked_sub(1)?;
        let piece = self.piece(index, &function)?;
        (pc < piece.end).then_some(piece.function)
    }

    /// The pieces that intersect `start..end`, ascending.
    pub fn pieces(
        &self,
        start: u64,
        end: u64,
        function: impl Fn(usize) -> Option<Range>,
    ) -> impl Iterator<Item = Piece> {
        let upto = self.upto(start, &function);
        let first = upto.saturating_sub(1);
        let reaches = self.piece(first, &function).is_some_and(|piece| start < piece.end);
        let all = (if reaches { first } else { upto }..).map_while(move |index| self.piece(index, &function));
        all.take_while(move |piece| piece.start < end)
    }

    /// Number of pieces that start at or before an address.
    #[inline]
    fn upto(&self, pc: u64, function: &impl Fn(usize) -> Option<Range>) -> usize {
        self.starts.upto(pc, |index| self.piece(index, function).map(|piece| piece.start))
    }

    #[inline]
    fn piece(&self, index: usize, function: &impl Fn(usize) -> Option<Range>) -> Option<Piece> {
        match &self.pieces {
            None => function(index).map(|(start, end)| Piece { start, end, function: index }),
            Some(pieces) => {
                pieces.get(index).map(|((start, end), of)| Piece { start: *start, end: *end, function: *of as usize })
            }
        }
    }
}

/// Interpolation index over ascending starts: the address range is divided into intervals of equal
/// size, about as many as there are starts.
#[derive(Clone, Debug, Default)]
struct Starts {
    low: u64,
    /// Log2 of the size of an interval in bytes.
    shift: u32,
    /// Number of starts before each interval, and before the end of the last.
    before: Vec<u32>,
}

impl Starts {
    fn new(starts: impl Iterator<Item = u64> + Clone) -> Starts {
        let (Some(low), Some(high)) = (starts.clone().next(), starts.clone().last()) else { return Starts::default() };
        let (count, span) = (starts.clone().count() as u64, high.saturating_sub(low));
        let shift = (0..u64::BITS).find(|shift| span >> shift <= count).unwrap_or(u64::BITS.saturating_sub(1));
        let mut before = Vec::with_capacity((span >> shift).saturating_add(2) as usize);
        for (start, index) in starts.zip(0_u32..) {
            let stretch = start.saturating_sub(low) >> shift;
            while before.len() as u64 <= stretch {
                before.push(index);
            }
        }
        before.push(count as u32);
        Starts { low, shift, before }
    }

    /// Number of starts at or before an address.
    #[inline]
    fn upto(&self, pc: u64, start: impl Fn(usize) -> Option<u64>) -> usize {
        let Some(offset) = pc.checked_sub(self.low) else { return 0 };
        let stretch = usize::try_from(offset >> self.shift).unwrap_or(usize::MAX);
        let (mut low, mut high) = match self.before.get(stretch..).and_then(|rest| rest.first_chunk()) {
            Some([low, high]) => (*low as usize, *high as usize),
            None => return self.before.last().map_or(0, |all| *all as usize),
        };
        while low < high {
            let middle = low.midpoint(high);
            match start(middle) {
                Some(start) if start <= pc => low = middle.saturating_add(1),
                _ => high = middle,
            }
        }
        low
    }
}

/// The pieces of functions that may overlap.
fn overlapping(functions: &[Range]) -> Vec<(Range, u32)> {
    let mut pieces = Vec::new();
    // Functions that began and may not have ended; the top one is found.
    let mut open: BinaryHeap<(u64, Reverse<u32>)> = BinaryHeap::new();
    let mut from = 0_u64;
    let end_of = |index: u32| functions.get(index as usize).map_or(0, |(_, end)| *end);
    for ((start, end), index) in functions.iter().zip(0_u32..) {
        close(&mut pieces, end_of, &mut open, &mut from, *start);
        if start < end {
            open.push((*start, Reverse(index)));
        }
    }
    close(&mut pieces, end_of, &mut open, &mut from, u64::MAX);
    pieces
}

/// Emits the pieces that the open functions cover from `from` up to `upto`.
fn close(
    pieces: &mut Vec<(Range, u32)>,
    end_of: impl Fn(u32) -> u64,
    open: &mut BinaryHeap<(u64, Reverse<u32>)>,
    from: &mut u64,
    upto: u64,
) {
    while let Some(&(start, Reverse(function))) = open.peek() {
        let end = end_of(function);
        let begin = start.max(*from);
        if begin < end.min(upto) {
            match pieces.last_mut() {
                Some(((_, last), before)) if *before == function && *last == begin => *last = end.min(upto),
                _ => pieces.push(((begin, end.min(upto)), function)),
            }
            *from = end.min(upto);
        }
        if end > upto {
            break;
        }
        open.pop();
    }
    *from = (*from).max(upto);
}

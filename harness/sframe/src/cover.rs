//! Which function answers for an address when ranges may overlap: of those that cover it the one that starts last, as a binary search over a
//! sorted table finds; of several with one start the first. Where that one ends inside another, the other answers again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Disjoint ranges of addresses, ascending, each with the position of the function that answers there.
#[derive(Clone, Debug, Default)]
pub struct Cover {
    /// Where each range starts: apart from the rest, so that a search touches as little memory as can be.
    starts: Vec<u64>,
    ends: Vec<u64>,
    /// The function of each range; none where no two functions overlap and none is empty, so that it has the position of its range.
    functions: Option<Vec<u32>>,
}

/// A range in which one function answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the fields say what they are")]
pub struct Piece {
    pub start: u64,
    pub end: u64,
    /// Its position.
    pub function: usize,
}

impl Cover {
    /// The ranges of functions that are sorted by start: first address, and first after it. There are at most two pieces a function.
    pub fn of(functions: impl Iterator<Item = (u64, u64)> + Clone) -> Cover {
        let mut cover = Cover::default();
        let apart = functions.clone().all(|(start, end)| {
            let fresh = start < end && cover.ends.last().is_none_or(|last| *last <= start);
            cover.starts.push(start);
            cover.ends.push(end);
            fresh
        });
        if !apart {
            let functions: Vec<(u64, u64)> = functions.collect();
            cover = Cover { functions: Some(Vec::new()), ..Cover::default() };
            cover.overlapping(&functions);
        }
        cover.starts.shrink_to_fit();
        cover.ends.shrink_to_fit();
        cover
    }

    /// The position of the function that answers for an address.
    #[inline]
    pub fn find(&self, pc: u64) -> Option<usize> {
        let piece = self.starts.partition_point(|start| *start <= pc).checked_sub(1)?;
        if pc >= *self.ends.get(piece)? {
            return None;
        }
        self.function(piece)
    }

    /// The pieces that touch `start..end`, ascending.
    pub fn pieces(&self, start: u64, end: u64) -> impl Iterator<Item = Piece> + '_ {
        let first = self.ends.partition_point(|last| *last <= start);
        let all = (first..self.starts.len()).map_while(|piece| {
            Some(Piece {
                start: *self.starts.get(piece)?,
                end: *self.ends.get(piece)?,
                function: self.function(piece)?,
            })
        });
        all.take_while(move |piece| piece.start < end)
    }

    #[inline]
    fn function(&self, piece: usize) -> Option<usize> {
        match &self.functions {
            None => Some(piece),
            Some(functions) => functions.get(piece).map(|function| *function as usize),
        }
    }

    fn overlapping(&mut self, functions: &[(u64, u64)]) {
        // Functions that began and may not have ended; the one that answers is on top.
        let mut open: BinaryHeap<(u64, Reverse<usize>)> = BinaryHeap::new();
        let mut from = 0_u64;
        for (index, (start, end)) in functions.iter().enumerate() {
            self.close(functions, &mut open, &mut from, *start);
            if start < end {
                open.push((*start, Reverse(index)));
            }
        }
        self.close(functions, &mut open, &mut from, u64::MAX);
    }

    /// Emits what the open functions cover from `from` up to `upto`.
    fn close(
        &mut self,
        functions: &[(u64, u64)],
        open: &mut BinaryHeap<(u64, Reverse<usize>)>,
        from: &mut u64,
        upto: u64,
    ) {
        while let Some(&(start, Reverse(index))) = open.peek() {
            let end = functions.get(index).map_or(0, |(_, end)| *end);
            let begin = start.max(*from);
            if begin < end.min(upto) {
                self.push(begin, end.min(upto), index);
                *from = end.min(upto);
            }
            if end > upto {
                break;
            }
            open.pop();
        }
        *from = (*from).max(upto);
    }

    fn push(&mut self, start: u64, end: u64, function: usize) {
        // Tables number their functions with 32 bits.
        let (Some(functions), Ok(function)) = (&mut self.functions, u32::try_from(function)) else { return };
        match (self.ends.last_mut(), functions.last()) {
            (Some(last), Some(before)) if *before == function && *last == start => *last = end,
            _ => {
                self.starts.push(start);
                self.ends.push(end);
                functions.push(function);
            }
        }
    }
}

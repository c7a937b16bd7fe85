//! Which function answers for an address when ranges may overlap: disjoint spans, found by binary search.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Function;

/// Disjoint ranges of addresses, ascending, each with the position of the function that answers there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spans(Vec<Span>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: u64,
    end: u64,
    function: usize,
}

impl Spans {
    /// Spans of functions sorted by start: at each address the covering function that starts last, and of those with
    /// one start the first. There are at most two spans a function.
    pub(crate) fn of(functions: &[Function]) -> Spans {
        let mut spans = Spans(Vec::with_capacity(functions.len()));
        // Functions that began and may not have ended; the one that answers is on top.
        let mut open: BinaryHeap<(u64, Reverse<usize>)> = BinaryHeap::new();
        let mut from = 0_u64;
        for (index, function) in functions.iter().enumerate() {
            spans.close(functions, &mut open, &mut from, function.start);
            if function.start < function.end {
                open.push((function.start, Reverse(index)));
            }
        }
        spans.close(functions, &mut open, &mut from, u64::MAX);
        spans
    }

    /// The position of the function that answers for an address.
    pub(crate) fn find(&self, pc: u64) -> Option<usize> {
        let after = self.0.partition_point(|span| span.start <= pc);
        let span = self.0.get(after.checked_sub(1)?)?;
        (pc < span.end).then_some(span.function)
    }

    /// Emits what the open functions cover from `from` up to `upto`.
    fn close(
        &mut self,
        functions: &[Function],
        open: &mut BinaryHeap<(u64, Reverse<usize>)>,
        from: &mut u64,
        upto: u64,
    ) {
        while let Some(&(start, Reverse(index))) = open.peek() {
            let end = functions.get(index).map_or(0, |function| function.end);
            let begin = start.max(*from);
            if begin < end.min(upto) {
                self.push(Span { start: begin, end: end.min(upto), function: index });
                *from = end.min(upto);
            }
            if end > upto {
                break;
            }
            open.pop();
        }
        *from = (*from).max(upto);
    }

    fn push(&mut self, span: Span) {
        match self.0.last_mut() {
            Some(last) if last.function == span.function && last.end == span.start => last.end = span.end,
            _ => self.0.push(span),
        }
    }
}

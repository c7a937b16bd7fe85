//! A set of addresses of an image's code: a bit for each byte.

use std::ops::Range;

/// A set of addresses in ranges of code. Addresses outside all ranges cannot be in the set.
#[derive(Clone, Debug, Default)]
pub struct Bits {
    stretches: Vec<Stretch>,
}

#[derive(Clone, Debug)]
struct Stretch {
    code: Range<u64>,
    words: Vec<u64>,
}

impl Bits {
    /// Creates an empty set over these ranges of code.
    pub(super) fn over(code: &[Range<u64>]) -> Bits {
        let words = |range: &Range<u64>| vec![0; usize::try_from((range.end - range.start).div_ceil(64)).unwrap_or(0)];
        Bits { stretches: code.iter().map(|range| Stretch { code: range.clone(), words: words(range) }).collect() }
    }

    /// Adds an address.
    #[inline]
    pub(super) fn set(&mut self, address: u64) {
        for stretch in &mut self.stretches {
            let offset = address.wrapping_sub(stretch.code.start);
            if offset < stretch.code.end - stretch.code.start {
                if let Some(word) = stretch.words.get_mut((offset / 64) as usize) {
                    *word |= 1 << (offset % 64);
                }
                return;
            }
        }
    }

    /// Removes the addresses of another set over the same ranges.
    pub(super) fn remove(&mut self, other: &Bits) {
        for (stretch, other) in self.stretches.iter_mut().zip(&other.stretches) {
            stretch.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
        }
    }

    /// Returns true if an address is in the set.
    #[inline]
    pub fn has(&self, address: u64) -> bool {
        self.stretches.iter().any(|stretch| {
            let offset = address.wrapping_sub(stretch.code.start);
            stretch
                .words
                .get((offset / 64) as usize)
                .is_some_and(|word| offset < stretch.code.end - stretch.code.start && word >> (offset % 64) & 1 != 0)
        })
    }

    /// The addresses, range by range, ascending in each.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.within(0..u64::MAX)
    }

    /// Returns true if any address of a range is in the set.
    pub fn any(&self, range: Range<u64>) -> bool {
        self.within(range).next().is_some()
    }

    /// The addresses of a range that are in the set, ascending.
    pub fn within(&self, range: Range<u64>) -> impl Iterator<Item = u64> {
        self.stretches.iter().flat_map(move |stretch| {
            let base = stretch.code.start;
            let (from, to) = (range.start.clamp(base, stretch.code.end), range.end.clamp(base, stretch.code.end));
            let (first, last) = ((from - base) / 64, (to - base).div_ceil(64));
            let words = stretch.words.get(first as usize..last as usize).unwrap_or_default();
            let some = (first..).zip(words).filter(|(_, word)| **word != 0);
            let bits = some.flat_map(move |(index, word)| {
                (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| base + index * 64 + bit)
            });
            bits.filter(move |at| from <= *at && *at < to)
        })
    }
}

//! A set of addresses of an image's code: a bit for each byte.

use std::ops::Range;

use crate::layout::PAGE;

/// Addresses below a stretch of code that are in a set. Addresses outside all stretches are in no set.
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
    /// An empty set over these stretches of code.
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

    /// Whether an address is in the set.
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

    /// The addresses, stretch by stretch, ascending in each.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.stretches.iter().flat_map(|stretch| {
            let words = (0_u64..).zip(&stretch.words).filter(|(_, word)| **word != 0);
            words.flat_map(move |(index, word)| {
                (0..64).filter(move |bit| word >> bit & 1 != 0).map(move |bit| stretch.code.start + index * 64 + bit)
            })
        })
    }

    /// Whether any address of a range is in the set.
    pub fn any(&self, range: Range<u64>) -> bool {
        // Most ranges are short, most words of a long one are not empty.
        range
            .clone()
            .take(usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(0).min(PAGE as usize * 64))
            .any(|at| self.has(at))
    }
}

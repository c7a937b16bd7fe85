//! Cache from the words of a row to its meaning: a large table has a few hundred different
//! meanings.

use alloc::vec;
use alloc::vec::Vec;

/// Key of a row's meaning in a section: whether its function is flex, its info byte, its words.
pub(crate) type Words = (bool, u8, u128);

/// Number of cache slots. Words with the same hash replace each other, so that no choice of words
/// makes look-ups slow.
const KEPT: usize = 1024;

pub(crate) struct Recent<T>(Vec<Option<(Words, T)>>);

impl<T: Clone> Recent<T> {
    pub(crate) fn new() -> Self {
        Recent(vec![None; KEPT])
    }

    /// Cache slot of the words, if they are cached at all.
    #[inline]
    pub(crate) fn slot(&mut self, words: Words) -> Option<&mut Option<(Words, T)>> {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let (flex, info, packed) = words;
        let folded = packed as u64 ^ ((packed >> 64) as u64).rotate_left(32) ^ u64::from(info) << 56 ^ u64::from(flex);
        self.0.get_mut((folded.wrapping_mul(ODD) >> 48) as usize % KEPT)
    }
}

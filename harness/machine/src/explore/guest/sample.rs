//! Which stretches of simple instructions both this crate and the emulator execute: it depends on
//! their address alone.

use rustc_hash::FxHashMap;

use crate::explore::territory::Disagreement;

/// One in N addresses at which such a stretch begins, and how often each is compared.
const ONE_IN: u64 = 1024;
const TIMES: u8 = 2;

/// What is in the sample, and what came of it.
#[derive(Default)]
pub(in crate::explore) struct Sample {
    compared: FxHashMap<u64, u8>,
    pub(in crate::explore) disagreements: Vec<Disagreement>,
}

impl Sample {
    /// Returns true if a stretch that begins at an address is to be compared now.
    pub(super) fn takes(&mut self, pc: u64) -> bool {
        // The middle of a product: neighbours are not in the sample together (Knuth, The Art of
        // Computer Programming 3, 6.4).
        if !(pc.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32).is_multiple_of(ONE_IN) {
            return false;
        }
        let compared = self.compared.entry(pc).or_default();
        *compared += 1;
        *compared <= TIMES || {
            *compared = TIMES;
            false
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One address in a thousand, each twice.
    #[test]
    fn the_sample_is_small_and_the_same_each_time() {
        let taken =
            |sample: &mut Sample| (0..1_u64 << 16).filter(|pc| sample.takes(0x40_0000 + pc)).collect::<Vec<_>>();
        let mut sample = Sample::default();
        let first = taken(&mut sample);
        assert!((32..128).contains(&first.len()), "{}", first.len());
        assert_eq!(taken(&mut sample), first);
        assert_eq!(taken(&mut sample), [] as [u64; 0]);
        assert_eq!(taken(&mut Sample::default()), first);
    }
}

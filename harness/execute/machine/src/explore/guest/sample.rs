//! Selection of the stretches of simple instructions that both this crate and the emulator execute.
//! It depends on the address only.

use rustc_hash::FxHashMap;

use crate::explore::territory::Disagreement;

/// A stretch is compared at one in this many addresses, and each at most `TIMES` times.
const ONE_IN: u64 = 1024;
const TIMES: u8 = 2;

#[derive(Default)]
pub(in crate::explore) struct Sample {
    compared: FxHashMap<u64, u8>,
    pub(in crate::explore) disagreements: Vec<Disagreement>,
}

impl Sample {
    /// Returns true if a stretch that begins at `pc` must be compared now.
    pub(super) fn takes(&mut self, pc: u64) -> bool {
        // Middle bits of a product: neighbours are not in the sample together (Knuth, The Art of
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

    /// The sample has one address in a thousand, each twice.
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

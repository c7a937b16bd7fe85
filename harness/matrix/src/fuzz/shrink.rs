//! Making a finding small: greedily, as long as the smaller file shows the same.

use generators::cfi_text::Text;

/// Files tried for one finding. Few take more than a hundred; where more are needed, what is left is larger than it could be.
const MOST_TRIES: usize = 400;

/// The smallest file found that still `shows` it. Where several lines could be the cause, the last is left, or the first.
pub(super) fn shrink<T: Text>(start: T, from_the_end: bool, mut shows: impl FnMut(&T) -> bool) -> T {
    let mut best = start;
    let mut tries = 0;
    'smaller: loop {
        let mut smaller = best.smaller();
        if from_the_end {
            smaller.reverse();
        }
        smaller.sort_by_cached_key(|candidate| candidate.kinds().len());
        for candidate in smaller {
            tries += 1;
            if tries > MOST_TRIES {
                return best;
            }
            if shows(&candidate) {
                best = candidate;
                continue 'smaller;
            }
        }
        return best;
    }
}

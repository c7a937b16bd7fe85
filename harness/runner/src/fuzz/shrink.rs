//! Making a finding small: greedily, as long as the smaller file shows the same.

use generators::cfi_text::Text;

/// Files tried for one finding.
const MOST_TRIES: usize = 600;

/// The smallest file found that still `shows` it.
pub(super) fn shrink<T: Text>(start: T, mut shows: impl FnMut(&T) -> bool) -> T {
    let mut best = start;
    let mut tries = 0;
    'smaller: loop {
        for candidate in best.smaller() {
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

//! Ranges of addresses.

use alloc::vec::Vec;

/// The same addresses as disjoint, ascending ranges. Ranges that overlap or touch are merged, empty
/// ranges dropped.
pub fn joined(ranges: impl IntoIterator<Item = (u64, u64)>) -> Vec<(u64, u64)> {
    let mut ranges: Vec<(u64, u64)> = ranges.into_iter().filter(|(start, end)| start < end).collect();
    ranges.sort_unstable();
    ranges.dedup_by(|next, last| {
        let joins = next.0 <= last.1;
        if joins {
            last.1 = last.1.max(next.1);
        }
        joins
    });
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_touches_is_one_range() {
        assert_eq!(joined([(8, 9), (4, 6), (1, 3), (2, 4), (7, 7), (3, 4)]), [(1, 6), (8, 9)]);
    }
}

//! Counts of many files added up: one that overflows stays at the greatest, as outside bytes may
//! say anything.

/// Adds each second to its first.
pub(crate) fn add_each<const N: usize>(pairs: [(&mut u64, u64); N]) {
    for (sum, part) in pairs {
        *sum = sum.saturating_add(part);
    }
}

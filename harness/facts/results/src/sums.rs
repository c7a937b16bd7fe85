//! Saturating sums of the counts of many files, because untrusted bytes can give any numbers.

/// Adds to each first number its second, saturating.
pub(crate) fn add_each<const N: usize>(pairs: [(&mut u64, u64); N]) {
    for (sum, part) in pairs {
        *sum = sum.saturating_add(part);
    }
}

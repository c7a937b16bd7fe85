//! Another value for a number, as bugs of producers may give.

use types::Rng;

/// A value of `size` (1 to 8) bytes that differs from `value`. `others` are values of the same
/// field in other places.
pub(in crate::blind) fn another(rng: &mut Rng, value: u64, size: u64, others: &[u64]) -> u64 {
    let bits = size.saturating_mul(8).clamp(8, 64);
    let mask = u64::MAX >> (64 - bits);
    // A tactic may give the same value; a flipped bit never does.
    for _ in 0..4 {
        let drawn = match rng.below(9) {
            0 => 0,
            1 => u64::MAX,
            2 => value.wrapping_add(1),
            3 => value.wrapping_sub(1),
            4 => value.wrapping_add(8),
            5 => value.wrapping_sub(8),
            6 if !others.is_empty() => rng.pick(others),
            6 | 7 => value ^ 1 << rng.below(bits),
            _ => rng.bits(),
        } & mask;
        if drawn != value & mask {
            return drawn;
        }
    }
    (value ^ 1 << rng.below(bits)) & mask
}

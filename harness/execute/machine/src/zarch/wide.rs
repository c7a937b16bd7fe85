//! Integers of 512 bits, in which floating-point sums and products are exact.

use std::cmp::Ordering;

const LIMBS: usize = 8;

/// The value in limbs of 64 bits, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide([u64; LIMBS]);

impl Wide {
    pub(super) const BITS: u32 = 64 * LIMBS as u32;

    pub(super) fn new(value: u128) -> Wide {
        let mut limbs = [0; LIMBS];
        limbs.iter_mut().zip([value as u64, (value >> 64) as u64]).for_each(|(to, from)| *to = from);
        Wide(limbs)
    }

    /// The lowest 128 bits.
    pub(super) fn low(self) -> u128 {
        u128::from(self.limb(0)) | u128::from(self.limb(1)) << 64
    }

    fn limb(self, at: usize) -> u64 {
        self.0.get(at).copied().unwrap_or(0)
    }

    pub(super) fn is_zero(self) -> bool {
        self.0 == [0; LIMBS]
    }

    /// Number of bits up to the highest set one.
    pub(super) fn bits(self) -> u32 {
        let top = (0..LIMBS).rev().find(|at| self.limb(*at) != 0);
        top.map_or(0, |at| 64 * at as u32 + 64 - self.limb(at).leading_zeros())
    }

    pub(super) fn bit(self, at: u32) -> bool {
        self.limb(at as usize / 64) >> (at % 64) & 1 != 0
    }

    pub(super) fn shl(self, by: u32) -> Wide {
        let (limbs, bits) = (by as usize / 64, by % 64);
        let from = |at: usize| at.checked_sub(limbs).map_or(0, |at| self.limb(at));
        let below = |at: usize| at.checked_sub(1).map_or(0, from);
        Wide(std::array::from_fn(|at| from(at) << bits | if bits == 0 { 0 } else { below(at) >> (64 - bits) }))
    }

    /// The value shifted right, and whether set bits were lost.
    pub(super) fn shr(self, by: u32) -> (Wide, bool) {
        let (limbs, bits) = (by as usize / 64, by % 64);
        let from = |at: usize| self.limb(at + limbs);
        let shifted =
            Wide(std::array::from_fn(|at| from(at) >> bits | if bits == 0 { 0 } else { from(at + 1) << (64 - bits) }));
        (shifted, shifted.shl(by) != self)
    }

    pub(super) fn plus(self, other: Wide) -> Wide {
        let mut carry = false;
        Wide(std::array::from_fn(|at| {
            let (sum, first) = self.limb(at).overflowing_add(other.limb(at));
            let (sum, second) = sum.overflowing_add(carry.into());
            carry = first || second;
            sum
        }))
    }

    /// The difference; `other` must not be larger.
    pub(super) fn minus(self, other: Wide) -> Wide {
        let mut borrow = false;
        Wide(std::array::from_fn(|at| {
            let (rest, first) = self.limb(at).overflowing_sub(other.limb(at));
            let (rest, second) = rest.overflowing_sub(borrow.into());
            borrow = first || second;
            rest
        }))
    }

    /// The product of two 128-bit numbers.
    pub(super) fn product(left: u128, right: u128) -> Wide {
        let parts = |value: u128| [value & u128::from(u64::MAX), value >> 64];
        let ([a, b], [c, d]) = (parts(left), parts(right));
        let at = |value: u128, by: u32| Wide::new(value).shl(by);
        at(a * c, 0).plus(at(a * d, 64)).plus(at(b * c, 64)).plus(at(b * d, 128))
    }

    /// The quotient, and whether there is a remainder.
    pub(super) fn divided(self, by: Wide) -> (Wide, bool) {
        let (mut rest, mut quotient) = (Wide::new(0), Wide::new(0));
        for at in (0..self.bits()).rev() {
            rest = rest.shl(1).plus(Wide::new(self.bit(at).into()));
            quotient = quotient.shl(1);
            if rest.cmp(by) != Ordering::Less {
                rest = rest.minus(by);
                quotient = quotient.plus(Wide::new(1));
            }
        }
        (quotient, !rest.is_zero())
    }

    /// The square root, rounded down, and whether it is not exact.
    pub(super) fn root(self) -> (Wide, bool) {
        let (mut rest, mut root) = (Wide::new(0), Wide::new(0));
        for pair in (0..self.bits().div_ceil(2)).rev() {
            let next = u128::from(self.bit(2 * pair + 1)) << 1 | u128::from(self.bit(2 * pair));
            rest = rest.shl(2).plus(Wide::new(next));
            let tried = root.shl(2).plus(Wide::new(1));
            root = root.shl(1);
            if rest.cmp(tried) != Ordering::Less {
                rest = rest.minus(tried);
                root = root.plus(Wide::new(1));
            }
        }
        (root, !rest.is_zero())
    }

    pub(super) fn cmp(self, other: Wide) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

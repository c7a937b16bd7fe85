//! Instructions on vector registers that access no memory.

use super::super::{Combination, Simple};
use super::{Word, size};
use crate::simple::Size;

impl Word {
    pub(super) fn vector(self) -> Option<Simple> {
        let (to, from) = (self.bits(0, 5) as u8, self.bits(5, 5) as u8);
        let bytes = if self.bit(30) { 16 } else { 8 };
        let word = self.0;
        // Bitwise operations of three registers.
        if word & 0x9f20_fc00 == 0x0e20_1c00 {
            let combination = match (self.bit(29), self.bits(22, 2)) {
                (false, 0) => Combination::And,
                (false, 1) => Combination::AndNot,
                (false, 2) => Combination::Or,
                (false, _) => Combination::OrNot,
                (true, 0) => Combination::Xor,
                _ => return None,
            };
            return Some(Simple::CombinesVectors {
                combination,
                bytes,
                to,
                first: from,
                second: self.bits(16, 5) as u8,
            });
        }
        // DUP, UMOV, INS of a general register: the position of the lowest set bit is the lane
        // size.
        if word & 0xbfe0_fc00 == 0x0e00_0c00 || word & 0xbfe0_fc00 == 0x0e00_3c00 {
            let size = size(1_u8.checked_shl(self.bits(16, 5).trailing_zeros())?)?;
            let lane = (self.bits(16, 5) >> (size.bytes().trailing_zeros() + 1)) as u8;
            return match self.bits(10, 6) {
                0b00_0011 if size != Size::Eight || self.bit(30) => {
                    Some(Simple::Duplicates { to, from: self.register(5), size, bytes })
                }
                0b00_1111 if (size == Size::Eight) == self.bit(30) => {
                    Some(Simple::MovesFromVector { to: self.register(0), from, lane, size })
                }
                _ => None,
            };
        }
        // FMOV between registers.
        match word & !0x3ff {
            0x1e26_0000 => {
                return Some(Simple::MovesFromVector { to: self.register(0), from, lane: 0, size: Size::Four });
            }
            0x9e66_0000 => {
                return Some(Simple::MovesFromVector { to: self.register(0), from, lane: 0, size: Size::Eight });
            }
            0x1e27_0000 => return Some(Simple::MovesToVector { to, from: self.register(5), size: Size::Four }),
            0x9e67_0000 => return Some(Simple::MovesToVector { to, from: self.register(5), size: Size::Eight }),
            0x1e20_4000 => {
                return Some(Simple::CombinesVectors {
                    combination: Combination::And,
                    bytes: 4,
                    to,
                    first: from,
                    second: from,
                });
            }
            0x1e60_4000 => {
                return Some(Simple::CombinesVectors {
                    combination: Combination::And,
                    bytes: 8,
                    to,
                    first: from,
                    second: from,
                });
            }
            _ => {}
        }
        // FMOV of an immediate: sign, exponent and fraction (`VFPExpandImm`).
        if word & 0xffa0_1fe0 == 0x1e20_1000 {
            let [high, low] = [self.bits(19, 2), self.bits(13, 6)].map(u64::from);
            let exponent = |ones: u64| if high & 1 == 1 { ones } else { ones + 1 };
            let value = match self.bits(22, 1) {
                0 => (high >> 1) << 31 | exponent(0x1f) << 25 | low << 19,
                _ => (high >> 1) << 63 | exponent(0xff) << 54 | low << 48,
            };
            return Some(Simple::SetsVector { to, value: value.into(), combination: Combination::Second });
        }
        // Modified immediates.
        if word & 0x9ff8_0c00 == 0x0f00_0400 {
            let value = u64::from(self.bits(16, 3) << 5 | self.bits(5, 5));
            let (mode, inverts) = (self.bits(12, 4), self.bit(29));
            let (lane, combines) = match mode {
                0b0000..=0b0111 => ((value << (8 * (mode >> 1))) * 0x1_0000_0001, mode & 1 == 1),
                0b1000..=0b1011 => ((value << (8 * (mode >> 1 & 1))) * 0x1_0001_0001_0001, mode & 1 == 1),
                0b1100 => ((value << 8 | 0xff) * 0x1_0000_0001, false),
                0b1101 => ((value << 16 | 0xffff) * 0x1_0000_0001, false),
                0b1110 if !inverts => (value * 0x0101_0101_0101_0101, false),
                0b1110 => ((0..8).map(|bit| ((value >> bit & 1) * 0xff) << (8 * bit)).sum(), false),
                _ => return None,
            };
            let combination = match (combines, inverts && mode != 0b1110) {
                (false, _) => Combination::Second,
                (true, false) => Combination::Or,
                (true, true) => Combination::AndNot,
            };
            let lane = if combination == Combination::Second && inverts && mode != 0b1110 { !lane } else { lane };
            let high = if bytes == 16 || combination == Combination::AndNot { lane } else { 0 };
            let value = u128::from(high) << 64 | u128::from(lane);
            // The 8-byte forms clear the upper half.
            return (bytes == 16 || combination == Combination::Second).then_some(Simple::SetsVector {
                to,
                value,
                combination,
            });
        }
        None
    }
}

//! A64 words (Arm ARM DDI 0487, C4.1): bits 31 to 21 and 15 to 10 hold every opcode field; the rest
//! are registers and immediates.

use types::Rng;

const PATTERNS: u64 = 1 << 17;

pub(super) fn word(index: u64, random: &mut Rng) -> Vec<u8> {
    // An odd factor: the first words already cover all groups.
    let pattern = index.wrapping_mul(0x1_3c6f) % PATTERNS;
    let (high, low) = ((pattern >> 6) as u32, (pattern & 0x3f) as u32);
    let rest = random.bits() as u32;
    let word = high << 21 | (rest & 0x1f_0000) | low << 10 | (rest & 0x3ff);
    word.to_le_bytes().to_vec()
}

/// Bits 31 to 21, and 15 to 10, in hex.
pub(super) fn opcode(word: &[u8]) -> String {
    let word = word.first_chunk::<4>().map_or(0, |bytes| u32::from_le_bytes(*bytes));
    format!("{:03x}.{:02x}", word >> 21, word >> 10 & 0x3f)
}

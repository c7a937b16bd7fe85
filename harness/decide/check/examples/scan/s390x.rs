//! z/Architecture words (SA22-7832, chapter 5, "Instruction Formats"): the first byte is the
//! opcode, or determines where the rest of it is.

use types::Rng;

/// First bytes whose second byte completes the opcode; whose second byte's low half does; whose
/// sixth byte does.
const BY_SECOND: [u8; 6] = [0x01, 0xb2, 0xb3, 0xb9, 0xe5, 0xa4];
const BY_NIBBLE: [u8; 9] = [0xa5, 0xa7, 0xc0, 0xc2, 0xc4, 0xc6, 0xc8, 0xcc, 0xc5];
const BY_SIXTH: [u8; 6] = [0xe3, 0xe6, 0xe7, 0xeb, 0xec, 0xed];

const SECOND: u64 = BY_SECOND.len() as u64 * 256;
const NIBBLE: u64 = BY_NIBBLE.len() as u64 * 16;
const SIXTH: u64 = BY_SIXTH.len() as u64 * 256;
/// First bytes with a complete opcode occur four times, because they have more formats.
const FIRST: u64 = 256 * 4;

pub(super) fn word(index: u64, random: &mut Rng) -> Vec<u8> {
    let mut word: [u8; 6] = std::array::from_fn(|_| random.byte());
    let pick = |list: &[u8], at: u64| list.get(at as usize).copied().unwrap_or_default();
    let mut at = index % (SECOND + NIBBLE + SIXTH + FIRST);
    if at < SECOND {
        (word[0], word[1]) = (pick(&BY_SECOND, at / 256), at as u8);
    } else if at < SECOND + NIBBLE {
        at -= SECOND;
        (word[0], word[1]) = (pick(&BY_NIBBLE, at / 16), word[1] & 0xf0 | (at % 16) as u8);
    } else if at < SECOND + NIBBLE + SIXTH {
        at -= SECOND + NIBBLE;
        (word[0], word[5]) = (pick(&BY_SIXTH, at / 256), at as u8);
    } else {
        word[0] = (at - SECOND - NIBBLE - SIXTH) as u8;
    }
    // The first two bits give the length.
    let length = [2, 4, 4, 6][usize::from(word[0] >> 6)];
    word.into_iter().take(length).collect()
}

/// Bytes of the opcode, with a point for other bytes.
pub(super) fn opcode(word: &[u8]) -> String {
    let byte = |at: usize| word.get(at).copied().unwrap_or_default();
    let first = byte(0);
    if BY_SECOND.contains(&first) {
        format!("{first:02x}{:02x}", byte(1))
    } else if BY_NIBBLE.contains(&first) {
        format!("{first:02x}.{:x}", byte(1) & 0xf)
    } else if BY_SIXTH.contains(&first) {
        format!("{first:02x}..{:02x}", byte(5))
    } else {
        format!("{first:02x}")
    }
}

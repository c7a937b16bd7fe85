//! Classification of AArch64 branches.

use crate::branch::Branch;

/// The kind of a branch: RET, RETAA and RETAB; B, B.cond and BC.cond, CBZ and CBNZ, TBZ and TBNZ
/// (Arm ARM DDI 0487, C4.1 "Branches, Exception Generating and System instructions"). Instructions
/// are little-endian in both data byte orders.
pub(crate) fn branch(code: &[u8]) -> Branch {
    let Some(word) = code.first_chunk::<4>().map(|bytes| u32::from_le_bytes(*bytes)) else { return Branch::Other };
    let is = |mask: u32, bits: u32| word & mask == bits;
    if is(0xffff_fc1f, 0xd65f_0000) || is(0xffff_fbff, 0xd65f_0bff) {
        Branch::Return
    } else if is(0xfc00_0000, 0x1400_0000) || is(0xff00_0000, 0x5400_0000) || is(0x7c00_0000, 0x3400_0000) {
        Branch::Relative
    } else {
        Branch::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Other, Relative, Return};
        // Encodings are those of GNU as for armv8.5-a.
        let table = [
            (0xd65f_03c0, Return),   // ret
            (0xd65f_0200, Return),   // ret x16
            (0xd65f_0bff, Return),   // retaa
            (0xd65f_0fff, Return),   // retab
            (0x1400_0002, Relative), // b
            (0x17ff_ff5b, Relative), // b, backwards
            (0x5400_0080, Relative), // b.eq
            (0xb500_0110, Relative), // cbnz x16
            (0x3400_0040, Relative), // cbz w0
            (0x3607_ffe0, Relative), // tbz w0, #0
            (0xb7f8_0040, Relative), // tbnz x0, #63
            (0x9400_0002, Other),    // bl
            (0xd61f_0040, Other),    // br x2
            (0xd61f_03c0, Other),    // br x30
            (0xd63f_0200, Other),    // blr x16
            (0xd71f_0801, Other),    // braa x0, x1
            (0xd503_201f, Other),    // nop
        ];
        for (word, expected) in table {
            assert_eq!(branch(&u32::to_le_bytes(word)), expected, "{word:#x}");
        }
        assert_eq!(branch(&[0xc0, 0x03]), Other);
    }
}

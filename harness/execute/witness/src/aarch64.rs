//! Classification of AArch64 branches.

use crate::branch::Branch;

/// The kind of a branch: RET, RETAA and RETAB; B, B.cond and BC.cond, CBZ and CBNZ, TBZ and TBNZ;
/// BRAA, BRAAZ, BRAB and BRABZ (Arm ARM DDI 0487, C4.1 "Branches, Exception Generating and System
/// instructions"). Instructions are little-endian in both data byte orders.
pub(crate) fn branch(code: &[u8]) -> Branch {
    let Some((word, rest)) = next_word(code) else { return Branch::Other };
    let is = |mask: u32, bits: u32| word & mask == bits;
    if is(0xffff_fc1f, 0xd65f_0000) || is(0xffff_fbff, 0xd65f_0bff) {
        Branch::Return
    } else if is(0xfc00_0000, 0x1400_0000) || is(0xff00_0000, 0x5400_0000) || is(0x7c00_0000, 0x3400_0000) {
        Branch::Relative
    } else if is_stub(word, rest) {
        Branch::Retpoline
    } else if is(0xfeff_f800, 0xd61f_0800) {
        Branch::Indirect
    } else {
        Branch::Other
    }
}

/// Returns true for a stub that takes the place of `blr xM` (`-mharden-sls=blr`): BTI or none, MOV
/// (register) of an address or none, BR to that address (C6.2.45 BTI, C6.2.225 MOV (register),
/// C6.2.36 BR).
fn is_stub(word: u32, rest: &[u8]) -> bool {
    let (word, rest) = match word & 0xffff_ff3f {
        0xd503_241f => match next_word(rest) {
            Some(behind) => behind,
            None => return false,
        },
        _ => (word, rest),
    };
    let jumped_to = |word: u32| (word & 0xffff_fc1f == 0xd61f_0000).then_some(word >> 5 & 31);
    match word & 0xffe0_ffe0 {
        0xaa00_03e0 => next_word(rest).is_some_and(|(word_behind, _)| jumped_to(word_behind) == Some(word & 31)),
        _ => jumped_to(word).is_some(),
    }
}

fn next_word(code: &[u8]) -> Option<(u32, &[u8])> {
    let (bytes, rest) = code.split_first_chunk::<4>()?;
    Some((u32::from_le_bytes(*bytes), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Indirect, Other, Relative, Return};
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
            (0xd63f_0200, Other),    // blr x16
            (0xd71f_0801, Indirect), // braa x0, x1
            (0xd61f_081f, Indirect), // braaz x0
            (0xd73f_0801, Other),    // blraa x0, x1
            (0xd503_201f, Other),    // nop
        ];
        for (word, expected) in table {
            assert_eq!(branch(&u32::to_le_bytes(word)), expected, "{word:#x}");
        }
        assert_eq!(branch(&[0xc0, 0x03]), Other);
    }

    #[test]
    fn stubs_that_jump_to_an_address_in_a_register() {
        let table: [(&[u32], bool); 8] = [
            (&[0xaa01_03f0, 0xd61f_0200], true),               // mov x16, x1; br x16
            (&[0xd503_245f, 0xaa03_03f1, 0xd61f_0220], true),  // bti c; mov x17, x3; br x17
            (&[0xd61f_0040], true),                            // br x2
            (&[0xaa01_03f0, 0xd61f_0220], false),              // mov x16, x1; br x17
            (&[0x2a01_03f0, 0xd61f_0200], false),              // mov w16, w1; br x16
            (&[0xaa01_03f0, 0xd63f_0200], false),              // mov x16, x1; blr x16
            (&[0xaa01_03f0, 0xd503_201f, 0xd61f_0200], false), // mov x16, x1; nop; br x16
            (&[0xd503_245f], false),                           // bti c
        ];
        for (words, expected) in table {
            let code: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            assert_eq!(branch(&code) == Branch::Retpoline, expected, "{words:x?}");
        }
    }
}

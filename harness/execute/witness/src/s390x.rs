//! Classification of s390x branches.

use crate::branch::Branch;

/// The kind of a branch: `br %r14`, which returns from functions (s390x ELF ABI 1.6, 1.2.2.1); the
/// relative branches (SA22-7832, chapter 7): BRC, BRCL, BRCT and BRCTG, BRCTH, BRXH and BRXLE,
/// BRXHG and BRXLG, and the compare-and-branch-relative family; BCR and BC; EXRL without a
/// register, which changes nothing in what it executes.
pub(crate) fn branch(code: &[u8]) -> Branch {
    match code {
        [0x07, 0xfe, ..] => Branch::Return,
        [0xa7, second, ..] if matches!(second & 0xf, 4 | 6 | 7) => Branch::Relative,
        [0xc0, second, ..] if second & 0xf == 4 => Branch::Relative,
        [0xcc, second, ..] if second & 0xf == 6 => Branch::Relative,
        [0x84 | 0x85, ..] => Branch::Relative,
        // BCR with a mask and a register, and BC.
        [0x07, second, ..] if second >> 4 != 0 && second & 0xf != 0 => Branch::Indirect,
        [0x47, ..] => Branch::Indirect,
        [0xc6, 0x00, a, b, c, d, ..] => Branch::Executes(2 * i64::from(i32::from_be_bytes([*a, *b, *c, *d]))),
        [0xec, _, _, _, _, 0x44 | 0x45 | 0x64 | 0x65 | 0x76 | 0x77 | 0x7c..=0x7f, ..] => Branch::Relative,
        _ => Branch::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Executes, Indirect, Other, Relative, Return};
        // Encodings are those of GNU as for z196.
        let table: [(&[u8], Branch); 19] = [
            (&[0x07, 0xfe], Return),                               // br %r14
            (&[0x07, 0xf1], Indirect),                             // br %r1
            (&[0x07, 0x8e], Indirect),                             // ber %r14
            (&[0x07, 0x07], Other),                                // nopr %r7
            (&[0xa7, 0xf4, 0x00, 0x06], Relative),                 // j
            (&[0xa7, 0x84, 0x00, 0x0f], Relative),                 // je
            (&[0xa7, 0x27, 0xff, 0xfe], Relative),                 // brctg %r2
            (&[0xa7, 0xe5, 0x00, 0x06], Other),                    // bras %r14
            (&[0xc0, 0xf4, 0, 0, 0, 4], Relative),                 // jg
            (&[0xc0, 0xe5, 0, 0, 0, 4], Other),                    // brasl %r14
            (&[0xcc, 0x26, 0xff, 0xff, 0xff, 0xfe], Relative),     // brcth %r2
            (&[0x84, 0x12, 0x00, 0x04], Relative),                 // brxh
            (&[0xec, 0x12, 0x00, 0x04, 0x80, 0x64], Relative),     // cgrje
            (&[0xec, 0x16, 0x00, 0x04, 0x05, 0x7f], Relative),     // clijne
            (&[0xec, 0x12, 0x00, 0x9f, 0x20, 0x5d], Other),        // risbhg
            (&[0x47, 0xf0, 0x10, 0x00], Indirect),                 // b 0(%r1)
            (&[0xc6, 0x00, 0xff, 0xff, 0xff, 0xfe], Executes(-4)), // exrl %r0
            (&[0xc6, 0x10, 0, 0, 0, 4], Other),                    // exrl %r1
            (&[0x18, 0x12], Other),                                // lr
        ];
        for (code, expected) in table {
            assert_eq!(branch(code), expected, "{code:x?}");
        }
    }
}

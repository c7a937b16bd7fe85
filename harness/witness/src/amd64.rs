//! How AMD64 instructions branch.

use crate::branch::Branch;

/// RET near, and the relative forms of JMP, Jcc, LOOP and JRCXZ (Intel SDM volume 2, instruction reference), behind prefixes
/// that assemblers put before branches: branch hints, BND or REP, and operand size.
pub(crate) fn branch(code: &[u8]) -> Branch {
    match code {
        [0x2e | 0x3e | 0x66 | 0xf2 | 0xf3, rest @ ..] => branch(rest),
        [0xc2 | 0xc3, ..] => Branch::Return,
        [0x70..=0x7f | 0xe0..=0xe3 | 0xe9 | 0xeb, ..] | [0x0f, 0x80..=0x8f, ..] => Branch::Relative,
        _ => Branch::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Other, Relative, Return};
        // As GNU as encodes them.
        let table: [(&[u8], Branch); 13] = [
            (&[0xc3], Return),                           // ret
            (&[0xf3, 0xc3], Return),                     // rep ret
            (&[0xf2, 0xc3], Return),                     // bnd ret
            (&[0xc2, 0x08, 0x00], Return),               // ret $8
            (&[0xeb, 0xfe], Relative),                   // jmp .
            (&[0xe9, 0xfb, 0xff, 0xff, 0xff], Relative), // jmp, 32 bits
            (&[0x75, 0x10], Relative),                   // jne
            (&[0x3e, 0x75, 0x10], Relative),             // jne,pt
            (&[0x0f, 0x85, 0x00, 0x01, 0, 0], Relative), // jne, 32 bits
            (&[0xe3, 0x10], Relative),                   // jrcxz
            (&[0xff, 0xe0], Other),                      // jmp *%rax
            (&[0x3e, 0xff, 0xe0], Other),                // notrack jmp *%rax
            (&[0xff, 0x25, 0, 0, 0, 0], Other),          // jmp *0(%rip)
        ];
        for (code, expected) in table {
            assert_eq!(branch(code), expected, "{code:x?}");
        }
        assert_eq!(branch(&[0x66; 6]), Other);
        assert_eq!(branch(&[]), Other);
    }
}

//! Classification of AMD64 branches.

use crate::branch::Branch;

/// The kind of a branch: near RET, and the relative forms of JMP, Jcc, LOOP and JRCXZ (Intel SDM
/// volume 2, instruction reference), after prefixes that assemblers emit before branches: branch
/// hints, BND or REP, and operand size. POP of a register.
pub(crate) fn branch(code: &[u8]) -> Branch {
    match code {
        _ if discards(code, WORD) => Branch::Discards,
        _ if is_retpoline(code) => Branch::Retpoline,
        [0x2e | 0x3e | 0x66 | 0xf2 | 0xf3, rest @ ..] => branch(rest),
        [0xc2 | 0xc3, ..] => Branch::Return,
        // Not of RSP (0x5c): Intel SDM volume 2, POP.
        [0x58..=0x5b | 0x5d..=0x5f, ..] | [0x41, 0x58..=0x5f, ..] => Branch::Pops,
        [0x70..=0x7f | 0xe0..=0xe3 | 0xe9 | 0xeb, ..] | [0x0f, 0x80..=0x8f, ..] => Branch::Relative,
        _ => Branch::Other,
    }
}

const WORD: i64 = 8;

/// Returns true if the code first drops `pushed` bytes, which calls have pushed: by ADD, SUB or LEA
/// of SP. Also if it overwrites the only pushed word and returns through it.
fn discards(code: &[u8], pushed: i64) -> bool {
    match code {
        // endbr64, nop, pause, lfence
        [0xf3, 0x0f, 0x1e, 0xfa, rest @ ..]
        | [0x90, rest @ ..]
        | [0xf3, 0x90, rest @ ..]
        | [0x0f, 0xae, 0xe8, rest @ ..] => discards(rest, pushed),
        // add $n,%rsp, lea n(%rsp),%rsp and sub $-n,%rsp
        [0x48, 0x83, 0xc4, n, ..] | [0x48, 0x8d, 0x64, 0x24, n, ..] => i64::from(n.cast_signed()) >= pushed,
        [0x48, 0x83, 0xec, n, ..] => -i64::from(n.cast_signed()) >= pushed,
        // A call a few bytes ahead, whose return address must be dropped too.
        [0xe8, a, b, c, d, rest @ ..] => {
            let ahead = usize::try_from(i32::from_le_bytes([*a, *b, *c, *d]));
            let target = ahead.ok().filter(|ahead| *ahead > 0).and_then(|ahead| rest.get(ahead..));
            target.is_some_and(|target| discards(target, pushed + WORD))
        }
        _ if pushed == WORD && overwrites(code) => true,
        _ => computes(code).is_some_and(|rest| discards(rest, pushed)),
    }
}

/// The code after an instruction that only computes in registers other than RSP: ADD, OR, AND, SUB,
/// XOR, MOV, CMP and TEST of two registers, INC and DEC (Intel SDM volume 2).
fn computes(code: &[u8]) -> Option<&[u8]> {
    let (rex, rest) = match code {
        [rex @ 0x40..=0x4f, rest @ ..] => (*rex, rest),
        _ => (0, code),
    };
    let [opcode, modrm @ 0xc0..=0xff, rest @ ..] = rest else { return None };
    let register = |low: u8, extended: u8| low & 7 == 4 && rex & extended == 0;
    let is_sp = register(*modrm, 1) || register(*modrm >> 3, 4);
    let of_two = matches!(opcode, 0x01 | 0x03 | 0x09 | 0x0b | 0x21 | 0x23 | 0x29 | 0x2b | 0x31 | 0x33 | 0x39 | 0x3b)
        || matches!(opcode, 0x85 | 0x89 | 0x8b);
    let of_one = *opcode == 0xff && *modrm < 0xd0;
    ((of_two && !is_sp) || (of_one && !register(*modrm, 1))).then_some(rest)
}

/// Returns true if the code calls other code that overwrites that call's return address and returns
/// through it.
fn is_retpoline(code: &[u8]) -> bool {
    match code {
        [0xf3, 0x0f, 0x1e, 0xfa, rest @ ..] | [0x90, rest @ ..] => is_retpoline(rest),
        [0xe8, a, b, c, d, rest @ ..] => {
            let ahead = usize::try_from(i32::from_le_bytes([*a, *b, *c, *d]));
            let target = ahead.ok().and_then(|ahead| rest.get(ahead..));
            target.is_some_and(overwrites)
        }
        _ => false,
    }
}

/// Returns true if the code overwrites the word at the top of the stack with a register, and
/// returns through it.
fn overwrites(code: &[u8]) -> bool {
    match code {
        [0xf3, 0x0f, 0x1e, 0xfa, rest @ ..]
        | [0x90, rest @ ..]
        | [0xf3, 0x90, rest @ ..]
        | [0x0f, 0xae, 0xe8, rest @ ..] => overwrites(rest),
        // mov %reg,(%rsp) and xchg %reg,(%rsp), then ret
        [0x48 | 0x4c, 0x89 | 0x87, modrm, 0x24, rest @ ..] => modrm & 0xc7 == 0x04 && returns(rest),
        _ => false,
    }
}

fn returns(code: &[u8]) -> bool {
    match code {
        [0x90, rest @ ..] | [0xf3, 0x90, rest @ ..] | [0x0f, 0xae, 0xe8, rest @ ..] => returns(rest),
        _ => matches!(code, [0xc3, ..] | [0xf2 | 0xf3, 0xc3, ..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn branches() {
        use Branch::{Other, Pops, Relative, Return};
        // Encodings are those of GNU as.
        let table: [(&[u8], Branch); 16] = [
            (&[0x5d], Pops),                             // pop %rbp
            (&[0x41, 0x5c], Pops),                       // pop %r12
            (&[0x5c], Other),                            // pop %rsp
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

    #[test]
    fn retpolines() {
        let table: [(&[u8], Branch); 7] = [
            // call 1f; int3; 1: mov %rax,(%rsp); ret
            (&[0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x89, 0x04, 0x24, 0xc3], Branch::Retpoline),
            // nop; call 1f; pause; lfence; jmp .-5; 1: mov %r11,(%rsp); ret
            (
                &[0x90, 0xe8, 7, 0, 0, 0, 0xf3, 0x90, 0x0f, 0xae, 0xe8, 0xeb, 0xf9, 0x4c, 0x89, 0x1c, 0x24, 0xc3],
                Branch::Retpoline,
            ),
            // call 1f; 1: xchg %rax,(%rsp); ret
            (&[0xe8, 0, 0, 0, 0, 0x48, 0x87, 0x04, 0x24, 0xc3], Branch::Retpoline),
            // call 1f; int3; 1: mov %rax,(%rsp); inc %eax; ret
            (&[0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x89, 0x04, 0x24, 0xff, 0xc0, 0xc3], Branch::Other),
            // call 1f; int3; 1: lea 8(%rsp),%rsp; ret
            (&[0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x8d, 0x64, 0x24, 0x08, 0xc3], Branch::Other),
            // call .-5, whose target may be any code
            (&[0xe8, 0xf6, 0xff, 0xff, 0xff, 0x48, 0x89, 0x04, 0x24, 0xc3], Branch::Other),
            (&[0xe8, 1, 0, 0], Branch::Other),
        ];
        for (code, expected) in table {
            assert_eq!(branch(code), expected, "{code:x?}");
        }
    }

    #[test]
    fn what_discards_the_return_address() {
        let table: [(&[u8], bool); 19] = [
            (&[0x48, 0xff, 0xc0, 0x48, 0x8d, 0x64, 0x24, 0x08], true), // inc %rax; lea 8(%rsp),%rsp
            (&[0x31, 0xc0, 0x49, 0x89, 0xc4, 0x48, 0x83, 0xc4, 0x08], true), // xor, mov %rax,%r12; add $8,%rsp
            (&[0x48, 0x89, 0xc4, 0x48, 0x83, 0xc4, 0x08], false),      // mov %rax,%rsp; add $8,%rsp
            (&[0x48, 0xff, 0xc0, 0xc3], false),                        // inc %rax; ret
            // call 1f; int3; 1: mov %rax,(%rsp); ret: a retpoline, an indirect call if it is called
            // itself
            (&[0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x89, 0x04, 0x24, 0xc3], false),
            (&[0x48, 0x8d, 0x64, 0x24, 0x08, 0xc3], true), // lea 8(%rsp),%rsp
            (&[0x48, 0x83, 0xc4, 0x08, 0xc3], true),       // add $8,%rsp
            (&[0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x83, 0xec, 0xf8], true), // endbr64; sub $-8,%rsp
            (&[0x48, 0x89, 0x04, 0x24, 0xc3], true),       // mov %rax,(%rsp); ret
            (&[0x4c, 0x89, 0x1c, 0x24, 0xf3, 0xc3], true), // mov %r11,(%rsp); rep ret
            (&[0x48, 0x87, 0x04, 0x24, 0xc3], true),       // xchg %rax,(%rsp); ret
            (&[0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x83, 0xc4, 0x10], true), // call 1f; int3; 1: add $16,%rsp
            (&[0xe8, 1, 0, 0, 0, 0xcc, 0x48, 0x83, 0xc4, 0x08], false), // its word alone
            (&[0xe8, 0, 0, 0, 0, 0x48, 0x83, 0xc4, 0x10], false), // call .+5
            (&[0x48, 0x89, 0x04, 0x24, 0x90, 0x48], false), // mov %rax,(%rsp); nop; ...
            (&[0x48, 0x89, 0x44, 0x24, 0x08, 0xc3], false), // mov %rax,8(%rsp); ret
            (&[0x48, 0x83, 0xec, 0x08], false),            // sub $8,%rsp
            (&[0x5f], false),                              // pop %rdi
            (&[0x48, 0x83, 0xc4], false),
        ];
        for (code, expected) in table {
            assert_eq!(branch(code) == Branch::Discards, expected, "{code:x?}");
        }
    }
}

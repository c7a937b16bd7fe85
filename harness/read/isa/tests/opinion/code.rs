//! What code contains: calls of sigreturn, and padding.

use std::ops::Range;

use isa::{padding, sigreturn};
use types::Abi;

#[test]
fn calls_are_found_where_instructions_begin() {
    // nop; mov $15,%eax; syscall
    let amd64 = [0x90, 0xb8, 15, 0, 0, 0, 0x0f, 0x05];
    assert!(sigreturn::is_issued(Abi::Amd64, &amd64, 0x1000));
    // mov $0x50f0000000fb8,%rax: the same bytes inside a constant.
    let inside = [0x48, 0xb8, 0xb8, 15, 0, 0, 0, 0x0f, 0x05, 0];
    assert_eq!(sigreturn::candidates(Abi::Amd64, &inside).collect::<Vec<_>>(), [7]);
    assert!(!sigreturn::is_issued(Abi::Amd64, &inside, 0x1000));
    let exit = [0xb8, 60, 0, 0, 0, 0x0f, 0x05];
    assert!(!sigreturn::is_issued(Abi::Amd64, &exit, 0x1000));
    let aarch64 = [0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4];
    assert!(sigreturn::is_issued(Abi::Aarch64, &aarch64, 0x1000));
    assert!(sigreturn::is_issued(Abi::S390x, &[0x07, 0, 0x0a, 173], 0x1000));
    assert!(sigreturn::is_issued(Abi::S390x, &[0xa7, 0x19, 0, 119, 0x0a, 0], 0x1000));
    assert!(!sigreturn::is_issued(Abi::S390x, &[0x0a, 1], 0x1000));
}

fn found(abi: Abi, bytes: &[u8]) -> Option<Range<u64>> {
    padding::code(abi, bytes, 0x1000..0x1000 + bytes.len() as u64)
}

#[test]
fn no_ops_fill_and_zero_bytes_are_padding() {
    // nopw; int3; 00 00 (add %al,(%rax)); a last zero byte.
    let amd64: &[u8] = &[0x66, 0x0f, 0x1f, 0x44, 0, 0, 0xcc, 0, 0, 0];
    // jmp over two no-ops.
    let jump: &[u8] = &[0xeb, 2, 0x90, 0x90];
    // nop; brk #1; udf #0.
    let arm: &[u8] = &[0x1f, 0x20, 3, 0xd5, 0x20, 0, 0x20, 0xd4, 0, 0, 0, 0];
    // bcr 0,%r7; brcl 0; zero bytes.
    let s390x: &[u8] = &[7, 7, 0xc0, 4, 0, 0, 0, 0, 0, 0];
    for (abi, bytes) in
        [(Abi::Amd64, amd64), (Abi::Amd64, jump), (Abi::Aarch64, arm), (Abi::Aarch64Be, arm), (Abi::S390x, s390x)]
    {
        assert_eq!(found(abi, bytes), None, "{abi:?} {bytes:x?}");
    }
}

#[test]
fn code_between_padding_is_found() {
    // nop; ret; nop; mov %eax,%eax; nop.
    assert_eq!(found(Abi::Amd64, &[0x90, 0xc3, 0x90, 0x89, 0xc0, 0x90]), Some(0x1001..0x1005));
    // A jump that leaves the gap, and ud2, which compilers emit for unreachable code.
    assert_eq!(found(Abi::Amd64, &[0xeb, 3, 0x90, 0x90]), Some(0x1000..0x1002));
    assert_eq!(found(Abi::Amd64, &[0xf, 0xb]), Some(0x1000..0x1002));
    // nop; ret.
    assert_eq!(found(Abi::Aarch64, &[0x1f, 0x20, 3, 0xd5, 0xc0, 3, 0x5f, 0xd6]), Some(0x1004..0x1008));
    // bcr 0,%r7; br %r14; a byte that is no whole instruction.
    assert_eq!(found(Abi::S390x, &[7, 7, 7, 0xfe, 7]), Some(0x1002..0x1005));
    // The range ends inside the nopl, and inside the jump.
    assert_eq!(padding::code(Abi::Amd64, &[0x90, 0xf, 0x1f, 0x40, 0], 0x1000..0x1004), None);
    assert_eq!(padding::code(Abi::Amd64, &[0x90, 0xeb, 0x40], 0x1000..0x1002), Some(0x1001..0x1002));
    // Not an instruction of AMD64 (06 is PUSH ES on IA-32 only).
    assert_eq!(found(Abi::Amd64, &[0x90, 6]), Some(0x1001..0x1002));
}

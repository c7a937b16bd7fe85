//! Causes: what is the same wherever one bug shows.

use judge::cause::plain;
use types::Abi;

#[test]
fn instructions_of_one_kind_are_one() {
    for (abi, text, expected) in [
        (Abi::Amd64, "lea 0x8(%rsp),%rsp", "lea N(%rsp),%rsp"),
        (Abi::Amd64, "pop %r12", "pop %S"),
        (Abi::Amd64, "pop %rbx", "pop %S"),
        (Abi::Amd64, "pop %rcx", "pop %R"),
        (Abi::Amd64, "mov %r9d,%edx", "mov %R,%R"),
        (Abi::Amd64, "lea -0x8(%r10),%rsp", "lea -N(%r10),%rsp"),
        (Abi::Amd64, "pop %rbp", "pop %rbp"),
        (Abi::Aarch64, "ldp x29, x30, [sp]", "ldp x29, x30, [sp]"),
        (Abi::Aarch64Be, "ldp x19, x20, [sp, #0x10]", "ldp R, R, [sp, #N]"),
        (Abi::S390x, "lmg %r6,%r15,0x60(%r15)", "lmg %R,%r15,N(%r15)"),
    ] {
        assert_eq!(plain(abi, text), expected);
    }
}

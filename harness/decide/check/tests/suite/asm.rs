//! Programs from assembly text, with a start of their own.

use testing::binutils::Target;
use types::{Abi, Bytes};

/// A program whose `_start`, which has no caller, executes `main` and exits; `rest` follows.
pub(crate) fn program(abi: Abi, main: &str, rest: &str) -> Bytes {
    program_with(abi, main, rest, &[])
}

/// Like [`program`], with options of the linker.
pub(crate) fn program_with(abi: Abi, main: &str, rest: &str, linker: &[&str]) -> Bytes {
    let (target, undefined, exit) = match abi {
        Abi::Amd64 => (Target::Amd64, "rip", "xor %edi, %edi\nmov $60, %eax\nsyscall"),
        Abi::Aarch64 => (Target::Aarch64, "x30", "mov x0, #0\nmov x8, #93\nsvc #0"),
        Abi::Aarch64Be => (Target::Aarch64Be, "x30", "mov x0, #0\nmov x8, #93\nsvc #0"),
        Abi::S390x => (Target::S390x, "%r14", "lghi %r2, 0\nlghi %r1, 1\nsvc 0"),
    };
    let source = format!(
        ".globl _start\n_start: .cfi_startproc\n.cfi_undefined {undefined}\n{main}\n{exit}\n.cfi_endproc\n{rest}\n"
    );
    target.build(&source, &[], Some(linker)).expect("a program").into()
}

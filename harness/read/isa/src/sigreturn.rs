//! Code that returns from a signal handler: the system calls `rt_sigreturn` and, on s390x,
//! `sigreturn`. Numbers: Linux `arch/x86/entry/syscalls/syscall_64.tbl`,
//! `include/uapi/asm-generic/unistd.h`, `arch/s390/kernel/syscalls/syscall.tbl`.

use types::Abi;

use crate::Code;

/// Bytes of the instructions that set the number of the call, for each way to write it.
fn numbers(abi: Abi) -> &'static [&'static [u8]] {
    match abi {
        // mov $15,%eax; mov $15,%rax; push $15 and pop %rax.
        Abi::Amd64 => &[&[0xb8, 15, 0, 0, 0], &[0x48, 0xc7, 0xc0, 15, 0, 0, 0], &[0x6a, 15, 0x58]],
        // mov x8,#139; mov w8,#139.
        Abi::Aarch64 | Abi::Aarch64Be => &[&[0x68, 0x11, 0x80, 0xd2], &[0x68, 0x11, 0x80, 0x52]],
        // lghi %r1,173; lghi %r1,119.
        Abi::S390x => &[&[0xa7, 0x19, 0, 173], &[0xa7, 0x19, 0, 119]],
    }
}

/// Bytes of the system call that take the number from before them.
fn calls(abi: Abi) -> &'static [u8] {
    match abi {
        Abi::Amd64 => &[0x0f, 0x05],
        Abi::Aarch64 | Abi::Aarch64Be => &[0x01, 0, 0, 0xd4],
        Abi::S390x => &[0x0a, 0],
    }
}

/// System calls that contain the number.
fn calls_with_number(abi: Abi) -> &'static [&'static [u8]] {
    match abi {
        Abi::Amd64 | Abi::Aarch64 | Abi::Aarch64Be => &[],
        Abi::S390x => &[&[0x0a, 173], &[0x0a, 119]],
    }
}

/// Returns true if a system call at an offset of some code would be such a call.
fn is_at(abi: Abi, code: &[u8], at: usize) -> bool {
    let (before, from) = code.split_at_checked(at).unwrap_or_default();
    let is_numbered = || numbers(abi).iter().any(|set| before.ends_with(set));
    calls_with_number(abi).iter().any(|call| from.starts_with(call)) || from.starts_with(calls(abi)) && is_numbered()
}

/// Offsets in some code at which the bytes of such a call are: the number is set directly before
/// it. They may be inside an instruction.
pub fn candidates(abi: Abi, code: &[u8]) -> impl Iterator<Item = usize> {
    let unit = usize::try_from(abi.facts().instruction_alignment).unwrap_or(1).max(1);
    (0..code.len()).step_by(unit).filter(move |at| is_at(abi, code, *at))
}

/// Returns true if an instruction of some code, whose first begins at address `start`, is such a
/// call.
pub fn is_issued(abi: Abi, bytes: &[u8], start: u64) -> bool {
    if candidates(abi, bytes).next().is_none() {
        return false;
    }
    let mut code = Code::new(abi, bytes, start);
    let mut at = 0;
    while at < bytes.len() {
        if is_at(abi, bytes, at) {
            return true;
        }
        let Some(insn) = code.flow(at) else { return false };
        at += usize::from(insn.length).max(1);
    }
    false
}

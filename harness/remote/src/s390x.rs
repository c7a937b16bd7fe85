//! s390x.

use types::{FrameRegs, Reg, RegFile as _};

use crate::arch::{Asks, Calls, Names};

pub(crate) static NAMES: Names = Names {
    // General registers, then floating-point registers in the order of their DWARF numbers
    // (s390x ELF ABI supplement, "DWARF Register Number Mapping").
    registers: &[
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "f0",
        "f2", "f4", "f6", "f1", "f3", "f5", "f7", "f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15",
    ],
    pc: "pswa",
    qemu: "qemu-s390x",
    longest: 6,
    breakpoint: 2,
    // Linux arch/s390/kernel/syscalls/syscall.tbl; syscall(2).
    calls: Calls {
        step_goes_on: false,
        resumes_at: 0,
        code: &[0x0a, 0x00],
        number: Reg(1),
        arguments: [Reg(2), Reg(3), Reg(4), Reg(5), Reg(6), Reg(7)],
        result: Reg(2),
        mmap: 90,
        mmap_in_memory: true,
        munmap: 91,
        mremap: 163,
        brk: 45,
        sigaction: 174,
        signal_returns: &[119, 173],
        // exit, mprotect, rt_sigaction, rt_sigprocmask, sigaltstack, madvise, exit_group.
        executed: &[1, 125, 174, 175, 186, 219, 248],
        // write, getpid, kill, writev, gettid, tkill, tgkill, set_tid_address, set_robust_list, rseq.
        silent: &[4, 20, 37, 146, 236, 237, 241, 252, 304, 383],
    },
};

/// `svc` with the number in the instruction, or in %r1 where that is 0; `stck` and its kin, `stfle`,
/// `stidp` write memory.
pub(crate) fn asks(registers: &FrameRegs, bytes: &[u8]) -> Asks {
    match bytes {
        [0x0a, 0, ..] => Asks::Kernel(registers.read(NAMES.calls.number).unwrap_or(u64::MAX)),
        [0x0a, number, ..] => Asks::Kernel(u64::from(*number)),
        [0xb2, 0x05 | 0x7c | 0x78 | 0xb0 | 0x02, ..] => Asks::Unknown,
        _ => Asks::Nothing,
    }
}

/// The two highest bits give it (z/Architecture Principles of Operation, "Instruction Formats").
pub(crate) fn length(bytes: &[u8]) -> Option<u64> {
    Some(match bytes.first()? >> 6 {
        0 => 2,
        1 | 2 => 4,
        _ => 6,
    })
}

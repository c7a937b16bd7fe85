//! s390x: data of its stub and its system calls.

use types::{FrameRegs, Reg, RegFile as _};

use crate::arch::{Asks, Calls, CloneCall, Names};

pub(crate) static NAMES: Names = Names {
    // General registers, then floating-point registers in the order of their DWARF numbers
    // (s390x ELF ABI supplement, "DWARF Register Number Mapping").
    registers: &[
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "f0",
        "f2", "f4", "f6", "f1", "f3", "f5", "f7", "f8", "f10", "f12", "f14", "f9", "f11", "f13", "f15",
    ],
    pc: "pswa",
    taken_wider: None,
    qemu: "qemu-s390x",
    longest: 6,
    breakpoint: 2,
    // sar %a1,%r2; sar %a0,%r2
    set_thread_pointer: &[(0, &[0xb2, 0x4e, 0x00, 0x12]), (32, &[0xb2, 0x4e, 0x00, 0x02])],
    thread_pointer: None,
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
        mprotect: 125,
        sigaction: 174,
        signal_returns: &[119, 173],
        // exit, mprotect, rt_sigaction, rt_sigprocmask, sigaltstack, madvise, exit_group.
        executed: &[1, 125, 174, 175, 186, 219, 248],
        // write, open, close, lseek, getpid, access, kill, fcntl, writev, sched_yield, getuid,
        // getgid, geteuid, getegid, gettid, tkill, tgkill, set_tid_address, openat, faccessat,
        // set_robust_list, rseq, faccessat2, futex, nanosleep, clock_nanosleep, membarrier.
        silent: &[
            4, 5, 6, 19, 20, 33, 37, 55, 146, 158, 162, 199, 200, 201, 202, 236, 237, 238, 241, 252, 262, 288, 300,
            304, 356, 383, 439,
        ],
        // read, ioctl, gettimeofday, readlink, stat, lstat, fstat, sysinfo, uname, pread64, getcwd,
        // getrlimit, clock_gettime, newfstatat, readlinkat, prlimit64, getrandom, statx.
        writes: &[
            (3, 1),
            (54, 2),
            (78, 0),
            (85, 1),
            (106, 1),
            (107, 1),
            (108, 1),
            (116, 0),
            (122, 0),
            (180, 1),
            (183, 0),
            (191, 1),
            (260, 1),
            (293, 2),
            (298, 2),
            (334, 3),
            (349, 0),
            (379, 4),
        ],
        opens: &[(5, 0), (288, 1)],
        close: 6,
        clone: CloneCall { number: 120, flags: 1, stack: 0, parent_at: 2, child_at: 3, pointer: 4 },
        clone3: 435,
        exit: 1,
        set_tid_address: 252,
        set_robust_list: 304,
        futex: 238,
        sigprocmask: 175,
        gettid: 236,
        sched_yield: 158,
        sleeps: [162, 262],
        kills: [(237, 0), (241, 1)],
    },
};

/// The outside dependency of an instruction: `svc` with the number in the instruction, or in %r1 if
/// that is 0; `stck` and similar, `stfle`, `stidp` write memory.
pub(crate) fn asks(registers: &FrameRegs, bytes: &[u8]) -> Asks {
    match bytes {
        [0x0a, 0, ..] => Asks::Kernel(registers.read(NAMES.calls.number).unwrap_or(u64::MAX)),
        [0x0a, number, ..] => Asks::Kernel(u64::from(*number)),
        [0xb2, 0x05 | 0x7c | 0x78 | 0xb0 | 0x02, base, displacement, ..] => {
            let at = u64::from(base & 15) << 8 | u64::from(*displacement);
            let base = Some(Reg(u16::from(base >> 4))).filter(|base| base.0 != 0);
            Asks::Unknown(base.map_or(Some(0), |base| registers.read(base)).map(|base| base.wrapping_add(at)))
        }
        _ => Asks::Nothing,
    }
}

/// Length in bytes of an instruction, from its two highest bits (z/Architecture Principles of
/// Operation, "Instruction Formats").
pub(crate) fn length(bytes: &[u8]) -> Option<u64> {
    Some(match bytes.first()? >> 6 {
        0 => 2,
        1 | 2 => 4,
        _ => 6,
    })
}

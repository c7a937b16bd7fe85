//! System call numbers and structures of AArch64 (Linux `include/uapi/asm-generic/unistd.h`).

use super::{Call, Errno, StatLayout};

/// Linux `include/uapi/asm-generic/stat.h`.
pub(crate) const STAT: StatLayout = StatLayout { size: 128, mode: (16, 4), links: (20, 4), block: (56, 4) };

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        17 => Call::Getcwd,
        25 => Call::Fcntl,
        29 => Call::Ioctl,
        57 => Call::Close,
        62 => Call::Lseek,
        63 => Call::Read,
        64 => Call::Write,
        66 => Call::Writev,
        79 => Call::Newfstatat,
        80 => Call::Fstat,
        93 | 94 => Call::Exit,
        113 => Call::ClockGettime,
        129 | 130 => Call::Kill,
        131 => Call::Tgkill,
        134 => Call::Sigaction,
        135 => Call::Sigprocmask,
        160 => Call::Uname,
        163 => Call::Getrlimit,
        169 => Call::Gettimeofday,
        179 => Call::Sysinfo,
        214 => Call::Brk,
        215 => Call::Munmap,
        222 => Call::Mmap,
        261 => Call::Prlimit,
        278 => Call::Getrandom,
        // faccessat, openat, readlinkat, faccessat2
        48 | 56 | 78 | 439 => Call::NoSuchFile,
        // set_robust_list, sched_yield, sigaltstack, getppid, getuid, geteuid, getgid, getegid, mprotect, madvise
        99 | 124 | 132 | 173..=177 | 226 | 233 => Call::Returns(0),
        // set_tid_address, getpid, gettid: the first process
        96 | 172 | 178 => Call::Returns(1),
        // mremap, which a C library replaces by a copy
        216 => Call::Returns(-(Errno::NoMemory as i32)),
        // prctl
        167 => Call::Returns(-(Errno::Invalid as i32)),
        // statx, rseq, which are newer than some kernels
        291 | 293 => Call::Returns(-(Errno::NoSystemCall as i32)),
        _ => return None,
    })
}

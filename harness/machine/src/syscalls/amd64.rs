//! System call numbers and structures of AMD64 (Linux `arch/x86/entry/syscalls/syscall_64.tbl`).

use super::{Call, Errno, StatLayout};

/// Linux `arch/x86/include/uapi/asm/stat.h`.
pub(crate) const STAT: StatLayout = StatLayout { size: 144, mode: (24, 4), links: (16, 8), block: (56, 8) };

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        0 => Call::Read,
        1 => Call::Write,
        3 => Call::Close,
        5 => Call::Fstat,
        8 => Call::Lseek,
        9 => Call::Mmap,
        11 => Call::Munmap,
        12 => Call::Brk,
        13 => Call::Sigaction,
        14 => Call::Sigprocmask,
        16 => Call::Ioctl,
        20 => Call::Writev,
        60 | 231 => Call::Exit,
        62 | 200 => Call::Kill,
        63 => Call::Uname,
        72 => Call::Fcntl,
        79 => Call::Getcwd,
        96 => Call::Gettimeofday,
        97 => Call::Getrlimit,
        99 => Call::Sysinfo,
        158 => Call::ArchPrctl,
        201 => Call::Time,
        228 => Call::ClockGettime,
        234 => Call::Tgkill,
        262 => Call::Newfstatat,
        302 => Call::Prlimit,
        318 => Call::Getrandom,
        // open, stat, lstat, access, readlink, openat, readlinkat, faccessat, faccessat2
        2 | 4 | 6 | 21 | 89 | 257 | 267 | 269 | 439 => Call::NoSuchFile,
        // mprotect, sched_yield, madvise, getuid, getgid, geteuid, getegid, getppid, sigaltstack, set_robust_list
        10 | 24 | 28 | 102 | 104 | 107 | 108 | 110 | 131 | 273 => Call::Returns(0),
        // getpid, gettid, set_tid_address: the first process
        39 | 186 | 218 => Call::Returns(1),
        // mremap, which a C library replaces by a copy
        25 => Call::Returns(-(Errno::NoMemory as i32)),
        // prctl
        157 => Call::Returns(-(Errno::Invalid as i32)),
        // statx, rseq, which are newer than some kernels
        332 | 334 => Call::Returns(-(Errno::NoSystemCall as i32)),
        _ => return None,
    })
}

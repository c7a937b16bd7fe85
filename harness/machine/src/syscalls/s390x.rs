//! System call numbers and structures of s390x (Linux `arch/s390/kernel/syscalls/syscall.tbl`).

use super::{Call, Errno, StatLayout};

/// Linux `arch/s390/include/uapi/asm/stat.h`.
pub(crate) const STAT: StatLayout = StatLayout { size: 144, mode: (24, 4), links: (16, 8), block: (104, 8) };

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        1 | 248 => Call::Exit,
        3 => Call::Read,
        4 => Call::Write,
        6 => Call::Close,
        19 => Call::Lseek,
        45 => Call::Brk,
        54 => Call::Ioctl,
        55 => Call::Fcntl,
        78 => Call::Gettimeofday,
        90 => Call::MmapStruct,
        91 => Call::Munmap,
        108 => Call::Fstat,
        116 => Call::Sysinfo,
        122 => Call::Uname,
        146 => Call::Writev,
        37 | 237 => Call::Kill,
        174 => Call::Sigaction,
        241 => Call::Tgkill,
        175 => Call::Sigprocmask,
        183 => Call::Getcwd,
        191 => Call::Getrlimit,
        260 => Call::ClockGettime,
        293 => Call::Newfstatat,
        334 => Call::Prlimit,
        349 => Call::Getrandom,
        // open, access, readlink, stat, lstat, openat, readlinkat, faccessat, faccessat2
        5 | 33 | 85 | 106 | 107 | 288 | 298 | 300 | 439 => Call::NoSuchFile,
        // getppid, mprotect, sched_yield, sigaltstack, getuid, getgid, geteuid, getegid, madvise, set_robust_list
        64 | 125 | 158 | 186 | 199..=202 | 219 | 304 => Call::Returns(0),
        // getpid, gettid, set_tid_address: the first process
        20 | 236 | 252 => Call::Returns(1),
        // mremap, which a C library replaces by a copy
        163 => Call::Returns(-(Errno::NoMemory as i32)),
        // prctl
        172 => Call::Returns(-(Errno::Invalid as i32)),
        // statx, rseq, which are newer than some kernels
        379 | 383 => Call::Returns(-(Errno::NoSystemCall as i32)),
        _ => return None,
    })
}

//! System call numbers and structures of AMD64 (Linux `arch/x86/entry/syscalls/syscall_64.tbl`).

use crate::call::Call;
use crate::errno::Errno;
use crate::record::Record;
use crate::registers::Register;
use crate::signal;
use crate::stat::About;
use crate::target::{OpenFlags, Target};

/// Calls: System V psABI AMD64 1.0, A.2.1; the flags: Linux `include/uapi/asm-generic/fcntl.h`.
pub(crate) static TARGET: Target = Target {
    number: Register::General(0),
    // rdi, rsi, rdx, r10, r8, r9.
    arguments: [
        Register::General(5),
        Register::General(4),
        Register::General(1),
        Register::General(10),
        Register::General(8),
        Register::General(9),
    ],
    length: 2,
    immediate: |_| None,
    result: Register::General(0),
    thread_pointer: &[Register::ThreadPointer],
    call,
    stat,
    open_flags: OpenFlags { folder: 0o200_000, no_follow: 0o400_000, large: 0o100_000 },
    epoll_word: 4,
    narrow_statfs: false,
    signals: &signal::amd64::SIGNALS,
};

/// `struct stat` (Linux `arch/x86/include/uapi/asm/stat.h`), 144 bytes.
fn stat(about: &About, record: Record) -> Record {
    let record = record.u64(About::HOME).u64(about.inode).u64(about.names.into()).u32(about.mode).u32(0).u32(0).u32(0);
    let record = record.words(&[about.device_number(), about.size, About::BLOCK, about.blocks()]);
    record.words(&about.times()).up_to(144)
}

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        0 => Call::Read,
        1 => Call::Write,
        2 => Call::Open,
        3 => Call::Close,
        4 => Call::Stat,
        5 => Call::Fstat,
        6 => Call::Lstat,
        7 => Call::Poll,
        8 => Call::Lseek,
        9 => Call::Mmap,
        10 => Call::Mprotect,
        11 => Call::Munmap,
        12 => Call::Brk,
        13 => Call::Sigaction,
        14 => Call::Sigprocmask,
        15 => Call::Sigreturn,
        16 => Call::Ioctl,
        17 => Call::Pread,
        18 => Call::Pwrite,
        19 => Call::Readv,
        20 => Call::Writev,
        21 => Call::Access,
        22 => Call::Pipe,
        23 => Call::Select,
        25 => Call::Mremap,
        27 => Call::Mincore,
        28 => Call::Madvise,
        32 => Call::Dup,
        33 => Call::Dup2,
        34 => Call::Pause,
        35 => Call::Nanosleep,
        36 => Call::Getitimer,
        37 => Call::Alarm,
        38 => Call::Setitimer,
        40 => Call::Sendfile,
        56 => Call::Clone,
        57 => Call::Fork,
        58 => Call::Vfork,
        59 => Call::Execve,
        322 => Call::Execveat,
        61 => Call::Wait4,
        247 => Call::Waitid,
        39 => Call::ProcessId,
        110 => Call::Parent,
        125 => Call::Capget,
        60 => Call::ExitThread,
        231 => Call::Exit,
        62 => Call::Kill,
        200 => Call::Tkill,
        63 => Call::Uname,
        72 => Call::Fcntl,
        76 => Call::Truncate,
        77 => Call::Ftruncate,
        79 => Call::Getcwd,
        80 => Call::Chdir,
        81 => Call::Fchdir,
        82 => Call::Rename,
        83 => Call::Mkdir,
        84 => Call::Rmdir,
        85 => Call::Creat,
        86 => Call::Link,
        87 => Call::Unlink,
        88 => Call::Symlink,
        89 => Call::Readlink,
        90 => Call::Chmod,
        91 => Call::Fchmod,
        92 | 94 => Call::Chown,
        95 => Call::Umask,
        96 => Call::Gettimeofday,
        97 => Call::Getrlimit,
        98 => Call::Getrusage,
        99 => Call::Sysinfo,
        100 => Call::Times,
        118 | 120 => Call::Getres,
        127 => Call::Sigpending,
        128 => Call::Sigtimedwait,
        130 => Call::Sigsuspend,
        131 => Call::Sigaltstack,
        137 => Call::Statfs,
        138 => Call::Fstatfs,
        157 => Call::Prctl,
        158 => Call::ArchPrctl,
        24 => Call::Yield,
        186 => Call::ThreadId,
        201 => Call::Time,
        202 => Call::Futex,
        204 => Call::Getaffinity,
        217 => Call::Getdents,
        218 => Call::SetTidAddress,
        273 => Call::SetRobustList,
        228 => Call::ClockGettime,
        229 => Call::ClockGetres,
        230 => Call::ClockNanosleep,
        222 => Call::TimerCreate,
        223 => Call::TimerSettime,
        224 => Call::TimerGettime,
        225 => Call::TimerGetoverrun,
        226 => Call::TimerDelete,
        232 => Call::EpollWait,
        281 => Call::EpollPwait,
        233 => Call::EpollCtl,
        234 => Call::Tgkill,
        257 => Call::Openat,
        258 => Call::Mkdirat,
        260 => Call::Fchownat,
        262 => Call::Newfstatat,
        263 => Call::Unlinkat,
        264 => Call::Renameat,
        265 => Call::Linkat,
        266 => Call::Symlinkat,
        267 => Call::Readlinkat,
        268 => Call::Fchmodat,
        269 | 439 => Call::Faccessat,
        270 => Call::Pselect,
        271 => Call::Ppoll,
        280 => Call::Utimensat,
        284 | 290 => Call::Eventfd,
        319 => Call::MemfdCreate,
        285 => Call::Fallocate,
        291 => Call::EpollCreate,
        292 => Call::Dup3,
        293 => Call::Pipe2,
        295 => Call::Preadv,
        296 => Call::Pwritev,
        302 => Call::Prlimit,
        309 => Call::Getcpu,
        316 => Call::Renameat2,
        318 => Call::Getrandom,
        332 => Call::Statx,
        334 => Call::Rseq,
        435 => Call::Clone3,
        436 => Call::CloseRange,
        // msync, flock, fsync, fdatasync, fchown, getuid, getgid, setuid, setgid, geteuid, getegid,
        // setpgid, setreuid, setregid, getgroups, setgroups, setresuid, setresgid, setfsuid,
        // setfsgid, getpriority, setpriority, sched_getscheduler,
        // sched_get_priority_max, sched_get_priority_min, mlock, munlock, setrlimit, sync,
        // sched_setaffinity, fadvise64, syncfs, membarrier
        26
        | 73..=75
        | 93
        | 102
        | 104..=109
        | 113..=117
        | 119
        | 122
        | 123
        | 140
        | 141
        | 145..=147
        | 149
        | 150
        | 160
        | 162
        | 203
        | 221
        | 306
        | 324 => Call::Returns(0),
        // getpgrp, setsid, getpgid, getsid: the first process
        111 | 112 | 121 | 124 => Call::Returns(1),
        // copy_file_range, pkey_alloc, openat2, epoll_pwait2
        326 | 330 | 437 | 441 => Call::Refused(Errno::NoSystemCall),
        // The kernel is configured without SYSVIPC (shm*, sem*, msg*), NUMA (*mempolicy, mbind,
        // *_pages), FHANDLE, BLOCK (ioprio_*), SIGNALFD, TIMERFD, INOTIFY_USER, KEYS and PRINTK
        // (syslog), and is older than sched_setattr.
        29..=31
        | 64..=71
        | 103
        | 220
        | 237..=239
        | 248..=256
        | 279
        | 282..=283
        | 286
        | 287
        | 289
        | 294
        | 303
        | 304
        | 314
        | 315 => Call::Refused(Errno::NoSystemCall),
        // setxattr, lsetxattr, fsetxattr, getxattr, lgetxattr, fgetxattr, listxattr, llistxattr,
        // flistxattr
        188..=196 => Call::Refused(Errno::NotSupported),
        // socket, socketpair
        41 | 53 => Call::Refused(Errno::NoFamily),
        // mknod, mknodat
        133 | 259 => Call::Refused(Errno::NotPermitted),
        // getsockname, getpeername, getsockopt
        51 | 52 | 55 => Call::Refused(Errno::NotSocket),
        _ => return None,
    })
}

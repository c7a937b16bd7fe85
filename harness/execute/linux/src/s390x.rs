//! System call numbers and structures of s390x (Linux `arch/s390/kernel/syscalls/syscall.tbl`).

use crate::call::Call;
use crate::errno::Errno;
use crate::record::Record;
use crate::registers::Register;
use crate::signal;
use crate::stat::About;
use crate::target::{OpenFlags, Target};

/// Calls: s390x ELF ABI 1.6, 1.2.2.1, and Linux `arch/s390`; the flags: Linux
/// `include/uapi/asm-generic/fcntl.h`.
pub(crate) static TARGET: Target = Target {
    number: Register::General(1),
    arguments: [
        Register::General(2),
        Register::General(3),
        Register::General(4),
        Register::General(5),
        Register::General(6),
        Register::General(7),
    ],
    length: 2,
    immediate: |code| (code[0] == SVC && code[1] != 0).then_some(u64::from(code[1])),
    result: Register::General(2),
    thread_pointer: &[Register::Access(0), Register::Access(1)],
    call,
    stat,
    open_flags: OpenFlags { folder: 0o200_000, no_follow: 0o400_000, large: 0o100_000 },
    epoll_word: 8,
    narrow_statfs: true,
    signals: &signal::s390x::SIGNALS,
};

/// SUPERVISOR CALL (SA22-7832, chapter 7); its immediate is the call's number, or 0 when r1 holds
/// it (Linux).
const SVC: u8 = 0x0a;

/// `struct stat` (Linux `arch/s390/include/uapi/asm/stat.h`), 144 bytes.
fn stat(about: &About, record: Record) -> Record {
    let record = record.u64(About::HOME).u64(about.inode).u64(about.names.into()).u32(about.mode).u32(0).u32(0).u32(0);
    let record = record.words(&[about.device_number(), about.size]).words(&about.times());
    record.words(&[About::BLOCK, about.blocks()]).up_to(144)
}

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        1 => Call::ExitThread,
        248 => Call::Exit,
        2 => Call::Fork,
        190 => Call::Vfork,
        114 => Call::Wait4,
        281 => Call::Waitid,
        20 => Call::ProcessId,
        64 => Call::Parent,
        184 => Call::Capget,
        3 => Call::Read,
        4 => Call::Write,
        5 => Call::Open,
        6 => Call::Close,
        8 => Call::Creat,
        9 => Call::Link,
        10 => Call::Unlink,
        11 => Call::Execve,
        354 => Call::Execveat,
        12 => Call::Chdir,
        15 => Call::Chmod,
        19 => Call::Lseek,
        27 => Call::Alarm,
        29 => Call::Pause,
        33 => Call::Access,
        37 => Call::Kill,
        158 => Call::Yield,
        236 => Call::ThreadId,
        237 => Call::Tkill,
        252 => Call::SetTidAddress,
        304 => Call::SetRobustList,
        38 => Call::Rename,
        39 => Call::Mkdir,
        40 => Call::Rmdir,
        41 => Call::Dup,
        42 => Call::Pipe,
        43 => Call::Times,
        45 => Call::Brk,
        54 => Call::Ioctl,
        55 => Call::Fcntl,
        60 => Call::Umask,
        63 => Call::Dup2,
        77 => Call::Getrusage,
        78 => Call::Gettimeofday,
        83 => Call::Symlink,
        85 => Call::Readlink,
        90 => Call::MmapStruct,
        91 => Call::Munmap,
        92 => Call::Truncate,
        93 => Call::Ftruncate,
        94 => Call::Fchmod,
        99 => Call::Statfs,
        100 => Call::Fstatfs,
        104 => Call::Setitimer,
        105 => Call::Getitimer,
        106 => Call::Stat,
        107 => Call::Lstat,
        108 => Call::Fstat,
        116 => Call::Sysinfo,
        120 => Call::CloneStackFirst,
        122 => Call::Uname,
        125 => Call::Mprotect,
        133 => Call::Fchdir,
        142 => Call::Select,
        145 => Call::Readv,
        146 => Call::Writev,
        162 => Call::Nanosleep,
        163 => Call::Mremap,
        168 => Call::Poll,
        172 => Call::Prctl,
        174 => Call::Sigaction,
        119 => Call::OldSigreturn,
        173 => Call::Sigreturn,
        177 => Call::Sigtimedwait,
        179 => Call::Sigsuspend,
        175 => Call::Sigprocmask,
        176 => Call::Sigpending,
        180 => Call::Pread,
        181 => Call::Pwrite,
        183 => Call::Getcwd,
        186 => Call::Sigaltstack,
        187 => Call::Sendfile,
        191 => Call::Getrlimit,
        198 | 212 => Call::Chown,
        209 | 211 => Call::Getres,
        218 => Call::Mincore,
        219 => Call::Madvise,
        220 => Call::Getdents,
        238 => Call::Futex,
        240 => Call::Getaffinity,
        241 => Call::Tgkill,
        250 => Call::EpollCtl,
        251 => Call::EpollWait,
        312 => Call::EpollPwait,
        254 => Call::TimerCreate,
        255 => Call::TimerSettime,
        256 => Call::TimerGettime,
        257 => Call::TimerGetoverrun,
        258 => Call::TimerDelete,
        260 => Call::ClockGettime,
        261 => Call::ClockGetres,
        262 => Call::ClockNanosleep,
        265 => Call::Statfs64,
        266 => Call::Fstatfs64,
        288 => Call::Openat,
        289 => Call::Mkdirat,
        291 => Call::Fchownat,
        293 => Call::Newfstatat,
        294 => Call::Unlinkat,
        295 => Call::Renameat,
        296 => Call::Linkat,
        297 => Call::Symlinkat,
        298 => Call::Readlinkat,
        299 => Call::Fchmodat,
        300 | 439 => Call::Faccessat,
        301 => Call::Pselect,
        302 => Call::Ppoll,
        311 => Call::Getcpu,
        314 => Call::Fallocate,
        315 => Call::Utimensat,
        318 | 323 => Call::Eventfd,
        350 => Call::MemfdCreate,
        325 => Call::Pipe2,
        326 => Call::Dup3,
        327 => Call::EpollCreate,
        328 => Call::Preadv,
        329 => Call::Pwritev,
        334 => Call::Prlimit,
        347 => Call::Renameat2,
        349 => Call::Getrandom,
        379 => Call::Statx,
        383 => Call::Rseq,
        435 => Call::Clone3,
        436 => Call::CloseRange,
        // sync, setpgid, setrlimit, getpriority, setpriority, fsync, flock, msync,
        // fdatasync, mlock, munlock, sched_getscheduler, sched_get_priority_max,
        // sched_get_priority_min, getuid, getgid, geteuid, getegid, getgroups, fchown, setuid,
        // setgid, setreuid, setregid, setgroups, setresuid, setresgid, setfsuid, setfsgid,
        // sched_setaffinity, fadvise64, syncfs, membarrier
        36
        | 57
        | 75
        | 96
        | 97
        | 118
        | 143
        | 144
        | 148
        | 150
        | 151
        | 157
        | 159
        | 160
        | 199..=208
        | 210
        | 213..=216
        | 239
        | 253
        | 338
        | 356 => Call::Returns(0),
        // getpgrp, setsid, getpgid, getsid: the first process
        65 | 66 | 132 | 147 => Call::Returns(1),
        // copy_file_range, pkey_alloc, openat2, epoll_pwait2
        375 | 385 | 437 | 441 => Call::Refused(Errno::NoSystemCall),
        // The kernel is configured without SYSVIPC (shm*, sem*, msg*), NUMA (*mempolicy, mbind,
        // *_pages), FHANDLE, BLOCK (ioprio_*), SIGNALFD, TIMERFD, INOTIFY_USER, KEYS and PRINTK
        // (syslog), and is older than sched_setattr.
        103
        | 117
        | 268..=270
        | 278..=280
        | 282..=287
        | 310
        | 316
        | 317
        | 319..=322
        | 324
        | 335
        | 336
        | 345
        | 346
        | 393..=402 => Call::Refused(Errno::NoSystemCall),
        // setxattr, lsetxattr, fsetxattr, getxattr, lgetxattr, fgetxattr, listxattr, llistxattr,
        // flistxattr
        224..=232 => Call::Refused(Errno::NotSupported),
        // socketcall, socket, socketpair
        102 | 359 | 360 => Call::Refused(Errno::NoFamily),
        // mknod, mknodat
        14 | 290 => Call::Refused(Errno::NotPermitted),
        // getsockopt, getsockname, getpeername
        365 | 367 | 368 => Call::Refused(Errno::NotSocket),
        _ => return None,
    })
}

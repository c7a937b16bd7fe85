//! System call numbers and structures of AArch64 (Linux `include/uapi/asm-generic/unistd.h`).

use crate::call::Call;
use crate::errno::Errno;
use crate::record::Record;
use crate::registers::Register;
use crate::signal;
use crate::stat::About;
use crate::target::{OpenFlags, Target};

/// The flags: Linux `arch/arm64/include/uapi/asm/fcntl.h`.
pub(crate) static TARGET: Target = Target {
    number: Register::General(8),
    arguments: [
        Register::General(0),
        Register::General(1),
        Register::General(2),
        Register::General(3),
        Register::General(4),
        Register::General(5),
    ],
    length: 4,
    immediate: |_| None,
    result: Register::General(0),
    thread_pointer: &[Register::ThreadPointer],
    call,
    stat,
    open_flags: OpenFlags { folder: 0o40_000, no_follow: 0o100_000, large: 0o400_000 },
    epoll_word: 8,
    narrow_statfs: false,
    signals: &signal::aarch64::SIGNALS,
};

/// `struct stat` (Linux `include/uapi/asm-generic/stat.h`), 128 bytes.
fn stat(about: &About, record: Record) -> Record {
    let record = record.u64(About::HOME).u64(about.inode).u32(about.mode).u32(about.names).u32(0).u32(0);
    let record =
        record.words(&[about.device_number(), 0, about.size]).u32(About::BLOCK as u32).u32(0).u64(about.blocks());
    record.words(&about.times()).up_to(128)
}

pub(crate) fn call(number: u64) -> Option<Call> {
    Some(match number {
        17 => Call::Getcwd,
        19 => Call::Eventfd,
        279 => Call::MemfdCreate,
        20 => Call::EpollCreate,
        21 => Call::EpollCtl,
        22 => Call::EpollPwait,
        23 => Call::Dup,
        24 => Call::Dup3,
        25 => Call::Fcntl,
        29 => Call::Ioctl,
        34 => Call::Mkdirat,
        35 => Call::Unlinkat,
        36 => Call::Symlinkat,
        37 => Call::Linkat,
        38 => Call::Renameat,
        43 => Call::Statfs,
        44 => Call::Fstatfs,
        45 => Call::Truncate,
        46 => Call::Ftruncate,
        47 => Call::Fallocate,
        48 | 439 => Call::Faccessat,
        49 => Call::Chdir,
        50 => Call::Fchdir,
        52 => Call::Fchmod,
        53 => Call::Fchmodat,
        54 => Call::Fchownat,
        56 => Call::Openat,
        57 => Call::Close,
        59 => Call::Pipe2,
        61 => Call::Getdents,
        62 => Call::Lseek,
        63 => Call::Read,
        64 => Call::Write,
        65 => Call::Readv,
        66 => Call::Writev,
        67 => Call::Pread,
        68 => Call::Pwrite,
        69 => Call::Preadv,
        70 => Call::Pwritev,
        71 => Call::Sendfile,
        72 => Call::Pselect,
        73 => Call::Ppoll,
        78 => Call::Readlinkat,
        79 => Call::Newfstatat,
        80 => Call::Fstat,
        88 => Call::Utimensat,
        93 => Call::ExitThread,
        94 => Call::Exit,
        96 => Call::SetTidAddress,
        98 => Call::Futex,
        99 => Call::SetRobustList,
        101 => Call::Nanosleep,
        102 => Call::Getitimer,
        103 => Call::Setitimer,
        107 => Call::TimerCreate,
        108 => Call::TimerGettime,
        109 => Call::TimerGetoverrun,
        110 => Call::TimerSettime,
        111 => Call::TimerDelete,
        113 => Call::ClockGettime,
        114 => Call::ClockGetres,
        115 => Call::ClockNanosleep,
        123 => Call::Getaffinity,
        124 => Call::Yield,
        129 => Call::Kill,
        130 => Call::Tkill,
        131 => Call::Tgkill,
        132 => Call::Sigaltstack,
        133 => Call::Sigsuspend,
        134 => Call::Sigaction,
        135 => Call::Sigprocmask,
        136 => Call::Sigpending,
        137 => Call::Sigtimedwait,
        139 => Call::Sigreturn,
        148 | 150 => Call::Getres,
        153 => Call::Times,
        160 => Call::Uname,
        163 => Call::Getrlimit,
        165 => Call::Getrusage,
        166 => Call::Umask,
        167 => Call::Prctl,
        168 => Call::Getcpu,
        169 => Call::Gettimeofday,
        178 => Call::ThreadId,
        179 => Call::Sysinfo,
        214 => Call::Brk,
        215 => Call::Munmap,
        216 => Call::Mremap,
        220 => Call::CloneBackwards,
        221 => Call::Execve,
        281 => Call::Execveat,
        260 => Call::Wait4,
        95 => Call::Waitid,
        172 => Call::ProcessId,
        173 => Call::Parent,
        90 => Call::Capget,
        222 => Call::Mmap,
        226 => Call::Mprotect,
        232 => Call::Mincore,
        233 => Call::Madvise,
        261 => Call::Prlimit,
        276 => Call::Renameat2,
        278 => Call::Getrandom,
        291 => Call::Statx,
        293 => Call::Rseq,
        435 => Call::Clone3,
        436 => Call::CloseRange,
        // flock, fchown, sync, fsync, fdatasync, sched_getscheduler, sched_setaffinity,
        // sched_get_priority_max, sched_get_priority_min, setpriority, getpriority, setgid, setuid,
        // setregid, setreuid, setresuid, setresgid, setfsuid, setfsgid, setgroups,
        // setpgid, getgroups, setrlimit, getuid, geteuid, getgid, getegid, fadvise64, msync,
        // mlock, munlock, syncfs, membarrier
        32
        | 55
        | 81..=83
        | 120
        | 122
        | 125
        | 126
        | 140
        | 141
        | 143..=147
        | 149
        | 151
        | 152
        | 154
        | 158
        | 159
        | 164
        | 174..=177
        | 223
        | 227..=229
        | 267
        | 283 => Call::Returns(0),
        // getpgid, getsid, setsid: the first process
        155..=157 => Call::Returns(1),
        // copy_file_range, pkey_alloc, openat2, epoll_pwait2
        285 | 289 | 437 | 441 => Call::Refused(Errno::NoSystemCall),
        // The kernel is configured without SYSVIPC (shm*, sem*, msg*), NUMA (*mempolicy, mbind,
        // *_pages), FHANDLE, BLOCK (ioprio_*), SIGNALFD, TIMERFD, INOTIFY_USER, KEYS and PRINTK
        // (syslog), and is older than sched_setattr.
        26..=28 | 30 | 31 | 74 | 85..=87 | 116 | 186..=197 | 217..=219 | 235..=239 | 264 | 265 | 274 | 275 => {
            Call::Refused(Errno::NoSystemCall)
        }
        // setxattr, lsetxattr, fsetxattr, getxattr, lgetxattr, fgetxattr, listxattr, llistxattr,
        // flistxattr
        5..=13 => Call::Refused(Errno::NotSupported),
        // socket, socketpair
        198 | 199 => Call::Refused(Errno::NoFamily),
        // mknodat
        33 => Call::Refused(Errno::NotPermitted),
        // getsockname, getpeername, getsockopt
        204 | 205 | 209 => Call::Refused(Errno::NotSocket),
        _ => return None,
    })
}

//! The served system calls by their function. The numbers are in `numbers.txt`.

use crate::errno::Errno;

macro_rules! calls {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A system call. Calls with an older form that lacks a directory descriptor have a variant
        /// for each form.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Call {
            $($(#[$doc])* $name,)*
            /// Calls with a constant result.
            Returns(i32),
            /// Calls that always fail.
            Refused(Errno),
        }

        impl Call {
            /// All calls that are served by name.
            pub(crate) const NAMED: &[(&str, Call)] = &[$((stringify!($name), Call::$name),)*];
        }
    };
}

calls! {
    /// `exit_group`.
    Exit,
    /// `exit`, which ends a thread.
    ExitThread,

    Open,
    Openat,
    Creat,
    Close,
    CloseRange,
    Dup,
    Dup2,
    Dup3,
    Fcntl,
    Ioctl,

    Read,
    Write,
    Readv,
    Writev,
    Pread,
    Pwrite,
    Preadv,
    Pwritev,
    Sendfile,
    Lseek,
    Truncate,
    Ftruncate,
    Fallocate,

    Stat,
    Lstat,
    Fstat,
    Newfstatat,
    Statx,
    Statfs,
    Fstatfs,
    /// `statfs64`, with the size of the structure as second argument.
    Statfs64,
    Fstatfs64,
    Access,
    /// `faccessat` and `faccessat2`.
    Faccessat,
    Readlink,
    Readlinkat,

    Getdents,
    Mkdir,
    Mkdirat,
    Rmdir,
    Unlink,
    Unlinkat,
    Rename,
    /// `renameat`, and `renameat2` without flags.
    Renameat,
    Renameat2,
    Link,
    Linkat,
    Symlink,
    Symlinkat,
    Chdir,
    Fchdir,
    Getcwd,
    Chmod,
    Fchmod,
    Fchmodat,
    /// `chown` and `lchown`: succeed if the file exists.
    Chown,
    Fchownat,
    Utimensat,
    Umask,

    Pipe,
    Pipe2,
    Eventfd,
    MemfdCreate,
    Poll,
    Ppoll,
    Select,
    Pselect,
    EpollCreate,
    EpollCtl,
    EpollWait,
    /// `epoll_pwait`, with signals blocked meanwhile.
    EpollPwait,

    Brk,
    Mmap,
    /// `mmap` with its six arguments in memory, as on s390x.
    MmapStruct,
    Munmap,
    Mremap,
    Mprotect,
    Madvise,
    Mincore,

    ClockGettime,
    ClockGetres,
    Gettimeofday,
    Time,
    Times,
    Nanosleep,
    ClockNanosleep,
    Alarm,
    Getitimer,
    Setitimer,
    TimerCreate,
    TimerSettime,
    TimerGettime,
    TimerGetoverrun,
    TimerDelete,

    Uname,
    Sysinfo,
    Getrandom,
    Prlimit,
    Getrlimit,
    Getrusage,
    Getcpu,
    Getaffinity,
    /// `getresuid` and `getresgid`: three IDs.
    Getres,
    Prctl,
    Capget,
    ArchPrctl,
    Rseq,
    Futex,
    /// `gettid`.
    ThreadId,
    SetTidAddress,
    SetRobustList,
    /// `sched_yield`.
    Yield,

    Sigaction,
    Sigprocmask,
    Sigpending,
    Sigaltstack,
    /// `kill`: process, signal.
    Kill,
    /// `tkill`: thread, signal.
    Tkill,
    /// `tgkill`: process, thread, signal.
    Tgkill,
    Pause,
    Sigsuspend,
    Sigtimedwait,
    /// `rt_sigreturn`; `sigreturn` as well on targets that have it.
    Sigreturn,
    OldSigreturn,

    /// `clone`: flags, stack, address for the thread ID in the parent, the same in the child,
    /// thread pointer.
    Clone,
    /// `clone` with the thread pointer before the last address (Linux `CONFIG_CLONE_BACKWARDS`).
    CloneBackwards,
    /// `clone` with the stack first (Linux `CONFIG_CLONE_BACKWARDS2`).
    CloneStackFirst,
    /// `clone3`, with its flags in memory.
    Clone3,
    Fork,
    Vfork,
    Execve,
    Execveat,
    Wait4,
    Waitid,
    /// `getpid`.
    ProcessId,
    /// `getppid`.
    Parent,
}

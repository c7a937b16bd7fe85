//! The system calls that are served, by what they do. Which number each has on a target is in the
//! file of the target.

use crate::errno::Errno;

/// A system call. Those that come in an older form without a folder's descriptor have a variant for
/// each form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Call {
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
    /// The same with the size of the structure for second argument.
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
    /// `chown` and `lchown`: the file has to be there.
    Chown,
    Fchownat,
    Utimensat,
    Umask,

    Pipe,
    Pipe2,
    Eventfd,
    Poll,
    Ppoll,
    Select,
    Pselect,
    EpollCreate,
    EpollCtl,
    EpollWait,
    /// The same with signals blocked meanwhile.
    EpollPwait,

    Brk,
    Mmap,
    /// The six arguments of `mmap` in memory, as s390x passes them.
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
    /// `getresuid` and `getresgid`: three numbers.
    Getres,
    Prctl,
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
    /// Whom, then the signal.
    Kill,
    /// `tkill`: thread, signal.
    Tkill,
    /// `tgkill`: process, thread, signal.
    Tgkill,
    /// `pause`.
    Pause,
    Sigsuspend,
    Sigtimedwait,
    /// `rt_sigreturn`, and `sigreturn` where there is one.
    Sigreturn,
    OldSigreturn,

    /// `clone`: flags, stack, where its number goes for the maker, the same for itself, thread
    /// pointer.
    Clone,
    /// With the thread pointer before the last address (Linux `CONFIG_CLONE_BACKWARDS`).
    CloneBackwards,
    /// With the stack first (Linux `CONFIG_CLONE_BACKWARDS2`).
    CloneStackFirst,
    /// `clone3`, with its flags in memory.
    Clone3,
    /// `fork`, `vfork`.
    Fork,
    /// `execve`, `execveat`.
    Execve,

    /// Calls whose answer is one number.
    Returns(i32),
    /// Calls that are refused always.
    Refused(Errno),
}

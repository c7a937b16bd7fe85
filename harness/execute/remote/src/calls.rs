//! The system calls of an ABI, by what a second engine has to do for them.

use std::sync::LazyLock;

use linux::call_numbers;
use types::Abi;

use crate::arch::{Convention, Names};

/// System calls that affect only the process, in the same way under every kernel.
const EXECUTED: &[&str] =
    &["mprotect", "rt_sigaction", "rt_sigprocmask", "madvise", "exit", "sigaltstack", "arch_prctl", "exit_group"];
/// System calls that have no effect on the program except their result; signals that they send to
/// the program arrive later.
const SILENT: &str = "open close lseek write writev access sched_yield getpid kill fcntl getuid getgid geteuid getegid \
    gettid tkill set_tid_address tgkill openat faccessat set_robust_list rseq futex nanosleep clock_nanosleep membarrier";
/// System calls that write to memory, with the index of the argument that has the address.
const WRITES: &[(&str, usize)] = &[
    ("read", 1),
    ("stat", 1),
    ("fstat", 1),
    ("lstat", 1),
    ("ioctl", 2),
    ("pread64", 1),
    ("uname", 0),
    ("getcwd", 0),
    ("readlink", 1),
    ("gettimeofday", 0),
    ("getrlimit", 1),
    ("sysinfo", 0),
    ("clock_gettime", 1),
    ("newfstatat", 2),
    ("readlinkat", 2),
    ("prlimit64", 3),
    ("getrandom", 0),
    ("statx", 4),
];

/// The system calls of an ABI, by number.
pub(crate) struct Calls {
    pub(crate) convention: &'static Convention,
    pub(crate) mmap: u64,
    pub(crate) munmap: u64,
    pub(crate) mremap: u64,
    pub(crate) brk: u64,
    pub(crate) mprotect: u64,
    pub(crate) rt_sigaction: u64,
    pub(crate) rt_sigprocmask: u64,
    pub(crate) close: u64,
    pub(crate) clone: u64,
    /// `clone3`, whose arguments are in memory.
    pub(crate) clone3: u64,
    /// `exit`, which ends a thread.
    pub(crate) exit: u64,
    pub(crate) set_tid_address: u64,
    pub(crate) set_robust_list: u64,
    pub(crate) futex: u64,
    pub(crate) gettid: u64,
    pub(crate) sched_yield: u64,
    /// System calls that return from a signal handler.
    pub(crate) signal_returns: Vec<u64>,
    /// `nanosleep` and `clock_nanosleep`.
    pub(crate) sleeps: Vec<u64>,
    /// See [`EXECUTED`], [`SILENT`] and [`WRITES`].
    pub(crate) executed: Vec<u64>,
    pub(crate) silent: Vec<u64>,
    pub(crate) writes: Vec<(u64, usize)>,
    /// System calls that open a file, with the index of the argument that has the path.
    pub(crate) opens: Vec<(u64, usize)>,
    /// System calls that send a signal to a thread, with the index of the argument that has the
    /// thread.
    pub(crate) kills: Vec<(u64, usize)>,
}

static ALL: LazyLock<Vec<(Abi, Calls)>> = LazyLock::new(|| Abi::ALL.map(|abi| (abi, Calls::new(abi))).into());

impl Calls {
    /// The calls of an ABI.
    pub(crate) fn of_abi(abi: Abi) -> &'static Calls {
        let place = Abi::ALL.iter().position(|other| *other == abi).unwrap_or_default();
        &ALL[place].1
    }

    fn new(abi: Abi) -> Calls {
        // No call has the highest number.
        let one = |name: &str| call_numbers(abi, name).first().copied().unwrap_or(u64::MAX);
        let all = |names: &[&str]| names.iter().flat_map(|name| call_numbers(abi, name)).collect::<Vec<u64>>();
        let with = |names: &[(&str, usize)]| {
            let numbers =
                |(name, at): &(&str, usize)| call_numbers(abi, name).into_iter().zip([*at].into_iter().cycle());
            names.iter().flat_map(|one| numbers(one).collect::<Vec<_>>()).collect::<Vec<(u64, usize)>>()
        };
        Calls {
            convention: &Names::of_abi(abi).convention,
            mmap: one("mmap"),
            munmap: one("munmap"),
            mremap: one("mremap"),
            brk: one("brk"),
            mprotect: one("mprotect"),
            rt_sigaction: one("rt_sigaction"),
            rt_sigprocmask: one("rt_sigprocmask"),
            close: one("close"),
            clone: one("clone"),
            clone3: one("clone3"),
            exit: one("exit"),
            set_tid_address: one("set_tid_address"),
            set_robust_list: one("set_robust_list"),
            futex: one("futex"),
            gettid: one("gettid"),
            sched_yield: one("sched_yield"),
            signal_returns: all(&["rt_sigreturn", "sigreturn"]),
            sleeps: all(&["nanosleep", "clock_nanosleep"]),
            executed: all(EXECUTED),
            silent: all(&SILENT.split_whitespace().collect::<Vec<_>>()),
            writes: with(WRITES),
            opens: with(&[("open", 0), ("openat", 1)]),
            kills: with(&[("tkill", 0), ("tgkill", 1)]),
        }
    }
}

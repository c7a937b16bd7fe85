//! Error numbers (Linux `include/uapi/asm-generic/errno-base.h`, `errno.h`), and other outcomes of
//! a call.

use types::StopReason;

use crate::threads::WaitFor;

/// An error number, equal on all targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(crate) enum Errno {
    NotPermitted = 1,
    NoEntry = 2,
    NoProcess = 3,
    Interrupted = 4,
    TooBig = 7,
    NotExecutable = 8,
    BadFile = 9,
    NoChild = 10,
    Again = 11,
    NoMemory = 12,
    Access = 13,
    Fault = 14,
    Exists = 17,
    NoDevice = 19,
    NotFolder = 20,
    IsFolder = 21,
    Invalid = 22,
    TooManyFiles = 24,
    NotTty = 25,
    NoSpace = 28,
    Seek = 29,
    ReadOnly = 30,
    Pipe = 32,
    Range = 34,
    NameTooLong = 36,
    NoSystemCall = 38,
    NotEmpty = 39,
    Loop = 40,
    NotSocket = 88,
    NotSupported = 95,
    NoFamily = 97,
    TimedOut = 110,
}

/// The reason why a call has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The program gets an error number.
    Errno(Errno),
    /// The program exits with this status.
    Exit(i32),
    /// The run ends for this reason, with this description.
    Ends(StopReason, &'static str),
    /// A signal handler has returned; `is_plain`: its frame has no `siginfo_t`.
    HandlerOver {
        is_plain: bool,
    },
    /// The thread cannot go on before this happens. `alone` is what it does that never ends if
    /// there is no other thread or process.
    Blocks {
        on: WaitFor,
        alone: &'static str,
    },
    /// The thread waits, and others continue: the call is repeated later.
    Waits,
    /// The thread has ended, and others continue.
    ThreadOver,
    /// The process becomes another program ([`crate::Processes::take_program`]).
    Becomes,
    Unserved,
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Refusal {
        Refusal::Errno(errno)
    }
}

impl Refusal {
    /// The call would never return: with one thread nothing else happens.
    pub(crate) fn waits_forever(what: &'static str) -> Refusal {
        Refusal::Ends(StopReason::WaitsForever, what)
    }
}

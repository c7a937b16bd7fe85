//! The processes of a program. One executes at a time: a child at once and to its end, while the
//! process that made it waits. What that one has of its own is kept meanwhile.

use std::collections::VecDeque;

use types::ThreadId;

use crate::descriptors::Slots;
use crate::programs::NewProgram;
use crate::signals::Signals;
use crate::space::Space;
use crate::threads::Threads;
use crate::timers::Timers;
use crate::tree::NodeId;

/// The most processes that wait for a child at once.
pub(crate) const MOST_WAITING: usize = 32;
/// Bytes that a pipe holds while its reader may be a process that waits.
pub(crate) const PIPE: usize = 16 << 20;

/// A process that was made, and has not begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forked {
    /// Its number, which its one thread has too.
    pub child: ThreadId,
    /// It uses the memory of the process that made it, and not a copy.
    pub shares_memory: bool,
    /// SP, where it is another one.
    pub(crate) stack: Option<u64>,
    /// The thread pointer, where it is another one.
    pub(crate) pointer: Option<u64>,
    /// Where its number goes in its own memory.
    pub(crate) number_at: Option<u64>,
    /// Where its number is cleared when it ends.
    pub(crate) clear_at: u64,
}

impl Forked {
    /// As `fork` makes it; its number is not known yet.
    pub(crate) const COPY: Forked = Forked {
        child: ThreadId::FIRST,
        shares_memory: false,
        stack: None,
        pointer: None,
        number_at: None,
        clear_at: 0,
    };
    /// As `vfork` makes it.
    pub(crate) const SHARING: Forked = Forked { shares_memory: true, ..Forked::COPY };
}

/// A child that has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) process: u32,
    pub(crate) how: HowEnded,
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HowEnded {
    Exited(u8),
    Killed(u8),
}

impl HowEnded {
    /// As `wait4` reports it (Linux `include/uapi/linux/wait.h`, POSIX `wait`).
    pub(crate) fn word(self) -> u32 {
        match self {
            HowEnded::Exited(status) => u32::from(status) << 8,
            HowEnded::Killed(signal) => signal.into(),
        }
    }
}

/// What a process has of its own, and what is kept of its children.
#[derive(Debug)]
pub(crate) struct Processes {
    pub(crate) now: u32,
    /// The one that made it, and all that wait; the last is its parent.
    pub(crate) waiting: Vec<u32>,
    pub(crate) ended: VecDeque<Ended>,
    /// Made in the call that is served.
    pub(crate) forked: Option<Forked>,
    /// Number of processes, the first one included.
    pub(crate) made: u32,
    /// Memory is mapped that children would share.
    pub(crate) shares_memory: bool,
    /// Number of the program, 0 for the first one, and number of those that came after it.
    pub(crate) program: u32,
    pub(crate) programs: u32,
    /// The program that the process becomes by the call that is served.
    pub(crate) becomes: Option<Box<NewProgram>>,
}

impl Default for Processes {
    fn default() -> Processes {
        Processes {
            now: ThreadId::FIRST.0,
            waiting: Vec::new(),
            ended: VecDeque::new(),
            forked: None,
            made: 1,
            shares_memory: false,
            program: 0,
            programs: 0,
            becomes: None,
        }
    }
}

/// What a process has of its own, while a child executes.
#[derive(Debug)]
pub struct Suspended {
    pub(crate) process: u32,
    pub(crate) program: u32,
    pub(crate) executable: Vec<u8>,
    pub(crate) shares_memory: bool,
    pub(crate) ended: VecDeque<Ended>,
    pub(crate) space: Space,
    pub(crate) slots: Slots,
    pub(crate) folder: NodeId,
    pub(crate) mask: u32,
    pub(crate) timers: Timers,
    pub(crate) signals: Signals,
    pub(crate) threads: Threads,
}

//! The processes of a program. One executes at a time: a child at once, until it has ended or waits
//! for something. What the others have of their own is kept meanwhile.

use std::collections::{BTreeMap, VecDeque};

use types::ThreadId;

use crate::descriptors::Slots;
use crate::programs::NewProgram;
use crate::signals::Signals;
use crate::space::Space;
use crate::threads::Threads;
use crate::timers::Timers;
use crate::tree::NodeId;

/// The most processes that live at once.
pub(crate) const MOST_LIVE: usize = 32;
/// Bytes that a pipe holds while there are several processes: each change of the process that
/// executes takes time.
pub(crate) const PIPE: usize = 1 << 20;

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
    /// The process that made it; 0 if that has ended, or there was none.
    pub(crate) parent: u32,
    /// Children that have ended and that it has not waited for.
    pub(crate) ended: VecDeque<Ended>,
    /// All that do not execute.
    pub(crate) others: BTreeMap<u32, Suspended>,
    /// Those that wait until a child no longer uses their memory, and that child (`vfork`).
    pub(crate) lent: BTreeMap<u32, u32>,
    /// The exit status of the first process, if it has ended.
    pub(crate) status: Option<i32>,
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
            parent: 0,
            ended: VecDeque::new(),
            others: BTreeMap::new(),
            lent: BTreeMap::new(),
            status: None,
            forked: None,
            made: 1,
            shares_memory: false,
            program: 0,
            programs: 0,
            becomes: None,
        }
    }
}

impl Processes {
    /// All that could execute, beginning with the one after the process that executes.
    pub(crate) fn in_turn(&self) -> Vec<u32> {
        let all = self.others.range(self.now..).chain(self.others.range(..self.now));
        all.map(|(process, _)| *process).filter(|process| !self.lent.contains_key(process)).collect()
    }

    /// The process whose memory the one that executes uses.
    pub(crate) fn lender(&self) -> Option<u32> {
        self.lent.iter().find(|(_, child)| **child == self.now).map(|(lender, _)| *lender)
    }
}

/// What a process has of its own, while another one executes.
#[derive(Debug)]
pub(crate) struct Suspended {
    pub(crate) parent: u32,
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

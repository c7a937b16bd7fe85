//! The processes of a program. One executes at a time: a child at once, until it has ended or waits
//! for something. What the others have of their own is kept meanwhile.

use std::collections::BTreeMap;
use std::sync::Arc;

use types::ThreadId;

use crate::files::OwnFiles;
use crate::process::Process;
use crate::programs::{NewProgram, Programs};

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

/// The processes that do not execute, and what is counted of all.
#[derive(Debug)]
pub struct Processes {
    pub(crate) others: BTreeMap<u32, Suspended>,
    /// Those that wait until a child no longer uses their memory, and that child (`vfork`).
    pub(crate) lent: BTreeMap<u32, u32>,
    /// The exit status of the first process, if it has ended.
    pub(crate) status: Option<i32>,
    /// Made in the call that is served.
    pub(crate) forked: Option<Forked>,
    /// Number of processes, the first one included.
    made: u32,
    /// Makes the images of programs; `None` if no process may become another one.
    pub(crate) images: Option<Arc<dyn Programs>>,
    /// Number of programs after the first one.
    pub(crate) programs: u32,
    /// The program that the process becomes by the call that is served.
    pub(crate) becomes: Option<Box<NewProgram>>,
}

/// A process that does not execute.
#[derive(Debug)]
pub(crate) struct Suspended {
    pub(crate) process: Process,
    pub(crate) files: OwnFiles,
}

impl Processes {
    pub(crate) fn new(images: Option<Arc<dyn Programs>>) -> Processes {
        Processes {
            others: BTreeMap::new(),
            lent: BTreeMap::new(),
            status: None,
            forked: None,
            made: 1,
            images,
            programs: 0,
            becomes: None,
        }
    }

    /// Returns true if there are processes besides the one that executes.
    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// The exit status of the run, whose last process has ended with this status: that of the first
    /// process.
    pub fn status_of_run(&self, status: i32) -> i32 {
        self.status.unwrap_or(status)
    }

    /// Number of programs, the first one included.
    pub fn programs_begun(&self) -> u32 {
        self.programs + 1
    }

    /// Number of processes that were made, the first one included.
    pub fn made(&self) -> u32 {
        self.made
    }

    /// Takes the program that the process becomes.
    pub fn take_program(&mut self) -> Option<NewProgram> {
        self.becomes.take().map(|program| *program)
    }

    /// The numbers of all that could execute, beginning with the one after `process`.
    pub(crate) fn in_turn(&self, process: u32) -> Vec<u32> {
        let all = self.others.range(process..).chain(self.others.range(..process));
        all.map(|(process, _)| *process).filter(|process| !self.lent.contains_key(process)).collect()
    }

    /// Another process that could execute.
    pub(crate) fn other(&mut self, number: u32) -> Option<&mut Process> {
        self.others.get_mut(&number).map(|suspended| &mut suspended.process)
    }

    /// Adds the process that has made a child.
    pub(crate) fn add_maker(&mut self, maker: Suspended, forked: &Forked) {
        self.made += 1;
        if forked.shares_memory {
            self.lent.insert(maker.process.number, forked.child.0);
        }
        self.others.insert(maker.process.number, maker);
    }

    /// A process has ended, or uses its own memory now.
    pub(crate) fn return_memory(&mut self, process: u32) {
        self.lent.retain(|_, child| *child != process);
    }
}

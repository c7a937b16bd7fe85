//! A process: its threads, signals, timers and memory.

use std::collections::VecDeque;
use std::mem::take;

use types::{RunEnd, StopReason, ThreadId};

use crate::descriptors::What;
use crate::errno::Refusal;
use crate::files::Files;
use crate::processes::{Ended, HowEnded};
use crate::signals::{Cause, Signals};
use crate::space::Space;
use crate::threads::{Own, Threads, Wait, WaitFor};
use crate::timers::Timers;

/// `SIGCHLD`, and its codes `CLD_EXITED` and `CLD_KILLED` (Linux
/// `include/uapi/asm-generic/siginfo.h`).
pub(crate) const CHILD: u64 = 17;
pub(crate) const EXITED: i32 = 1;
pub(crate) const KILLED: i32 = 2;

/// A process, besides its files.
#[derive(Debug)]
pub struct Process {
    pub(crate) number: u32,
    /// The process that made it; 0 if that has ended, or there was none.
    pub(crate) parent: u32,
    /// Number of its program, 0 for the first one.
    pub(crate) program: u32,
    /// Path of its program in the file tree.
    pub(crate) executable: Vec<u8>,
    /// Children that have ended and that it has not waited for.
    pub(crate) ended: VecDeque<Ended>,
    pub(crate) space: Space,
    pub(crate) timers: Timers,
    pub signals: Signals,
    pub(crate) threads: Threads,
}

impl Process {
    /// Creates the first process.
    pub(crate) fn new(executable: Vec<u8>, image_end: u64) -> Process {
        Process {
            number: ThreadId::FIRST.0,
            parent: 0,
            program: 0,
            executable,
            ended: VecDeque::new(),
            space: Space::new(image_end),
            timers: Timers::default(),
            signals: Signals::default(),
            threads: Threads::new(ThreadId::FIRST, Own::default()),
        }
    }

    /// Returns the child that the current thread makes.
    pub(crate) fn fork(&self, child: ThreadId, own: Own) -> Process {
        Process {
            number: child.0,
            parent: self.number,
            program: self.program,
            executable: self.executable.clone(),
            ended: VecDeque::new(),
            space: self.space.clone(),
            timers: Timers::default(),
            signals: self.signals.child(),
            threads: Threads::new(child, own),
        }
    }

    pub fn number(&self) -> u32 {
        self.number
    }

    /// The number of its program, 0 for the first one.
    pub fn program(&self) -> u32 {
        self.program
    }

    /// Returns true if it has several threads.
    pub fn has_other_threads(&self) -> bool {
        self.threads.has_others()
    }

    /// Returns true if the current thread is in a call that is repeated.
    pub fn is_waiting(&self) -> bool {
        self.threads.own.wait.is_some()
    }

    pub(crate) fn lose_child(&mut self, child: Ended) {
        self.ended.push_back(child);
        self.threads.children_ended += 1;
        // By default it is ignored, so that this ends no process.
        let code = if matches!(child.how, HowEnded::Exited(_)) { EXITED } else { KILLED };
        let _sent = self.signals.send(CHILD, Cause::Sent { code });
    }

    /// How it ends, with this exit status unless a signal has ended it.
    pub(crate) fn how_ended(&mut self, status: i32) -> HowEnded {
        match take(&mut self.signals.killed) {
            Some(signal) => HowEnded::Killed(signal as u8),
            None => HowEnded::Exited(status as u8),
        }
    }

    /// Sends the signals of timers that have expired.
    pub(crate) fn ring(&mut self, now: u64) -> Result<(), Refusal> {
        self.timers.ring(now, &mut self.signals, &self.threads)
    }

    /// Sends the signals of timers that have expired, between two instructions.
    pub(crate) fn ring_at(&mut self, pc: u64, now: u64) -> Result<(), RunEnd> {
        match self.ring(now) {
            Ok(()) | Err(Refusal::Errno(_)) => Ok(()),
            Err(Refusal::Exit(status)) => Err(RunEnd::Exit(status)),
            Err(_) => Err(RunEnd::undecided(StopReason::WaitsForever, pc, "a timer's signal stops it")),
        }
    }

    /// Time of the next expiration whose signal ends a wait.
    pub(crate) fn next_signal(&self) -> Option<u64> {
        self.timers.next_of(self.signals.acting())
    }

    /// Time at which the first wait ends, or a timer sends a signal that ends one.
    pub(crate) fn next_end(&self) -> Option<u64> {
        let waits: Vec<Wait> = self.threads.in_turn().into_iter().filter_map(|(_, own)| own.wait).collect();
        let awaited = waits.iter().fold(0, |all, wait| match wait.on {
            WaitFor::Signals(signals) => all | signals,
            WaitFor::Nothing
            | WaitFor::Futex { .. }
            | WaitFor::Files { .. }
            | WaitFor::Bytes { .. }
            | WaitFor::Room { .. }
            | WaitFor::Child { .. } => all,
        });
        let signal = self.timers.next_of(self.signals.acting() | awaited);
        waits.iter().filter_map(|wait| wait.end).chain(signal).min()
    }

    /// The threads that can execute, in turn.
    pub(crate) fn ready(&self, files: &Files, now: u64) -> Vec<ThreadId> {
        let all = self.threads.in_turn().into_iter();
        all.filter(|(thread, own)| self.is_ready(*thread, own, files, now)).map(|(thread, _)| thread).collect()
    }

    /// Returns true if a thread no longer waits.
    fn is_ready(&self, thread: ThreadId, own: &Own, files: &Files, now: u64) -> bool {
        let Some(wait) = own.wait else { return true };
        let has_come = match wait.on {
            WaitFor::Nothing => false,
            WaitFor::Signals(signals) => self.signals.pending_of(thread) & signals != 0,
            WaitFor::Futex { .. } => self.threads.futexes.is_woken(thread),
            WaitFor::Files { activity } => activity != files.activity,
            WaitFor::Bytes { pipe } => {
                files.pipes.fill(&What::ReadEnd(pipe)).is_none_or(|fill| fill.bytes > 0 || !fill.other)
            }
            WaitFor::Room { pipe, least } => {
                files.pipes.fill(&What::WriteEnd(pipe)).is_none_or(|fill| fill.room >= least || !fill.other)
            }
            WaitFor::Child { ended } => ended != self.threads.children_ended,
        };
        has_come || wait.end.is_some_and(|end| end <= now) || self.signals.due_of(thread) != 0
    }

    /// Returns true if a thread can execute, or a signal has ended the process.
    pub(crate) fn can_go_on(&mut self, files: &Files, pc: u64, now: u64) -> Result<bool, RunEnd> {
        match self.ring_at(pc, now) {
            Ok(()) | Err(RunEnd::Exit(_)) => {}
            Err(end) => return Err(end),
        }
        Ok(self.signals.killed.is_some() || !self.ready(files, now).is_empty())
    }

    /// Switches to a thread, which may be the current one.
    pub(crate) fn go_on(&mut self, thread: ThreadId) {
        let before = self.threads.now;
        self.threads.go_on(thread);
        if before != thread {
            let left = self.threads.is_live(before).then_some(before);
            self.signals.go_on(thread, left);
        }
    }
}

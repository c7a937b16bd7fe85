//! The threads of a program: one executes at a time. The frames of the others are kept with their
//! registers until they continue.

use std::collections::BTreeMap;
use std::mem::swap;

use linux::{Made, Next, Served};
use types::ThreadId;

use super::execution::Execution;
use super::followed::Followed;
use crate::end::{End, Reason};
use crate::engine::Context;
use crate::error::MachineError;
use crate::process::EmulatedRegisters;

/// The threads, and the end of the current one's time slice.
pub(super) struct Threads {
    pub(super) now: ThreadId,
    /// The number of the program that the process is.
    pub(super) program: u32,
    /// The step before which another thread continues; [`u64::MAX`] if there is no other.
    pub(super) switch_at: u64,
    others: BTreeMap<ThreadId, Parked>,
    /// The step up to which the kernel's time has advanced.
    timed: u64,
    /// The maximum number of frames of ended threads.
    max_depth: usize,
}

/// A thread that is not executing.
struct Parked {
    /// Address at which it continues.
    at: u64,
    registers: Context,
    followed: Followed,
}

impl Threads {
    /// The frames of a new process that begins after `steps` steps.
    pub(super) fn of_child(&self, child: ThreadId, steps: u64) -> Threads {
        Threads { now: child, program: self.program, timed: steps, ..Threads::default() }
    }

    /// The current thread, as observers see it.
    #[inline]
    pub(super) fn shown(&self) -> ThreadId {
        self.now.in_program(self.program)
    }

    /// A thread goes to a stack, with this SP, on which others may have left frames.
    pub(super) fn lose_stacks_at(&mut self, sp: u64) {
        self.others.values_mut().for_each(|parked| parked.followed.lose_stack(sp));
    }

    /// Continues a process after `steps` steps; the frames of others reached `max_depth` meanwhile.
    pub(super) fn go_on(&mut self, max_depth: usize, steps: u64) {
        (self.max_depth, self.timed) = (self.max_depth.max(max_depth), steps);
    }
}

impl Default for Threads {
    fn default() -> Threads {
        Threads {
            now: ThreadId::FIRST,
            program: 0,
            switch_at: u64::MAX,
            others: BTreeMap::new(),
            timed: 0,
            max_depth: 0,
        }
    }
}

impl Execution {
    /// The maximum number of frames that were live at once in a thread.
    pub(crate) fn max_depth(&self) -> usize {
        let others = self.threads.others.values().map(|parked| parked.followed.shadow.max_depth());
        others.max().unwrap_or(0).max(self.threads.max_depth).max(self.followed.shadow.max_depth())
    }

    /// Adds a new thread. It begins where its creator continues.
    #[cold]
    pub(super) fn make_thread(&mut self, next: u64, made: &Made) -> Result<(), End> {
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, next, error.to_string());
        let engine = &self.core.engine;
        let own = engine.saved().map_err(stopped)?;
        if let Err(denied) = self.core.kernel.begin_thread(made, &mut EmulatedRegisters(engine)) {
            return Err(End::undecided(Reason::Stopped, next, denied.to_string()));
        }
        let registers = engine.saved().map_err(stopped)?;
        engine.restore(&own).map_err(stopped)?;
        let followed = self.followed_anew(made.stack, next)?;
        self.threads.others.insert(made.thread, Parked { at: next, registers, followed });
        if self.threads.switch_at == u64::MAX {
            self.threads.timed = self.steps;
            self.begin_slice();
        }
        Ok(())
    }

    /// What is followed of a thread that begins with this SP.
    pub(super) fn followed_anew(&self, sp: u64, next: u64) -> Result<Followed, End> {
        let Some(stacks) = self.followed.stacks.of_thread(sp, &self.core.memory) else {
            let message = format!("the stack at {sp:#x} of a new thread is not in memory");
            return Err(End::undecided(Reason::StackSwitch, next, message));
        };
        let shadow = self.followed.shadow.of_another_thread(self.fixed.abi);
        Ok(Followed::new(shadow, stacks, self.core.memory.epoch()))
    }

    /// Switches to the next thread, of another process if none of this one can continue, or stays
    /// if there is no other; returns the PC. `at` is the PC at which this thread continues later,
    /// `None` if it has ended.
    #[cold]
    pub(super) fn switch(&mut self, mut at: Option<u64>) -> Result<u64, End> {
        let pc = self.core.pc;
        let goes_on = loop {
            let steps = self.steps - std::mem::replace(&mut self.threads.timed, self.steps);
            let process = self.core.kernel.process.number();
            match self.core.kernel.next(steps, pc)? {
                Next::Thread(next) if next == self.threads.now => {}
                Next::Thread(next) => at = Some(self.change_thread(next, at)?),
                Next::Process(next) => {
                    at = self.change_process(process, next, at)?;
                    continue;
                }
            }
            let here = at.ok_or_else(|| End::undecided(Reason::Stopped, pc, "a thread continues that has ended"))?;
            if !self.core.kernel.process.is_waiting() {
                break here;
            }
            self.core.pc = here;
            match self.core.serve_call()? {
                Served::Result { next } | Served::Yields { next } => break next,
                Served::Waits => {}
                Served::Made { .. }
                | Served::Forked { .. }
                | Served::ThreadOver
                | Served::Becomes
                | Served::HandlerOver { .. } => {
                    return Err(End::undecided(
                        Reason::Stopped,
                        here,
                        "a call that waited was another when made again",
                    ));
                }
            }
        };
        self.begin_slice();
        Ok(goes_on)
    }

    pub(super) fn begin_slice(&mut self) {
        let has_others = self.core.kernel.process.has_other_threads();
        self.threads.switch_at =
            if has_others { self.steps.saturating_add(self.core.kernel.scheduler.slice()) } else { u64::MAX };
    }

    /// Exchanges the registers and frames with those of another thread; returns its PC.
    fn change_thread(&mut self, next: ThreadId, at: Option<u64>) -> Result<u64, End> {
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, 0, error.to_string());
        let Some(Parked { at: goes_on, registers, mut followed }) = self.threads.others.remove(&next) else {
            return Err(End::undecided(Reason::Stopped, 0, format!("there is no thread {}", next.0)));
        };
        self.threads.max_depth = self.threads.max_depth.max(self.followed.shadow.max_depth());
        swap(&mut self.followed, &mut followed);
        if let Some(at) = at {
            let registers = self.core.engine.saved().map_err(stopped)?;
            self.threads.others.insert(self.threads.now, Parked { at, registers, followed });
        }
        self.core.engine.restore(&registers).map_err(stopped)?;
        self.threads.now = next;
        Ok(goes_on)
    }
}

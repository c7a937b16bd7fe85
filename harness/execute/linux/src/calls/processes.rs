//! `fork` and its like, the end of a process, and waiting for a child.

use std::mem::{replace, take};

use types::{RunEnd, StopReason, ThreadId};

use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::{Denied, Memory};
use crate::processes::{Ended, Forked, HowEnded, MOST_LIVE, PIPE, Suspended};
use crate::registers::Registers;
use crate::signals::Cause;
use crate::threads::{Own, WaitFor};

/// `SIGCHLD`, and its codes `CLD_EXITED` and `CLD_KILLED` (Linux
/// `include/uapi/asm-generic/siginfo.h`).
const CHILD: u64 = 17;
const EXITED: i32 = 1;
const KILLED: i32 = 2;
/// `P_ALL`, `P_PID`, `WNOHANG` and `WNOWAIT` (Linux `include/uapi/linux/wait.h`).
const ALL: u64 = 0;
const ONE: u64 = 1;
const NEVER_WAITS: u64 = 1;
const LEAVES: u64 = 0x100_0000;
/// Bytes of `siginfo_t` and of `struct rusage`.
const INFO: usize = 128;
const USAGE: usize = 144;

impl Kernel {
    /// Returns true if there are processes besides the one that executes.
    pub fn has_other_processes(&self) -> bool {
        !self.processes.others.is_empty()
    }

    /// Returns true if something else can happen while the thread that executes waits.
    pub(crate) fn has_others(&self) -> bool {
        self.threads.has_others() || self.has_other_processes()
    }

    /// The process whose memory the one that executes uses, until this ends or becomes another
    /// program.
    pub fn lender(&self) -> Option<u32> {
        self.processes.lender()
    }

    /// The process that executes.
    pub fn process(&self) -> u32 {
        self.processes.now
    }

    /// The exit status of the run, whose last process has ended with this status: that of the first
    /// process.
    pub fn status_of_run(&self, status: i32) -> i32 {
        self.processes.status.unwrap_or(status)
    }

    /// Number of programs, the first one included.
    pub fn programs_begun(&self) -> u32 {
        self.processes.programs + 1
    }

    /// Number of the program that executes.
    pub fn program(&self) -> u32 {
        self.processes.program
    }

    /// Number of processes that were made, the first one included.
    pub fn processes_made(&self) -> u32 {
        self.processes.made
    }

    /// Makes a process and returns its number.
    pub(crate) fn fork(&mut self, wanted: Forked) -> Result<u64, Refusal> {
        if self.processes.shares_memory && !wanted.shares_memory {
            return Err(Refusal::Ends(StopReason::NewProcess, "it makes a process that shares a mapping with it"));
        }
        if self.processes.others.len() + 1 >= MOST_LIVE {
            return Err(Errno::Again.into());
        }
        let Some(child) = self.threads.number() else {
            return Err(Errno::Again.into());
        };
        self.processes.forked = Some(Forked { child, ..wanted });
        Ok(child.0.into())
    }

    /// The process that was made executes: sets the registers and memory, which are those of the
    /// one that made it, to what it begins with.
    ///
    /// # Errors
    /// The processor refuses.
    pub fn begin_child(
        &mut self,
        forked: &Forked,
        registers: &mut dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<(), Denied> {
        let child = forked.child;
        self.begin(registers, forked.stack, forked.pointer)?;
        if let Some(at) = forked.number_at {
            memory.write(at, self.record().u32(child.0).bytes());
        }
        self.processes.made += 1;
        let maker = replace(&mut self.processes.now, child.0);
        let suspended = Suspended {
            parent: replace(&mut self.processes.parent, maker),
            program: self.processes.program,
            executable: self.executable_path(),
            shares_memory: self.processes.shares_memory,
            ended: take(&mut self.processes.ended),
            space: self.space.clone(),
            slots: self.descriptors.share(),
            folder: self.folder,
            mask: self.mask,
            timers: take(&mut self.timers),
            signals: self.signals.clone(),
            threads: self.threads.of_child(child, Own { clear_at: forked.clear_at, ..Own::default() }),
        };
        self.processes.others.insert(maker, suspended);
        if forked.shares_memory {
            self.processes.lent.insert(maker, child.0);
        }
        self.signals.begin_child();
        self.pipes.widen(PIPE);
        Ok(())
    }

    /// The process that executes has ended with this status: returns the one that executes now,
    /// its parent if that can.
    pub fn end_process(&mut self, status: i32) -> Option<u32> {
        let how = match self.signals.killed.take() {
            Some(signal) => HowEnded::Killed(signal as u8),
            None => HowEnded::Exited(status as u8),
        };
        for number in self.descriptors.between(0, u64::MAX) {
            // It is open, so that this does not fail.
            let _closed = self.close(number);
        }
        let (ended, parent) = (self.processes.now, self.processes.parent);
        if ended == ThreadId::FIRST.0 {
            self.processes.status = Some(status);
        }
        self.processes.lent.retain(|_, child| *child != ended);
        let orphans = self.processes.others.values_mut().filter(|other| other.parent == ended);
        orphans.for_each(|orphan| orphan.parent = 0);
        let able = self.processes.in_turn();
        let next = able.iter().find(|process| **process == parent).or(able.first()).copied()?;
        let suspended = self.processes.others.remove(&next)?;
        let _over = self.exchange(suspended);
        self.processes.now = next;
        if !self.has_other_processes() {
            self.pipes.narrow();
        }
        let child = Ended { process: ended, how };
        if parent == next {
            self.lose_child(child);
        } else {
            self.as_process(parent, |kernel| kernel.lose_child(child));
        }
        Some(next)
    }

    /// A child of the process has ended.
    fn lose_child(&mut self, child: Ended) {
        self.processes.ended.push_back(child);
        self.threads.children_ended += 1;
        // By default it is ignored, so that this ends no process.
        let code = if matches!(child.how, HowEnded::Exited(_)) { EXITED } else { KILLED };
        let _sent = self.signals.send(CHILD, Cause::Sent { code });
    }

    /// Puts what a process has of its own in the place of what the one that executes has, and
    /// returns that.
    fn exchange(&mut self, process: Suspended) -> Suspended {
        let executable = self.executable_path();
        let Suspended { parent, program, executable: its_executable, shares_memory, ended, mut space, .. } = process;
        let Suspended { slots, folder, mask, timers, signals, mut threads, .. } = process;
        threads.make_up_for(&self.threads);
        if program != self.processes.program {
            // The link is there.
            let _led = self.set_executable(&its_executable);
            space = space.below(&self.space);
        }
        Suspended {
            parent: replace(&mut self.processes.parent, parent),
            program: replace(&mut self.processes.program, program),
            executable,
            shares_memory: replace(&mut self.processes.shares_memory, shares_memory),
            ended: replace(&mut self.processes.ended, ended),
            space: replace(&mut self.space, space),
            slots: self.descriptors.exchange(slots),
            folder: replace(&mut self.folder, folder),
            mask: replace(&mut self.mask, mask),
            timers: replace(&mut self.timers, timers),
            signals: replace(&mut self.signals, signals),
            threads: replace(&mut self.threads, threads),
        }
    }

    /// Another process executes. Does nothing if there is none of this number.
    pub(crate) fn change_process(&mut self, process: u32) {
        let Some(suspended) = self.processes.others.remove(&process) else { return };
        let before = self.exchange(suspended);
        self.processes.others.insert(replace(&mut self.processes.now, process), before);
    }

    /// Does something as if another process executed; `None` if there is none of this number.
    pub(crate) fn as_process<T>(&mut self, process: u32, act: impl FnOnce(&mut Kernel) -> T) -> Option<T> {
        let now = self.processes.now;
        if !self.processes.others.contains_key(&process) {
            return None;
        }
        self.change_process(process);
        let outcome = act(self);
        self.change_process(now);
        Some(outcome)
    }

    /// The process that executes next where no thread of this one can.
    pub(crate) fn ready_process(&mut self, pc: u64) -> Result<Option<u32>, RunEnd> {
        let mut ready = Vec::new();
        for process in self.processes.in_turn() {
            if self.as_process(process, |kernel| kernel.can_go_on(pc)).transpose()? == Some(true) {
                ready.push(process);
            }
        }
        if ready.is_empty() {
            return Ok(None);
        }
        let picked = self.threads.pick(ready.len());
        Ok(ready.get(picked).copied())
    }

    /// The index of a child that has ended; `None` if it does not wait for one. Waits while there
    /// are others.
    fn ended_child(&mut self, never_waits: bool, is_it: impl Fn(u32) -> bool) -> Result<Option<usize>, Refusal> {
        if let Some(at) = self.processes.ended.iter().position(|child| is_it(child.process)) {
            return Ok(Some(at));
        }
        let now = self.processes.now;
        let lives = self.processes.others.iter().any(|(process, other)| other.parent == now && is_it(*process));
        if !lives {
            return Err(Errno::NoChild.into());
        }
        if never_waits {
            return Ok(None);
        }
        match self.wait_for(WaitFor::Child { ended: self.threads.children_ended }, None) {
            Err(refusal) => Err(refusal),
            Ok(()) => Err(Refusal::Waits),
        }
    }

    /// `wait4`.
    pub(crate) fn wait4(
        &mut self,
        [whom, status, options, usage, ..]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let whom = whom as u32 as i32;
        // All are of one group.
        let is_it = |child: u32| whom <= 0 || child == whom as u32;
        let Some(at) = self.ended_child(options & NEVER_WAITS != 0, is_it)? else { return Ok(0) };
        let Some(Ended { process, how }) = self.processes.ended.remove(at) else { return Err(Errno::NoChild.into()) };
        if status != 0 {
            self.give(memory, status, self.record().u32(how.word()).bytes())?;
        }
        if usage != 0 {
            self.give(memory, usage, &[0; USAGE])?;
        }
        Ok(process.into())
    }

    /// `waitid`.
    pub(crate) fn waitid(
        &mut self,
        [kind, whom, info, options, usage, _]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Refusal> {
        let is_it = |child: u32| match kind {
            ONE => u64::from(child) == whom,
            _ => true,
        };
        if kind > ALL + 2 {
            return Err(Errno::Invalid.into());
        }
        let Some(at) = self.ended_child(options & NEVER_WAITS != 0, is_it)? else {
            if info != 0 {
                self.give(memory, info, &[0; INFO])?;
            }
            return Ok(0);
        };
        let Some(&Ended { process, how }) = self.processes.ended.get(at) else { return Err(Errno::NoChild.into()) };
        if options & LEAVES == 0 {
            self.processes.ended.remove(at);
        }
        if info != 0 {
            let (code, status) = match how {
                HowEnded::Exited(status) => (EXITED, status),
                HowEnded::Killed(signal) => (KILLED, signal),
            };
            let record = self.record().u32(CHILD as u32).u32(0).u32(code as u32).u32(0);
            let record = record.u32(process).u32(0).u32(status.into());
            self.give(memory, info, record.up_to(INFO).bytes())?;
        }
        if usage != 0 {
            self.give(memory, usage, &[0; USAGE])?;
        }
        Ok(0)
    }

    /// The number of the process that made this one, 0 if there is none.
    pub(crate) fn parent(&self) -> u64 {
        self.processes.parent.into()
    }
}

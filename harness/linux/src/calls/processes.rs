//! `fork` and its like, the end of a child, and waiting for one.

use std::mem::{replace, take};

use types::StopReason;

use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::{Denied, Memory};
use crate::processes::{Ended, Forked, HowEnded, MOST_WAITING, PIPE, Suspended};
use crate::registers::Registers;
use crate::signals::Cause;
use crate::threads::Own;

/// `SIGCHLD`, and its codes `CLD_EXITED` and `CLD_KILLED` (Linux
/// `include/uapi/asm-generic/siginfo.h`).
const CHILD: u64 = 17;
const EXITED: i32 = 1;
const KILLED: i32 = 2;
/// `P_ALL`, `P_PID`, and `WNOWAIT` (Linux `include/uapi/linux/wait.h`).
const ALL: u64 = 0;
const ONE: u64 = 1;
const LEAVES: u64 = 0x100_0000;
/// Bytes of `siginfo_t` and of `struct rusage`.
const INFO: usize = 128;
const USAGE: usize = 144;

impl Kernel {
    /// The process that executes is one that another one made, and that waits for its end.
    pub fn is_child(&self) -> bool {
        !self.processes.waiting.is_empty()
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
        if self.processes.waiting.len() >= MOST_WAITING {
            return Err(Errno::Again.into());
        }
        let Some(child) = self.threads.number() else {
            return Err(Errno::Again.into());
        };
        self.processes.forked = Some(Forked { child, ..wanted });
        Ok(child.0.into())
    }

    /// The process that was made executes: sets the registers and memory, which are those of the
    /// one that made it, to what it begins with, and returns what that one has of its own.
    ///
    /// # Errors
    /// The processor refuses.
    pub fn begin_child(
        &mut self,
        forked: &Forked,
        registers: &mut dyn Registers,
        memory: &mut dyn Memory,
    ) -> Result<Suspended, Denied> {
        let child = forked.child;
        self.begin(registers, forked.stack, forked.pointer)?;
        if let Some(at) = forked.number_at {
            memory.write(at, self.record().u32(child.0).bytes());
        }
        self.processes.waiting.push(self.processes.now);
        self.processes.made += 1;
        let suspended = Suspended {
            process: replace(&mut self.processes.now, child.0),
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
        self.signals.begin_child();
        self.pipes.widen(PIPE);
        Ok(suspended)
    }

    /// A child has ended with this status: the one that made it goes on.
    pub fn end_child(&mut self, status: i32, suspended: Suspended) {
        let how = match self.signals.killed.take() {
            Some(signal) => HowEnded::Killed(signal as u8),
            None => HowEnded::Exited(status as u8),
        };
        for number in self.descriptors.between(0, u64::MAX) {
            // It is open, so that this does not fail.
            let _closed = self.close(number);
        }
        let Suspended { process, program, executable, shares_memory, ended, mut space, .. } = suspended;
        let Suspended { slots, folder, mask, timers, signals, mut threads, .. } = suspended;
        if program != replace(&mut self.processes.program, program) {
            // The link is there.
            let _led = self.set_executable(&executable);
            (self.processes.shares_memory, space) = (shares_memory, space.below(&self.space));
        }
        threads.make_up_for(&self.threads);
        let child = replace(&mut self.processes.now, process);
        self.processes.waiting.pop();
        self.processes.ended = ended;
        self.processes.ended.push_back(Ended { process: child, how });
        self.descriptors.take_back(slots);
        (self.space, self.folder, self.mask, self.timers) = (space, folder, mask, timers);
        (self.signals, self.threads) = (signals, threads);
        if !self.is_child() {
            self.pipes.narrow();
        }
        // By default it is ignored, so that this ends no process.
        let code = if matches!(how, HowEnded::Exited(_)) { EXITED } else { KILLED };
        let _sent = self.signals.send(CHILD, Cause::Sent { code });
    }

    /// `wait4`. A child has always ended.
    pub(crate) fn wait4(&mut self, whom: u64, status: u64, usage: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let whom = whom as u32 as i32;
        // All are of one group.
        let is_it = |child: &Ended| whom <= 0 || child.process == whom as u32;
        let at = self.processes.ended.iter().position(is_it).ok_or(Errno::NoChild)?;
        let Some(Ended { process, how }) = self.processes.ended.remove(at) else { return Err(Errno::NoChild) };
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
    ) -> Result<u64, Errno> {
        let is_it = |child: &Ended| match kind {
            ONE => u64::from(child.process) == whom,
            _ => true,
        };
        if kind > ALL + 2 {
            return Err(Errno::Invalid);
        }
        let at = self.processes.ended.iter().position(is_it).ok_or(Errno::NoChild)?;
        let Some(&Ended { process, how }) = self.processes.ended.get(at) else { return Err(Errno::NoChild) };
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

    /// The number of the process that made this one: the first one has none.
    pub(crate) fn parent(&self) -> u64 {
        self.processes.waiting.last().copied().unwrap_or(0).into()
    }
}

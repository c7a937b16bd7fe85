//! The processes of a program: one that is made executes at once and to its end, in the emulator
//! and memory of the one that made it, whose registers, memory and frames are kept meanwhile.

use linux::{Forked, Suspended};
use types::memo::Memo;

use super::Session;
use super::threads::{Followed, Threads, save};
use crate::end::{End, Reason};
use crate::engine::Context;
use crate::error::MachineError;
use crate::interruptions::Interruptions;
use crate::memory::MemoryCopy;
use crate::process::{EmulatedMemory, EmulatedRegisters};

/// A process that waits for a child.
pub(super) struct Waiting {
    /// Where it goes on.
    at: u64,
    registers: Context,
    /// None if the child uses the same.
    memory: Option<MemoryCopy>,
    followed: Followed,
    threads: Threads,
    kernel: Suspended,
}

impl<M: Memo> Session<'_, M> {
    /// A process was made. It begins where its maker goes on later.
    #[cold]
    pub(super) fn begin_child(&mut self, next: u64, forked: &Forked) -> Result<(), End> {
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, next, error.to_string());
        if !self.core.interruptions.is_empty() {
            let message = format!("it makes a process while a handler of a signal executes, before {next:#x}");
            return Err(End::undecided(Reason::NewProcess, next, message));
        }
        self.refresh(next)?;
        let core = &mut self.core;
        let registers = save(&core.engine).map_err(stopped)?;
        let memory = (!forked.shares_memory).then(|| core.memory.copy());
        let before = core.engine.read(self.ids[0]);
        let mut guest = EmulatedMemory { engine: &core.engine, memory: &mut core.memory };
        let kernel = core
            .kernel
            .begin_child(forked, &mut EmulatedRegisters(&core.engine), &mut guest)
            .map_err(|denied| End::undecided(Reason::Stopped, next, denied.to_string()))?;
        let sp = core.engine.read(self.ids[0]);
        let mut followed = if sp == before { self.followed_as_now() } else { self.followed_anew(sp, next)? };
        self.exchange(&mut followed);
        let threads = std::mem::replace(&mut self.threads, Threads::of_child(forked.child, self.steps));
        self.processes.push(Waiting { at: next, registers, memory, followed, threads, kernel });
        Ok(())
    }

    /// A child has ended: where the one that made it goes on.
    #[cold]
    pub(super) fn end_child(&mut self, status: i32) -> Result<u64, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let Some(waiting) = self.processes.pop() else { return Ok(pc) };
        let Waiting { at, registers, memory, mut followed, threads, kernel } = waiting;
        let core = &mut self.core;
        core.kernel.end_child(status, kernel);
        if let Some(memory) = memory {
            core.memory.come_back(&core.engine, memory).map_err(stopped)?;
        }
        core.engine.restore(&registers).map_err(stopped)?;
        let max_depth = self.max_depth();
        self.exchange(&mut followed);
        self.threads = threads;
        self.threads.go_on(max_depth, self.steps);
        self.begin_slice();
        self.refresh(at)?;
        Ok(at)
    }

    /// What is followed of the thread that executes, for another one that is as it is now.
    fn followed_as_now(&self) -> Followed {
        Followed {
            shadow: self.shadow.clone(),
            stacks: self.stacks.clone(),
            stack: self.stack,
            away: self.away,
            switching: self.switching,
            sp_left: self.sp_left,
            pending: self.pending,
            epoch: self.epoch,
            interruptions: Interruptions::default(),
        }
    }
}

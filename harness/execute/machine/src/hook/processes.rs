//! The processes of a program: one executes at a time in the emulator, a child before the process
//! that made it, until it has ended or waits for something. Registers, memory and frames of the
//! others are kept meanwhile. A process that becomes another program (`execve`) begins anew in
//! empty memory.

use linux::Forked;
use types::memo::Memo;
use witness::Shadow;

use super::Session;
use super::notes::Notes;
use super::threads::{Followed, Threads};
use crate::Plan;
use crate::end::{End, Reason};
use crate::engine::Context;
use crate::error::MachineError;
use crate::interruptions::Interruptions;
use crate::memory::Aside;
use crate::process::{EmulatedMemory, EmulatedRegisters};
use crate::program::{self, Room};
use crate::stacks::Stacks;

/// A process that does not execute.
pub(super) struct Parked {
    /// Where it goes on; `None` if the thread that executed last has ended.
    at: Option<u64>,
    registers: Context,
    /// `None` if a child uses the same.
    memory: Option<Aside>,
    followed: Followed,
    threads: Threads,
    is_scalable: bool,
}

/// What a program begins with that a process becomes.
pub(super) struct Programs {
    /// The processor.
    blank: Context,
    room: Room,
    /// Frames, with the functions of objects that several programs have.
    shadow: Shadow,
}

impl Programs {
    pub(super) fn new(plan: &Plan<'_>, blank: Context, room: Room) -> Programs {
        Programs { blank, room, shadow: Shadow::new(plan.image.abi).with_functions(plan.functions) }
    }
}

impl<M: Memo> Session<'_, M> {
    /// A process was made. It begins where its maker goes on later.
    #[cold]
    pub(super) fn begin_child(&mut self, next: u64, forked: &Forked) -> Result<(), End> {
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, next, error.to_string());
        if !self.core.interruptions.is_empty() {
            let message = format!("it makes a process in a signal handler, before {next:#x}");
            return Err(End::undecided(Reason::NewProcess, next, message));
        }
        self.refresh(next)?;
        let core = &mut self.core;
        let registers = core.engine.saved().map_err(stopped)?;
        let memory = (!forked.shares_memory).then(|| core.memory.copy()).transpose().map_err(stopped)?;
        let before = core.engine.read(self.ids[0]);
        let mut guest = EmulatedMemory { engine: &core.engine, memory: &mut core.memory };
        let maker = core.kernel.process.number();
        core.kernel
            .begin_child(forked, &mut EmulatedRegisters(&core.engine), &mut guest)
            .map_err(|denied| End::undecided(Reason::Stopped, next, denied.to_string()))?;
        let sp = core.engine.read(self.ids[0]);
        let mut followed = if sp == before { self.followed_as_now() } else { self.followed_anew(sp, next)? };
        self.exchange(&mut followed);
        let max_depth = self.max_depth();
        let of_child = self.threads.of_child(forked.child, self.steps);
        let threads = std::mem::replace(&mut self.threads, of_child);
        self.threads.go_on(max_depth, self.steps);
        let is_scalable = self.is_scalable;
        self.processes.insert(maker, Parked { at: Some(next), registers, memory, followed, threads, is_scalable });
        Ok(())
    }

    /// The process has ended: returns where another one continues.
    #[cold]
    pub(super) fn end_process(&mut self, status: i32) -> Result<u64, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let core = &mut self.core;
        if let Some(lender) = core.kernel.lender().and_then(|lender| self.processes.get_mut(&lender)) {
            lender.memory = Some(core.memory.put_aside(&core.engine).map_err(stopped)?);
        }
        let Some(next) = core.kernel.end_process(status) else {
            return Err(End::undecided(Reason::Stopped, pc, "no process could continue"));
        };
        let max_depth = self.max_depth();
        let (at, _over) = self.go_on_as(next, max_depth)?;
        match at {
            Some(at) if !self.core.kernel.process.is_waiting() => {
                self.begin_slice();
                self.refresh(at)?;
                Ok(at)
            }
            at => self.switch(at),
        }
    }

    /// Another process executes than `from`, which continues later at `at`; returns the address at
    /// which the other one continues.
    #[cold]
    pub(super) fn change_process(&mut self, from: u32, to: u32, at: Option<u64>) -> Result<Option<u64>, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let registers = self.core.engine.saved().map_err(stopped)?;
        let memory = Some(self.core.memory.put_aside(&self.core.engine).map_err(stopped)?);
        let (max_depth, is_scalable) = (self.max_depth(), self.is_scalable);
        let threads = std::mem::take(&mut self.threads);
        let (goes_on, followed) = self.go_on_as(to, max_depth)?;
        self.processes.insert(from, Parked { at, registers, memory, followed, threads, is_scalable });
        Ok(goes_on)
    }

    /// A parked process executes: returns the address at which it continues, and what was followed
    /// until now. The frames of others have reached `max_depth`.
    fn go_on_as(&mut self, process: u32, max_depth: usize) -> Result<(Option<u64>, Followed), End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let Some(Parked { at, registers, memory: Some(memory), mut followed, threads, is_scalable }) =
            self.processes.remove(&process)
        else {
            return Err(End::undecided(Reason::Stopped, pc, format!("there is no process {process} to continue")));
        };
        let core = &mut self.core;
        core.memory.come_back(&core.engine, memory).map_err(stopped)?;
        core.engine.forget_code().map_err(stopped)?;
        core.engine.restore(&registers).map_err(stopped)?;
        self.exchange(&mut followed);
        (self.threads, self.is_scalable, self.written) = (threads, is_scalable, None);
        self.threads.go_on(max_depth, self.steps);
        Ok((at, followed))
    }

    /// The process becomes another program: returns where that begins.
    #[cold]
    pub(super) fn become_program(&mut self) -> Result<u64, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let core = &mut self.core;
        let (Some(program), Some(programs)) = (core.kernel.processes.take_program(), &self.programs) else {
            return Err(End::undecided(Reason::NewProcess, pc, "it executes another program"));
        };
        let aside = core.memory.put_aside(&core.engine).map_err(stopped)?;
        core.engine.forget_code().map_err(stopped)?;
        // A child that used the memory of its maker leaves it to that.
        if let Some(lender) = core.kernel.lender().and_then(|lender| self.processes.get_mut(&lender)) {
            lender.memory = Some(aside);
        }
        let placed = program::place(&program, programs.room, &core.engine, &mut core.memory);
        let placed = placed.map_err(|error| {
            End::undecided(Reason::NewProcess, pc, format!("the program that it executes cannot be loaded: {error}"))
        })?;
        core.engine.restore(&programs.blank).map_err(stopped)?;
        core.engine.write(self.ids[0], placed.sp).map_err(stopped)?;
        let begun = core.kernel.begin_program(&program, placed.image_end);
        begun.map_err(|denied| End::undecided(Reason::Stopped, pc, denied.to_string()))?;
        let symbols = [Some(&program.image), program.interpreter.as_ref()].into_iter().flatten();
        let shadow = programs.shadow.of_another_thread(self.abi).with_functions(symbols.flat_map(|of| &of.symbols));
        let stacks = Stacks::new(placed.stack);
        let mut followed = Followed {
            shadow,
            stacks,
            stack: placed.stack,
            away: false,
            switching: false,
            sp_left: 0,
            pending: None,
            epoch: self.core.memory.epoch(),
            interruptions: Interruptions::default(),
        };
        let max_depth = self.max_depth();
        self.exchange(&mut followed);
        self.threads.program = self.core.kernel.process.program();
        self.threads.go_on(max_depth, self.steps);
        self.notes = Notes::new(self.facts.instruction_alignment);
        (self.is_scalable, self.written) = (false, None);
        self.code = self.core.memory.window(placed.start).unwrap_or(placed.stack);
        self.begin_slice();
        Ok(placed.start)
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

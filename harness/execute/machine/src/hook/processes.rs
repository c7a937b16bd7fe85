//! The processes of a program: one executes at a time in the emulator, a child before the process
//! that made it, until it has ended or waits for something. Registers, memory and frames of the
//! others are kept meanwhile. A process that becomes another program (`execve`) begins anew in
//! empty memory.

use std::collections::BTreeMap;
use std::mem::swap;

use linux::Forked;
use witness::Shadow;

use super::execution::Execution;
use super::followed::Followed;
use super::notes::Notes;
use super::threads::Threads;
use crate::Plan;
use crate::end::{End, Reason};
use crate::engine::Context;
use crate::error::MachineError;
use crate::memory::ParkedMemory;
use crate::process::{EmulatedMemory, EmulatedRegisters};
use crate::program::{self, Room};
use crate::stacks::Stacks;

/// A process that does not execute.
pub(super) struct Parked {
    /// Where it goes on; `None` if the thread that executed last has ended.
    at: Option<u64>,
    registers: Context,
    /// `None` if a child uses the same.
    memory: Option<ParkedMemory>,
    followed: Followed,
    threads: Threads,
    is_scalable: bool,
}

/// The processes that do not execute.
pub(super) struct Processes {
    parked: BTreeMap<u32, Parked>,
    /// What programs that a process becomes begin with; `None` if it can become none.
    programs: Option<Programs>,
}

/// What a program begins with that a process becomes.
struct Programs {
    /// The processor.
    blank: Context,
    room: Room,
    /// Frames, with the functions of objects that several programs have.
    shadow: Shadow,
}

impl Processes {
    pub(super) fn new(plan: &Plan<'_>, blank: Option<Context>, room: Room) -> Processes {
        let shadow = || Shadow::new(plan.image.abi).with_functions(plan.functions);
        Processes { parked: BTreeMap::new(), programs: blank.map(|blank| Programs { blank, room, shadow: shadow() }) }
    }
}

impl Execution {
    /// A process was made. It begins where its maker goes on later.
    #[cold]
    pub(super) fn begin_child(&mut self, next: u64, forked: &Forked) -> Result<(), End> {
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, next, error.to_string());
        if !self.followed.interruptions.is_empty() {
            let message = format!("it makes a process in a signal handler, before {next:#x}");
            return Err(End::undecided(Reason::NewProcess, next, message));
        }
        self.refresh(next)?;
        let core = &mut self.core;
        let registers = core.engine.saved().map_err(stopped)?;
        let memory = (!forked.shares_memory).then(|| core.memory.copy()).transpose().map_err(stopped)?;
        let before = core.engine.read(self.registers.ids[0]);
        let mut guest = EmulatedMemory { engine: &core.engine, memory: &mut core.memory };
        let maker = core.kernel.process.number();
        core.kernel
            .begin_child(forked, &mut EmulatedRegisters(&core.engine), &mut guest)
            .map_err(|denied| End::undecided(Reason::Stopped, next, denied.to_string()))?;
        let sp = core.engine.read(self.registers.ids[0]);
        let mut followed = if sp == before { self.followed.copy() } else { self.followed_anew(sp, next)? };
        swap(&mut self.followed, &mut followed);
        let max_depth = self.max_depth();
        let of_child = self.threads.of_child(forked.child, self.steps);
        let threads = std::mem::replace(&mut self.threads, of_child);
        self.threads.go_on(max_depth, self.steps);
        let is_scalable = self.vectors.is_scalable;
        self.processes
            .parked
            .insert(maker, Parked { at: Some(next), registers, memory, followed, threads, is_scalable });
        Ok(())
    }

    /// The process has ended: returns where another one continues.
    #[cold]
    pub(super) fn end_process(&mut self, status: i32) -> Result<u64, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let core = &mut self.core;
        if let Some(lender) = core.kernel.lender().and_then(|lender| self.processes.parked.get_mut(&lender)) {
            lender.memory = Some(core.memory.park(&core.engine).map_err(stopped)?);
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
        let memory = Some(self.core.memory.park(&self.core.engine).map_err(stopped)?);
        let (max_depth, is_scalable) = (self.max_depth(), self.vectors.is_scalable);
        let threads = std::mem::take(&mut self.threads);
        let (goes_on, followed) = self.go_on_as(to, max_depth)?;
        self.processes.parked.insert(from, Parked { at, registers, memory, followed, threads, is_scalable });
        Ok(goes_on)
    }

    /// A parked process executes: returns the address at which it continues, and what was followed
    /// until now. The frames of others have reached `max_depth`.
    fn go_on_as(&mut self, process: u32, max_depth: usize) -> Result<(Option<u64>, Followed), End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let Some(Parked { at, registers, memory: Some(memory), mut followed, threads, is_scalable }) =
            self.processes.parked.remove(&process)
        else {
            return Err(End::undecided(Reason::Stopped, pc, format!("there is no process {process} to continue")));
        };
        let core = &mut self.core;
        core.memory.unpark(&core.engine, memory).map_err(stopped)?;
        core.engine.forget_code().map_err(stopped)?;
        core.engine.restore(&registers).map_err(stopped)?;
        swap(&mut self.followed, &mut followed);
        (self.threads, self.vectors.is_scalable, self.vectors.written) = (threads, is_scalable, None);
        self.threads.go_on(max_depth, self.steps);
        Ok((at, followed))
    }

    /// The process becomes another program: returns where that begins.
    #[cold]
    pub(super) fn become_program(&mut self) -> Result<u64, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let core = &mut self.core;
        let (Some(program), Some(programs)) = (core.kernel.processes.take_program(), &self.processes.programs) else {
            return Err(End::undecided(Reason::NewProcess, pc, "it executes another program"));
        };
        let parked = core.memory.park(&core.engine).map_err(stopped)?;
        core.engine.forget_code().map_err(stopped)?;
        // A child that used the memory of its maker leaves it to that.
        if let Some(lender) = core.kernel.lender().and_then(|lender| self.processes.parked.get_mut(&lender)) {
            lender.memory = Some(parked);
        }
        let placed = program::place(&program, programs.room, &core.engine, &mut core.memory);
        let placed = placed.map_err(|error| {
            End::undecided(Reason::NewProcess, pc, format!("the program that it executes cannot be loaded: {error}"))
        })?;
        core.engine.restore(&programs.blank).map_err(stopped)?;
        core.engine.write(self.registers.ids[0], placed.sp).map_err(stopped)?;
        let begun = core.kernel.begin_program(&program, placed.image_end);
        begun.map_err(|denied| End::undecided(Reason::Stopped, pc, denied.to_string()))?;
        let symbols = [Some(&program.image), program.interpreter.as_ref()].into_iter().flatten();
        let shadow =
            programs.shadow.of_another_thread(self.fixed.abi).with_functions(symbols.flat_map(|of| &of.symbols));
        let mut followed = Followed::new(shadow, Stacks::new(placed.stack), core.memory.epoch());
        let max_depth = self.max_depth();
        swap(&mut self.followed, &mut followed);
        self.threads.program = self.core.kernel.process.program();
        self.threads.go_on(max_depth, self.steps);
        self.short.notes = Notes::new(self.fixed.facts.instruction_alignment);
        (self.vectors.is_scalable, self.vectors.written) = (false, None);
        self.code.window = self.core.memory.window(placed.start).unwrap_or(placed.stack);
        self.begin_slice();
        Ok(placed.start)
    }
}

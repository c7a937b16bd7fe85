//! The processes of a program: one that is made executes at once and to its end, in the emulator
//! and memory of the one that made it, whose registers, memory and frames are kept meanwhile. A
//! process that becomes another program (`execve`) begins anew in empty memory.

use linux::{Forked, Suspended};
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

/// A process that waits for a child.
pub(super) struct Waiting {
    /// Where it goes on.
    at: u64,
    registers: Context,
    /// None if the child uses the same.
    memory: Option<Aside>,
    followed: Followed,
    threads: Threads,
    is_scalable: bool,
    kernel: Suspended,
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
            let message = format!("it makes a process while a handler of a signal executes, before {next:#x}");
            return Err(End::undecided(Reason::NewProcess, next, message));
        }
        self.refresh(next)?;
        let core = &mut self.core;
        let registers = core.engine.saved().map_err(stopped)?;
        let memory = (!forked.shares_memory).then(|| core.memory.copy()).transpose().map_err(stopped)?;
        let before = core.engine.read(self.ids[0]);
        let mut guest = EmulatedMemory { engine: &core.engine, memory: &mut core.memory };
        let kernel = core
            .kernel
            .begin_child(forked, &mut EmulatedRegisters(&core.engine), &mut guest)
            .map_err(|denied| End::undecided(Reason::Stopped, next, denied.to_string()))?;
        let sp = core.engine.read(self.ids[0]);
        let mut followed = if sp == before { self.followed_as_now() } else { self.followed_anew(sp, next)? };
        self.exchange(&mut followed);
        let of_child = self.threads.of_child(forked.child, self.steps);
        let threads = std::mem::replace(&mut self.threads, of_child);
        self.processes.push(Waiting {
            at: next,
            registers,
            memory,
            followed,
            threads,
            is_scalable: self.is_scalable,
            kernel,
        });
        Ok(())
    }

    /// A child has ended: where the one that made it goes on.
    #[cold]
    pub(super) fn end_child(&mut self, status: i32) -> Result<u64, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let Some(waiting) = self.processes.pop() else { return Ok(pc) };
        let Waiting { at, registers, memory, mut followed, threads, is_scalable, kernel } = waiting;
        let core = &mut self.core;
        core.kernel.end_child(status, kernel);
        if let Some(memory) = memory {
            core.memory.come_back(&core.engine, memory).map_err(stopped)?;
            core.engine.forget_code().map_err(stopped)?;
        }
        core.engine.restore(&registers).map_err(stopped)?;
        let max_depth = self.max_depth();
        self.exchange(&mut followed);
        (self.threads, self.is_scalable) = (threads, is_scalable);
        self.threads.go_on(max_depth, self.steps);
        self.begin_slice();
        self.refresh(at)?;
        Ok(at)
    }

    /// The process becomes another program: returns where that begins.
    #[cold]
    pub(super) fn become_program(&mut self) -> Result<u64, End> {
        let pc = self.core.pc;
        let stopped = |error: MachineError| End::undecided(Reason::Stopped, pc, error.to_string());
        let core = &mut self.core;
        let (Some(program), Some(programs)) = (core.kernel.take_program(), &self.programs) else {
            return Err(End::undecided(Reason::NewProcess, pc, "it becomes another program"));
        };
        let aside = core.memory.put_aside(&core.engine).map_err(stopped)?;
        core.engine.forget_code().map_err(stopped)?;
        // A child that used the memory of its maker leaves it to that.
        if let Some(waiting) = self.processes.last_mut() {
            waiting.memory.get_or_insert(aside);
        }
        let placed = program::place(&program, programs.room, &core.engine, &mut core.memory);
        let placed = placed.map_err(|error| {
            End::undecided(Reason::NewProcess, pc, format!("it becomes another program that does not fit: {error}"))
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
        self.threads.program = self.core.kernel.program();
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

//! A run in progress, without its observer.
#![allow(unsafe_code, reason = "reads guest memory through host pointers")]

use linux::RequestedSignals;
use types::{Abi, AbiFacts, ByteOrder, Event, SignalCounts};
use unicorn_engine::uc_engine;
use witness::{Branch, Observation, Shadow, branches};

use super::followed::Followed;
use super::limits::Limits;
use super::look::{Looked, Vectors};
use super::processes::Processes;
use super::quick::ShortPath;
use super::registers::Registers;
use super::threads::Threads;
use super::{branch_at, holds, is_on_stack, word_at};
use crate::core::{Core, Turn};
use crate::end::{End, Reason};
use crate::memory::{Memory, Window};
use crate::position::Cells;
use crate::prepare::Guest;
use crate::stacks::Stacks;
use crate::target::Watch;
use crate::{Plan, Start, Unicorn};

/// The length that the emulator gives for an x86 instruction it cannot decode.
const UNDECODED: u32 = 0xf1f1_f1f1;

/// A run in progress.
pub(crate) struct Execution {
    pub(crate) core: Core,
    pub(crate) steps: u64,
    pub(super) fixed: Fixed,
    pub(super) limits: Limits,
    /// Frames and stacks of the thread that executes.
    pub(super) followed: Followed,
    pub(super) code: CodeWindow,
    pub(super) registers: Registers,
    pub(super) vectors: Vectors,
    pub(super) short: ShortPath,
    pub(super) threads: Threads,
    pub(super) processes: Processes,
    pub(crate) signals: Signals,
}

/// What does not change during a run.
pub(super) struct Fixed {
    pub(super) abi: Abi,
    pub(super) facts: &'static AbiFacts,
    pub(super) order: ByteOrder,
    pub(super) watch: Watch,
    pub(super) branch: fn(&[u8]) -> Branch,
    pub(super) sentinel: u64,
    pub(super) position: &'static Cells,
}

/// The region of the last instruction.
pub(super) struct CodeWindow {
    pub(super) window: Window,
    /// Number of steps when an instruction last began again.
    pub(super) began_again: Option<u64>,
}

/// The signals that the user requests, and those that were handled.
pub(crate) struct Signals {
    pub(super) requested: RequestedSignals,
    pub(super) counts: SignalCounts,
}

impl Signals {
    /// The counts at the end of the run.
    pub(crate) fn counts(mut self) -> SignalCounts {
        self.requested.count(&mut self.counts);
        self.counts
    }
}

impl CodeWindow {
    /// The bytes from an instruction to the end of the region; `None` outside of it.
    #[inline]
    pub(super) fn get(&self, pc: u64) -> Option<&[u8]> {
        // SAFETY: the region is mapped, and the guest does not run inside the hook.
        let bytes = unsafe { self.window.bytes() };
        bytes.get(usize::try_from(pc.wrapping_sub(self.window.base)).ok()?..)
    }

    /// Moves to the region of an instruction, and returns the bytes from there to its end; `None`
    /// if no memory is there.
    #[inline]
    pub(super) fn go_to(&mut self, pc: u64, memory: &Memory) -> Option<&[u8]> {
        if !self.window.holds(pc) {
            self.window = memory.window(pc)?;
        }
        self.get(pc)
    }
}

impl Execution {
    pub(super) fn new(engine: Unicorn, plan: &Plan<'_>, prepared: Guest) -> Execution {
        let Guest { core, start, sentinel, stack, sp, room, blank } = prepared;
        let abi = plan.image.abi;
        let mut shadow = Shadow::new(abi).with_functions(plan.image.symbols.iter().chain(plan.functions));
        let target = core.engine.target();
        if let Start::Function(_) = plan.start {
            shadow.enter(sentinel, sp, core.engine.read(target.tracked[1]));
        }
        let facts = abi.facts();
        Execution {
            steps: 0,
            limits: Limits::new(engine, plan),
            fixed: Fixed {
                abi,
                facts,
                order: facts.order,
                watch: target.watch,
                branch: branches(abi),
                sentinel,
                position: Cells::current(),
            },
            followed: Followed::new(shadow, Stacks::new(stack), core.memory.epoch()),
            code: CodeWindow { window: core.memory.window(start).unwrap_or(stack), began_again: None },
            registers: Registers::new(&core.engine, abi, start),
            vectors: Vectors::default(),
            short: ShortPath::new(facts.instruction_alignment),
            threads: Threads::default(),
            processes: Processes::new(plan, blank, room),
            signals: Signals { requested: RequestedSignals::new(&plan.signals), counts: SignalCounts::default() },
            core,
        }
    }

    /// Begins the step of an instruction that is about to execute. `None` if it is no step: it
    /// begins again, or the emulator is stopped.
    #[inline]
    pub(super) fn begin_step(
        &mut self,
        uc: *mut uc_engine,
        env: usize,
        pc: u64,
        size: u32,
    ) -> Result<Option<Observation>, End> {
        self.core.calm_until = 0;
        self.go_to(pc);
        self.clear_rest_of_vector(env);
        if self.steps == self.limits.check_at {
            self.limits.check(pc, self.steps)?;
            self.registers.check(uc, env, pc)?;
        }
        let [sp, fp, link] = self.registers.tracked(uc, env);
        if pc == self.fixed.sentinel {
            return Err(self.end_at_sentinel(sp));
        }
        self.go_to_stack(sp, pc)?;
        if pc == self.followed.shadow.pc() && self.begins_again(pc, sp) {
            return Ok(None);
        }
        if self.steps >= self.threads.switch_at {
            self.core.turn(Turn::Switch { pc });
            return Ok(None);
        }
        if !self.core.accesses.are_watched && self.fails_late(pc) {
            self.core.turn(Turn::Watch { pc });
            return Ok(None);
        }
        Ok(Some(Observation { pc, size: u64::from(size), sp, fp, link }))
    }

    /// Begins the step of an instruction for which the hook is not called.
    #[cold]
    pub(super) fn come_to(&mut self, pc: u64) -> Result<Observation, End> {
        self.go_to(pc);
        if self.steps == self.limits.check_at {
            self.limits.check(pc, self.steps)?;
        }
        let [sp, fp, link] = self.registers.given(self.core.engine.handle());
        self.go_to_stack(sp, pc)?;
        Ok(Observation { pc, size: 0, sp, fp, link })
    }

    #[inline]
    fn go_to(&mut self, pc: u64) {
        self.core.pc = pc;
        self.registers.live.pc = pc;
        self.fixed.position.step(self.steps + 1, pc);
    }

    #[inline]
    fn go_to_stack(&mut self, sp: u64, pc: u64) -> Result<(), End> {
        self.refresh(pc)?;
        if self.followed.stack.holds_sp(sp) { Ok(()) } else { self.change_stack(sp, pc) }
    }

    /// Updates the frames for a step; returns the event that it is.
    #[inline]
    pub(super) fn follow(&mut self, at: &Observation) -> Result<Event, End> {
        let Observation { pc, sp, link, .. } = *at;
        let followed = &mut self.followed;
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { followed.stack.bytes() }, followed.stack.base, self.fixed.order);
        if let Some((op, before)) = followed.pending.take() {
            let (regs, abi) = (&self.registers.live, self.fixed.abi);
            let cfa = followed.shadow.frames().last().map_or(sp, |frame| frame.cfa);
            let in_register = |value| op.spares_registers() && holds(regs, abi, value);
            let held = |value| in_register(value) || is_on_stack(bytes, base, sp..cfa, abi, value);
            followed.shadow.authenticate(op, before, link, held);
        }
        let (memory, branch) = (&self.core.memory, self.fixed.branch);
        let top = || word_at(bytes, sp.wrapping_sub(base), order);
        let event = followed.shadow.observe(at, top, |from| branch_at(memory, branch, from));
        let is_switch = followed.switching || event == Event::Unwound;
        let event = if is_switch { self.end_switch(pc, sp, event)? } else { event };
        let followed = &mut self.followed;
        if followed.away && followed.shadow.stacks_left() < followed.stacks.left().count() {
            followed.go_back();
        }
        if followed.shadow.too_deep() {
            let message = format!("more than {} live frames", witness::DEPTH_LIMIT);
            return Err(End::undecided(Reason::DepthLimit, pc, message));
        }
        self.steps += 1;
        Ok(event)
    }

    /// Checks an instruction whose step was shown, before it executes. `None` if the emulator is
    /// stopped.
    #[inline]
    pub(super) fn check_instruction(&mut self, at: &Observation, size: u32) -> Result<Option<Looked>, End> {
        let pc = at.pc;
        self.short.notes.go(pc, &self.core.memory, self.core.memory.version());
        let requested = &mut self.signals.requested;
        if self.steps >= requested.step || requested.by_pc {
            let signals = &mut self.core.kernel.process.signals;
            requested.send_due(pc, self.steps, signals);
            if signals.has_due() {
                self.core.turn(Turn::Signals { pc });
                return Ok(None);
            }
        }
        let looked = if size == UNDECODED { Looked::Lacking } else { self.look(pc, at.link)? };
        if looked == Looked::Lacking {
            self.core.turn(Turn::Lacking { pc });
            return Ok(None);
        }
        if self.steps == self.limits.overwrite_at {
            // The emulator continues with code that it translated before.
            let nop = self.core.engine.target().nop;
            self.core.memory.overwrite_code(nop);
        }
        Ok(Some(looked))
    }

    #[cold]
    fn end_at_sentinel(&self, sp: u64) -> End {
        match self.followed.shadow.frames() {
            [frame] if self.followed.shadow.caller_sp(frame) == sp => End::Sentinel,
            frames => {
                let message = format!("at the sentinel with SP {sp:#x} and {} frames", frames.len());
                End::undecided(Reason::StackImbalance, self.fixed.sentinel, message)
            }
        }
    }
}

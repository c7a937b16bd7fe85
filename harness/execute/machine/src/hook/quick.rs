//! The short path of the hook: steps of instructions that the observer knows by a note, which are
//! most steps. Everything else takes the long path.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use types::memo::{Memo, Note};
use types::{Frames, Pc, Regs, Stack, Step};
use unicorn_engine::uc_engine;
use witness::Observation;

use super::execution::Execution;
use super::look::Looked;
use super::notes::{Noted, Notes};
use super::{Session, branch_at, word_at};
use crate::zarch;

/// What the short path knows.
pub(super) struct ShortPath {
    pub(super) notes: Notes,
    last: Passed,
}

impl ShortPath {
    /// `alignment` is that of instructions in bytes.
    pub(super) fn new(alignment: u64) -> ShortPath {
        ShortPath { notes: Notes::new(alignment), last: Passed::NONE }
    }
}

/// The last step, if it took the short path.
#[derive(Clone, Copy)]
struct Passed {
    /// Address of the instruction.
    pc: u64,
    link: u64,
}

impl Passed {
    /// The last step took the long path: no instruction has this address.
    const NONE: Passed = Passed { pc: u64::MAX, link: 0 };
}

impl<M: Memo> Session<'_, M> {
    /// Handles an instruction that is about to execute.
    #[inline(always)]
    pub(super) fn on_instruction(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) {
        if !self.pass(uc, env, pc, size) {
            self.run.short.last = Passed::NONE;
            self.on_code_slowly(uc, env, pc, size);
        }
    }

    /// Handles the step of a known instruction that changes no frame. Returns false if nothing was
    /// done.
    #[inline(always)]
    fn pass(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) -> bool {
        let run = &mut self.run;
        if run.steps >= run.core.calm_until || !run.registers.state.is(env) {
            return false;
        }
        let noted = run.short.notes.get(pc);
        let Some(note) = noted.note() else { return false };
        if noted.is_checked() && !run.has_right_operands(pc) {
            return false;
        }
        // If the link register has the instruction's address, the instruction may have been called.
        let last = run.short.last;
        if noted.before() != 0 && pc.wrapping_sub(noted.before()) == last.pc && pc != last.link {
            self.observer.hit_alike(note);
            run.followed.shadow.go_on(pc, u64::from(size));
            run.short.last.pc = pc;
            run.count(pc);
            return true;
        }
        // SAFETY: `env` is the state, and the guest does not run inside the hook.
        let [sp, fp, link] = unsafe { run.registers.state.read() };
        if !run.followed.stack.holds_sp(sp) {
            return false;
        }
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { run.followed.stack.bytes() }, run.followed.stack.base, run.fixed.order);
        let at = Observation { pc, size: u64::from(size), sp, fp, link };
        let Some(event) = run.followed.shadow.plain(&at, || word_at(bytes, sp.wrapping_sub(base), order)) else {
            return noted.may_be_called() && self.pass_edge(uc, &at);
        };
        run.registers.live.pc = pc;
        if !self.observer.hit(note, &step_at!(run, at, event)) {
            return false;
        }
        run.followed.shadow.pass(&at);
        run.short.last = Passed { pc, link };
        run.count(pc);
        true
    }

    /// Shows the step of a known instruction that was called or returned to. Returns false if
    /// nothing was done.
    #[inline(never)]
    fn pass_edge(&mut self, uc: *mut uc_engine, at: &Observation) -> bool {
        let run = &mut self.run;
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { run.followed.stack.bytes() }, run.followed.stack.base, run.fixed.order);
        let top = || word_at(bytes, at.sp.wrapping_sub(base), order);
        let links = run.short.notes.get(run.followed.shadow.pc()).may_link();
        let Some(event) = run.followed.shadow.edge(at, top, || links) else { return false };
        run.registers.live.pc = at.pc;
        run.short.last = Passed::NONE;
        run.count(at.pc);
        // A panic must not cross the emulator's C frames; `run` raises it again.
        let show = AssertUnwindSafe(|| self.observer.step(&step_at!(run, at, event)));
        if let Err(payload) = catch_unwind(show) {
            self.stop(uc, payload);
        }
        true
    }

    #[inline(never)]
    fn on_code_slowly(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) {
        let core = &self.run.core;
        if core.end.is_some() || core.turn.is_some() || self.panic.is_some() || core.replaying || core.has_failed() {
            return;
        }
        // A panic must not cross the emulator's C frames; `run` raises it again.
        match catch_unwind(AssertUnwindSafe(|| self.on_code(uc, env, pc, size))) {
            Ok(Ok(())) => {}
            Ok(Err(end)) => self.run.core.finish(end),
            Err(payload) => self.stop(uc, payload),
        }
    }

    #[cold]
    fn stop(&mut self, uc: *mut uc_engine, payload: Box<dyn Any + Send>) {
        self.panic = Some(payload);
        self.run.core.calm_until = 0;
        // SAFETY: the handle is live.
        unsafe { crate::engine::stop(uc) };
    }

    /// Stores the observer's note of an instruction that took the long path, and sets the step
    /// until which the short path may be tried. `before` is the instruction before it.
    #[inline]
    pub(super) fn note(&mut self, pc: u64, before: u64, looked: Looked) {
        if self.run.followed.pending.is_some() {
            return;
        }
        if self.run.short.notes.get(pc).note().is_none()
            && !self.run.is_overwritable(pc)
            && let Some(note) = self.observer.note()
        {
            let length = if self.is_alike(before, note) { self.run.length_of_neutral(before, pc) } else { 0 };
            self.run.keep(pc, note, length, looked);
        }
        self.run.set_calm();
    }

    /// Returns true if the observer would give the same answer at an instruction as where it gave
    /// `note`.
    fn is_alike(&self, pc: u64, note: Note) -> bool {
        self.run.short.notes.get(pc).note().is_some_and(|known| self.observer.are_alike(known, note))
    }
}

impl Execution {
    /// Returns true if the emulator executes the instruction rightly with its current operands.
    #[inline(never)]
    fn has_right_operands(&mut self, pc: u64) -> bool {
        self.adds_no_minimum(pc) || self.look(pc, 0) == Ok(Looked::Checked)
    }

    /// Returns true if the instruction adds or subtracts a register that is no minimum of 32 or 64
    /// bits: these sums are right, and they are nearly all that is checked.
    fn adds_no_minimum(&self, pc: u64) -> bool {
        let term = || zarch::right_term(self.code.get(pc)?);
        // SAFETY: `pass` calls this where it is the state; only s390x has such instructions.
        let value = || unsafe { self.registers.state.general(term()?) };
        value().is_some_and(|value| !zarch::is_minimum(value))
    }

    #[inline(always)]
    fn count(&mut self, pc: u64) {
        self.core.pc = pc;
        self.steps += 1;
        self.fixed.position.step(self.steps, pc);
    }

    /// Stores a note; `before`: see [`Noted::before`].
    fn keep(&mut self, pc: u64, note: Note, before: u64, looked: Looked) {
        let branch = branch_at(&self.core.memory, self.fixed.branch, pc);
        if let Some(noted) = Noted::new(note, before, branch) {
            let noted = if looked == Looked::Checked { noted.checked() } else { noted };
            self.short.notes.keep(pc, noted, &self.core.memory);
        }
    }

    /// Sets the next step at which another event than a step is due, if none is now: end, turn,
    /// replay, signal or stack switch.
    fn set_calm(&mut self) {
        let (core, followed, requested) = (&mut self.core, &self.followed, &self.signals.requested);
        let over = core.end.is_some() || core.turn.is_some() || core.replaying;
        if over || followed.switching || followed.away || requested.by_pc || !followed.shadow.is_calm() {
            return;
        }
        // Signals arrive, and code is overwritten, after the step is counted.
        let after = requested.step.min(self.limits.overwrite_at).saturating_sub(1);
        core.calm_until = self.limits.check_at.min(after).min(self.threads.switch_at);
    }

    /// Length in bytes of the instruction at `from`, if it does not affect unwinding and `to` is
    /// the next one; 0 otherwise.
    fn length_of_neutral(&self, from: u64, to: u64) -> u64 {
        let length = to.wrapping_sub(from);
        let code = (1..16).contains(&length).then(|| self.core.memory.read(from, length as usize)).flatten();
        let is_neutral = code.is_some_and(|code| {
            let decoded = isa::flow::decode(self.fixed.abi, code, from).map(|insn| u64::from(insn.length));
            decoded == Some(length) && isa::flow::is_neutral(self.fixed.abi, code, from)
        });
        if is_neutral { length } else { 0 }
    }
}

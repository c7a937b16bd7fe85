//! The short path of the hook: steps of instructions that the observer knows by a note, which are
//! most steps. Everything else takes the long path.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use types::memo::{Memo, Note};
use types::{Frames, Pc, Regs, Stack, Step};
use unicorn_engine::uc_engine;
use witness::{Branch, Observation};

use super::look::Looked;
use super::notes::Noted;
use super::{Session, branch_at, word_at};
use crate::end::{End, Reason};
use crate::later;

/// The last step, if it took the short path.
#[derive(Clone, Copy)]
pub(super) struct Passed {
    /// Address of the instruction.
    pc: u64,
    link: u64,
}

impl Passed {
    /// The last step took the long path: no instruction has this address.
    pub(super) const NONE: Passed = Passed { pc: u64::MAX, link: 0 };
}

impl<M: Memo> Session<'_, M> {
    /// Handles an instruction that is about to execute.
    #[inline(always)]
    pub(super) fn on_instruction(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) {
        if !self.pass(uc, env, pc, size) {
            self.passed = Passed::NONE;
            self.on_code_slowly(uc, env, pc, size);
        }
    }

    /// Handles the step of a known instruction that changes no frame. Returns false if nothing was
    /// done.
    #[inline(always)]
    fn pass(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) -> bool {
        if self.steps >= self.core.calm_until || !self.state.is(env) {
            return false;
        }
        let noted = self.notes.get(pc);
        let Some(note) = noted.note() else { return false };
        if noted.is_checked() && !self.has_right_operands(pc) {
            return false;
        }
        // If the link register has the instruction's address, the instruction may have been called.
        if noted.before() != 0 && pc.wrapping_sub(noted.before()) == self.passed.pc && pc != self.passed.link {
            self.observer.hit_alike(note);
            self.shadow.go_on(pc, u64::from(size));
            self.passed.pc = pc;
            self.count(pc);
            return true;
        }
        // SAFETY: `env` is the state, and the guest does not run inside the hook.
        let [sp, fp, link] = unsafe { self.state.read() };
        if !self.stack.holds_sp(sp) {
            return false;
        }
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { self.stack.bytes() }, self.stack.base, self.order);
        let at = Observation { pc, size: u64::from(size), sp, fp, link };
        let Some(event) = self.shadow.plain(&at, || word_at(bytes, sp.wrapping_sub(base), order)) else {
            return noted.may_be_called() && self.pass_edge(uc, at);
        };
        self.regs.pc = pc;
        let step = step_at!(self, pc, event, [sp, fp, link]);
        if !self.observer.hit(note, &step) {
            return false;
        }
        self.shadow.pass(&at);
        self.passed = Passed { pc, link };
        self.count(pc);
        true
    }

    /// Shows the step of a known instruction that was called or returned to. Returns false if
    /// nothing was done.
    #[inline(never)]
    fn pass_edge(&mut self, uc: *mut uc_engine, at: Observation) -> bool {
        let Observation { pc, sp, fp, link, .. } = at;
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { self.stack.bytes() }, self.stack.base, self.order);
        let top = || word_at(bytes, sp.wrapping_sub(base), order);
        let Some(event) = self.shadow.edge(&at, top) else { return false };
        self.regs.pc = pc;
        self.passed = Passed::NONE;
        self.count(pc);
        // A panic must not cross the emulator's C frames; `run` raises it again.
        let show = AssertUnwindSafe(|| self.observer.step(&step_at!(self, pc, event, [sp, fp, link])));
        if let Err(payload) = catch_unwind(show) {
            self.stop(uc, payload);
        }
        true
    }

    /// Returns true if the emulator executes the instruction rightly with its current operands.
    #[inline(never)]
    fn has_right_operands(&mut self, pc: u64) -> bool {
        self.adds_no_minimum(pc) || self.look(pc, 0) == Ok(Looked::Checked)
    }

    /// Returns true if the instruction adds or subtracts a register that is no minimum of 32 or 64
    /// bits: these sums are right, and they are nearly all that is checked.
    fn adds_no_minimum(&self, pc: u64) -> bool {
        // SAFETY: the region is mapped, and the guest does not run inside the hook.
        let code = || unsafe { self.code.bytes() }.get((pc - self.code.base) as usize..);
        let term = || later::right_term(self.code.holds(pc).then(code)??);
        // SAFETY: `pass` calls this where it is the state; only s390x has such instructions.
        term().and_then(|number| unsafe { self.state.general(number) }).is_some_and(|value| !later::is_minimum(value))
    }

    #[inline(always)]
    fn count(&mut self, pc: u64) {
        self.core.pc = pc;
        self.steps += 1;
        self.position.step(self.steps, pc);
    }

    #[inline(never)]
    fn on_code_slowly(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) {
        let over = self.core.end.is_some() || self.core.turn.is_some() || self.panic.is_some();
        if over || self.core.replaying || self.core.has_failed() {
            return;
        }
        // A panic must not cross the emulator's C frames; `run` raises it again.
        match catch_unwind(AssertUnwindSafe(|| self.on_code(uc, env, pc, size))) {
            Ok(Ok(())) => {}
            Ok(Err(end)) => self.core.finish(end),
            Err(payload) => self.stop(uc, payload),
        }
    }

    #[cold]
    pub(super) fn stop(&mut self, uc: *mut uc_engine, payload: Box<dyn Any + Send>) {
        self.panic = Some(payload);
        self.core.calm_until = 0;
        // SAFETY: the handle is live.
        unsafe { crate::engine::stop(uc) };
    }

    /// Stores the observer's note of an instruction that took the long path, and sets the step
    /// until which the short path may be tried.
    #[inline]
    pub(super) fn calm_down(&mut self, pc: u64, before: u64, looked: Looked) {
        if self.pending.is_some() {
            return;
        }
        if self.notes.get(pc).note().is_none()
            && !self.is_overwritable(pc)
            && let Some(note) = self.observer.note()
        {
            let length = if self.leads_on(before, pc, note) { pc - before } else { 0 };
            let branch = branch_at(&self.core.memory, self.branch, pc);
            let makes_frame = !matches!(branch, Branch::Discards | Branch::Retpoline);
            if let Some(noted) = Noted::new(note, length, makes_frame) {
                let noted = if looked == Looked::Checked { noted.checked() } else { noted };
                self.notes.keep(pc, noted, &self.core.memory);
            }
        }
        if self.is_calm() {
            self.core.calm_until = self.calm_until();
        }
    }

    /// Returns true if only steps are due: no end, turn, replay, signal or stack switch.
    pub(super) fn is_calm(&self) -> bool {
        let over = self.core.end.is_some() || self.core.turn.is_some() || self.core.replaying;
        !over && !self.switching && !self.away && !self.requested.by_pc && self.shadow.is_calm()
    }

    /// The next step at which another event is due.
    pub(super) fn calm_until(&self) -> u64 {
        // Signals arrive, and code is overwritten, after the step is counted.
        let after = self.requested.step.min(self.overwrite_at).saturating_sub(1);
        self.look_at.min(after).min(self.threads.switch_at)
    }

    /// Returns true if `from` does not affect unwinding, and the observer would give the same
    /// answer at `to`.
    fn leads_on(&self, from: u64, to: u64, note: Note) -> bool {
        let code = || self.core.memory.read(from, usize::try_from(to.checked_sub(from)?).ok()?);
        let known = self.notes.get(from).note();
        known.is_some_and(|known| self.observer.are_alike(known, note))
            && (1..16).contains(&to.wrapping_sub(from))
            && code().is_some_and(|code| {
                let length = isa::flow::decode(self.abi, code, from).map(|insn| usize::from(insn.length));
                length == Some(code.len()) && isa::flow::is_aside(self.abi, code, from)
            })
    }

    /// Compares the registers read directly from the emulator's state with those that its interface
    /// gives.
    #[cold]
    pub(super) fn look_at_registers(&mut self, uc: *mut uc_engine, env: usize, pc: u64) -> Result<(), End> {
        // SAFETY: it is the state, and the guest does not run inside the hook.
        if self.state.is(env) && unsafe { self.state.read() } != self.given(uc) {
            let message = "the emulator's registers are not where they were".to_owned();
            return Err(End::undecided(Reason::Stopped, pc, message));
        }
        Ok(())
    }
}

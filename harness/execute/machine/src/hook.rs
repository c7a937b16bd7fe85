//! The hot path: the hook on every instruction. One raw hook; stack and code are read through host
//! pointers; a step allocates nothing.
//!
//! Optimizations. Each is kept for its gain, here in nanoseconds per judged step of the program of
//! `ci/ratios`, AMD64. An empty hook takes 17 in a development build, 15 in a release.
//!
//! | Means | Where | Build | With it | Without |
//! |---|---|---|---|---|
//! | Instructions that are noted: a step is a few comparisons | `quick.rs`, `notes.rs` | development | 34 | 151 |
//! | Steps handled so that are alike to the one before: only counted | `quick.rs`, `length_of_neutral` | development | 34 | 45 |
//! | SP, FP and link register read from the processor's state, not by the emulator's interface | `registers.rs`, `enter.rs` | development | 34 | 122 |
//! | Calls and returns of noted instructions, 4 steps in 100: not the long way | `quick.rs`, `pass_edge` | release | 23 | 25 |
//!
//! Recording whole blocks of noted steps for a second processor gained as much again, in programs
//! of more than a million steps without shared objects or threads, for 3,000 lines: it was deleted.
//!
//! All are optional: any change of state takes the long path, with the same steps shown
//! (`--every-step`).
#![allow(
    unsafe_code,
    reason = "a C callback that is handed the session as a pointer, and reads guest memory through host pointers"
)]

/// The live stack at this SP.
macro_rules! stack_at {
    ($run:expr, $sp:expr) => {
        Stack::new(
            $run.followed.stack.base,
            // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
            unsafe { $run.followed.stack.bytes() },
            $sp.saturating_sub($run.fixed.facts.red_zone),
            $run.fixed.order,
            $run.followed.stacks.left(),
        )
    };
}

/// Creates a `Step` of an execution. A macro, so that it borrows single fields while others change.
macro_rules! step_at {
    ($run:expr, $at:expr, $event:expr) => {
        Step {
            pc: Pc($at.pc),
            thread: $run.threads.shown(),
            event: $event,
            regs: Regs {
                abi: $run.fixed.abi,
                sp: $at.sp,
                fp: $at.fp,
                ra: if $run.fixed.facts.link_register { $at.link } else { $at.pc },
                others: &$run.registers.live,
            },
            stack: stack_at!($run, $at.sp),
            frames: Frames($run.followed.shadow.frames()),
            outermost: $run.followed.shadow.outermost(),
            changes: $run.followed.shadow.changes(),
            earlier_calls: &$run.followed.shadow,
        }
    };
}

mod again;
mod enter;
mod execution;
mod followed;
mod limits;
mod look;
#[cfg(test)]
mod neutral;
mod notes;
mod processes;
mod quick;
mod registers;
mod stacks;
mod threads;
mod turns;

use std::any::Any;
use std::ptr;

use types::memo::Memo;
use types::{Abi, ByteOrder, Frames, Pc, Reg, RegFile, Regs, Stack, Step};
use unicorn_engine::{HookType, uc_engine, uc_error};
use witness::{Branch, Observation};

use crate::core::{Core, Turn};
use crate::end::End;
use crate::engine::LiveRegs;
use crate::memory::Memory;
use crate::prepare::{Guest, NOWHERE};
use crate::{MachineError, Plan, Unicorn, pages};

use execution::Execution;
use look::Looked;

/// A run in progress, and its observer. What needs no observer is of the [`Execution`], so that it
/// is compiled once for all.
pub(crate) struct Session<'o, M> {
    pub(crate) run: Execution,
    pub(crate) panic: Option<Box<dyn Any + Send>>,
    observer: &'o mut M,
}

impl<'o, M: Memo> Session<'o, M> {
    pub(crate) fn new(engine: Unicorn, plan: &Plan<'_>, prepared: Guest, observer: &'o mut M) -> Self {
        Session { run: Execution::new(engine, plan, prepared), panic: None, observer }
    }

    /// Runs from `start` until the guest ends.
    pub(crate) fn execute(&mut self, start: u64) -> Result<Result<(), uc_error>, MachineError> {
        let session = ptr::from_mut(self);
        // SAFETY: `session` stays in place and is not otherwise used until the engine has stopped:
        // the hooks are the only users, one at a time, and they are called from `start` alone. The
        // last is a code hook's callback.
        unsafe {
            Core::install_hooks(&raw mut (*session).run.core)?;
            pages::install(&raw mut (*session).run.core)?;
            (*session).run.core.engine.hook(HookType::CODE, enter::callback::<M>(), session.cast())?;
        }
        let mut at = Ok(start);
        loop {
            let mut outcome = Ok(());
            if let Ok(at) = at {
                // SAFETY: as above.
                outcome = unsafe { Core::execute(&raw mut (*session).run.core, at, NOWHERE, 0) };
            }
            // SAFETY: nothing executes any more.
            let stopped = unsafe { &mut *session };
            let goes_on = stopped.run.core.end.is_none() && stopped.panic.is_none();
            at = match stopped.run.core.turn.take().filter(|_| goes_on) {
                None => return Ok(outcome),
                Some(Turn::Watch { pc }) => {
                    // SAFETY: as above.
                    unsafe { Core::watch_accesses(&raw mut (*session).run.core) };
                    Ok(pc)
                }
                Some(turn) => stopped.turn(turn).map_err(|end| stopped.run.core.end = Some(end)),
            };
        }
    }

    /// Handles the event, and returns the PC at which to continue.
    #[cold]
    fn turn(&mut self, turn: Turn) -> Result<u64, End> {
        if let Turn::Deadly { pc } = turn
            && self.run.core.is_deadly(pc)
        {
            // The hook is not called for this instruction.
            let at = self.run.come_to(pc)?;
            self.show(&at)?;
        }
        self.run.turn(turn)
    }

    #[inline]
    fn on_code(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) -> Result<(), End> {
        let Some(at) = self.run.begin_step(uc, env, pc, size)? else { return Ok(()) };
        let before = self.run.followed.shadow.pc();
        self.show(&at)?;
        match self.run.check_instruction(&at, size)? {
            None | Some(Looked::EachTime) => {}
            Some(looked) => self.note(pc, before, looked),
        }
        Ok(())
    }

    /// Updates the frames for a step, and shows the step to the observer.
    #[inline]
    fn show(&mut self, at: &Observation) -> Result<(), End> {
        let event = self.run.follow(at)?;
        self.observer.step(&step_at!(self.run, at, event));
        Ok(())
    }
}

#[inline]
fn word_at(bytes: &[u8], offset: u64, order: ByteOrder) -> Option<u64> {
    bytes.get(usize::try_from(offset).ok()?..)?.first_chunk::<8>().map(|word| order.u64(*word))
}

/// The kind of branch of the instruction at an address. Computed only when needed, long after the
/// instruction was executed.
#[cold]
fn branch_at(memory: &Memory, branch: fn(&[u8]) -> Branch, from: u64) -> Branch {
    // Maximum length that any target needs, thunks included; fewer bytes at the end of a region.
    const MOST: usize = 32;
    (2..=MOST).rev().find_map(|len| memory.read(from, len)).map_or(Branch::Other, branch)
}

/// Returns true if a register other than the link register holds `value`.
#[cold]
fn holds(regs: &LiveRegs, abi: Abi, value: u64) -> bool {
    let facts = abi.facts();
    (0..facts.keeping_registers).map(Reg).filter(|reg| *reg != facts.ra).any(|reg| regs.read(reg) == Some(value))
}

/// Returns true if an aligned word of the live stack equals `value`.
#[cold]
fn is_on_stack(bytes: &[u8], base: u64, live: std::ops::Range<u64>, abi: Abi, value: u64) -> bool {
    let offset = |address: u64| usize::try_from(address.checked_sub(base)?).ok();
    let words = offset(live.start & !7).zip(offset(live.end)).and_then(|(from, to)| bytes.get(from..to));
    words.is_some_and(|words| {
        words.chunks_exact(8).any(|word| word.try_into().is_ok_and(|word| abi.facts().order.u64(word) == value))
    })
}

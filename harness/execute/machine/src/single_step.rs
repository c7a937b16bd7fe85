//! The second, slow witness: one instruction per entry into the emulator, all state read from
//! outside, and simple frame tracking of its own. It follows calls and returns but neither
//! `longjmp` nor pointer authentication nor signals. It exists to be compared with [`crate::run`];
//! they share the loading of the image, the kernel and the permissions of pages, but nothing of the
//! hook on instructions.
#![allow(unsafe_code, reason = "registers and stack are read through the emulator's handle and host pointers")]

use std::collections::BTreeSet;
use std::time::Instant;

use types::memo::Memo;
use types::{Abi, Event, Frame, Frames, Observer, Outermost, Pc, Regs, Stack, Step, ThreadId};

use crate::arch::target;
use crate::core::{Core, Turn};
use crate::end::{End, Reason};
use crate::engine::LiveRegs;
use crate::prepare::{NOWHERE, prepare};
use crate::{Backend, MachineError, Plan, Run, Start, pages};

/// The engine that executes one instruction at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SingleStep;

impl Backend for SingleStep {
    type Error = MachineError;

    fn run<M: Memo>(&self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, MachineError> {
        run(plan, observer)
    }
}

/// Executes the plan one instruction at a time. [`Event`] is never [`Event::Jump`] or
/// [`Event::Unwound`].
pub fn run(plan: &Plan<'_>, observer: &mut dyn Observer) -> Result<Run, MachineError> {
    let prepared = prepare(plan)?;
    let (abi, sentinel) = (plan.image.abi, prepared.sentinel);
    let facts = abi.facts();
    let owner = Owner(Box::into_raw(Box::new(prepared.core)));
    // SAFETY: the guest stays in place until `owner` is dropped, and is borrowed only between
    // executions.
    unsafe {
        Core::install_hooks(owner.0)?;
        pages::install(owner.0)?;
    }
    // SAFETY: as above; nothing executes yet.
    let core = unsafe { &*owner.0 };
    let target = core.engine.target();
    let functions = plan.image.symbols.iter().filter(|symbol| symbol.function && symbol.size > 0);
    let starts = functions.map(|symbol| symbol.address).collect();
    let mut frames = PlainFrames { abi, frames: Vec::new(), starts, before: None };
    if let Start::Function(_) = plan.start {
        frames.push(prepared.sentinel, prepared.sp, core.engine.read(target.tracked[1]));
    }
    let (mut pc, mut steps, mut max_depth) = (prepared.start, 0, frames.frames.len());
    let end = loop {
        // SAFETY: nothing executes until `Core::execute` below, before which this borrow ends.
        let core = unsafe { &mut *owner.0 };
        core.pc = pc;
        if steps == plan.step_limit {
            break End::undecided(Reason::StepLimit, pc, format!("the limit of {steps} steps was reached"));
        }
        if plan.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            break End::undecided(Reason::TimeLimit, pc, "the time limit was reached");
        }
        let [sp, fp, link] = target.tracked.map(|id| core.engine.read(id));
        let window = core.memory.window(sp).unwrap_or(prepared.stack);
        // SAFETY: the region is mapped, and the guest does not run until `start` below.
        let bytes = unsafe { window.bytes() };
        let stack = Stack::new(window.base, bytes, sp.saturating_sub(facts.red_zone), facts.order, &());
        let ra = if facts.link_register { Some(link) } else { stack.read(sp).ok() };
        let event = frames.observe(pc, sp, fp, ra, core);
        max_depth = max_depth.max(frames.frames.len());
        steps += 1;
        let ra = if facts.link_register { link } else { pc };
        // SAFETY: the engine lives in `core`, which outlives the step.
        let regs = unsafe { LiveRegs::new(&core.engine, pc) };
        let regs = Regs { abi, sp, fp, ra, others: &regs };
        observer.step(&Step {
            pc: Pc(pc),
            thread: ThreadId::FIRST,
            outermost: Outermost::Begun,
            event,
            regs,
            stack,
            frames: Frames(&frames.frames),
            changes: 0,
            earlier_calls: &(),
        });
        if target.halt.is_some_and(|halt| core.memory.read(pc, 1) == Some(&[halt])) {
            break End::Halt(Pc(pc));
        }
        let mut outcome = Ok(());
        if core.lacks(pc) {
            core.turn = Some(Turn::Lacking { pc });
        } else {
            // SAFETY: the hooks are installed, and the borrow above is not used again before the
            // next.
            outcome = unsafe { Core::execute(owner.0, pc, NOWHERE, 1) };
        }
        // SAFETY: nothing executes any more.
        let core = unsafe { &mut *owner.0 };
        if let Some(Turn::Lacking { pc: at } | Turn::Deadly { pc: at }) = core.turn {
            core.pc = at;
            core.turn = None;
            if let Some(next) = core.execute_substitute(at) {
                pc = next;
                continue;
            }
        }
        match core.turn {
            None | Some(Turn::Watch { .. }) => {}
            Some(Turn::Made { .. } | Turn::Switch { .. } | Turn::ThreadOver) => {
                break End::undecided(Reason::Thread, pc, "a thread was made");
            }
            Some(Turn::Forked { .. } | Turn::ProcessOver { .. } | Turn::Becomes) => {
                break End::undecided(Reason::NewProcess, pc, "a process or program was made");
            }
            Some(
                Turn::Signals { .. }
                | Turn::Caused { .. }
                | Turn::Lacking { .. }
                | Turn::Deadly { .. }
                | Turn::HandlerOver { .. },
            ) => {
                break End::undecided(Reason::SignalHandler, pc, "a signal is to be handled, or its handler is over");
            }
        }
        if core.end.is_some() || outcome.is_err() {
            break core.conclude(outcome, None);
        }
        pc = core.engine.read(target.pc);
        if pc == sentinel {
            break End::Sentinel;
        }
    };
    // SAFETY: nothing executes any more.
    let kernel = unsafe { &mut (*owner.0).kernel };
    Ok(Run::new(steps, end, max_depth, kernel))
}

/// Owns a guest, and frees it.
struct Owner(*mut Core);

impl Drop for Owner {
    fn drop(&mut self) {
        // SAFETY: the pointer came from `Box::into_raw`, and nothing executes any more.
        drop(unsafe { Box::from_raw(self.0) });
    }
}

/// Tracks calls and returns by simple rules.
struct PlainFrames {
    abi: Abi,
    frames: Vec<Frame>,
    /// Starts of functions, from their symbols.
    starts: BTreeSet<u64>,
    /// PC and SP before the last instruction.
    before: Option<(u64, u64)>,
}

impl PlainFrames {
    fn observe(&mut self, pc: u64, sp: u64, fp: u64, ra: Option<u64>, core: &Core) -> Event {
        let Some((last_pc, last_sp)) = self.before.replace((pc, sp)) else { return Event::Entry };
        let facts = self.abi.facts();
        let pushed = facts.link_register || sp == last_sp.wrapping_add_signed(-facts.cfa_minus_sp_at_entry);
        if let Some(ra) =
            ra.filter(|ra| pushed && (*ra != pc || self.starts.contains(&pc)) && self.is_after(last_pc, *ra, core))
        {
            self.push(ra, sp, fp);
            return Event::Call;
        }
        let offset = self.abi.facts().caller_sp_minus_cfa;
        let over = |frame: &&Frame| {
            let caller_sp = frame.cfa.wrapping_add_signed(offset);
            caller_sp < sp || caller_sp == sp && frame.ra.0 == pc
        };
        let live = self.frames.len() - self.frames.iter().rev().take_while(over).count();
        let returned = live < self.frames.len();
        self.frames.truncate(live);
        if returned { Event::Return } else { Event::Sequential }
    }

    /// Returns true if `ra` may be the address after a call at `pc`, by its length.
    fn is_after(&self, pc: u64, ra: u64, core: &Core) -> bool {
        let first = core.memory.read(pc, 1).and_then(|code| code.first().copied());
        (target(self.abi).call_length)(first, ra.wrapping_sub(pc))
    }

    fn push(&mut self, ra: u64, sp: u64, fp: u64) {
        let cfa = sp.wrapping_add_signed(self.abi.facts().cfa_minus_sp_at_entry);
        self.frames.push(Frame::called(Pc(ra), cfa, fp));
    }
}

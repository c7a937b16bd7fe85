//! The hot path: the hook on every instruction. One raw hook; stack and code are read through host
//! pointers; a step allocates nothing.
//!
//! Optimizations. Each is kept for its gain, here in nanoseconds per judged step of the program of
//! `ci/ratios`, AMD64. An empty hook takes 17 in a development build, 15 in a release.
//!
//! | Means | Where | Build | With it | Without |
//! |---|---|---|---|---|
//! | Instructions that are noted: a step is a few comparisons | `quick.rs`, `notes.rs` | development | 34 | 151 |
//! | Steps handled so that are alike to the one before: only counted | `quick.rs`, `leads_on` | development | 34 | 45 |
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
    ($session:ident, $sp:expr) => {
        Stack::new(
            $session.stack.base,
            // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
            unsafe { $session.stack.bytes() },
            $sp.saturating_sub($session.facts.red_zone),
            $session.order,
            $session.stacks.left(),
        )
    };
}

/// Creates a `Step`. A macro, so that it borrows single fields of the session while the observer
/// borrows another.
macro_rules! step_at {
    ($session:ident, $pc:expr, $event:expr, [$sp:expr, $fp:expr, $link:expr]) => {
        Step {
            pc: Pc($pc),
            thread: $session.threads.shown(),
            event: $event,
            regs: Regs {
                abi: $session.abi,
                sp: $sp,
                fp: $fp,
                ra: if $session.facts.link_register { $link } else { $pc },
                others: &$session.regs,
            },
            stack: stack_at!($session, $sp),
            frames: Frames($session.shadow.frames()),
            outermost: $session.shadow.outermost(),
            changes: $session.shadow.changes(),
            earlier_calls: &$session.shadow,
        }
    };
}

mod again;
#[cfg(test)]
mod aside;
mod enter;
mod look;
mod notes;
mod processes;
mod quick;
mod registers;
mod stacks;
mod threads;
mod turns;

use std::any::Any;
use std::collections::BTreeMap;
use std::ptr;
use std::time::{Duration, Instant};

use linux::RequestedSignals;
use types::memo::Memo;
use types::{Abi, AbiFacts, ByteOrder, Event, Frames, Pc, Reg, RegFile, Regs, SignalCounts, Stack, Step};
use unicorn_engine::{HookType, uc_engine, uc_error, uc_reg_read_batch};
use witness::{Branch, Observation, PacOp, Shadow, branches};

use crate::core::{Core, Turn};
use crate::end::{End, Reason};
use crate::engine::LiveRegs;
use crate::memory::{Memory, Window};
use crate::position::Cells;
use crate::prepare::{Guest, NOWHERE};
use crate::stacks::Stacks;
use crate::target::Watch;
use crate::{AtLimit, MachineError, Plan, Start, Unicorn, pages};

use look::Looked;
use notes::Notes;
use quick::Passed;
use registers::State;
use threads::Threads;

/// The length that the emulator gives for an x86 instruction it cannot decode.
const UNDECODED: u32 = 0xf1f1_f1f1;

/// Number of steps between checks of the time limit: a few checks a second.
const STEPS_A_LOOK: u64 = 1 << 16;
/// The same for the first check, and the time after which checks become more frequent.
const STEPS_AT_FIRST: u64 = 1 << 8;
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// A run in progress.
pub(crate) struct Session<'o, M> {
    pub(crate) core: Core,
    pub(crate) shadow: Shadow,
    pub(crate) steps: u64,
    pub(crate) panic: Option<Box<dyn Any + Send>>,
    observer: &'o mut M,
    step_limit: u64,
    deadline: Option<Instant>,
    /// The step at which the limits are checked next.
    look_at: u64,
    /// Number of steps between two checks, and the time of the last one, if there is a deadline.
    stride: u64,
    looked: Option<Instant>,
    /// The step after which all code is overwritten.
    overwrite_at: u64,
    abi: Abi,
    facts: &'static AbiFacts,
    order: ByteOrder,
    watch: Watch,
    branch: fn(&[u8]) -> Branch,
    ids: [i32; 3],
    /// The stacks in use; SP is on the innermost one, unless a handler is being left.
    stacks: Stacks,
    stack: Window,
    away: bool,
    switching: bool,
    /// SP before it left all stacks in use.
    sp_left: u64,
    /// The region of the last instruction.
    code: Window,
    /// Number of steps when an instruction last began again.
    began_again: Option<u64>,
    /// A pointer authentication instruction that is not executed yet, and LR before it.
    pending: Option<(PacOp, u64)>,
    /// The program has used scalable vectors.
    is_scalable: bool,
    /// The vector register whose first 128 bits the last instruction wrote.
    written: Option<u8>,
    sentinel: u64,
    /// Epoch of the memory that contains `stack` and `code`.
    epoch: u64,
    regs: LiveRegs,
    state: State,
    notes: Notes,
    passed: Passed,
    threads: Threads,
    /// Those that do not execute.
    processes: BTreeMap<u32, processes::Parked>,
    /// What programs that it becomes begin with; `None` if it can become none.
    programs: Option<processes::Programs>,
    pub(crate) requested: RequestedSignals,
    pub(crate) told: SignalCounts,
    position: &'static Cells,
}

impl<'o, M: Memo> Session<'o, M> {
    pub(crate) fn new(engine: Unicorn, plan: &Plan<'_>, prepared: Guest, observer: &'o mut M) -> Self {
        let abi = plan.image.abi;
        let mut shadow = Shadow::new(abi).with_functions(plan.image.symbols.iter().chain(plan.functions));
        let target = prepared.core.engine.target();
        if let Start::Function(_) = plan.start {
            let fp = prepared.core.engine.read(target.tracked[1]);
            shadow.enter(prepared.sentinel, prepared.sp, fp);
        }
        // SAFETY: the engine lives in the session, beside the registers.
        let regs = unsafe { LiveRegs::new(&prepared.core.engine, prepared.start) };
        let facts = abi.facts();
        Session {
            shadow,
            steps: 0,
            panic: None,
            observer,
            step_limit: plan.step_limit,
            deadline: plan.deadline,
            overwrite_at: match engine.at_limit {
                AtLimit::Translate => u64::MAX,
                AtLimit::OverwriteCode => plan.step_limit,
            },
            look_at: 0,
            stride: if plan.deadline.is_some() { STEPS_AT_FIRST } else { STEPS_A_LOOK },
            looked: None,
            abi,
            facts,
            order: facts.order,
            watch: target.watch,
            branch: branches(abi),
            ids: target.tracked,
            stacks: Stacks::new(prepared.stack),
            stack: prepared.stack,
            away: false,
            switching: false,
            sp_left: 0,
            code: prepared.core.memory.window(prepared.start).unwrap_or(prepared.stack),
            began_again: None,
            pending: None,
            is_scalable: false,
            written: None,
            sentinel: prepared.sentinel,
            epoch: prepared.core.memory.epoch(),
            regs,
            state: State::new(abi),
            notes: Notes::new(facts.instruction_alignment),
            passed: Passed::NONE,
            threads: Threads::default(),
            processes: BTreeMap::new(),
            programs: prepared.blank.map(|blank| processes::Programs::new(plan, blank, prepared.room)),
            requested: RequestedSignals::new(&plan.signals),
            told: SignalCounts::default(),
            position: Cells::current(),
            core: prepared.core,
        }
    }

    /// Runs from `start` until the guest ends.
    pub(crate) fn execute(&mut self, start: u64) -> Result<Result<(), uc_error>, MachineError> {
        let session = ptr::from_mut(self);
        // SAFETY: `session` stays in place and is not otherwise used until the engine has stopped:
        // the hooks are the only users, one at a time, and they are called from `start` alone. The
        // last is a code hook's callback.
        unsafe {
            Core::install_hooks(&raw mut (*session).core)?;
            pages::install(&raw mut (*session).core)?;
            (*session).core.engine.hook(HookType::CODE, enter::callback::<M>(), session.cast())?;
        }
        let mut at = Ok(start);
        loop {
            let mut outcome = Ok(());
            if let Ok(at) = at {
                // SAFETY: as above.
                outcome = unsafe { Core::execute(&raw mut (*session).core, at, NOWHERE, 0) };
            }
            // SAFETY: nothing executes any more.
            let stopped = unsafe { &mut *session };
            let goes_on = stopped.core.end.is_none() && stopped.panic.is_none();
            at = match stopped.core.turn.take().filter(|_| goes_on) {
                None => return Ok(outcome),
                Some(Turn::Watch { pc }) => {
                    // SAFETY: as above.
                    unsafe { Core::watch_accesses(&raw mut (*session).core) };
                    Ok(pc)
                }
                Some(turn) => stopped.turn(turn).map_err(|end| stopped.core.end = Some(end)),
            };
        }
    }

    #[cold]
    fn look_at_limits(&mut self, pc: u64) -> Result<(), End> {
        if self.steps == self.step_limit {
            return Err(End::undecided(
                Reason::StepLimit,
                pc,
                format!("the limit of {} steps was reached", self.step_limit),
            ));
        }
        if let Some(deadline) = self.deadline {
            let now = Instant::now();
            if now >= deadline {
                return Err(End::undecided(Reason::TimeLimit, pc, "the time limit was reached"));
            }
            // A step can take long: the observer may walk thousands of frames at each.
            let was_slow = self.looked.is_some_and(|looked| now - looked > LONGEST_LOOK);
            let stride = if was_slow { self.stride / 8 } else { self.stride * 2 };
            self.stride = stride.clamp(1, STEPS_A_LOOK);
            self.looked = Some(now);
        }
        self.look_at = self.step_limit.min(self.steps + self.stride);
        Ok(())
    }

    #[inline]
    fn on_code(&mut self, uc: *mut uc_engine, env: usize, pc: u64, size: u32) -> Result<(), End> {
        self.core.calm_until = 0;
        self.core.pc = pc;
        self.regs.pc = pc;
        self.position.step(self.steps + 1, pc);
        self.clear_rest_of_vector(env);
        if self.steps == self.look_at {
            self.look_at_limits(pc)?;
            self.look_at_registers(uc, env, pc)?;
        }
        let [sp, fp, link] = self.tracked(uc, env);
        if pc == self.sentinel {
            return Err(self.end_at_sentinel(sp));
        }
        if self.epoch != self.core.memory.epoch() {
            self.refresh(pc)?;
        }
        if !self.stack.holds_sp(sp) {
            self.change_stack(sp, pc)?;
        }
        if pc == self.shadow.pc() && self.begins_again(pc, sp) {
            return Ok(());
        }
        if self.steps >= self.threads.switch_at {
            self.core.turn(Turn::Switch { pc });
            return Ok(());
        }
        if !self.core.watches_accesses && self.fails_late(pc) {
            self.core.turn(Turn::Watch { pc });
            return Ok(());
        }
        let before = self.shadow.pc();
        self.witness(&Observation { pc, size: u64::from(size), sp, fp, link })?;
        self.notes.go(pc, &self.core.memory, self.core.memory.version());
        if self.steps >= self.requested.step || self.requested.by_pc {
            self.requested.send_due(pc, self.steps, &mut self.core.kernel.process.signals);
            if self.core.kernel.process.signals.has_due() {
                self.core.turn(Turn::Signals { pc });
                return Ok(());
            }
        }
        let looked = if size == UNDECODED { Looked::Lacking } else { self.look(pc, link)? };
        if looked == Looked::Lacking {
            self.core.turn(Turn::Lacking { pc });
            return Ok(());
        }
        if self.steps == self.overwrite_at {
            // The emulator continues with code that it translated before.
            let nop = self.core.engine.target().nop;
            self.core.memory.overwrite_code(nop);
        }
        if looked != Looked::EachTime {
            self.calm_down(pc, before, looked);
        }
        Ok(())
    }

    /// Shows the step of an instruction for which the hook is not called.
    #[cold]
    fn come_to(&mut self, pc: u64) -> Result<(), End> {
        self.core.pc = pc;
        self.regs.pc = pc;
        self.position.step(self.steps + 1, pc);
        if self.steps == self.look_at {
            self.look_at_limits(pc)?;
        }
        let [sp, fp, link] = self.given(self.core.engine.handle());
        if self.epoch != self.core.memory.epoch() {
            self.refresh(pc)?;
        }
        if !self.stack.holds_sp(sp) {
            self.change_stack(sp, pc)?;
        }
        self.witness(&Observation { pc, size: 0, sp, fp, link })
    }

    /// Updates the frames for a step, and shows the step to the observer.
    #[inline]
    fn witness(&mut self, at: &Observation) -> Result<(), End> {
        let Observation { pc, sp, fp, link, .. } = *at;
        if let Some((op, before)) = self.pending.take() {
            let (regs, stack, abi) = (&self.regs, self.stack, self.abi);
            let cfa = self.shadow.frames().last().map_or(sp, |frame| frame.cfa);
            // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
            let bytes = unsafe { stack.bytes() };
            let in_register = |value| op.spares_registers() && holds(regs, abi, value);
            let held = |value| in_register(value) || is_on_stack(bytes, stack.base, sp..cfa, abi, value);
            self.shadow.authenticate(op, before, link, held);
        }
        let (memory, branch) = (&self.core.memory, self.branch);
        // SAFETY: the stack's region is mapped, and the guest does not run inside the hook.
        let (bytes, base, order) = (unsafe { self.stack.bytes() }, self.stack.base, self.order);
        let event = self.shadow.observe(
            at,
            || word_at(bytes, sp.wrapping_sub(base), order),
            |from| branch_at(memory, branch, from),
        );
        let event = if self.switching || event == Event::Unwound { self.end_switch(pc, sp, event)? } else { event };
        if self.away && self.shadow.stacks_left() < self.stacks.left().count() {
            self.go_back();
        }
        if self.shadow.too_deep() {
            let message = format!("more than {} live frames", witness::DEPTH_LIMIT);
            return Err(End::undecided(Reason::DepthLimit, pc, message));
        }
        self.steps += 1;
        self.observer.step(&step_at!(self, pc, event, [sp, fp, link]));
        Ok(())
    }

    #[cold]
    fn end_at_sentinel(&self, sp: u64) -> End {
        match self.shadow.frames() {
            [frame] if self.shadow.caller_sp(frame) == sp => End::Sentinel,
            frames => {
                let message = format!("at the sentinel with SP {sp:#x} and {} frames", frames.len());
                End::undecided(Reason::StackImbalance, self.sentinel, message)
            }
        }
    }

    /// The values of SP, FP and link register.
    #[inline]
    fn tracked(&mut self, uc: *mut uc_engine, env: usize) -> [u64; 3] {
        if self.state.is(env) {
            // SAFETY: it is the state, and the guest does not run inside the hook.
            return unsafe { self.state.read() };
        }
        let given = self.given(uc);
        if !self.state.is_known() {
            self.state.believe(env, given);
        }
        given
    }

    /// The values of SP, FP and link register by the emulator's interface.
    fn given(&self, uc: *mut uc_engine) -> [u64; 3] {
        let (mut sp, mut fp, mut link) = (0u64, 0u64, 0u64);
        let mut places = [&raw mut sp, &raw mut fp, &raw mut link];
        let count = 3;
        // SAFETY: three registers of 64 bits into three words; `uc` is the live handle that called
        // the hook. The numbers come from a `Target`, for which the call does not fail. The reads
        // are volatile so that they stay three words: one wide load of words just written one by
        // one stalls the processor.
        unsafe {
            uc_reg_read_batch(uc, self.ids.as_ptr(), places.as_mut_ptr().cast(), count);
            [(&raw const sp).read_volatile(), (&raw const fp).read_volatile(), (&raw const link).read_volatile()]
        }
    }

    /// Moves the code window to an instruction. Returns false if no memory is there.
    fn goes_to(&mut self, pc: u64) -> bool {
        if !self.code.holds(pc) {
            let Some(window) = self.core.memory.window(pc) else { return false };
            self.code = window;
        }
        true
    }
}

/// The word at an offset.
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

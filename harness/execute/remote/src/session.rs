//! A run under a stub: registers, live frames, and stepping.

use std::ops::Range;
use std::time::{Duration, Instant};

use types::{
    Abi, AbiFacts, Event, Frames, Outermost, Pc, Reg, RegFile, Regs, RunEnd, Step, StopReason, Symbol, ThreadId,
};
use witness::{Branch, DEPTH_LIMIT, Observation, PacOp, Shadow, branches, on_link_register};
use witness::{Plan, Run, Start};

use crate::arch::{Asks, asks, is_signal_return};
use crate::calls::Calls;
use crate::code::Code;
use crate::connection::Connection;
use crate::engine::{Remote, StubSource, qemu};
use crate::error::RemoteError;
use crate::process::{Output, Process};
use crate::stack::LiveStack;
use crate::stub::{Registers, Stopped, Stub};

mod alter;
mod exclusive;
mod layout;
mod signals;
mod threads;

pub(crate) use alter::{PRIVATE_FIXED_ANONYMOUS, READ_WRITE};
use exclusive::Monitor;
pub(crate) use layout::ALL;
use signals::SignalState;
pub(crate) use threads::{MakesThread, Parked};

/// Time limit of a run without a deadline: some millions of steps.
const LONGEST: Duration = Duration::from_secs(900);

/// A run in progress, stopped before an instruction.
pub(crate) struct Session {
    abi: Abi,
    facts: &'static AbiFacts,
    process: Option<Process>,
    /// The executing thread.
    thread: ThreadId,
    code: Code,
    stack: LiveStack,
    shadow: Shadow,
    branch: fn(&[u8]) -> Branch,
    registers: Registers,
    event: Event,
    steps: u64,
    /// A pointer authentication instruction that was executed, and the link register before it.
    pending: Option<(PacOp, u64)>,
    signals: SignalState,
    /// The result of the last exclusive load.
    monitor: Option<Monitor>,
    /// Time limit if the plan has no deadline.
    deadline: Instant,
}

impl Session {
    /// Starts the program of a plan, before its first instruction.
    pub(crate) fn new(remote: &Remote, plan: &Plan<'_>) -> Result<Session, RemoteError> {
        let abi = plan.image.abi;
        let laid_out = layout::is_needed(plan, &remote.file);
        let (mut process, connection) = match &remote.target {
            StubSource::Address(address) => (None, Connection::to_address(address)?),
            StubSource::Qemu { fetched } => {
                let qemu = qemu(abi, fetched)?;
                let empty = laid_out.then(|| layout::empty_executable(plan));
                let file = empty.as_deref().unwrap_or(&remote.file);
                let mut process = Process::start(&qemu, plan, file, laid_out)?;
                let connection = process.connect()?;
                (Some(process), connection)
            }
        };
        let stub = match Stub::new(connection, abi) {
            Ok(stub) => stub,
            Err(error) => {
                drop(process.take());
                return Err(error);
            }
        };
        let entry = if laid_out { None } else { Some(plan.image.entry.0) };
        let functions = plan.image.symbols.iter().chain(plan.functions);
        let mut session = Session { process, ..Session::attached(stub, abi, functions, layout::constant(plan))? };
        if let Some(entry) = entry.filter(|entry| *entry != session.pc()) {
            return Err(RemoteError::NotAtEntry { pc: session.pc(), entry });
        }
        if laid_out {
            session.lay_out(plan)?;
            if plan.start == Start::ElfEntry {
                session.begin_process(plan)?;
            }
        }
        Ok(session)
    }

    /// Attaches to a stopped program at its current instruction. `constant` are the ranges of code
    /// that the program cannot write.
    pub(crate) fn attached<'s>(
        mut stub: Stub,
        abi: Abi,
        functions: impl IntoIterator<Item = &'s Symbol>,
        constant: Vec<Range<u64>>,
    ) -> Result<Session, RemoteError> {
        let facts = abi.facts();
        let registers = stub.registers()?;
        let sp = registers.all.read(facts.sp).unwrap_or_default();
        let stack = LiveStack::new(stub, sp, facts.red_zone, facts.order)?;
        Ok(Session {
            abi,
            facts,
            process: None,
            thread: ThreadId::FIRST,
            code: Code::new(abi, constant),
            stack,
            shadow: Shadow::new(abi).with_functions(functions),
            branch: branches(abi),
            registers,
            event: Event::Entry,
            steps: 0,
            pending: None,
            signals: SignalState::default(),
            monitor: None,
            deadline: Instant::now() + LONGEST,
        })
    }

    /// The value of a register.
    pub(crate) fn register(&self, register: Reg) -> u64 {
        self.registers.all.read(register).unwrap_or_default()
    }

    pub(crate) fn abi(&self) -> Abi {
        self.abi
    }

    pub(crate) fn pc(&self) -> u64 {
        self.registers.pc
    }

    pub(crate) fn sp(&self) -> u64 {
        self.register(self.facts.sp)
    }

    pub(crate) fn stub(&mut self) -> &mut Stub {
        self.stack.stub()
    }

    /// Number of witnessed steps.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// The outside dependency of the next instruction.
    pub(crate) fn asks(&self) -> Asks {
        asks(self.abi, &self.registers.all, self.code.bytes(self.pc()))
    }

    /// Updates the frames for the next instruction. The inner error is the end of a run that cannot
    /// be followed. `above` is the number of stack bytes to prefetch.
    pub(crate) fn witness(&mut self, above: u64) -> Result<Result<(), RunEnd>, RemoteError> {
        if let Some(by) = self.signals.interruption.take() {
            self.shadow.interrupt(&by);
            self.signals.interrupted.push(by.sp.saturating_sub(self.facts.red_zone));
        }
        let (pc, sp, fp) = (self.pc(), self.sp(), self.register(self.facts.fp));
        let link = if self.facts.link_register { self.register(self.facts.ra) } else { 0 };
        if !self.stack.holds(sp) {
            let message = format!("SP moved to {sp:#x}, another stack, before {pc:#x}");
            return Ok(Err(RunEnd::undecided(StopReason::StackSwitch, pc, message)));
        }
        self.stack.refresh(sp, above)?;
        let instruction = self.code.at(self.stack.stub(), pc)?;
        let Some(size) = instruction.size else {
            let message = format!("the instruction at {pc:#x} cannot be read or decoded");
            return Ok(Err(RunEnd::undecided(StopReason::IllegalInstruction, pc, message)));
        };
        if let Some((op, before)) = self.pending.take() {
            let cfa = self.shadow.frames().last().map_or(sp, |frame| frame.cfa);
            let (all, facts, stack) = (&self.registers.all, self.facts, &self.stack);
            let in_register = |value| {
                let others = (0..facts.keeping_registers).map(Reg).filter(|register| *register != facts.ra);
                op.spares_registers() && others.into_iter().any(|register| all.read(register) == Some(value))
            };
            self.shadow.authenticate(op, before, link, |value| in_register(value) || stack.has(sp & !7..cfa, value));
        }
        if self.facts.pointer_authentication {
            let before = self.code.bytes(pc.wrapping_sub(4)).first_chunk().map(|word| u32::from_le_bytes(*word));
            self.pending = on_link_register(u32::from_le_bytes(instruction.bytes)).map(|op| (op.after(before), link));
        }
        if !self.signals.interrupted.is_empty() {
            // A handler may end by `longjmp`.
            self.shadow.set_away(self.signals.interrupted.iter().position(|live_from| sp >= *live_from));
        }
        let (stack, code, branch) = (&self.stack, &self.code, self.branch);
        let at = Observation { pc, size, sp, fp, link };
        self.event = self.shadow.observe(&at, || stack.at(sp).at_hand(sp), |from| branch(code.bytes(from)));
        self.signals.interrupted.truncate(self.shadow.stacks_left());
        if self.shadow.too_deep() {
            let message = format!("more than {DEPTH_LIMIT} live frames");
            return Ok(Err(RunEnd::undecided(StopReason::DepthLimit, pc, message)));
        }
        self.steps += 1;
        Ok(Ok(()))
    }

    /// The step before the last witnessed instruction.
    pub(crate) fn step(&self) -> Step<'_> {
        let (pc, sp) = (self.pc(), self.sp());
        Step {
            pc: Pc(pc),
            thread: self.thread,
            outermost: Outermost::Begun,
            event: self.event,
            regs: Regs {
                abi: self.abi,
                sp,
                fp: self.register(self.facts.fp),
                ra: if self.facts.link_register { self.register(self.facts.ra) } else { pc },
                others: &self.registers.all,
            },
            stack: self.stack.at(sp),
            frames: Frames(self.shadow.frames()),
            changes: self.shadow.changes(),
            earlier_calls: &self.shadow,
        }
    }

    /// Executes one instruction; returns the end if the program has ended or cannot be followed.
    pub(crate) fn advance(&mut self) -> Result<Option<RunEnd>, RemoteError> {
        if self.exclusive()? {
            return Ok(None);
        }
        let pc = self.pc();
        let returns = is_signal_return(self.abi, &self.registers.all, self.code.bytes(pc));
        let mut stopped = match self.asks() {
            Asks::Kernel(number) => {
                self.note_call(number)?;
                self.step_over_call(returns)?
            }
            Asks::Nothing
            | Asks::Processor(_)
            | Asks::Unknown(_)
            | Asks::Wrong(_)
            | Asks::Parts(..)
            | Asks::Zeros(_) => self.stub().step(None)?,
        };
        self.registers = match stopped {
            Stopped::Step | Stopped::Signal(_) => self.stub().registers()?,
            _ => self.registers,
        };
        if returns && stopped == Stopped::Step {
            let sp = self.sp();
            if !self.shadow.resume(sp) {
                let message = format!("no function was interrupted with SP {sp:#x}");
                return Ok(Some(RunEnd::undecided(StopReason::SignalHandler, pc, message)));
            }
        }
        if let Stopped::Signal(number) = stopped {
            stopped = self.deliver(number)?;
        }
        Ok(match stopped {
            Stopped::Step => None,
            Stopped::Exited(status) => Some(RunEnd::Exit(status)),
            Stopped::Killed(signal) => {
                Some(RunEnd::undecided(StopReason::Fault, pc, format!("signal {signal} ended the program")))
            }
            Stopped::OtherThread => {
                let message = "another thread executes, which the second engine does not follow";
                Some(RunEnd::undecided(StopReason::Thread, pc, message))
            }
            Stopped::Signal(signal) => {
                let message = format!("signal {signal} while another one was delivered");
                Some(RunEnd::undecided(StopReason::SignalHandler, pc, message))
            }
        })
    }

    /// Executes a system call in one step.
    fn step_over_call(&mut self, returns: bool) -> Result<Stopped, RemoteError> {
        let (calls, pc) = (Calls::of_abi(self.abi), self.pc());
        if !calls.convention.step_goes_on {
            return self.stub().step(None);
        }
        if returns {
            // The address is in the handler's context, which the handler may have changed.
            let at = self.sp().wrapping_add(calls.convention.resumes_at);
            let word = self.stub().read(at, 8)?;
            return match word.first_chunk() {
                Some(word) => {
                    let back = self.facts.order.u64(*word);
                    self.go_back_to(back, calls.convention.code)
                }
                None => self.stub().step(None),
            };
        }
        let size = self.code.at(self.stack.stub(), pc)?.size.unwrap_or(0);
        let stopped = self.step_in(calls.convention.code)?;
        if stopped == Stopped::Step {
            self.go_to(pc.wrapping_add(size))?;
        }
        Ok(stopped)
    }

    /// The first general register that differs from another engine, with the other engine's value
    /// and this one's.
    pub(crate) fn differs_in(&self, others: &dyn RegFile) -> Option<(Reg, [u64; 2])> {
        let registers = (0..self.facts.general_registers).map(Reg);
        // Signatures of return addresses differ, as the keys do.
        let mask = if self.facts.pointer_authentication { self.facts.address_mask } else { u64::MAX };
        registers
            .filter_map(|register| Some((register, [others.read(register)?, self.registers.all.read(register)?])))
            .find(|(_, [one, other])| (one ^ other) & mask != 0)
    }

    /// The first other register that a call preserves, and that differs: floating-point ones.
    pub(crate) fn preserved_differs_in(
        &mut self,
        others: &dyn RegFile,
    ) -> Result<Option<(Reg, [u64; 2])>, RemoteError> {
        let facts = self.facts;
        for register in facts.preserved().filter(|register| register.0 >= facts.general_registers) {
            let second = match self.registers.all.read(register) {
                None => self.stub().half(register)?,
                value => value,
            };
            if let (Some(first), Some(second)) = (others.read(register), second)
                && first != second
            {
                return Ok(Some((register, [first, second])));
            }
        }
        Ok(None)
    }

    /// Adds the frame of the caller of the function that the run starts at.
    pub(crate) fn enter(&mut self, ra: u64, sp: u64, fp: u64) {
        self.shadow.enter(ra, sp, fp);
    }

    /// The end of the run before an instruction that the stub executes wrongly.
    pub(crate) fn would_go_wrong(&self) -> Option<RunEnd> {
        let Asks::Wrong(_) = self.asks() else { return None };
        let message = format!("the instruction at {:#x} would not be executed faithfully by the stub", self.pc());
        Some(RunEnd::undecided(StopReason::IllegalInstruction, self.pc(), message))
    }

    /// Executes `rt_sigreturn`, which continues at `back`. A breakpoint at the call's own address
    /// would stop before the call; in that case a copy of the call is executed.
    fn go_back_to(&mut self, back: u64, code: &[u8]) -> Result<Stopped, RemoteError> {
        if back != self.pc() {
            return self.stub().go_on_to(&[back]);
        }
        let copy = back.wrapping_sub(code.len() as u64);
        let usual = self.stub().read(copy, code.len())?;
        if !self.stub().write(copy, code)? {
            return Err(RemoteError::Refused("to write code"));
        }
        self.go_to(copy)?;
        let stopped = self.stub().go_on_to(&[back])?;
        self.stub().write(copy, &usual)?;
        Ok(stopped)
    }

    /// Returns true if the time limit of the run is reached. A step takes thousands of times as
    /// long as reading the clock.
    pub(crate) fn is_late(&self, plan: &Plan<'_>) -> bool {
        Instant::now() >= plan.deadline.unwrap_or(self.deadline)
    }

    /// The end of the run if a limit of the plan is reached.
    pub(crate) fn over_limits(&self, plan: &Plan<'_>) -> Option<RunEnd> {
        let pc = self.pc();
        if self.steps >= plan.step_limit {
            return Some(RunEnd::undecided(
                StopReason::StepLimit,
                pc,
                format!("the limit of {} steps was reached", self.steps),
            ));
        }
        self.is_late(plan).then(|| RunEnd::undecided(StopReason::TimeLimit, pc, "the time limit was reached"))
    }

    /// The result of the run.
    pub(crate) fn finish(mut self, end: RunEnd, threads: u32) -> Run {
        if self.process.is_none() && !matches!(end, RunEnd::Exit(_)) {
            self.stub().kill();
        }
        let Output { bytes, written } = self.process.take().map(Process::finish).unwrap_or_default();
        Run {
            steps: self.steps,
            end,
            max_depth: self.shadow.max_depth(),
            written,
            output: bytes,
            mapped: Vec::new(),
            absent: Default::default(),
            refused: Vec::new(),
            threads,
            processes: 1,
            programs: 1,
            signals: self.signals.counts,
        }
    }
}

//! The second engine, which follows the steps of the first.

use std::collections::BTreeMap;

use types::{Event, Pc, Reg, RegFile as _, RunEnd, Step, StopReason, ThreadId};
use witness::{Plan, Start};

use super::calls::live_stack;
use super::signals::left_in;
use super::threads::{Other, Thread};
use super::{Compared, Difference, State};
use crate::aarch64::ZEROS;
use crate::arch::{Asks, Names};
use crate::calls::Calls;
use crate::error::RemoteError;
use crate::session::{READ_WRITE, Session};

/// The second engine, which follows the first.
pub(super) struct SideBySide<'p> {
    pub(super) session: Session,
    pub(super) plan: &'p Plan<'p>,
    /// The executing thread.
    pub(super) thread: Thread,
    pub(super) others: BTreeMap<ThreadId, Other>,
    /// The program has created threads.
    pub(super) made_threads: bool,
    /// End of the program's heap; 0 if not known yet.
    pub(super) brk: u64,
    /// The first system call whose effects the second engine lacks.
    unlike: Option<String>,
    /// Files that the program opened, by descriptor.
    pub(super) files: BTreeMap<u64, String>,
    /// Return address of a function that the run starts at.
    sentinel: Option<u64>,
    compared: Compared,
}

/// Reason for the end of the comparison.
pub(super) enum Stop {
    Differ(Box<Difference>),
    Until(String),
    Failed(RemoteError),
}

impl From<RemoteError> for Stop {
    fn from(error: RemoteError) -> Stop {
        Stop::Failed(error)
    }
}

/// Bytes of stack that frame tracking needs: the word at the top.
const TOP: u64 = 8;
/// Bytes of memory that the arguments of a function point to that the run starts at.
const SCRATCH: u64 = 64 << 10;
/// Page size in bytes of both kernels.
pub(super) const PAGE: u64 = 4096;
impl<'p> SideBySide<'p> {
    /// Creates the second engine before its first instruction.
    pub(super) fn new(session: Session, plan: &'p Plan<'p>) -> SideBySide<'p> {
        SideBySide {
            session,
            plan,
            thread: Thread::default(),
            others: BTreeMap::new(),
            made_threads: false,
            brk: 0,
            unlike: None,
            files: BTreeMap::new(),
            sentinel: None,
            compared: Compared::default(),
        }
    }

    /// The extent of the comparison.
    pub(super) fn compared(&self) -> &Compared {
        &self.compared
    }

    /// Ends the second engine's program, with the end of the first.
    pub(super) fn finish(self, end: RunEnd) {
        self.session.finish(end, 1);
    }

    /// Runs the second engine to a step of the first and compares the states.
    pub(super) fn follow(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        if self.session.is_late(self.plan) {
            return Err(Stop::Until("the time limit was reached".to_owned()));
        }
        let state = State::at(step);
        let changed = step.thread != self.session.thread();
        if changed {
            self.change_thread(step.thread)?;
        }
        let Some(last) = self.thread.last.replace(state) else {
            if !changed {
                self.begin(step)?;
            }
            return self.compare(step, &state, 0);
        };
        // An instruction that repeats (`rep movs`) is several steps in one engine, one in the
        // other.
        let repeats = (state.pc, state.sp, step.event) == (last.pc, last.sp, Event::Sequential);
        if repeats && self.session.pc() != state.pc {
            return Ok(());
        }
        // Under the first engine, a store to code of its own block is restarted: the step is
        // observed twice.
        let again = repeats && !self.thread.is_done && self.session.differs_in(step.regs.others).is_none();
        if again {
            return Ok(());
        }
        // A signal arrived before the current instruction of both.
        let interrupted = step.frames.iter().nth(1).map(|frame| frame.ra.0);
        let sp = left_in(step).read(step.regs.abi.facts().sp);
        if step.event == Event::Signal && (interrupted, sp) == (Some(last.pc), Some(last.sp)) {
            self.signal(step)?;
            return self.compare(step, &state, last.pc);
        }
        const MOST_REPEATS: u32 = 1 << 16;
        for _ in 0..MOST_REPEATS {
            if !std::mem::take(&mut self.thread.is_done) {
                self.advance(step, &state, last.pc)?;
            }
            if repeats || self.session.pc() != last.pc || self.session.pc() == state.pc {
                break;
            }
        }
        if step.event == Event::Signal {
            self.signal(step)?;
        }
        self.compare(step, &state, last.pc)
    }

    /// Copies the first engine's stack to the second.
    fn begin(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        let (sp, size) = (step.regs.sp, self.plan.stack_size.next_multiple_of(PAGE));
        let bytes = live_stack(step);
        let end = (sp + bytes.len() as u64).next_multiple_of(PAGE);
        let base = end.saturating_sub(size);
        self.session.map(base, end - base, READ_WRITE)?;
        if let Start::Function(_) = self.plan.start {
            self.begin_function(step)?;
        }
        let written = self.session.stub().write(sp, &bytes)?;
        let facts = step.regs.abi.facts();
        let mut moved = written && self.session.stub().set(facts.sp, sp)?;
        // The kernel chooses the initial values of the other registers.
        for register in (0..facts.general_registers).map(Reg).filter(|register| *register != facts.sp) {
            if let Some(value) = step.regs.read(register) {
                moved &= self.session.stub().set(register, value)?;
            }
        }
        if !moved {
            return Err(Stop::Until("the second engine's stack could not be set up".to_owned()));
        }
        self.session.go_to(step.pc.0)?;
        Ok(self.session.begin_at(sp)?)
    }

    /// Maps the memory for a function that the run starts at: the memory that its arguments point
    /// to, with the thread pointer in the middle.
    fn begin_function(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        let (facts, names) = (step.regs.abi.facts(), Names::of_abi(step.regs.abi));
        let word = step.stack.read(step.regs.sp).unwrap_or_default();
        let sentinel = if facts.link_register { step.regs.ra } else { word };
        self.sentinel = Some(sentinel);
        self.session.enter(sentinel, step.regs.sp, step.regs.fp);
        let argument = names.convention.arguments[0];
        let scratch = step.regs.others.read(argument).unwrap_or_default() & !(SCRATCH - 1);
        self.session.map(scratch, SCRATCH, READ_WRITE)?;
        let thread = scratch + SCRATCH / 2;
        self.session.fill(thread, &facts.order.bytes_of(thread))?;
        Ok(self.session.set_thread_pointer(thread)?)
    }

    /// Executes the instruction before a step of the first engine.
    fn advance(&mut self, step: &Step<'_>, state: &State, after: u64) -> Result<(), Stop> {
        let abi = step.regs.abi;
        let ended = match self.session.asks() {
            Asks::Nothing => self.session.advance()?,
            Asks::Processor(registers) => {
                let ended = self.session.advance()?;
                self.session.take_over(left_in(step), &registers)?;
                ended
            }
            Asks::Parts(register, parts) => {
                let mask = self.session.register(register);
                self.session.set(register, mask & parts)?;
                let ended = self.session.advance()?;
                self.session.set(register, mask)?;
                ended
            }
            Asks::Wrong(register) => {
                let ended = self.session.advance()?;
                self.session.take_over(left_in(step), &[register])?;
                ended
            }
            Asks::Zeros(register) => {
                let block = self.session.register(register) & !(ZEROS - 1);
                match self.session.stub().write(block, &[0; ZEROS as usize])? {
                    true => {
                        self.session.skip()?;
                        None
                    }
                    false => self.session.advance()?,
                }
            }
            Asks::Unknown(address) => {
                let ended = self.session.advance()?;
                // What it wrote to the stack is visible in the step.
                let stack = live_stack(step);
                self.session.stub().write(step.regs.sp, &stack)?;
                if address.is_none_or(|at| !(step.regs.sp..step.regs.sp + stack.len() as u64).contains(&at)) {
                    self.unlike("an instruction that reads the processor's state into memory");
                }
                ended
            }
            Asks::Kernel(number) => self.call(step, number, abi)?,
        };
        match ended {
            None => Ok(()),
            Some(end) => Err(self.differs(state, after, Err(end))),
        }
    }

    pub(super) fn unlike(&mut self, what: &str) {
        let pc = self.session.pc();
        self.unlike.get_or_insert_with(|| format!("{what} at {pc:#x}"));
    }

    fn compare(&mut self, first: &Step<'_>, state: &State, after: u64) -> Result<(), Stop> {
        match self.session.witness(TOP)? {
            Err(end) => Err(self.differs(state, after, Err(end))),
            Ok(()) => {
                let second = State::at(&self.session.step());
                if second != *state {
                    return Err(self.differs(state, after, Ok(second)));
                }
                while let Some(register) = self.session.differs_in(first.regs.others) {
                    if self.unlike.is_some() {
                        // The value may come from memory that the call wrote.
                        self.session.set(register.0, register.1[0])?;
                        continue;
                    }
                    return Err(self.different(state, after, Ok(second), Some(register)));
                }
                // Threads exchange general registers only.
                if matches!(first.event, Event::Call | Event::Return)
                    && self.unlike.is_none()
                    && !self.made_threads
                    && let Some(register) = self.session.preserved_differs_in(first.regs.others)?
                {
                    return Err(self.different(state, after, Ok(second), Some(register)));
                }
                self.compared.steps += 1;
                Ok(())
            }
        }
    }

    /// Runs the second engine to its end, which must equal the first one's.
    pub(super) fn follow_to_end(&mut self, end: &RunEnd) -> Result<(), Stop> {
        let Some(last) = self.thread.last else { return Ok(()) };
        let exit = Calls::of_abi(self.session.abi()).exit;
        match (end, self.sentinel) {
            (RunEnd::Sentinel, Some(sentinel)) => {
                let ended = self.session.advance()?;
                return match ended {
                    None if self.session.pc() == sentinel => Ok(()),
                    None => Err(self.differs(&last, last.pc, Err(RunEnd::Halt(Pc(self.session.pc()))))),
                    Some(second) => Err(self.differs(&last, last.pc, Err(second))),
                };
            }
            // The exit status is that of the first thread.
            (RunEnd::Exit(_), _) if self.made_threads && self.session.makes_call(exit) => return Ok(()),
            // A signal may have terminated the program.
            (RunEnd::Exit(_), _) if self.executes_call() => {}
            (RunEnd::Exit(_) | RunEnd::Sentinel | RunEnd::Halt(_) | RunEnd::Undecided { .. }, _) => return Ok(()),
        }
        match self.session.advance()? {
            Some(second) if second == *end => Ok(()),
            Some(second) => Err(self.differs(&last, last.pc, Err(second))),
            None => {
                self.session.witness(TOP)?.ok();
                let second = State::at(&self.session.step());
                Err(self.differs(&last, last.pc, Ok(second)))
            }
        }
    }

    pub(super) fn differs(&self, first: &State, after: u64, second: Result<State, RunEnd>) -> Stop {
        self.different(first, after, second, None)
    }

    fn different(
        &self,
        first: &State,
        after: u64,
        second: Result<State, RunEnd>,
        register: Option<(Reg, [u64; 2])>,
    ) -> Stop {
        // Limits of the second engine, at a state that both have.
        if let Err(RunEnd::Undecided { reason, message, .. }) = &second
            && *reason != StopReason::Fault
            && match reason {
                StopReason::Thread => true,
                // The signal frame of the second engine has another size.
                StopReason::StackSwitch => self.session.pc() == first.pc,
                _ => (self.session.pc(), self.session.sp()) == (first.pc, first.sp),
            }
        {
            return Stop::Until(format!("the second engine cannot follow: {message}"));
        }
        let difference = Difference { step: self.compared.steps + 1, after, first: *first, second, register };
        match &self.unlike {
            Some(what) => Stop::Until(format!("after {what}, whose effects only the first engine has: {difference}")),
            None => Stop::Differ(Box::new(difference)),
        }
    }
}

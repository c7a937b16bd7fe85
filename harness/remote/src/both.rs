//! Two engines in step: each state of the first is compared with that of the second.
//!
//! What is outside the program is made the same for both. The second begins with the first one's
//! stack, at the same address; memory that the kernel gives is where the first one's kernel gave
//! it; what `cpuid` and the like read is what the first one read. System calls that change nothing
//! but the process are executed by both. Of all others the second takes over the result without
//! making the call, so nothing outside it is read or written. What such a call wrote to memory may
//! differ from then on: a difference after it is no fault of an engine, and ends the comparison by
//! that name.

use std::cell::RefCell;
use std::fmt;

use backend::{Backend, Plan, Run};
use types::memo::{Memo, NoMemo};
use types::{Abi, Event, ImageKind, Reg, RegFile as _, RunEnd, Step};

use crate::arch::{Asks, Names};
use crate::engine::Remote;
use crate::error::RemoteError;
use crate::session::{PRIVATE_FIXED_ANONYMOUS, Session};

/// Two engines in step. The observer is shown the first one's steps.
#[derive(Debug)]
pub struct Both<B> {
    first: B,
    second: Remote,
    compared: RefCell<Compared>,
}

/// How far two engines were compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Steps at which both had the same state.
    pub steps: u64,
    /// Why the comparison ended before the run did.
    pub ended: Option<String>,
}

/// The state of an engine before an instruction, as far as unwinding depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State {
    /// The instruction.
    pub pc: u64,
    /// Stack pointer.
    pub sp: u64,
    /// Frame pointer.
    pub fp: u64,
    /// The link register, without pointer authentication; 0 on AMD64.
    pub link: u64,
    /// The CFA of the innermost frame; 0 without frames.
    pub cfa: u64,
    /// The return address of the innermost frame; 0 without frames.
    pub ra: u64,
    /// How many frames are live.
    pub frames: usize,
}

/// The first state that is not the same under both engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The step, from 1.
    pub step: u64,
    /// The instruction that executed before it.
    pub after: u64,
    /// Under the first engine.
    pub first: State,
    /// Under the second engine, or how its run ended.
    pub second: Result<State, RunEnd>,
}

/// Why two engines gave no run.
#[derive(Debug, thiserror::Error)]
pub enum BothError<E: std::error::Error> {
    /// The first engine failed.
    #[error(transparent)]
    First(E),
    /// The second engine failed.
    #[error("second engine: {0}")]
    Second(#[from] RemoteError),
    /// They differ: one of them executes an instruction wrongly.
    #[error("the engines differ: {0}")]
    Differ(Box<Difference>),
}

impl<B> Both<B> {
    /// Two engines.
    pub fn new(first: B, second: Remote) -> Both<B> {
        Both { first, second, compared: RefCell::default() }
    }

    /// How far the last run was compared.
    pub fn compared(&self) -> Compared {
        self.compared.borrow().clone()
    }
}

impl<B: Backend> Backend for Both<B> {
    type Error = BothError<B::Error>;

    fn run<M: Memo>(&self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, BothError<B::Error>> {
        if plan.image.kind != ImageKind::Executable || plan.interpreter.is_some() {
            return Err(RemoteError::Unsupported("a program with a dynamic linker").into());
        }
        let session = Session::new(&self.second, plan)?;
        let mut beside = Beside { session, plan, last: None, brk: 0, unlike: None, compared: Compared::default() };
        let mut stopped = None;
        let mut both = |step: &Step<'_>| {
            if stopped.is_none() {
                stopped = beside.follow(step).err();
            }
            observer.step(step);
        };
        let run = self.first.run(plan, &mut NoMemo(&mut both)).map_err(BothError::First)?;
        let stopped = stopped.or_else(|| beside.follow_to_end(&run.end).err());
        let mut compared = beside.compared.clone();
        match stopped {
            None => {}
            Some(Stop::Until(reason)) => compared.ended = Some(reason),
            Some(Stop::Failed(error)) => return Err(error.into()),
            Some(Stop::Differ(difference)) => return Err(BothError::Differ(difference)),
        }
        beside.session.finish(run.end.clone());
        self.compared.replace(compared);
        Ok(run)
    }
}

/// The second engine beside the first.
struct Beside<'p> {
    session: Session,
    plan: &'p Plan<'p>,
    /// The first one's state at the step before.
    last: Option<State>,
    /// Where the program's heap ends; 0 before that is known.
    brk: u64,
    /// The first call whose effects the second engine does not have.
    unlike: Option<String>,
    compared: Compared,
}

/// Why there is nothing more to compare.
enum Stop {
    Differ(Box<Difference>),
    Until(String),
    Failed(RemoteError),
}

impl From<RemoteError> for Stop {
    fn from(error: RemoteError) -> Stop {
        Stop::Failed(error)
    }
}

/// Bytes of stack that following frames needs: the word on its top.
const TOP: u64 = 8;
/// Page size that both kernels give memory in.
const PAGE: u64 = 4096;
/// `MREMAP_MAYMOVE | MREMAP_FIXED`.
const MOVE_TO: u64 = 3;

impl Beside<'_> {
    /// Runs the second engine to a step of the first and compares.
    fn follow(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        let state = State::at(step);
        let Some(last) = self.last.replace(state) else {
            self.begin(step)?;
            return self.compare(&state, 0);
        };
        // An instruction that repeats (`rep movs`) is several steps of one engine, one of another.
        let repeats = (state.pc, state.sp, step.event) == (last.pc, last.sp, Event::Sequential);
        if repeats && self.session.pc() != state.pc {
            return Ok(());
        }
        const MOST_REPEATS: u32 = 1 << 16;
        for _ in 0..MOST_REPEATS {
            self.advance(step, &state, last.pc)?;
            if repeats || self.session.pc() != last.pc || self.session.pc() == state.pc {
                break;
            }
        }
        self.compare(&state, last.pc)
    }

    /// Makes the second engine's stack what the first one's is.
    fn begin(&mut self, step: &Step<'_>) -> Result<(), Stop> {
        let (sp, size) = (step.regs.sp, self.plan.stack_size.next_multiple_of(PAGE));
        let bytes = live_stack(step);
        let end = (sp + bytes.len() as u64).next_multiple_of(PAGE);
        let base = end.saturating_sub(size);
        self.session.map(base, end - base)?;
        let written = self.session.stub().write(sp, &bytes)?;
        let facts = step.regs.abi.facts();
        let mut moved = written && self.session.stub().set(facts.sp, sp)?;
        // What a process finds in the other registers is the kernel's choice.
        for register in (0..facts.general_registers).map(Reg).filter(|register| *register != facts.sp) {
            if let Some(value) = step.regs.read(register) {
                moved &= self.session.stub().set(register, value)?;
            }
        }
        if !moved {
            return Err(Stop::Until("the second engine's stack could not be set up".to_owned()));
        }
        Ok(self.session.begin_at(sp)?)
    }

    /// Executes the instruction that led the first engine to a step.
    fn advance(&mut self, step: &Step<'_>, state: &State, after: u64) -> Result<(), Stop> {
        let abi = step.regs.abi;
        let ended = match self.session.asks() {
            Asks::Nothing => self.session.advance()?,
            Asks::Processor(registers) => {
                let ended = self.session.advance()?;
                self.session.take_over(step.regs.others, &registers)?;
                ended
            }
            Asks::Wrong(register) => {
                let ended = self.session.advance()?;
                self.session.take_over(step.regs.others, &[register])?;
                ended
            }
            Asks::Unknown => {
                self.unlike("an instruction that reads the processor's state into memory");
                self.session.advance()?
            }
            Asks::Kernel(number) => self.call(step, number, abi)?,
        };
        match ended {
            None => Ok(()),
            Some(end) => Err(self.differs(state, after, Err(end))),
        }
    }

    /// Makes a system call that the first engine has made.
    fn call(&mut self, step: &Step<'_>, number: u64, abi: Abi) -> Result<Option<RunEnd>, Stop> {
        let calls = &Names::of_abi(abi).calls;
        let result = step.regs.read(calls.result).unwrap_or_default();
        let failed = result > u64::MAX - PAGE;
        let second = &mut self.session;
        if calls.executed.contains(&number) || calls.signal_returns.contains(&number) || number == calls.munmap {
            return Ok(second.advance()?);
        }
        if calls.kills.contains(&number) {
            // To itself, whatever it believes its number to be.
            let [process, thread] = calls.ids;
            let ids: &[u64] = match number {
                _ if number == calls.kills[0] => &[process],
                _ if number == calls.kills[1] => &[thread],
                _ => &[process, thread],
            };
            for (place, id) in ids.iter().enumerate() {
                let id = second.inject(*id, &[])?;
                second.set(calls.arguments[place], id)?;
            }
            return Ok(second.advance()?);
        }
        if number == calls.mmap && !failed {
            // A file's descriptor is an `int`.
            if second.mmap_argument(4)? as i32 >= 0 {
                self.unlike("a file that was mapped");
            }
            let second = &mut self.session;
            for (place, value) in [(0, result), (3, PRIVATE_FIXED_ANONYMOUS), (4, u64::MAX), (5, 0)] {
                second.set_mmap_argument(place, value)?;
            }
            let ended = second.advance()?;
            second.take_over(step.regs.others, &calls.arguments)?;
            return Ok(ended);
        }
        if number == calls.mremap && !failed {
            if second.argument(0) != result {
                second.set(calls.arguments[3], MOVE_TO)?;
                second.set(calls.arguments[4], result)?;
            }
            let ended = second.advance()?;
            second.take_over(step.regs.others, &calls.arguments)?;
            return Ok(ended);
        }
        if number == calls.brk {
            let (from, to) = (self.brk.next_multiple_of(PAGE), result.next_multiple_of(PAGE));
            if self.brk != 0 && to > from {
                second.map(from, to - from)?;
            }
            self.brk = result;
        } else if !calls.silent.contains(&number) {
            self.unlike(&format!("system call {number}"));
        }
        let everything: Vec<Reg> = (0..abi.facts().general_registers).map(Reg).collect();
        let writes = number != calls.brk && !calls.silent.contains(&number);
        self.session.skip()?;
        if writes {
            // Most buffers that a kernel fills are on the stack.
            let stack = live_stack(step);
            self.session.stub().write(step.regs.sp, &stack)?;
        }
        self.session.take_over(step.regs.others, &everything)?;
        Ok(None)
    }

    fn unlike(&mut self, what: &str) {
        let pc = self.session.pc();
        self.unlike.get_or_insert_with(|| format!("{what} at {pc:#x}"));
    }

    fn compare(&mut self, state: &State, after: u64) -> Result<(), Stop> {
        match self.session.witness(TOP)? {
            Err(end) => Err(self.differs(state, after, Err(end))),
            Ok(()) => {
                let step = self.session.step();
                // Kernels differ in how much of the processor's state a frame has.
                if step.event == Event::Signal && step.regs.sp != state.sp {
                    return Err(Stop::Until("kernels differ in the size of a signal's frame".to_owned()));
                }
                let second = State::at(&self.session.step());
                if second != *state {
                    return Err(self.differs(state, after, Ok(second)));
                }
                self.compared.steps += 1;
                Ok(())
            }
        }
    }

    /// Runs the second engine to its end, as the first one ended.
    fn follow_to_end(&mut self, end: &RunEnd) -> Result<(), Stop> {
        let (Some(last), RunEnd::Exit(_)) = (self.last, end) else { return Ok(()) };
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

    fn differs(&self, first: &State, after: u64, second: Result<State, RunEnd>) -> Stop {
        let difference = Difference { step: self.compared.steps + 1, after, first: *first, second };
        match &self.unlike {
            Some(what) => Stop::Until(format!("after {what}, whose effects only the first engine has: {difference}")),
            None => Stop::Differ(Box::new(difference)),
        }
    }
}

/// The bytes of a stack from SP to its end, or the first of them.
fn live_stack(step: &Step<'_>) -> Vec<u8> {
    const MOST: usize = 256 << 10;
    let mut bytes = vec![0; MOST];
    let mut length = 0;
    while let Some(word) = bytes.get_mut(length..length + 8) {
        if step.stack.copy(step.regs.sp + length as u64, word).is_err() {
            break;
        }
        length += 8;
    }
    bytes.truncate(length);
    bytes
}

impl State {
    fn at(step: &Step<'_>) -> State {
        let facts = step.regs.abi.facts();
        let link = if facts.link_register { step.regs.ra & facts.address_mask } else { 0 };
        let frame = step.frames.innermost();
        State {
            pc: step.pc.0,
            sp: step.regs.sp,
            fp: step.regs.fp,
            link,
            cfa: frame.map_or(0, |frame| frame.cfa),
            ra: frame.map_or(0, |frame| frame.ra.0),
            frames: step.frames.depth(),
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at step {}, after the instruction at {:#x}: first {}, second ", self.step, self.after, self.first)?;
        match &self.second {
            Ok(state) => write!(f, "{state}"),
            Err(RunEnd::Exit(status)) => write!(f, "exited with status {status}"),
            Err(RunEnd::Halt(pc)) => write!(f, "halted at {:#x}", pc.0),
            Err(RunEnd::Sentinel) => write!(f, "returned"),
            Err(RunEnd::Undecided { message, .. }) => write!(f, "ended: {message}"),
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let State { pc, sp, fp, link, cfa, ra, frames } = self;
        write!(f, "PC {pc:#x} SP {sp:#x} FP {fp:#x} LR {link:#x} CFA {cfa:#x} RA {ra:#x} frames {frames}")
    }
}

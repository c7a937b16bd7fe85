//! One file's execution as witnessed, without any table: each step as a value that goes from process to process.

use std::io;

use judge::witness::Witness;
use machine::{End, Plan, Start};
use serde::{Deserialize, Serialize};
use types::memo::NoMemo;
use types::{Bytes, Claim, Event, Frame, Image, Pc, SignalsTold, Step};

use crate::signals::{self, SignalAt};
use crate::supplies::Supplies;
use crate::workers::{self, Stop, run_until};

/// What to execute, and how far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// A function to run in place of the ELF entry.
    pub function: Option<Pc>,
    /// Most steps.
    pub step_limit: u64,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Files and input of the program.
    pub supplies: Supplies,
    /// Signals that it is sent.
    pub signals: Vec<SignalAt>,
}

/// What a step showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedStep {
    /// The instruction about to execute.
    pub pc: u64,
    /// How control came to it.
    pub event: Event,
    /// Callers.
    pub depth: u64,
    /// The stack pointer.
    pub sp: u64,
    /// The true caller.
    pub caller: Option<Frame>,
    /// Where its values are, in the form of a row.
    pub claim: Claim,
}

/// How an execution went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traced {
    /// Steps that were shown.
    pub steps: u64,
    /// How it ended.
    pub end: End,
    /// What became of signals.
    pub signals: SignalsTold,
}

/// Why there is no trace, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The code cannot be executed.
    #[error("{0}")]
    NotRun(String),
    /// A step could not be shown.
    #[error(transparent)]
    Unshown(io::Error),
    /// No worker, or no answer of one.
    #[error("{0}")]
    Failed(String),
}

/// Executes a file, in a worker ([`crate::workers`]), and shows each step. `image` is of these bytes.
///
/// # Errors
/// The code cannot be executed at all, there is no worker, or `show` failed. What ends the emulator is no error but [`End::Undecided`].
pub fn trace(
    image: &Image,
    bytes: &[u8],
    options: &Options,
    show: impl FnMut(&TracedStep) -> io::Result<()>,
) -> Result<Traced, TraceError> {
    workers::trace(image, bytes, options, show)
}

/// As many steps are passed on at a time.
const BATCH: usize = 256;

/// Executes a file in this process; the first `from` steps are not passed on.
pub(crate) fn trace_here(
    name: &str,
    bytes: &Bytes,
    options: &Options,
    stops: &[Stop],
    from: u64,
    mut pass: impl FnMut(Vec<TracedStep>),
) -> Result<Traced, String> {
    let image = elf::load(name, bytes).map_err(|error| error.to_string())?;
    let start = options.function.map_or(Start::ElfEntry, Start::Function);
    let (step_limit, arguments) = (options.step_limit, options.arguments.clone());
    let (world, signals) = (options.supplies.world(), signals::asked(&options.signals, &image)?);
    let plan = Plan { start, step_limit, arguments, world, signals, ..Plan::new(&image) };
    let (mut seen, mut batch) = (0, Vec::new());
    let mut note = |step: &Step<'_>| {
        seen += 1;
        if seen > from {
            batch.push(TracedStep::of(step));
        }
        if batch.len() == BATCH {
            pass(std::mem::take(&mut batch));
        }
    };
    let ran = run_until(&plan, 1, stops, &mut NoMemo(&mut note)).map_err(|error| error.to_string())?;
    pass(batch);
    Ok(Traced { steps: ran.steps, end: ran.end, signals: ran.signals })
}

impl TracedStep {
    fn of(step: &Step<'_>) -> TracedStep {
        TracedStep {
            pc: step.pc.0,
            event: step.event,
            depth: step.frames.depth() as u64,
            sp: step.regs.sp,
            caller: step.frames.innermost().copied(),
            claim: Witness::of(step).claim(step.regs.abi),
        }
    }
}

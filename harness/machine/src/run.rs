//! Executes a plan under the one code hook, and says how it ended.

use std::panic::resume_unwind;

use linux::{Kernel, Mapped};
use types::memo::{BlockMemo as _, Memo, NoMemo};
use types::{Observer, SignalCounts};

use crate::arch::target;
use crate::end::End;
use crate::hook::Session;
use crate::position::Cells;
use crate::prepare::prepare;
use crate::{MachineError, Plan};

/// How an execution went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Steps shown to the observer.
    pub steps: u64,
    pub end: End,
    /// The most frames that were live at once.
    pub max_depth: usize,
    /// Bytes that the program wrote to its standard output and error. They go nowhere.
    pub written: u64,
    /// The first mebibyte of them, in the order written.
    pub output: Vec<u8>,
    /// The files of its root that it mapped to execute them, in that order.
    pub mapped: Vec<Mapped>,
    /// What became of signals.
    pub signals: SignalCounts,
}

impl Run {
    pub(crate) fn of(steps: u64, end: End, max_depth: usize, kernel: &mut Kernel) -> Run {
        let written = kernel.written();
        let (output, mapped) = (kernel.take_output(), kernel.take_mapped());
        Run { steps, end, max_depth, written, output, mapped, signals: SignalCounts::default() }
    }
}

/// Executes the plan, showing each step to the observer. The same plan gives the same steps.
///
/// # Errors
/// The image cannot be loaded, or the emulator fails. A program that cannot be followed to its end is no error but
/// [`End::Undecided`].
///
/// # Panics
/// When the observer panics.
pub fn run(plan: &Plan<'_>, observer: &mut (impl Observer + ?Sized)) -> Result<Run, MachineError> {
    run_with_memo(plan, &mut NoMemo(observer))
}

/// Executes the plan, showing each step that is no memo hit.
///
/// # Errors
/// As [`run`].
///
/// # Panics
/// As [`run`].
pub fn run_with_memo<M: Memo>(plan: &Plan<'_>, observer: &mut M) -> Result<Run, MachineError> {
    let _executing = Cells::current().begin();
    let (run, is_sure) = execute(plan, observer)?;
    if is_sure {
        return Ok(run);
    }
    observer.blocks().into_iter().for_each(M::Blocks::start_over);
    execute(&Plan { blocks_from: u64::MAX, ..plan.clone() }, observer).map(|(run, _)| run)
}

/// The same, and whether each block that was hit came to what it came to before.
fn execute<M: Memo>(plan: &Plan<'_>, observer: &mut M) -> Result<(Run, bool), MachineError> {
    let prepared = prepare(plan)?;
    let start = prepared.start;
    let mut session = Session::new(plan, prepared, observer);
    let outcome = session.execute(start)?;
    if let Some(payload) = session.panic.take() {
        resume_unwind(payload);
    }
    let end = session.core.conclude(outcome, target(plan.image.abi).halt);
    session.wanted.tell(&mut session.told);
    let (steps, max_depth) = (session.steps, session.shadow.max_depth());
    let run = Run::of(steps, end, max_depth, &mut session.core.kernel);
    let is_sure = !session.is_surprised();
    Ok((Run { signals: session.told, ..run }, is_sure))
}

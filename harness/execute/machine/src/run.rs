//! Executes a plan under the one code hook, and returns its end.

use std::panic::resume_unwind;

use types::Observer;
use types::memo::{Memo, NoMemo};
use witness::{Backend as _, Plan, Run};

use crate::arch::target;
use crate::core::Core;
use crate::hook::Session;
use crate::position::Cells;
use crate::prepare::prepare;
use crate::{MachineError, Snapshot, Unicorn};

/// Executes the plan by [`Unicorn`] with default settings, with an observer without memo.
pub fn run(plan: &Plan<'_>, observer: &mut dyn Observer) -> Result<Run, MachineError> {
    Unicorn::default().run(plan, &mut NoMemo(observer))
}

/// Executes the plan as [`run`] does, with a memo.
pub fn run_with_memo<M: Memo>(plan: &Plan<'_>, observer: &mut M) -> Result<Run, MachineError> {
    Unicorn::default().run(plan, observer)
}

/// Executes the plan as [`run`] does, and returns also the state where the run ended: at the step
/// limit, that before the next instruction.
pub fn run_to(plan: &Plan<'_>, observer: &mut dyn Observer) -> Result<(Run, Snapshot), MachineError> {
    executed(Unicorn::default(), plan, &mut NoMemo(observer), Snapshot::from_core)
}

pub(crate) fn run_by<M: Memo>(engine: Unicorn, plan: &Plan<'_>, observer: &mut M) -> Result<Run, MachineError> {
    Ok(executed(engine, plan, observer, |_| ())?.0)
}

/// Executes the plan, and takes something from the guest at its end.
fn executed<M: Memo, T>(
    engine: Unicorn,
    plan: &Plan<'_>,
    observer: &mut M,
    take: impl FnOnce(&Core) -> T,
) -> Result<(Run, T), MachineError> {
    let _executing = Cells::current().begin();
    let prepared = prepare(plan)?;
    let start = prepared.start;
    let mut session = Session::new(engine, plan, prepared, observer);
    let outcome = session.execute(start)?;
    if let Some(payload) = session.panic.take() {
        resume_unwind(payload);
    }
    let mut execution = session.run;
    let end = execution.core.conclude(outcome, target(plan.image.abi).halt);
    let (steps, max_depth) = (execution.steps, execution.max_depth());
    let taken = take(&execution.core);
    let run = Run::new(steps, end, max_depth, &mut execution.core.kernel);
    Ok((Run { signals: execution.signals.counts(), ..run }, taken))
}

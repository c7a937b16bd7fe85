//! One file's execution as witnessed, in this process.

use judge::witness::Witness;
use machine::{Plan, Start, Unicorn};
use types::memo::NoMemo;
use types::{Bytes, Step};

use super::error::CheckError;
use super::stopped::{Stops, run_until};
use crate::signals;
use crate::trace::{Options, Traced, TracedStep};

/// As many steps are passed on at a time.
const BATCH: usize = 256;

/// Executes a file in this process; the first `from` steps are not passed on.
pub(super) fn trace(
    name: &str,
    bytes: &Bytes,
    options: &Options,
    stops: Stops<'_>,
    from: u64,
    mut pass: impl FnMut(Vec<TracedStep>),
) -> Result<Traced, CheckError> {
    let image = elf::load(name, bytes)?;
    let start = options.function.map_or(Start::ElfEntry, Start::Function);
    let (step_limit, arguments) = (options.step_limit, options.inputs.arguments.clone());
    let (world, signals) = (options.inputs.supplies.world(), signals::asked(&options.inputs.signals, &image)?);
    let schedule = options.inputs.schedule;
    let vector_bits = options.inputs.vector_bits();
    let plan = Plan { start, step_limit, arguments, world, signals, schedule, vector_bits, ..Plan::new(&image) };
    let (mut seen, mut batch) = (0, Vec::new());
    let mut note = |step: &Step<'_>| {
        seen += 1;
        if seen > from {
            batch.push(TracedStep::new(step));
        }
        if batch.len() == BATCH {
            pass(std::mem::take(&mut batch));
        }
    };
    let ran = run_until(Unicorn::default(), &plan, 1, stops, &mut NoMemo(&mut note))?;
    pass(batch);
    Ok(Traced { steps: ran.steps, end: ran.end, signals: ran.signals })
}

impl TracedStep {
    fn new(step: &Step<'_>) -> TracedStep {
        TracedStep {
            pc: step.pc.0,
            event: step.event,
            depth: step.frames.depth() as u64,
            sp: step.regs.sp,
            caller: step.frames.innermost().copied(),
            claim: Witness::new(step).claim(step.regs.abi),
        }
    }
}

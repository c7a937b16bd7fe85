//! Traces one file's execution, in this process.

use isa::Disassembler;
use judge::saves::Saves;
use judge::tables::Tables;
use judge::witness::Witness;
use machine::{Plan, Start, Unicorn};
use types::memo::NoMemo;
use types::{Bytes, Claim, Image, RunEnd, Step};

use super::error::CheckError;
use super::load::plan;
use super::stopped::{Stops, run_until};
use crate::symbol;
use crate::trace::{Options, Traced, TracedStep};

/// Number of steps sent in one answer.
const BATCH: usize = 256;

/// Executes a file in this process; the first `from` steps are not sent.
pub(super) fn trace(
    name: &str,
    bytes: &Bytes,
    options: &Options,
    stops: Stops<'_>,
    from: u64,
    mut pass: impl FnMut(Vec<TracedStep>),
) -> Result<Traced, CheckError> {
    let image = elf::load(name, bytes)?;
    let start = match &options.entry {
        Some(name) => Start::Function(symbol::address(&image, name).map_err(CheckError::Entry)?),
        None => Start::ElfEntry,
    };
    let disassembler = Disassembler::new(&image);
    let plan = Plan { start, ..plan(&image, &options.inputs, options.step_limit)? };
    let (mut seen, mut batch) = (0, Vec::new());
    let (tables, mut saves) = (Tables::new(&image), Saves::default());
    let mut note = |step: &Step<'_>| {
        seen += 1;
        saves.record(step, &tables, &image);
        if seen > from {
            let claim = Witness::new(step, &saves, &tables, &image).claim(image.abi);
            batch.push(TracedStep::new(step, &disassembler, &image, claim));
        }
        if batch.len() == BATCH {
            pass(std::mem::take(&mut batch));
        }
    };
    let ran = run_until(Unicorn::default(), &plan, 1, stops, &mut NoMemo(&mut note))?;
    pass(batch);
    let place = match &ran.end {
        RunEnd::Halt(pc) | RunEnd::Undecided { pc, .. } => Some(image.place(pc.0)),
        RunEnd::Exit(_) | RunEnd::Sentinel => None,
    };
    Ok(Traced { steps: ran.steps, end: ran.end, place, signals: ran.signals })
}

impl TracedStep {
    fn new(step: &Step<'_>, disassembler: &Disassembler<'_>, image: &Image, claim: Claim) -> TracedStep {
        TracedStep {
            pc: step.pc.0,
            place: image.place(step.pc.0),
            text: disassembler.at(step.pc.0).map(|instruction| instruction.text).unwrap_or_default(),
            event: step.event,
            depth: step.frames.depth() as u64,
            sp: step.regs.sp,
            caller: step.frames.innermost().copied(),
            claim,
        }
    }
}

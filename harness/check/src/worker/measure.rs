//! One file's execution under [`accuracy::Study`], in this process.

use accuracy::{Draw, Part, Parts, Study};
use judge::tables::Tables;
use linux::World;
use machine::{Plan, Run, Unicorn};
use results::Accuracy;
use types::memo::NoMemo;
use types::{Bytes, Image, ImageKind, RunEnd, Step};

use super::error::CheckError;
use super::process::{self, Process};
use super::stopped::{Stops, run_until};
use crate::measure::Options;
use crate::signals;
use crate::supplies::Outside;

/// Measures a file in this process. It is executed twice: how long it is, and what it maps, is
/// known after the first time.
pub(super) fn measure(name: &str, bytes: &Bytes, options: &Options, stops: Stops<'_>) -> Result<Accuracy, CheckError> {
    let image = elf::load(name, bytes)?;
    let supplies = &options.inputs.supplies;
    let process = match (image.kind, &supplies.outside) {
        (ImageKind::Executable, _) => None,
        (ImageKind::Dynamic, Outside::Libraries | Outside::Folder(_)) => {
            let moved = image.clone().moved(process::place(&image, bytes));
            Some((Process::new(&moved, bytes, supplies)?, moved))
        }
        (ImageKind::Dynamic, Outside::Nothing) | (ImageKind::Shared | ImageKind::Relocatable, _) => {
            return Err(CheckError::NoProgram);
        }
    };
    let program = process.as_ref().map_or(&image, |(_, moved)| moved);
    let asked = signals::asked(&options.inputs.signals, program).map_err(CheckError::SignalPlace)?;
    let plan = |world: World| Plan {
        arguments: options.inputs.arguments.clone(),
        signals: asked.clone(),
        schedule: options.inputs.schedule,
        vector_bits: options.inputs.vector_bits(),
        step_limit: options.step_limit,
        world,
        ..match &process {
            Some((process, _)) => Plan { interpreter: Some(&process.loader), ..Plan::new(&process.program) },
            None => Plan::new(&image),
        }
    };
    let world = || process.as_ref().map_or_else(|| supplies.world(), |(process, _)| process.world(supplies));
    let first = plan(world());
    // What comes before the program's entry point is its dynamic linker's.
    let (mut seen, mut entered) = (0_u64, None);
    let mut count = |step: &Step<'_>| {
        seen += 1;
        if entered.is_none() && step.pc == program.entry {
            entered = Some(seen);
        }
    };
    let counted = run_until(Unicorn::default(), &first, 1, stops, &mut NoMemo(&mut count))?;
    let objects = process.as_ref().map(|(process, _)| process.objects(&counted.mapped, &first.world));
    let objects = objects.unwrap_or_default();
    let functions = process::functions(&objects);
    let tables = Tables::new(program);
    let own = Part { image: program, tables: &tables };
    let others = objects.iter().map(|object| Part { image: &object.image, tables: &object.tables });
    let parts = Parts::new(std::iter::once(own).chain(others).collect());
    let first_step = entered.unwrap_or(u64::MAX);
    let draw = Draw::new(first_step, seen, options.samples, options.seed);
    let mut study = Study::new(program.abi, &parts, draw, options.timing);
    let plan = Plan { functions: &functions, ..plan(world()) };
    let ran = run_until(Unicorn::default(), &plan, 2, stops, &mut NoMemo(&mut study))?;
    let steps = (ran.steps + 1).saturating_sub(first_step);
    Ok(Accuracy { steps, seed: options.seed, ..ended(study.finish(), &ran, program) })
}

fn ended(measured: Accuracy, ran: &Run, program: &Image) -> Accuracy {
    let (end, finished) = match &ran.end {
        RunEnd::Exit(status) => (format!("exit status {status}"), true),
        RunEnd::Halt(pc) => (format!("halt at {}", program.place(pc.0)), true),
        RunEnd::Sentinel => ("returned".to_owned(), true),
        RunEnd::Undecided { pc, message, .. } => (format!("ended early at {}: {message}", program.place(pc.0)), false),
    };
    Accuracy { end, finished, ..measured }
}

//! Executes one file under [`accuracy::Study`], in this process.

use accuracy::{Draw, Part, Parts, Study, SynthesisedTable};
use judge::tables::Tables;
use machine::{Plan, Run, Unicorn};
use results::Accuracy;
use synthesise::Input;
use types::memo::NoMemo;
use types::{Bytes, Image, RunEnd, SframeVersion, Step};
use unwind::SframeUnwinder;

use super::error::CheckError;
use super::load::Program;
use super::stopped::{Stops, run_until};
use crate::measure::{Measured, Options};

/// Measures a file in this process. It is executed twice, because its length and its mappings are
/// known only after the first run.
pub(super) fn measure(name: &str, bytes: &Bytes, options: &Options, stops: Stops<'_>) -> Result<Measured, CheckError> {
    let started = Program::from_entry(name, bytes, &options.inputs)?.executable()?;
    let program = &started.image;
    let first = started.plan(&options.inputs, options.step_limit)?;
    // Code before the program's entry point belongs to its dynamic linker.
    let (mut seen, mut entered) = (0_u64, None);
    let mut count = |step: &Step<'_>| {
        seen += 1;
        if entered.is_none() && step.pc == program.entry {
            entered = Some(seen);
        }
    };
    let counted = run_until(Unicorn::default(), &first, 1, stops, &mut NoMemo(&mut count))?;
    let objects = started.objects(&counted.mapped, &first.world);
    let functions = objects.functions();
    let tables = Tables::new(program);
    let images = std::iter::once(program).chain(objects.all.iter().map(|object| &object.image));
    let made: Vec<Option<SynthesisedTable>> = images.clone().map(synthesised).collect();
    let all_tables = std::iter::once(&tables).chain(objects.all.iter().map(|object| &object.tables));
    let parts = images.zip(all_tables).zip(&made);
    let parts = parts.map(|((image, tables), made)| Part { image, tables, synthesised: made.as_ref() });
    let parts = Parts::new(parts.collect());
    let first_step = entered.unwrap_or(u64::MAX);
    let draw = Draw::new(first_step, seen, options.samples, options.seed);
    let study = Study::new(program.abi, &parts, draw, options.timing);
    let every = options.samples.min(seen).checked_div(options.questions);
    let mut study = every.into_iter().fold(study, Study::with_questions);
    let plan = Plan { functions: &functions, ..started.plan(&options.inputs, options.step_limit)? };
    let ran = run_until(Unicorn::default(), &plan, 2, stops, &mut NoMemo(&mut study))?;
    let steps = (ran.steps + 1).saturating_sub(first_step);
    let questions = study.take_questions();
    let mut measured = Accuracy { steps, seed: options.seed, ..ended(study.finish(), &ran, program) };
    if entered.is_none() {
        measured.finished = false;
        measured.end.push_str(" before the program's first instruction");
    }
    Ok(Measured { accuracy: measured, questions })
}

/// The `.sframe` table synthesised from an object's `.eh_frame`, as if it were at the same address.
fn synthesised(image: &Image) -> Option<SynthesisedTable> {
    let eh_frame = image.section(".eh_frame")?;
    let place = eh_frame.address;
    let input = Input { abi: image.abi, version: SframeVersion::V3, eh_frame: (place, &eh_frame.bytes) };
    let made = synthesise::section(input, place).ok()?;
    let section = sframe::Section::parse(&made.bytes).ok()?;
    let table = sframe::Table::new(&section, sframe::Placement::in_file(image.kind, place)).ok()?;
    Some(SynthesisedTable { table: SframeUnwinder::new(table), bytes: made.bytes.len() as u64 })
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

//! Runs of a file under its judge: the program as a process with the objects that it maps, a static
//! program, or named functions.

use std::sync::Arc;
use std::time::{Duration, Instant};

use judge::Judge;
use linux::World;
use machine::{End, Plan, Run, Start, processor_time};
use results::{Report, Undecided};
use types::memo::{Memo, NoMemo};
use types::{ImageKind, Step, UndecidedReason, counted};

use super::dispatch::Dispatch;
use super::engines::Engines;
use super::error::CheckError;
use super::lacks;
use super::load::{Program, Started, plan};
use super::process::Process;
use super::stopped::Stops;
use crate::options::{self, Execution, Explore, Options};
use crate::{signals, symbol};

/// The result of the runs of a file.
#[derive(Default)]
pub(super) struct Ran {
    /// Number of instructions and exit status of a run to its exit.
    pub(super) exit: Option<(u64, i32)>,
    /// Reports of the objects that were mapped and judged.
    pub(super) objects: Vec<Report>,
}

/// Runs the selected parts of a file.
pub(super) fn run(
    program: &Program,
    options: &Options,
    runs: &mut Runs<'_>,
    judge: &mut Judge<'_>,
) -> Result<Ran, CheckError> {
    let Execution::Run { start, .. } = &options.execution else { return Ok(Ran::default()) };
    let image = &program.image;
    let plan = Plan {
        deadline: runs.deadline,
        processor: runs.processor,
        ..plan(image, &options.inputs, options.limits.steps)?
    };
    if let options::Start::Functions(names) = start {
        let mut ran = Ran::default();
        for name in names {
            let start = Start::Function(symbol::address(image, name).map_err(CheckError::Entry)?);
            ran.exit = runs.judged(&Plan { start, ..plan.clone() }, false, options, judge);
        }
        return Ok(ran);
    }
    let is_explored = options.explores() != Explore::Nothing;
    let explored = if is_explored { "" } else { " (--explore executes its functions)" };
    match (&program.started, image.kind) {
        (Started::Process(process), _) => return Ok(run_process(process, &plan, options, runs, judge)),
        (Started::Alone, ImageKind::Executable) => {
            return Ok(Ran { exit: runs.judged(&plan, true, options, judge), ..Ran::default() });
        }
        (Started::Not(error), _) => judge.report().undecided.push(not_loadable(format!("cannot run: {error}"))),
        (Started::Alone, ImageKind::Relocatable) => {
            let note = "a relocatable object: not executed (--explore executes its functions)";
            judge.report().notes.extend((!is_explored).then(|| note.to_owned()));
        }
        (Started::Alone, kind) => {
            let what = match kind {
                ImageKind::Dynamic => "the file needs a dynamic linker (--root DIR supplies one)",
                _ => "a shared object",
            };
            judge.report().notes.push(format!("{what}: not executed from its entry{explored}"));
        }
    }
    Ok(Ran::default())
}

/// Runs a program with its loader and the objects that it maps. It is executed twice, because the
/// mappings are known only after the first run.
fn run_process(
    process: &Process,
    plan: &Plan<'_>,
    options: &Options,
    runs: &mut Runs<'_>,
    judge: &mut Judge<'_>,
) -> Ran {
    let programs = Arc::new(process.programs());
    let planned = || {
        let plan = process.plan(plan.clone(), &options.inputs.supplies);
        Plan { world: World { programs: Some(Arc::clone(&programs) as _), ..plan.world }, ..plan }
    };
    // A third of the time, because a judged step takes about as long as two others.
    let now = Instant::now();
    let third = plan.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 3);
    let first = Plan { deadline: third, ..planned() };
    // If it fails, the second run fails in the same way and reports it.
    let unjudged = runs.run(&first, &mut NoMemo(&mut |_: &Step<'_>| {}));
    let mapped = unjudged.map(|run| run.mapped).unwrap_or_default();
    let found = process.objects(&mapped, &first.world, &programs);
    let functions = found.functions();
    let plan = Plan { functions: &functions, ..planned() };
    let of_each = found.all.iter().map(|object| Judge::new(&object.image, &object.tables, options.judge_options()));
    let mut judges: Vec<Judge<'_>> = of_each.collect();
    judge.begin(true);
    judges.iter_mut().for_each(|judge| judge.begin(true));
    let name = judge.report().file.clone();
    let ended = runs.run(&plan, &mut Dispatch::new(plan.image, &found, judge, &mut judges));
    let ended = note(ended, &plan, options, &runs.engines, judge.report());
    let exit = ended.as_ref().and_then(exit);
    if let Some(((_, status), run)) = exit.zip(ended).filter(|_| judge.counts().steps == 0) {
        let output = String::from_utf8_lossy(&run.output);
        let message = format!(
            "its dynamic linker ended with status {status} before the program's first instruction: {}",
            output.lines().next().unwrap_or("it wrote nothing")
        );
        judge.report().undecided.insert(0, not_loadable(message));
    }
    let judged = judges.into_iter().zip(&found.all).filter(|(judge, _)| judge.counts().judged > 0);
    let objects = judged.map(|(mut judge, object)| {
        judge.report().notes.insert(0, format!("mapped by {name}"));
        let mut report = judge.finish();
        report.place_in_file(object.image.bias);
        report
    });
    Ran { exit, objects: objects.collect() }
}

/// The runs of a file, counted, and the stops at which they end.
pub(super) struct Runs<'a> {
    engines: Engines,
    pub(super) stops: Stops<'a>,
    pub(super) begun: u64,
    /// When runs end.
    deadline: Option<Instant>,
    /// Processor time of this thread at which runs end.
    processor: Option<Duration>,
    /// When exploration ends.
    pub(super) last: Option<Instant>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(engines: Engines, options: &Options, stops: Stops<'a>) -> Runs<'a> {
        let within = |time| Instant::now().checked_add(time);
        let last = options.limits.time.and_then(within);
        // Half of the time is reserved for exploration, regardless of how long runs take.
        let deadline = match options.explores() {
            Explore::Nothing => last,
            Explore::All => options.limits.time.and_then(|time| within(time / 2)),
        };
        let processor = options.limits.run.map(|time| processor_time().saturating_add(time));
        Runs { engines, stops, begun: 0, deadline, processor, last }
    }

    /// One execution with an observer.
    fn run<M: Memo>(&mut self, plan: &Plan<'_>, observer: &mut M) -> Result<Run, CheckError> {
        self.begun += 1;
        self.engines.run(plan, self.begun, self.stops, observer)
    }

    /// One execution under a judge, whose report has how it ended. Returns the number of
    /// instructions and the status of a run to its exit.
    fn judged(
        &mut self,
        plan: &Plan<'_>,
        outermost_is_real: bool,
        options: &Options,
        judge: &mut Judge<'_>,
    ) -> Option<(u64, i32)> {
        judge.begin(outermost_is_real);
        let ended = self.run(plan, judge);
        note(ended, plan, options, &self.engines, judge.report()).as_ref().and_then(exit)
    }
}

fn exit(run: &Run) -> Option<(u64, i32)> {
    match run.end {
        End::Exit(status) => Some((run.steps, status)),
        End::Halt(_) | End::Sentinel | End::Undecided { .. } => None,
    }
}

/// Adds to a report how an execution ended; returns it if it began.
fn note(
    ended: Result<Run, CheckError>,
    plan: &Plan<'_>,
    options: &Options,
    engines: &Engines,
    report: &mut Report,
) -> Option<Run> {
    let run = match ended {
        Ok(run) => run,
        Err(error) => {
            report.notes.extend(engines.compared());
            match error {
                CheckError::EnginesDiffer(_) => report.error = Some(error.into()),
                _ => report.undecided.push(not_loadable(format!("cannot run: {error}"))),
            }
            return None;
        }
    };
    if let Some(output) = &mut report.output {
        output.push_str(&String::from_utf8_lossy(&run.output));
        let more = run.written.saturating_sub(run.output.len() as u64);
        report.notes.extend((more > 0).then(|| format!("{more} more bytes of output are not shown")));
    }
    report.notes.extend(signals::summary(&run.signals));
    report.undecided.extend(signals::unsent(&run.signals));
    report.notes.extend(engines.compared());
    let instructions = counted(run.steps, "instruction");
    let ended = match &run.end {
        End::Exit(status) => Ok(format!("exited with status {status}")),
        End::Halt(_) => Ok("halted".to_owned()),
        End::Sentinel => Ok("returned".to_owned()),
        End::Undecided { reason, pc, message } => {
            let message = format!("the run ended after {instructions} at {}: {message}", plan.image.place(pc.0));
            Err(Undecided { reason: UndecidedReason::Stopped(*reason), pc: Some(pc.0), message })
        }
    };
    match ended {
        Ok(ended) => {
            let parts = [(run.threads, "threads"), (run.processes, "processes"), (run.programs, "programs")];
            let parts = parts.into_iter().filter(|part| part.0 > 1);
            let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            let parts = if parts.is_empty() { String::new() } else { format!(" in {}", parts.join(", ")) };
            report.notes.push(format!("ran {instructions}{parts}: {ended}"));
        }
        Err(early) => report.undecided.push(early),
    }
    lacks::note(&run, &options.inputs.supplies.outside, report);
    Some(run)
}

pub(super) fn not_loadable(message: String) -> Undecided {
    Undecided { reason: UndecidedReason::NotLoadable, pc: None, message }
}

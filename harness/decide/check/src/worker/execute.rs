//! Executes a file under the judge: the program with its loader and libraries, named functions, or
//! every function without inputs.

use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use judge::execution::Judge;
use judge::tables::Tables;
use judge::territory::Territory;
use linux::{Absent, Mapped, World};
use machine::{Bits, End, Executor, Pad, Plan, Start};
use results::{Report, Undecided, UnreachedIn};
use types::counted;
use types::memo::{Memo, NoMemo};
use types::{Image, ImageKind, Pc, SignalCounts, Step, StopReason, UndecidedReason, Unreached};

use super::engines::Engines;
use super::error::CheckError;
use super::instructions::Decoded;
use super::note_tables;
use super::process::{Process, ProcessError, Watching};
use super::settle::settle;
use super::stopped::Stops;
use crate::options::{self, Execution, Include, Options, Uncalled};
use crate::{signals, symbol};

/// Memory limit in bytes for exploring the image of a file, which exists twice.
const EXPLORE_MEMORY: u64 = 1 << 30;

/// The result of executing a file.
#[derive(Default)]
pub(super) struct Executed {
    /// Number of instructions and exit status of a run to its exit.
    pub(super) exit: Option<(u64, i32)>,
    /// Reports of the objects that were mapped and judged.
    pub(super) objects: Vec<Report>,
    /// See [`Checked::reached`](crate::Checked::reached).
    pub(super) reached: Vec<u64>,
}

/// How a program is started.
pub(super) enum Started<'p> {
    /// Alone: a static program.
    Alone,
    /// With its dynamic linker.
    Process(&'p Process),
    /// Not at all, because its dynamic linker is missing.
    Not(ProcessError),
}

/// Executes the selected parts of a file.
pub(super) fn execute(
    (image, started): (&Image, Started<'_>),
    tables: &Tables,
    options: &Options,
    runs: &mut Runs<'_>,
    judge: &mut Judge<'_>,
    report: &mut Report,
) -> Result<Executed, CheckError> {
    let mut executed = Executed::default();
    let Execution::Run { start, uncalled } = &options.execution else { return Ok(executed) };
    let (inputs, limits) = (&options.inputs, options.limits);
    let within = |time| Instant::now().checked_add(time);
    let deadline = limits.time.and_then(within);
    // Half of the time is reserved for exploration, regardless of how long runs take.
    let of_runs = match uncalled {
        Uncalled::Skipped => deadline,
        Uncalled::Explored => limits.time.and_then(|time| within(time / 2)),
    };
    let asked = signals::asked(&inputs.signals, image).map_err(CheckError::SignalPlace)?;
    let plan = |start| {
        let (arguments, world, signals) = (inputs.arguments.clone(), inputs.supplies.world(), asked.clone());
        let step_limit = limits.steps;
        let (schedule, vector_bits) = (inputs.schedule, inputs.vector_bits());
        let deadline = of_runs;
        Plan { start, step_limit, deadline, arguments, world, signals, schedule, vector_bits, ..Plan::new(image) }
    };
    if let options::Start::Functions(names) = start {
        for name in names {
            let start = Start::Function(symbol::address(image, name).map_err(CheckError::Entry)?);
            judge.begin(false);
            executed.exit = run_noted(&plan(start), runs, judge, report).exit;
        }
    } else if image.kind == ImageKind::Relocatable {
        if *uncalled == Uncalled::Skipped {
            report.notes.push("a relocatable object: not executed (--explore executes its functions)".to_owned());
        }
    } else if image.kind == ImageKind::Executable && matches!(started, Started::Alone) {
        judge.begin(true);
        executed.exit = run_noted(&plan(Start::ElfEntry), runs, judge, report).exit;
    } else {
        match started {
            Started::Process(process) => {
                let plan = |world| Plan { world, ..plan(Start::ElfEntry) };
                executed = run_process((process, options), &plan, (image, runs), judge, report);
            }
            Started::Not(error) => {
                let message = format!("cannot run: {error}");
                report.undecided.push(Undecided { reason: UndecidedReason::NotLoadable, pc: None, message });
            }
            Started::Alone => {
                let what = match image.kind {
                    ImageKind::Dynamic => "the file needs a dynamic linker (--root DIR supplies one)",
                    _ => "a shared object",
                };
                let explored = if *uncalled == Uncalled::Skipped { " (--explore executes its functions)" } else { "" };
                report.notes.push(format!("{what}: not executed from its entry{explored}"));
            }
        }
    }
    let explored = match uncalled {
        Uncalled::Skipped => None,
        Uncalled::Explored => explore(image, tables, (runs, judge), report, deadline),
    };
    executed.reached = explored
        .filter(|_| options.include.contains(&Include::Reached))
        .iter()
        .flat_map(|reached| reached.iter())
        .collect();
    executed.reached.sort_unstable();
    Ok(executed)
}

/// Executes a program with its loader and the objects that it maps. It is executed twice, because
/// the mappings are known only after the first run.
fn run_process<'p>(
    (process, options): (&Process, &Options),
    plan: &dyn Fn(World) -> Plan<'p>,
    (image, runs): (&Image, &mut Runs<'_>),
    judge: &mut Judge<'_>,
    report: &mut Report,
) -> Executed {
    let programs = Arc::new(process.programs());
    let world = || World { programs: Some(Arc::clone(&programs) as _), ..process.world(&options.inputs.supplies) };
    let planned = || Plan { interpreter: process.interpreter(), ..plan(world()) };
    let first = planned();
    // A third of the time, because a judged step takes about as long as two others.
    let now = Instant::now();
    let third = first.deadline.map(|deadline| now + deadline.saturating_duration_since(now) / 3);
    let first = Plan { image: &process.program, deadline: third, ..first };
    let unjudged = runs.watched(&first, &mut NoMemo(&mut |_: &Step<'_>| {}));
    let found = process.objects(&unjudged.mapped, &first.world, &programs);
    let functions = found.functions();
    let plan = Plan { image: &process.program, functions: &functions, ..planned() };
    let mut judges: Vec<Judge<'_>> = found
        .all
        .iter()
        .map(|object| {
            Judge::new(&object.image, &object.tables, judge.walks_whole_chains())
                .with_instructions(Decoded(&object.image))
        })
        .map(|of_object| of_object.at_every_step(judge.evaluates_every_step()))
        .collect();
    judge.begin(true);
    judges.iter_mut().for_each(|judge| judge.begin(true));
    let run = {
        let mut watching = Watching::new(image, &found, judge, &mut judges);
        run_noted(&plan, runs, &mut watching, report)
    };
    if let Some((_, status)) = run.exit.filter(|_| judge.counts.steps == 0) {
        let output = String::from_utf8_lossy(&run.output);
        let message = format!(
            "its dynamic linker ended with status {status} before the program's first instruction: {}",
            output.lines().next().unwrap_or("it wrote nothing")
        );
        report.undecided.insert(0, Undecided { reason: UndecidedReason::NotLoadable, pc: None, message });
    }
    let settled = found.all.iter().zip(judges).filter(|(_, judge)| judge.counts.judged > 0).map(|(object, judge)| {
        let mut of_object = Report {
            file: object.image.name.clone(),
            abi: Some(object.image.abi),
            sframe_version: object.tables.version,
            ..Report::default()
        };
        of_object.notes.push(format!("mapped by {}", image.name));
        note_tables(&object.image, &object.tables, &mut of_object);
        settle(&object.image, &object.tables, judge, of_object, options)
    });
    Executed { exit: run.exit, objects: settled.collect(), ..Executed::default() }
}

/// Executes every function without its inputs; returns the instructions that were reached.
fn explore(
    image: &Image,
    tables: &Tables,
    (runs, judge): (&mut Runs<'_>, &mut Judge<'_>),
    report: &mut Report,
    deadline: Option<Instant>,
) -> Option<Rc<Bits>> {
    let territory = Territory::new(image, tables);
    let pads: Vec<Pad> = territory.pads.iter().map(|pad| Pad { site: pad.site.clone(), pad: pad.pad }).collect();
    let stops = runs.stops.all.iter().filter(|stop| stop.run > runs.begun);
    let skipped: Vec<u64> = stops.clone().map(|stop| stop.run - runs.begun).collect();
    for stop in stops {
        let message = format!("a function was left out: {}", stop.message(image));
        report.undecided.push(Undecided { reason: UndecidedReason::Stopped(stop.reason), pc: None, message });
    }
    judge.begin(false);
    let territory = machine::Territory {
        functions: &territory.functions,
        pads: &pads,
        callable: &territory.callable,
        pushed: &territory.pushed,
        stops: &territory.stops,
        watched: &territory.watched,
        skipped: &skipped,
        deadline,
        memory_limit: EXPLORE_MEMORY,
        executor: Executor::Crate,
    };
    let explored = match machine::explore(image, &territory, judge) {
        Ok(explored) => explored,
        Err(error) => {
            let message = format!("cannot be explored: {error}");
            report.undecided.push(Undecided { reason: UndecidedReason::NotLoadable, pc: None, message });
            return None;
        }
    };
    if explored.left_out > 0 {
        let reason = UndecidedReason::Stopped(StopReason::TimeLimit);
        let message =
            format!("the time limit of the file was reached: {} functions were not explored", explored.left_out);
        report.undecided.push(Undecided { reason, pc: None, message });
    }
    if let Some(first) = explored.disagreements.first() {
        let places = counted(explored.disagreements.len() as u64, "place");
        report.error = Some(CheckError::Disagreement { places, start: first.start, end: first.end }.into());
    }
    report.summary.reach = Some(explored.reach);
    report.unreached = explored.unreached.into_iter().map(|counts| unreached(image, counts)).collect();
    let wrong = match explored.suspects {
        0 => String::new(),
        suspects => format!(
            ": a table is wrong in {}, of which {} were discarded because they depend on made-up values",
            counted(suspects, "range"),
            explored.dropped
        ),
    };
    report.notes.push(format!("explored {} with made-up inputs{wrong}", counted(explored.entries, "function")));
    judge.assume(explored.assumed.into_iter().map(|(start, why)| (Pc(start), why)));
    judge.add_explored(explored.judged, explored.judged_pcs.iter().map(Pc));
    let reached = Rc::new(explored.pcs);
    let shared = Rc::clone(&reached);
    judge.memo.explored(move |start, end| shared.any(start.0..end.0));
    Some(reached)
}

/// Names a function that was not reached completely.
fn unreached(image: &Image, counts: Unreached) -> UnreachedIn {
    let (function, place) = (image.place(counts.start), image.span(counts.start, counts.end));
    UnreachedIn { function, place, counts }
}

/// How an execution ended, and what it means for the judging.
#[derive(Default)]
struct RunResult {
    word: &'static str,
    steps: u64,
    exit: Option<(u64, i32)>,
    problem: Option<Undecided>,
    /// The error if the engines differ.
    differ: Option<CheckError>,
    /// The program's output, and the number of further bytes.
    output: Vec<u8>,
    unkept: u64,
    mapped: Vec<Mapped>,
    absent: Absent,
    threads: u32,
    processes: u32,
    programs: u32,
    signals: SignalCounts,
}

/// One requested execution: recorded in the report, and undecided if it ended early.
fn run_noted<M: Memo>(plan: &Plan<'_>, runs: &mut Runs<'_>, judge: &mut M, report: &mut Report) -> RunResult {
    let mut run = runs.watched(plan, judge);
    if let Some(told) = &mut report.output {
        told.push_str(&String::from_utf8_lossy(&run.output));
        if run.unkept > 0 {
            report.notes.push(format!("{} more bytes of output are not shown", run.unkept));
        }
    }
    report.notes.extend(signals::summary(&run.signals));
    report.undecided.extend(signals::unsent(&run.signals));
    report.notes.extend(runs.engines.compared());
    match (run.differ.take(), run.problem.take()) {
        (Some(difference), _) => report.error = Some(difference.into()),
        (None, Some(problem)) => report.undecided.push(problem),
        (None, None) => {
            let status = run.exit.map_or_else(String::new, |(_, status)| format!(" with status {status}"));
            let parts = [(run.threads, "threads"), (run.processes, "processes"), (run.programs, "programs")];
            let parts = parts.into_iter().filter(|part| part.0 > 1);
            let parts: Vec<String> = parts.map(|(count, what)| format!("{count} {what}")).collect();
            let parts = if parts.is_empty() { String::new() } else { format!(" in {}", parts.join(", ")) };
            report.notes.push(format!("ran {}{parts}: {}{status}", counted(run.steps, "instruction"), run.word));
        }
    }
    // They may be the reason why a program failed.
    let failed = run.exit.is_none_or(|(_, status)| status != 0);
    if failed && run.absent.count > 0 {
        let (count, last) = (counted(run.absent.count, "file"), run.absent.last.join(", "));
        report.notes.push(format!("{count} not found, last {last} (--file and --root supply files)"));
    }
    run
}

/// The executions of a file, counted, and the stops at which they end.
pub(super) struct Runs<'a> {
    engines: Engines,
    stops: Stops<'a>,
    begun: u64,
}

impl<'a> Runs<'a> {
    pub(super) fn new(engines: Engines, stops: Stops<'a>) -> Runs<'a> {
        Runs { engines, stops, begun: 0 }
    }

    /// One execution with an observer.
    fn watched<M: Memo>(&mut self, plan: &Plan<'_>, judge: &mut M) -> RunResult {
        self.begun += 1;
        let ended = |word, steps| RunResult { word, steps, ..RunResult::default() };
        let ran = match self.engines.run(plan, self.begun, self.stops, judge) {
            Ok(ran) => ran,
            Err(error @ CheckError::EnginesDiffer(_)) => {
                return RunResult { differ: Some(error), ..ended("engines differ", 0) };
            }
            Err(error) => {
                let message = format!("cannot run: {error}");
                let problem = Undecided { reason: UndecidedReason::NotLoadable, pc: None, message };
                return RunResult { problem: Some(problem), ..ended("not loadable", 0) };
            }
        };
        let unkept = ran.written.saturating_sub(ran.output.len() as u64);
        let result = match ran.end {
            End::Exit(code) => RunResult { exit: Some((ran.steps, code)), ..ended("exited", ran.steps) },
            End::Halt(_) => ended("halted", ran.steps),
            End::Sentinel => ended("returned", ran.steps),
            End::Undecided { reason, pc, message } => RunResult::early(plan, ran.steps, reason, pc, &message),
        };
        RunResult {
            output: ran.output,
            unkept,
            mapped: ran.mapped,
            absent: ran.absent,
            threads: ran.threads,
            processes: ran.processes,
            programs: ran.programs,
            signals: ran.signals,
            ..result
        }
    }
}

impl RunResult {
    /// The result of a run that ended early.
    fn early(plan: &Plan<'_>, steps: u64, reason: StopReason, pc: Pc, message: &str) -> RunResult {
        let place = plan.image.place(pc.0);
        let message = format!("the run ended after {} at {place}: {message}", counted(steps, "instruction"));
        let problem = Undecided { reason: UndecidedReason::Stopped(reason), pc: Some(pc.0), message };
        RunResult { word: reason.name(), steps, problem: Some(problem), ..RunResult::default() }
    }
}

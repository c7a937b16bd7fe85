//! One file from bytes to report: load it, read its tables, run it, judge every step, compare the tables, report.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

use isa::Disassembler;
use judge::execution::Judge;
use judge::gaps::gaps;
use judge::memo::Memo;
use judge::tables::{HeaderCounts, Tables};
use judge::territory::Territory;
use judge::{statics, structure};
use machine::{Bits, End, Mapped, Pad, Plan, Start};
use model::{
    Aspect, Bytes, FileError, FileErrorKind, Image, ImageKind, ImageSection, Observer, Pc, Report, Sizes, Step,
    StopReason, TableLine, Undecided, UndecidedReason,
};
use unwind::Unwinder;

use crate::process::{self, Objects, Process};
use crate::supplies::Supplies;
use crate::workers::{self, Stop, run_until};
use crate::{features, window};

/// What to do with a file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Options {
    /// Leave the run out.
    pub static_only: bool,
    /// Also run functions that nothing called.
    pub explore: bool,
    /// Walk the whole chain at every step.
    pub whole_chain: bool,
    /// Most steps of one run.
    pub step_limit: u64,
    /// Most time for executing what the file has, all runs together.
    pub time_limit: Option<Duration>,
    /// Functions to run by name, in place of the ELF entry.
    pub entries: Vec<String>,
    /// Arguments of the program.
    pub arguments: Vec<String>,
    /// Files and input of the program.
    pub supplies: Supplies,
    /// Tell what the program wrote.
    pub output: bool,
    /// Also list what the table has, for coverage of the specification.
    pub features: bool,
    /// Also list the instructions that exploration reached.
    pub reached: bool,
    /// A file without `.sframe` is an error.
    pub require_sframe: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            static_only: false,
            explore: false,
            whole_chain: false,
            step_limit: 100_000_000,
            time_limit: None,
            entries: Vec::new(),
            arguments: Vec::new(),
            supplies: Supplies::default(),
            output: false,
            features: false,
            reached: false,
            require_sframe: false,
        }
    }
}

/// Findings that are shown with the code around them, errors first.
const MOST_WINDOWS: usize = 100;

/// Memory for the image of a file that is explored, twice.
const EXPLORE_MEMORY: u64 = 1 << 30;

/// A report and what was seen on the way to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// What `check` reports.
    pub report: Report,
    /// Instructions and status of a run to its exit.
    pub exit: Option<(u64, i32)>,
    /// Names of the functions entered.
    pub entered: BTreeSet<String>,
    /// What the `.sframe` header says.
    pub header: Option<HeaderCounts>,
    /// Sizes of the tables and of the code; none without `.sframe`.
    pub sizes: Option<Sizes>,
    /// What the table has, where [`Options::features`] asks for it.
    pub table: Option<TableLine>,
    /// Addresses of instructions that exploration reached, where [`Options::reached`] asks for them; ascending.
    pub reached: Vec<u64>,
    /// Of each object that the program mapped and executed, the loader first.
    pub objects: Vec<Report>,
}

/// Checks a file's bytes; its code is executed in a worker ([`crate::workers`]). Never fails: what cannot be judged is said in the report.
pub fn check(name: &str, bytes: &Bytes, options: &Options) -> Checked {
    match load(name, bytes) {
        Ok(image) if is_executed(&image, options) => workers::check(&image, bytes, options),
        Ok(image) => check_image(&image, options),
        Err(error) => failed(Report::failed(name, error)),
    }
}

/// Checks a file's bytes in this process; runs end where the stops say.
pub(crate) fn check_here(name: &str, bytes: &Bytes, options: &Options, stops: &[Stop]) -> Checked {
    let image = match load(name, bytes) {
        Ok(image) => image,
        Err(error) => return failed(Report::failed(name, error)),
    };
    let loaded = image.kind == ImageKind::Dynamic && options.supplies.root.is_some() && options.entries.is_empty();
    if !loaded || options.static_only {
        return check_until(&image, None, options, stops);
    }
    let bias = process::place(&image, bytes);
    let image = image.moved(bias);
    match Process::of(&image, bytes, &options.supplies.world()) {
        Ok(process) => check_until(&image, Some(&process), options, stops),
        Err(message) => failed(Report::failed(name, FileError { kind: FileErrorKind::Usage, offset: None, message })),
    }
}

fn load(name: &str, bytes: &Bytes) -> Result<Image, FileError> {
    elf::load(name, bytes).map_err(|error| FileError {
        kind: error.kind(),
        offset: Some(error.offset()),
        message: error.to_string(),
    })
}

/// True where some code of the image is executed.
fn is_executed(image: &Image, options: &Options) -> bool {
    let asked = options.explore || !options.entries.is_empty() || image.kind == ImageKind::Executable;
    let loaded = image.kind == ImageKind::Dynamic && options.supplies.root.is_some();
    (asked || loaded) && !options.static_only && (options.explore || image.kind != ImageKind::Relocatable)
}

fn failed(report: Report) -> Checked {
    Checked { report, ..Checked::default() }
}

/// Checks a loaded image in this process: one of a program made here, or one that is not executed.
pub fn check_image(image: &Image, options: &Options) -> Checked {
    check_until(image, None, options, &[])
}

fn check_until(image: &Image, process: Option<&Process>, options: &Options, stops: &[Stop]) -> Checked {
    let tables = Tables::of(image);
    let mut report =
        Report { file: image.name.clone(), abi: Some(image.abi), sframe_version: tables.version, ..Report::default() };
    if !tables.has_sframe && tables.cfi.is_none() {
        let message = "no unwind table at all: neither .sframe nor .eh_frame nor .debug_frame".to_owned();
        report.error = Some(FileError { kind: FileErrorKind::NoTable, offset: None, message });
        return failed(report);
    }
    note_tables(&tables, &mut report);
    if options.require_sframe && !tables.has_sframe {
        report.discrepancies.push(structure::absent(image));
    }
    let mut judge = Judge::new(image, &tables, options.whole_chain);
    let mut runs = Runs { stops, begun: 0 };
    report.output = options.output.then(String::new);
    let Executed { exit, objects, reached } =
        match execute((image, process), &tables, options, &mut runs, &mut judge, &mut report) {
            Ok(done) => done,
            Err(message) => {
                report.error = Some(FileError { kind: FileErrorKind::Usage, offset: None, message });
                return failed(report);
            }
        };
    let functions = image.symbols.iter().filter(|symbol| judge.memo.truth_at(Pc(symbol.address)).is_some());
    let entered = functions.map(|symbol| symbol.name.clone()).collect();
    let executed = judge.counts.steps > 0;
    report.exit_status = exit.map(|(_, status)| status);
    let report = settle(image, &tables, judge, report);
    let table = options.features.then(|| features::table_line(image, &tables, executed)).flatten();
    let sizes = tables.counts.map(|counts| sizes(image, counts));
    Checked { report, exit, entered, header: tables.counts, sizes, table, reached, objects }
}

fn sizes(image: &Image, counts: HeaderCounts) -> Sizes {
    let of = |wanted: &dyn Fn(&ImageSection) -> bool| {
        image.sections.iter().filter(|section| wanted(section)).map(|section| section.size).sum()
    };
    Sizes {
        sframe: counts.bytes,
        eh_frame: of(&|section| section.name == ".eh_frame"),
        eh_frame_hdr: of(&|section| section.name == ".eh_frame_hdr"),
        functions: counts.fdes,
        rows: counts.fres,
        text: of(&|section| section.flags & model::elf::SHF_EXECINSTR != 0),
    }
}

fn settle(image: &Image, tables: &Tables, mut judge: Judge<'_>, mut report: Report) -> Report {
    judge.end();
    let Judge { mut memo, mut fold, counts, charged, undecided, .. } = judge;
    let statics = statics::compare(image, tables, &memo, &charged);
    let disassembler = Disassembler::new(image);
    let end_of = |pc| disassembler.end_of(pc);
    fold.absorb(statics.fold);
    report.discrepancies.extend(fold.finish(end_of));
    report.discrepancies.extend(structure::findings(image, tables));
    report.discrepancies.extend(structure::refused(image, tables));
    report.gaps = gaps(image, tables, &mut memo);
    let summary = &mut report.summary;
    summary.functions = tables.sframe.as_ref().map_or(0, |table| table.functions().len() as u64);
    summary.steps_executed = counts.steps + counts.explored;
    summary.steps_judged = counts.judged + counts.explored_judged;
    summary.pcs_judged = counts.pcs;
    summary.pcs_compared_static = statics.compared;
    summary.frames_walked = counts.frames;
    summary.max_depth = counts.max_depth;
    summary.undecided = counts.undecided;
    report.notes.extend(uncovered(image, &mut memo));
    if !undecided.is_empty() {
        let reasons: Vec<String> = undecided.iter().map(|(why, count)| format!("{count} {why}")).collect();
        report.notes.push(format!("answers that could not be decided: {}", reasons.join(", ")));
    }
    if counts.unwalked > 0 {
        report
            .notes
            .push(format!("{} walks left out: the stack is very deep (--whole-chain walks always)", counts.unwalked));
    }
    if counts.stopped > 0 {
        report
            .notes
            .push(format!("{} chain walks stopped at a register that the table does not track", counts.stopped));
    }
    if statics.gave_up {
        report.notes.push("the tables have too many rows: not all were compared".to_owned());
    }
    if summary.steps_judged + summary.pcs_compared_static == 0 {
        let message =
            "no row of any table was judged: nothing was executed, and there is nothing to compare".to_owned();
        report.undecided.push(Undecided { reason: UndecidedReason::NothingJudged, pc: None, message });
    }
    report.settle();
    for found in &mut report.discrepancies {
        found.place = found.ranges.first().map(|(start, end)| image.span(*start, *end)).unwrap_or_default();
    }
    // Each costs up to 64 KiB of disassembly; hostile tables have thousands of findings, and nobody reads as many.
    let about_code = report.discrepancies.iter_mut().filter(|found| found.field != Aspect::Structure);
    for found in about_code.take(MOST_WINDOWS) {
        found.window = window::around(image, tables, &mut memo, &disassembler, found);
    }
    // Only the window needed it, and the report is to be the same from a worker as from here.
    report.discrepancies.iter_mut().for_each(|found| found.at = None);
    report
}

/// What was executed without any table to judge: not silent, and no finding either.
fn uncovered(image: &Image, memo: &mut Memo) -> Option<String> {
    const NAMED: usize = 5;
    let pcs = memo.uncovered();
    let section =
        |pc: &Pc| image.section_at(pc.0).map_or_else(|| "outside all sections".to_owned(), |home| home.name.clone());
    let home = |pc: &Pc| image.function_at(*pc).map_or_else(|| section(pc), |symbol| symbol.name.clone());
    let names: BTreeSet<String> = pcs.iter().map(home).collect();
    let first: Vec<&str> = names.iter().take(NAMED).map(String::as_str).collect();
    let more = names.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    let list = first.join(", ");
    (!pcs.is_empty()).then(|| format!("no table describes {} PCs that were executed: {list}{rest}", pcs.len()))
}

fn note_tables(tables: &Tables, report: &mut Report) {
    let broken = tables.sframe.iter().flat_map(|table| table.table().broken());
    let unread = broken.filter(|(_, error)| error.kind == sframe::ErrorKind::Overlap).count();
    if unread > 0 {
        let message = format!("{unread} functions share so many rows with others that they were not read");
        report.undecided.push(Undecided { reason: UndecidedReason::SharedRows, pc: None, message });
    }
    match (tables.has_sframe, &tables.cfi) {
        (false, _) => report.notes.push("no .sframe section: .eh_frame is judged alone".to_owned()),
        (true, None) => report.notes.push("no .eh_frame: .sframe is judged alone".to_owned()),
        (true, Some(_)) => {}
    }
}

/// What executing a file came to.
#[derive(Default)]
struct Executed {
    /// Instructions and status of a run to its exit.
    exit: Option<(u64, i32)>,
    /// Of each object that was mapped and judged.
    objects: Vec<Report>,
    /// See [`Checked`].
    reached: Vec<u64>,
}

/// Runs what can run.
fn execute(
    (image, process): (&Image, Option<&Process>),
    tables: &Tables,
    options: &Options,
    runs: &mut Runs<'_>,
    judge: &mut Judge<'_>,
    report: &mut Report,
) -> Result<Executed, String> {
    let mut executed = Executed::default();
    if options.static_only {
        return Ok(executed);
    }
    let deadline = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
    let plan = |start, step_limit| {
        let (arguments, world) = (options.arguments.clone(), options.supplies.world());
        Plan { start, step_limit, deadline, arguments, world, ..Plan::new(image) }
    };
    if !options.entries.is_empty() {
        for name in &options.entries {
            let symbol = image.symbols.iter().find(|symbol| symbol.name == *name);
            let start = symbol.ok_or_else(|| format!("--entry {name}: {} has no such symbol", image.name))?.address;
            judge.begin(false);
            executed.exit = run_noted(&plan(Start::Function(Pc(start)), options.step_limit), runs, judge, report).exit;
        }
    } else if image.kind == ImageKind::Relocatable {
        if !options.explore {
            report
                .notes
                .push("a relocatable object: judged without running it (--explore runs its functions)".to_owned());
        }
    } else if image.kind == ImageKind::Executable {
        judge.begin(true);
        executed.exit = run_noted(&plan(Start::ElfEntry, options.step_limit), runs, judge, report).exit;
    } else if let Some(process) = process {
        let plan = plan(Start::ElfEntry, options.step_limit);
        executed = run_process(process, plan, (image, runs), judge, report);
    } else {
        let what = match image.kind {
            ImageKind::Dynamic => "needs a dynamic linker (--root gives it one)",
            _ => "is a shared object",
        };
        report.notes.push(format!("the file {what}: judged without running it (--explore runs its functions)"));
    }
    let explored = if options.explore { explore(image, tables, (runs, judge), report, deadline) } else { None };
    executed.reached = explored.filter(|_| options.reached).iter().flat_map(|reached| reached.iter()).collect();
    executed.reached.sort_unstable();
    Ok(executed)
}

/// A program with its loader and what that maps. It is executed twice: what it maps, and where, is known after the first time.
fn run_process(
    process: &Process,
    plan: Plan<'_>,
    (image, runs): (&Image, &mut Runs<'_>),
    judge: &mut Judge<'_>,
    report: &mut Report,
) -> Executed {
    let plan = Plan { image: &process.program, interpreter: Some(&process.loader), ..plan };
    let unjudged = runs.watched(&plan, &mut |_: &Step<'_>| {});
    let found = process.objects(&unjudged.mapped, &plan.world);
    let functions = process::functions(&found);
    let plan = Plan { functions: &functions, ..plan };
    let mut judges: Vec<Judge<'_>> =
        found.iter().map(|object| Judge::new(&object.image, &object.tables, judge.walks_whole_chains())).collect();
    judge.begin(true);
    judges.iter_mut().for_each(|judge| judge.begin(true));
    let exit = {
        let images: Vec<&Image> = std::iter::once(image).chain(found.iter().map(|object| &object.image)).collect();
        let mut watching = Objects::new(&images, judge, &mut judges);
        run_noted(&plan, runs, &mut watching, report).exit
    };
    let settled = found.iter().zip(judges).filter(|(_, judge)| judge.counts.judged > 0).map(|(object, judge)| {
        let mut of_object = Report {
            file: object.image.name.clone(),
            abi: Some(object.image.abi),
            sframe_version: object.tables.version,
            ..Report::default()
        };
        of_object.notes.push(format!("mapped by {}", image.name));
        note_tables(&object.tables, &mut of_object);
        settle(&object.image, &object.tables, judge, of_object)
    });
    Executed { exit, objects: settled.collect(), ..Executed::default() }
}

/// Executes every function without its inputs: which instructions were reached.
fn explore(
    image: &Image,
    tables: &Tables,
    (runs, judge): (&mut Runs<'_>, &mut Judge<'_>),
    report: &mut Report,
    deadline: Option<Instant>,
) -> Option<Rc<Bits>> {
    let territory = Territory::of(image, tables);
    let pads: Vec<Pad> = territory.pads.iter().map(|pad| Pad { site: pad.site.clone(), pad: pad.pad }).collect();
    let stops = runs.stops.iter().filter(|stop| stop.run() > runs.begun);
    let skipped: Vec<u64> = stops.clone().map(|stop| stop.run() - runs.begun).collect();
    for stop in stops {
        let message = format!("a function was left out: {}", stop.message());
        report.undecided.push(Undecided { reason: UndecidedReason::Stopped(stop.reason()), pc: None, message });
    }
    judge.begin(false);
    let territory = machine::Territory {
        functions: &territory.functions,
        pads: &pads,
        callable: &territory.callable,
        pushed: &territory.pushed,
        stops: &territory.stops,
        skipped: &skipped,
        deadline,
        memory_limit: EXPLORE_MEMORY,
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
        let message = format!("the time for the file was over: {} functions were not explored", explored.left_out);
        report.undecided.push(Undecided { reason, pc: None, message });
    }
    report.summary.reach = Some(explored.reach);
    report.notes.push(format!(
        "entered {} functions without their inputs; {} of {} stretches that a table was not right about rested on made-up values",
        explored.entries, explored.dropped, explored.suspects
    ));
    let unseen = explored.pcs.iter().filter(|pc| judge.memo.truth_at(Pc(*pc)).is_none()).count();
    judge.counts.pcs += unseen as u64;
    let reached = Rc::new(explored.pcs);
    let shared = Rc::clone(&reached);
    judge.memo.explored(move |start, end| shared.any(start.0..end.0));
    Some(reached)
}

/// How an execution ended, in a word, and where that leaves the judging.
#[derive(Default)]
struct RunResult {
    word: &'static str,
    steps: u64,
    exit: Option<(u64, i32)>,
    problem: Option<Undecided>,
    /// What the program wrote, and how much more of it there was.
    output: Vec<u8>,
    unkept: u64,
    mapped: Vec<Mapped>,
}

/// One execution that was asked for: noted in the report, and undecided where it ended early.
fn run_noted<O: Observer>(plan: &Plan<'_>, runs: &mut Runs<'_>, judge: &mut O, report: &mut Report) -> RunResult {
    let mut run = runs.watched(plan, judge);
    if let Some(told) = &mut report.output {
        told.push_str(&String::from_utf8_lossy(&run.output));
        if run.unkept > 0 {
            report.notes.push(format!("{} more bytes of output are not shown", run.unkept));
        }
    }
    match run.problem.take() {
        Some(problem) => report.undecided.push(problem),
        None => {
            let status = run.exit.map_or_else(String::new, |(_, status)| format!(" with status {status}"));
            report.notes.push(format!("ran {} instructions: {}{status}", run.steps, run.word));
        }
    }
    run
}

/// The executions of a file, counted, and where they are to end.
struct Runs<'a> {
    stops: &'a [Stop],
    begun: u64,
}

impl Runs<'_> {
    /// One execution, with who watches every step.
    fn watched<O: Observer>(&mut self, plan: &Plan<'_>, judge: &mut O) -> RunResult {
        self.begun += 1;
        let ended = |word, steps| RunResult { word, steps, ..RunResult::default() };
        let ran = match run_until(plan, self.begun, self.stops, judge) {
            Ok(ran) => ran,
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
        RunResult { output: ran.output, unkept, mapped: ran.mapped, ..result }
    }
}

impl RunResult {
    /// It ended before its time.
    fn early(plan: &Plan<'_>, steps: u64, reason: StopReason, pc: Pc, message: &str) -> RunResult {
        let place = plan.image.place(pc.0);
        let message = format!("the run ended after {steps} instructions at {place}: {message}");
        let problem = Undecided { reason: UndecidedReason::Stopped(reason), pc: Some(pc.0), message };
        RunResult { word: reason.name(), steps, problem: Some(problem), ..RunResult::default() }
    }
}

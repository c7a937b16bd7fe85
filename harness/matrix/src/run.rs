//! `run`: the whole matrix in parallel, results as they come, a table at the end.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ledger::earlier::EarlierRun;
use ledger::run_files::{self, FACTS, RESULTS, ReadError, named};
use ledger::{Home, Ledger, LedgerError};
use rayon::prelude::*;
use reports::clauses::{self, Exercised};
use reports::console::{ConsoleOptions, Ending, Since};
use reports::escape::line;
use reports::history::{Options as Compare, RunResults, compare};
use reports::page::PageExtras;
use reports::progress::{Amount, Progress};
use reports::screen::Screen;
use reports::testrun::{Format, Pinned, of_matrix};
use reports::{console, page, tally, terminal};
use results::{ClauseFacts, Key, ReadersRun, RunAsked, RunFacts, SCHEMA, Status, ToolName, TrialLine};
use toolchain::cache::{Cache, Sample};
use toolchain::interrupt;
use toolchain::local::{LocalError, Role};
use toolchain::lock::{FolderLock, LockError};
use toolchain::producers::{self, ProducersError};
use toolchain::running;
use toolchain::trouble::{self, Trouble};
use types::{Abi, SframeVersion, counted};

use super::results::Results;
use super::trial::Trial;
use super::{Extent, Matrix};
use crate::choice::{Choice, ChoiceError};
use crate::kept;
use crate::link::RecipeError;

/// The folder in which the results of the run before are kept.
const PREVIOUS: &str = "previous";
/// The files beside the results.
const PAGE: &str = "index.html";
const JUNIT: &str = "junit.xml";
const SARIF: &str = "results.sarif";

/// What to run and where to write.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Which trials: [`Choice`].
    pub filters: Vec<String>,
    /// Producers' file; none for the variable's, or the shipped one.
    pub producers: Option<PathBuf>,
    /// A folder of earlier results, which are what is known in place of the ledger.
    pub against: Option<PathBuf>,
    /// Programs that take the place of the tools that they are.
    pub programs: Vec<(Role, PathBuf)>,
    /// What a producers' file of the user's own names may be absent.
    pub allow_missing: bool,
    /// How much of the matrix.
    pub extent: Extent,
    /// Threads; none for one a core.
    pub jobs: Option<usize>,
    /// The K-th of N parts, K from 1.
    pub shard: Option<(usize, usize)>,
    /// Keep the results that are there and run only the rest.
    pub resume: bool,
    /// Where the cases are.
    pub home: Home,
    /// What producers do again that they did before.
    pub remake: Remake,
    /// Keep the files of every trial, not only of those that fail.
    pub keep: bool,
    /// List clauses that no trial covers.
    pub clauses: bool,
    /// This program, as it was called.
    pub program: String,
    /// What the writer can show.
    pub screen: Screen,
    /// Earlier results of readers.
    pub readers: Option<Box<ReadersRun>>,
    /// Results folder.
    pub out: PathBuf,
}

impl RunOptions {
    fn asked(&self) -> RunAsked {
        let variable = std::env::var_os(producers::VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
        RunAsked {
            filters: self.filters.clone(),
            full: self.extent == Extent::Full,
            shard: self.shard,
            producers: self.producers.clone().or(variable).map(|file| file.display().to_string()),
            against: self.against.as_ref().map(|folder| folder.display().to_string()),
            programs: self
                .programs
                .iter()
                .flat_map(|(role, path)| [format!("--{}", role.option()), path.display().to_string()])
                .collect(),
        }
    }
}

/// The commands that are run although their results are cached.
#[derive(Clone, Copy, Debug)]
pub enum Remake {
    /// None.
    Missing,
    /// Some, and their results are compared.
    Sample(Sample),
    /// All; nothing is kept either.
    All,
}

/// How the matrix came out.
#[derive(Debug)]
pub struct Ran {
    /// Exit code of the command.
    pub exit_code: u8,
    /// The results file.
    pub results: PathBuf,
}

/// Why a run gave no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Results cannot be read, written or printed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The producers' file cannot be used.
    #[error(transparent)]
    Producers(#[from] ProducersError),
    /// The ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The results of the earlier run cannot be read.
    #[error("--against: {0}")]
    Earlier(#[from] ReadError),
    /// A case cannot be read.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// There are no threads to run on.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Another run is at work in the results folder.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// This machine has a problem, so the outcome of trials means nothing.
    #[error("{0}; no trial can be judged there. Results so far are kept, and run --resume goes on with them")]
    Trouble(Trouble),
    /// A filter chooses no trial.
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    /// A program is not what an option expects.
    #[error(transparent)]
    Local(#[from] LocalError),
    /// A producers' file of the user's own names what is not here.
    #[error("{}; --allow-missing runs the rest", .0.join("; "))]
    Missing(Vec<String>),
    /// The program was asked to stop.
    #[error("interrupted before the first trial")]
    Interrupted,
}

/// Runs the matrix and prints its results. When the program is asked to stop, what is finished is
/// kept and printed.
///
/// # Errors
/// If data cannot be read or results cannot be written.
pub fn run(options: &RunOptions, out: &mut dyn Write) -> Result<Ran, RunError> {
    running::can_run()?;
    let began = Instant::now();
    let home = options.home.clone();
    let cache = match options.remake {
        Remake::Missing => Some(home.cache()),
        Remake::Sample(sample) => Some(home.cache().rechecking(sample)),
        Remake::All => None,
    };
    let (matrix, local) = matrix(options, cache)?;
    let mut ledger = Ledger::read(&matrix.home)?;
    ledger.earlier = options.against.as_deref().map(EarlierRun::read).transpose()?;
    let all = matrix.trials(options.extent)?;
    let chosen = choose(&all, &local, &options.filters)?;
    // A tool that was asked while the program was asked to stop may seem to be absent.
    if interrupt::is_requested() {
        return Err(RunError::Interrupted);
    }
    let _lock = FolderLock::take(&options.out)?;
    if !options.resume {
        put_aside(&options.out)?;
    }
    let mut results = Results::open(&options.out, options.resume)?;
    if !options.resume {
        kept::clear(&options.out)?;
    }
    for stale in [FACTS, PAGE, JUNIT, SARIF] {
        run_files::remove(&options.out.join(stale))?;
    }
    let mut chosen: Vec<&Trial> = chosen
        .into_iter()
        .enumerate()
        .filter(|(index, _)| options.shard.is_none_or(|(part, parts)| index % parts == part - 1))
        .map(|(_, trial)| trial)
        .collect();
    let selected = chosen.len();
    chosen.retain(|trial| !results.has(&trial.key.to_string()));
    // What fails in the newest version is seen first.
    chosen.sort_by_key(|trial| Reverse(SframeVersion::named(&trial.key.sframe)));
    let (ran, times) = run_trials(&chosen, &ledger, options, &mut results)?;
    interrupt::heard();
    if let Some(trouble) = trouble::noted() {
        return Err(RunError::Trouble(trouble.clone()));
    }
    let trials: Vec<TrialLine> = results.lines().cloned().collect();
    let path = results.finish()?;
    let facts = RunFacts {
        schema: SCHEMA,
        tool_version: concat!("sframe-conformance ", env!("CARGO_PKG_VERSION")).to_owned(),
        day: ledger.today.clone(),
        seconds: began.elapsed().as_secs_f64(),
        unfinished: ran < chosen.len(),
        asked: options.asked(),
        times,
        producers: matrix.producers.facts(),
        clauses: covered(&trials),
        ledger: ledger.shown_by(&trials),
        readers: options.readers.clone(),
    };
    let left_out = chosen.len() - ran;
    // Every trial there is, whatever part of it this run is. Tools that are asked once the program
    // is to stop seem to be absent.
    let whole = match (facts.unfinished, options.extent) {
        (true, _) => None,
        (false, Extent::Full) => Some(all),
        (false, Extent::Often) => Some(matrix.trials(Extent::Full)?),
    };
    let whole = whole.filter(|_| !interrupt::is_requested());
    let run = RunResults { facts, trials };
    // What is missing has not vanished.
    let old = if whole.is_some() { previous(&options.out)? } else { None };
    // Nor has what this run was not asked for.
    let (old, other) = match old {
        Some(old) if old.facts.asked == run.facts.asked => (Some(old), None),
        other => (None, other),
    };
    let changes = old.map(|old| compare(&old, &run, Compare::default()));
    let RunResults { facts, trials } = run;
    let places = run_files::places(&options.program, &matrix.home, &options.out, &trials);
    let beside =
        PageExtras { changes: changes.as_ref(), places: Some(&places), seen: None, readers: Some(page::READERS) };
    write_reports(&options.out, &trials, &facts, beside)?;
    let mut remarks = Vec::new();
    let since = match (&changes, &other) {
        (Some(changes), _) => Since::Changes(changes),
        (None, Some(other)) => Since::Other(&other.facts.asked),
        // What is there and cannot be read was reported.
        (None, None) if facts.unfinished || options.out.join(PREVIOUS).is_dir() => Since::Unasked,
        (None, None) => Since::First,
    };
    if facts.unfinished {
        remarks.push(format!("interrupted: {left_out} of {} were left out", counted(selected, "trial")));
    }
    if let Some(cache) = matrix.producers.cache() {
        if let Remake::Sample(_) = options.remake {
            let rechecked = usize::try_from(cache.tally().rechecked).unwrap_or(usize::MAX);
            remarks.push(format!("{} ran again and did the same as before", counted(rechecked, "command")));
        }
        // What was only asked for made it no larger.
        if cache.tally().kept > 0 {
            cache.trim()?;
        }
    }
    // Those that a narrower run leaves out on purpose are not offered.
    let wider = match &whole {
        Some(whole) if facts.asked.is_all() => whole.len().saturating_sub(selected),
        Some(_) | None => 0,
    };
    // A key of the whole matrix is not idle because this run leaves its options out.
    let whole = whole.filter(|_| ledger.earlier.is_none());
    let idle = whole.map_or_else(Vec::new, |whole| idle(&ledger, &matrix, &whole, &trials));
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    // Strictly, an absent producer is a failure.
    let absent = strict && trials.iter().any(|trial| trial.status == Status::Unsupported);
    let exit_code = if !idle.is_empty() || absent { 1 } else { tally::exit_code(&trials, &facts) };
    remarks.extend(idle);
    let told = ConsoleOptions { screen: options.screen, places: &places, clauses: options.clauses };
    if options.clauses {
        console::covered(&facts, told, out)?;
    }
    console::end(&trials, &facts, told, &Ending { since, wider, remarks: &remarks }, out)?;
    Ok(Ran { exit_code, results: path })
}

/// The names of the trials that would run, in order, each with why it cannot, if so.
///
/// # Errors
/// If data cannot be read, or nothing is chosen.
pub fn list(options: &RunOptions, out: &mut dyn Write) -> Result<(), RunError> {
    let cache = options.home.cache();
    let (matrix, local) = matrix(options, Some(cache))?;
    let all = matrix.trials(options.extent)?;
    for trial in choose(&all, &local, &options.filters)? {
        let absent = trial.absent().map(|why| format!("   {}", line(why))).unwrap_or_default();
        writeln!(out, "{}{absent}", line(&trial.key.to_string()))?;
    }
    Ok(())
}

/// The matrix that was asked for, and the names of tools in whose place programs were put.
fn matrix(options: &RunOptions, cache: Option<Cache>) -> Result<(Matrix, Vec<String>), RunError> {
    let mut matrix = Matrix::new(options.home.clone(), options.producers.as_deref(), cache)?;
    if !options.allow_missing {
        let missing: Vec<String> = matrix.producers.missing().into_iter().map(|absent| absent.why).collect();
        if !missing.is_empty() {
            return Err(RunError::Missing(missing));
        }
    }
    let mut local = Vec::new();
    for (role, program) in &options.programs {
        let (producers, name) = matrix.producers.with_program(*role, program)?;
        matrix.producers = producers;
        if !local.contains(&name) {
            local.push(name);
        }
    }
    Ok((matrix, local))
}

/// The trials that are meant; where programs were put in the place of tools, those in which one
/// takes part.
fn choose<'a>(all: &'a [Trial], local: &[String], filters: &[String]) -> Result<Vec<&'a Trial>, RunError> {
    let takes_part = |trial: &&Trial| local.is_empty() || trial.tools().iter().any(|tool| local.contains(&tool.name));
    let there: Vec<&Trial> = all.iter().filter(takes_part).collect();
    let names: Vec<String> = there.iter().map(|trial| trial.key.to_string()).collect();
    let choice = Choice::new(filters, &names)?;
    Ok(there.into_iter().zip(names).filter(|(_, name)| choice.has(name)).map(|(trial, _)| trial).collect())
}

/// Runs trials in parallel and adds their lines as they end; returns how many got one, and how long
/// each took. Once the program is asked to stop, no line is added: the trial may have come out as
/// it did because its commands were killed. The same where temporary files cannot be written.
fn run_trials(
    chosen: &[&Trial],
    ledger: &Ledger,
    options: &RunOptions,
    results: &mut Results,
) -> Result<(usize, BTreeMap<String, f64>), RunError> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0).min(chosen.len().max(1))).build()?;
    let all = Amount { count: chosen.len() as u64, work: chosen.len() as u64 };
    let progress = Progress::new("trial", all, pool.current_num_threads());
    let sink = Mutex::new((results, progress, BTreeMap::new()));
    pool.install(|| {
        chosen.par_iter().try_for_each(|trial| -> io::Result<()> {
            if interrupt::is_requested() || trouble::noted().is_some() {
                return Ok(());
            }
            let began = Instant::now();
            let (line, made) = trial.run_kept(ledger);
            let took = began.elapsed().as_secs_f64();
            if !matches!(line.status, Status::Pass | Status::Xfail | Status::Unsupported) {
                // A tool that found no room may have said nothing of it.
                let _ = trouble::look(&std::env::temp_dir());
            }
            let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
            if interrupt::is_requested() || trouble::noted().is_some() {
                return Ok(());
            }
            if matches!(line.status, Status::Fail | Status::Xpass | Status::Unresolved) {
                sink.1.bad();
                let told = format!("{} {}", tally::word(line.status), reports::escape::line(&line.key));
                sink.1.say(&told);
            }
            if !made.is_empty() && (options.keep || matches!(line.status, Status::Fail | Status::Xpass)) {
                kept::keep(&made, &options.out, &line)?;
            }
            sink.1.add(&line.key, 1);
            // To the millisecond, which is precise enough.
            sink.2.insert(line.key.clone(), (took * 1000.0).round() / 1000.0);
            sink.0.add(line)
        })
    })?;
    let (_, progress, times) = sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.end();
    Ok((times.len(), times))
}

/// Keeps the results of a finished run, for the next one to be compared with.
fn put_aside(folder: &Path) -> io::Result<()> {
    if [RESULTS, FACTS].iter().all(|name| folder.join(name).is_file()) {
        let previous = folder.join(PREVIOUS);
        fs::create_dir_all(&previous).map_err(|error| named(&previous, &error))?;
        // In this order: what is there without facts is a part, and is not compared with.
        run_files::remove(&previous.join(FACTS))?;
        for name in [RESULTS, FACTS] {
            let path = folder.join(name);
            fs::rename(&path, previous.join(name)).map_err(|error| named(&path, &error))?;
        }
    }
    Ok(())
}

/// The results that were put aside. `None` if nothing was, or it is of another shape.
fn previous(folder: &Path) -> io::Result<Option<RunResults>> {
    let folder = folder.join(PREVIOUS);
    if !folder.join(FACTS).is_file() {
        return Ok(None);
    }
    let old = match run_files::read(std::slice::from_ref(&folder)) {
        Ok(old) => old,
        Err(error) => {
            let why = line(&error.to_string());
            writeln!(terminal::stderr(), "sframe-conformance: not compared with the previous run: {why}")?;
            return Ok(None);
        }
    };
    Ok(Some(old))
}

/// Writes the page and the files for machines.
fn write_reports(folder: &Path, trials: &[TrialLine], facts: &RunFacts, beside: PageExtras<'_>) -> io::Result<()> {
    let put = |name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
        run_files::write_file(&folder.join(name), |out| write(out))
    };
    let tests = of_matrix(trials, facts, &Pinned::default());
    put(PAGE, &mut |out| out.write_all(page::render(trials, facts, beside).as_bytes()))?;
    put(JUNIT, &mut |out| tests.write(Format::Junit, out))?;
    put(SARIF, &mut |out| tests.write(Format::Sarif, out))?;
    // Written last: the file shows that the run was finished.
    if !facts.unfinished {
        let new = format!("{FACTS}.new");
        put(&new, &mut |out| serde_json::to_writer_pretty(out, facts).map_err(io::Error::from))?;
        fs::rename(folder.join(new), folder.join(FACTS)).map_err(|error| named(&folder.join(FACTS), &error))?;
    }
    Ok(())
}

/// Every clause, with the trials that cover it.
fn covered(trials: &[TrialLine]) -> Vec<ClauseFacts> {
    let exercised: Vec<Exercised> = trials.iter().filter_map(clauses::exercised).collect();
    clauses::coverage(&exercised)
}

/// Keys of the ledger that no trial matches, for targets of which trials ran; none if the tools
/// are not those that the ledger is of.
fn idle(ledger: &Ledger, matrix: &Matrix, whole: &[Trial], ran: &[TrialLine]) -> Vec<String> {
    // The user's own tools make fewer trials, and no list of expected ones exists for them.
    if !matrix.producers.are_as_shipped() {
        return Vec::new();
    }
    let judged = |abi: Abi| ran.iter().any(|trial| trial.status != Status::Unsupported && trial.abi == abi.name());
    let there = whole.iter().filter(|trial| trial.absent().is_none());
    let names: Vec<(Key, Vec<ToolName>)> = there.map(|trial| (trial.key.clone(), trial.tools())).collect();
    let idle = ledger.idle(&names, judged, |abi| matrix.producers.are_all_here(abi));
    let told = |pattern| {
        format!(
            "IDLE {pattern}: the ledger expects a trial of this name, and there is none; correct the name or remove it"
        )
    };
    idle.into_iter().map(told).collect()
}

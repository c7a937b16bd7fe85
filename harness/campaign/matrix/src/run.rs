//! Runs the matrix in parallel and stores results as they arrive.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ledger::earlier::EarlierRun;
use ledger::run_files::{self, FACTS, RESULTS, ReadError, named};
use ledger::{Home, Ledger, LedgerError};
use rayon::prelude::*;
use results::{
    ClauseFacts, Exercised, Key, ReadersRun, RunAsked, RunFacts, RunResults, SCHEMA, Status, ToolName, TrialLine,
    coverage, exercised, tally,
};
use toolchain::cache::{Cache, Sample};
use toolchain::interrupt;
use toolchain::local::{LocalError, Role};
use toolchain::lock::{FolderLock, LockError};
use toolchain::producers::{self, ProducersError};
use toolchain::running;
use toolchain::trouble::{self, Trouble};
use types::{Abi, SframeVersion};

use super::results::Results;
use super::trial::Trial;
use super::{Extent, Matrix};
use crate::choice::{Choice, ChoiceError};
use crate::kept;
use crate::link::RecipeError;

/// Folder with the results of the previous run.
const PREVIOUS: &str = "previous";
/// The page beside the results. The caller writes it and the next two; a run that begins removes
/// them.
pub const PAGE: &str = "index.html";
pub const JUNIT: &str = "junit.xml";
pub const SARIF: &str = "results.sarif";

#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Filters of trials: [`Choice`].
    pub filters: Vec<String>,
    /// Producers' file; `None` for that of the variable, or the shipped one.
    pub producers: Option<PathBuf>,
    /// A folder of earlier results, which are what is known in place of the ledger.
    pub against: Option<PathBuf>,
    /// Programs that take the place of the tools that they are.
    pub programs: Vec<(Role, PathBuf)>,
    /// True if tools in the user's own producers' file may be missing.
    pub allow_missing: bool,
    /// Part of the matrix.
    pub extent: Extent,
    /// Number of threads; `None` for one per core.
    pub jobs: Option<usize>,
    /// Shard K of N, K from 1.
    pub shard: Option<(usize, usize)>,
    /// Keep existing results and run only the remaining trials.
    pub resume: bool,
    /// Folder of the cases.
    pub home: Home,
    /// Commands that are run although their results are cached.
    pub remake: Remake,
    /// Store the files of every trial, not only of those that fail.
    pub keep: bool,
    /// Earlier results of readers.
    pub readers: Option<Box<ReadersRun>>,
    /// Results folder.
    pub out: PathBuf,
}

impl RunOptions {
    fn recorded(&self) -> RunAsked {
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
    /// None of them.
    Missing,
    /// A sample, whose results are compared with the cache.
    Sample(Sample),
    /// All of them, and nothing is cached.
    All,
}

/// Follows a run.
pub trait RunObserver: Send {
    /// Called first, with the number of trials and of threads.
    fn begin(&mut self, trials: usize, threads: usize);

    /// Called when a trial has ended.
    fn ended(&mut self, trial: &TrialLine);

    /// Called when all trials have ended, or the program was asked to stop.
    fn end(&mut self);
}

/// A run that ended, with its results as they were stored.
#[derive(Debug)]
pub struct EndedRun {
    /// Exit code of the command.
    pub exit_code: u8,
    /// Facts and trials.
    pub results: RunResults,
    /// The results that were in the folder before.
    pub previous: Previous,
    /// Number of trials that were selected.
    pub selected: usize,
    /// Number of these that did not run, because the program was asked to stop.
    pub left_out: usize,
    /// Number of further trials of the complete matrix, if no option limits the run.
    pub wider: usize,
    /// Number of commands that were executed again, with the same result, if requested.
    pub rechecked: Option<u64>,
    /// Names in the ledger that match no trial, although the tools are those of the ledger.
    pub idle: Vec<String>,
}

/// The results of the run before.
#[derive(Debug)]
pub enum Previous {
    /// There are none.
    Absent,
    /// The folder has some, but this run is not to be compared with them: it was interrupted.
    NotCompared,
    /// They cannot be read.
    Unreadable(ReadError),
    Results(Box<RunResults>),
}

/// A trial that would run.
#[derive(Debug)]
pub struct ListedTrial {
    pub name: String,
    /// The reason if it cannot run.
    pub absent: Option<String>,
}

/// Why a run gave no results.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Producers(#[from] ProducersError),
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The results of the earlier run cannot be read.
    #[error("--against: {0}")]
    Earlier(#[from] ReadError),
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    #[error(transparent)]
    Lock(#[from] LockError),
    #[error("{0}; no trial can be judged there. Results so far are kept; `run --resume` continues")]
    Trouble(Trouble),
    #[error(transparent)]
    Choice(#[from] ChoiceError),
    #[error(transparent)]
    Local(#[from] LocalError),
    #[error("{}; --allow-missing runs the rest", .0.join("; "))]
    Missing(Vec<String>),
    #[error("interrupted before the first trial")]
    Interrupted,
}

/// Runs the matrix. When the program is asked to stop, finished results are kept.
pub fn run(options: &RunOptions, observer: &mut dyn RunObserver) -> Result<EndedRun, RunError> {
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
    // A tool that was searched while the program was asked to stop may seem to be missing.
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
    // Trials of the newest version are run first.
    chosen.sort_by_key(|trial| Reverse(SframeVersion::named(&trial.key.sframe)));
    let (ran, times) = run_trials(&chosen, &ledger, options, &mut results, observer)?;
    interrupt::acknowledge();
    if let Some(trouble) = trouble::noted() {
        return Err(RunError::Trouble(trouble.clone()));
    }
    let trials: Vec<TrialLine> = results.lines().cloned().collect();
    results.finish()?;
    let facts = RunFacts {
        schema: SCHEMA,
        tool_version: concat!("sframe-conformance ", env!("CARGO_PKG_VERSION")).to_owned(),
        day: ledger.today.clone(),
        seconds: began.elapsed().as_secs_f64(),
        unfinished: ran < chosen.len(),
        asked: options.recorded(),
        times,
        producers: matrix.producers.facts(),
        clauses: covered(&trials),
        ledger: ledger.shown_by(&trials),
        readers: options.readers.clone(),
    };
    let left_out = chosen.len() - ran;
    // All trials, whatever part of them this run is. Tools that are searched after a request to
    // stop seem to be missing.
    let whole = match (facts.unfinished, options.extent) {
        (true, _) => None,
        (false, Extent::Full) => Some(all),
        (false, Extent::Often) => Some(matrix.trials(Extent::Full)?),
    };
    let whole = whole.filter(|_| !interrupt::is_requested());
    if !facts.unfinished {
        write_facts(&options.out, &facts)?;
    }
    let previous = match whole {
        Some(_) => previous(&options.out),
        // Missing results have not vanished.
        None if facts.unfinished || options.out.join(PREVIOUS).is_dir() => Previous::NotCompared,
        None => Previous::Absent,
    };
    let mut rechecked = None;
    if let Some(cache) = matrix.producers.cache() {
        if let Remake::Sample(_) = options.remake {
            rechecked = Some(cache.tally().rechecked);
        }
        // Cache hits alone do not enlarge the cache.
        if cache.tally().kept > 0 {
            cache.trim()?;
        }
    }
    // Trials that a narrower run omits on purpose are no further ones.
    let wider = match &whole {
        Some(whole) if facts.asked.is_all() => whole.len().saturating_sub(selected),
        Some(_) | None => 0,
    };
    // A key of the whole matrix is not idle because this run leaves its options out.
    let whole = whole.filter(|_| ledger.earlier.is_none());
    let idle = whole.map_or_else(Vec::new, |whole| idle(&ledger, &matrix, &whole, &trials));
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    // In strict mode a missing producer is a failure.
    let absent = strict && trials.iter().any(|trial| trial.status == Status::Unsupported);
    let exit_code = if !idle.is_empty() || absent { 1 } else { tally::exit_code(&trials, &facts) };
    let results = RunResults { facts, trials };
    Ok(EndedRun { exit_code, results, previous, selected, left_out, wider, rechecked, idle })
}

/// The trials that would run, sorted.
pub fn list(options: &RunOptions) -> Result<Vec<ListedTrial>, RunError> {
    let cache = options.home.cache();
    let (matrix, local) = matrix(options, Some(cache))?;
    let all = matrix.trials(options.extent)?;
    let listed = |trial: &Trial| ListedTrial { name: trial.key.to_string(), absent: trial.absent().map(str::to_owned) };
    Ok(choose(&all, &local, &options.filters)?.into_iter().map(listed).collect())
}

/// The requested matrix, and the names of replaced tools.
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

/// The selected trials; if tools are replaced, only those in which a replaced tool takes part.
fn choose<'a>(all: &'a [Trial], local: &[String], filters: &[String]) -> Result<Vec<&'a Trial>, RunError> {
    let takes_part = |trial: &&Trial| local.is_empty() || trial.tools().iter().any(|tool| local.contains(&tool.name));
    let there: Vec<&Trial> = all.iter().filter(takes_part).collect();
    let names: Vec<String> = there.iter().map(|trial| trial.key.to_string()).collect();
    let choice = Choice::new(filters, &names)?;
    Ok(there.into_iter().zip(names).filter(|(_, name)| choice.has(name)).map(|(trial, _)| trial).collect())
}

/// Runs trials in parallel and adds their lines as they end; returns the number of lines added, and
/// the duration of each trial. After a request to stop no line is added, because the trial's
/// commands may have been killed. The same applies if temporary files cannot be written.
fn run_trials(
    chosen: &[&Trial],
    ledger: &Ledger,
    options: &RunOptions,
    results: &mut Results,
    observer: &mut dyn RunObserver,
) -> Result<(usize, BTreeMap<String, f64>), RunError> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0).min(chosen.len().max(1))).build()?;
    observer.begin(chosen.len(), pool.current_num_threads());
    let sink = Mutex::new((results, observer, BTreeMap::new()));
    pool.install(|| {
        chosen.par_iter().try_for_each(|trial| -> io::Result<()> {
            if interrupt::is_requested() || trouble::noted().is_some() {
                return Ok(());
            }
            let began = Instant::now();
            let (line, made) = trial.run_kept(ledger);
            let took = began.elapsed().as_secs_f64();
            if !matches!(line.status, Status::Pass | Status::Xfail | Status::Unsupported) {
                // A tool without disk space may not have reported it.
                let _ = trouble::look(&std::env::temp_dir());
            }
            let mut sink = sink.lock().unwrap_or_else(PoisonError::into_inner);
            if interrupt::is_requested() || trouble::noted().is_some() {
                return Ok(());
            }
            if !made.is_empty() && (options.keep || matches!(line.status, Status::Fail | Status::Xpass)) {
                kept::keep(&made, &options.out, &line)?;
            }
            sink.1.ended(&line);
            // Rounded to milliseconds.
            sink.2.insert(line.key.clone(), (took * 1000.0).round() / 1000.0);
            sink.0.add(line)
        })
    })?;
    let (_, observer, times) = sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    observer.end();
    Ok((times.len(), times))
}

/// Stores the results of a finished run, to compare the next one with them.
fn put_aside(folder: &Path) -> io::Result<()> {
    if [RESULTS, FACTS].iter().all(|name| folder.join(name).is_file()) {
        let previous = folder.join(PREVIOUS);
        fs::create_dir_all(&previous).map_err(|error| named(&previous, &error))?;
        // In this order: results without facts are partial, and are not compared with.
        run_files::remove(&previous.join(FACTS))?;
        for name in [RESULTS, FACTS] {
            let path = folder.join(name);
            fs::rename(&path, previous.join(name)).map_err(|error| named(&path, &error))?;
        }
    }
    Ok(())
}

/// The stored results of the previous run.
fn previous(folder: &Path) -> Previous {
    let folder = folder.join(PREVIOUS);
    if !folder.join(FACTS).is_file() {
        return if folder.is_dir() { Previous::NotCompared } else { Previous::Absent };
    }
    match run_files::read(&[folder]) {
        Ok(old) => Previous::Results(Box::new(old)),
        Err(error) => Previous::Unreadable(error),
    }
}

/// Writes the facts of a finished run, through a temporary file: their existence shows that it was
/// finished.
fn write_facts(folder: &Path, facts: &RunFacts) -> io::Result<()> {
    let (path, new) = (folder.join(FACTS), folder.join(format!("{FACTS}.new")));
    run_files::write_file(&new, |out| serde_json::to_writer_pretty(out, facts).map_err(io::Error::from))?;
    fs::rename(&new, &path).map_err(|error| named(&path, &error))
}

/// Every clause, with the number of trials that cover it.
fn covered(trials: &[TrialLine]) -> Vec<ClauseFacts> {
    let exercised: Vec<Exercised> = trials.iter().filter_map(exercised).collect();
    coverage(&exercised)
}

/// Keys of the ledger that no trial matches, for targets of which trials ran; empty if the tools
/// are not those of the ledger.
fn idle(ledger: &Ledger, matrix: &Matrix, whole: &[Trial], ran: &[TrialLine]) -> Vec<String> {
    // The user's own tools give fewer trials, for which there is no list of expected ones.
    if !matrix.producers.are_as_shipped() {
        return Vec::new();
    }
    let judged = |abi: Abi| ran.iter().any(|trial| trial.status != Status::Unsupported && trial.abi == abi.name());
    let there = whole.iter().filter(|trial| trial.absent().is_none());
    let names: Vec<(Key, Vec<ToolName>)> = there.map(|trial| (trial.key.clone(), trial.tools())).collect();
    ledger.idle(&names, judged, |abi| matrix.producers.are_all_here(abi))
}

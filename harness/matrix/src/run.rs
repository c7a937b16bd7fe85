//! `run`: the whole matrix in parallel, results as they come, a table at the end.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use model::{ClauseFacts, Key, ReadersRun, RunFacts, SCHEMA, Status, ToolName, TrialLine};
use rayon::prelude::*;
use reports::clauses::{self, Exercised};
use reports::escape::line;
use reports::history::{self, Changes, Options as Compare, RunResults, compare};
use reports::{console, junit, page, sarif, tally, terminal};
use toolchain::cache::Sample;
use toolchain::interrupt;
use toolchain::lock::{FolderLock, LockError};
use toolchain::producers::ProducersError;
use toolchain::trouble::{self, Trouble};

use super::ledger::{Ledger, LedgerError};
use super::progress::{Amount, Progress};
use super::results::Results;
use super::trial::Trial;
use super::{Extent, Home, Matrix};
use crate::link::RecipeError;
use crate::report_files;
use crate::report_files::{FACTS, RESULTS, named};

/// The folder in which the results of the run before are kept.
const PREVIOUS: &str = "previous";
/// The files beside the results.
const PAGE: &str = "index.html";
const JUNIT: &str = "junit.xml";
const SARIF: &str = "results.sarif";

/// What to run and where to write.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Trials whose name contains this.
    pub filter: Option<String>,
    /// Producers' file; none for the variable's, or the shipped one.
    pub producers: Option<PathBuf>,
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
    /// What readers came to before.
    pub readers: Option<Box<ReadersRun>>,
    /// Results folder.
    pub out: PathBuf,
}

/// Which commands are run although what they came to before is kept.
#[derive(Clone, Copy, Debug)]
pub enum Remake {
    /// None.
    Missing,
    /// Some, and what they come to is compared.
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
    /// A case cannot be read.
    #[error(transparent)]
    Recipe(#[from] RecipeError),
    /// There are no threads to run on.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// Another run is at work in the results folder.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// This machine is in trouble: what trials come to says nothing of them.
    #[error("{0}; no trial can be judged there. Results so far are kept, and run --resume goes on with them")]
    Trouble(Trouble),
    /// No trial has this in its name.
    #[error("--filter {0}: no trial has that in its name")]
    Filter(String),
    /// The program was asked to stop.
    #[error("interrupted before the first trial")]
    Interrupted,
}

/// Runs the matrix and prints its results. When the program is asked to stop, what is finished is kept and printed.
///
/// # Errors
/// When data cannot be read or results cannot be written.
pub fn run(options: &RunOptions, out: &mut dyn Write) -> Result<Ran, RunError> {
    let began = Instant::now();
    let home = options.home.clone();
    let cache = match options.remake {
        Remake::Missing => Some(home.cache()),
        Remake::Sample(sample) => Some(home.cache().rechecking(sample)),
        Remake::All => None,
    };
    let matrix = Matrix::of(home, options.producers.as_deref(), cache)?;
    let ledger = Ledger::read(&matrix.home)?;
    let all = matrix.trials(options.extent)?;
    let named =
        |trial: &&Trial| options.filter.as_ref().is_none_or(|text| trial.key.to_string().contains(text.as_str()));
    if let Some(text) = options.filter.as_ref().filter(|_| !all.iter().any(|trial| named(&trial))) {
        return Err(RunError::Filter(text.clone()));
    }
    // A tool that was asked while the program was asked to stop may seem to be absent.
    if interrupt::is_requested() {
        return Err(RunError::Interrupted);
    }
    let _lock = FolderLock::take(&options.out)?;
    if !options.resume {
        put_aside(&options.out)?;
    }
    let mut results = Results::open(&options.out, options.resume)?;
    for stale in [FACTS, PAGE, JUNIT, SARIF] {
        report_files::remove(&options.out.join(stale))?;
    }
    let mut chosen: Vec<&Trial> = all
        .iter()
        .filter(named)
        .enumerate()
        .filter(|(index, _)| options.shard.is_none_or(|(part, parts)| index % parts == part - 1))
        .map(|(_, trial)| trial)
        .collect();
    let selected = chosen.len();
    chosen.retain(|trial| !results.has(&trial.key.to_string()));
    let ran = run_trials(&chosen, &ledger, options.jobs, &mut results)?;
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
        producers: matrix.producers.facts(),
        clauses: covered(&trials),
        ledger: ledger.shown_by(&trials),
        readers: options.readers.clone(),
    };
    let left_out = chosen.len() - ran;
    // Every trial there is, whatever part of it this run is. Tools that are asked once the program is to stop seem to be absent.
    let whole = match (facts.unfinished, options.extent) {
        (true, _) => None,
        (false, Extent::Full) => Some(all),
        (false, Extent::Often) => Some(matrix.trials(Extent::Full)?),
    };
    let whole = whole.filter(|_| !interrupt::is_requested());
    let run = RunResults { facts, trials };
    let changes = match &whole {
        // What is missing has not vanished.
        None => None,
        Some(whole) => previous(&options.out, &run, whole, options.filter.as_deref())?
            .map(|old| compare(&old, &run, Compare::default())),
    };
    let RunResults { facts, trials } = run;
    write_reports(&options.out, &trials, &facts, changes.as_ref())?;
    console::write(&trials, &facts, out)?;
    if let Some(changes) = &changes {
        writeln!(out, "{}", history::text::sentence(changes))?;
    }
    if facts.unfinished {
        writeln!(out, "interrupted: {left_out} of {selected} trials were left out")?;
    }
    if let Some(cache) = matrix.producers.cache() {
        if let Remake::Sample(_) = options.remake {
            writeln!(out, "{} commands were run again and did the same as before", cache.tally().rechecked)?;
        }
        // What was only asked for made it no larger.
        if cache.tally().kept > 0 {
            cache.trim()?;
        }
    }
    // A key of the whole matrix is not idle because this run leaves its options out.
    let idle = whole.map_or(Ok(false), |whole| idle(&ledger, &matrix, &whole, out))?;
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    // Strictly, an absent producer is a failure.
    let absent = strict && trials.iter().any(|trial| trial.status == Status::Unsupported);
    let exit_code = if idle || absent { 1 } else { tally::exit_code(&trials, &facts) };
    let name = |path: &Path| line(&path.display().to_string());
    writeln!(out, "results: {}\npage:    {}", name(&path), name(&options.out.join(PAGE)))?;
    Ok(Ran { exit_code, results: path })
}

/// Runs trials in parallel and adds their lines as they end; says how many got one. Once the program is asked to stop, no line is
/// added: the trial may have come out as it did because its commands were killed. The same where temporary files cannot be written.
fn run_trials(
    chosen: &[&Trial],
    ledger: &Ledger,
    jobs: Option<usize>,
    results: &mut Results,
) -> Result<usize, RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.unwrap_or(0)).build()?;
    let all = Amount { count: chosen.len() as u64, work: chosen.len() as u64 };
    let sink = Mutex::new((results, Progress::new("trials", all, pool.current_num_threads()), 0));
    pool.install(|| {
        chosen.par_iter().try_for_each(|trial| -> io::Result<()> {
            if interrupt::is_requested() || trouble::noted().is_some() {
                return Ok(());
            }
            let line = trial.run(ledger);
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
            sink.1.add(&line.key, 1);
            sink.2 += 1;
            sink.0.add(line)
        })
    })?;
    let (_, progress, ran) = sink.into_inner().unwrap_or_else(PoisonError::into_inner);
    progress.end();
    Ok(ran)
}

/// Keeps the results of a finished run, for the next one to be compared with.
fn put_aside(folder: &Path) -> io::Result<()> {
    if [RESULTS, FACTS].iter().all(|name| folder.join(name).is_file()) {
        let previous = folder.join(PREVIOUS);
        fs::create_dir_all(&previous).map_err(|error| named(&previous, &error))?;
        // In this order: what is there without facts is a part, and is not compared with.
        report_files::remove(&previous.join(FACTS))?;
        for name in [RESULTS, FACTS] {
            let path = folder.join(name);
            fs::rename(&path, previous.join(name)).map_err(|error| named(&path, &error))?;
        }
    }
    Ok(())
}

/// The results that were put aside, without the trials that the new run was not to have: those of another filter, shard or extent. None
/// where nothing was put aside, or it is of another shape.
fn previous(folder: &Path, new: &RunResults, whole: &[Trial], filter: Option<&str>) -> io::Result<Option<RunResults>> {
    let folder = folder.join(PREVIOUS);
    if !folder.join(FACTS).is_file() {
        return Ok(None);
    }
    let mut old = match report_files::read(std::slice::from_ref(&folder)) {
        Ok(old) => old,
        Err(error) => {
            let why = line(&error.to_string());
            writeln!(terminal::stderr(), "sframe-conformance: not compared with the previous run: {why}")?;
            return Ok(None);
        }
    };
    let ran: BTreeSet<&str> = new.trials.iter().map(|trial| trial.key.as_str()).collect();
    let there: BTreeSet<String> = whole.iter().map(|trial| trial.key.to_string()).collect();
    old.trials.retain(|trial| {
        let wanted = filter.is_none_or(|text| trial.key.contains(text));
        wanted && (ran.contains(trial.key.as_str()) || !there.contains(&trial.key))
    });
    old.facts.clauses = covered(&old.trials);
    Ok(Some(old))
}

/// Writes the page and the files for machines.
fn write_reports(folder: &Path, trials: &[TrialLine], facts: &RunFacts, changes: Option<&Changes>) -> io::Result<()> {
    let put = |name: &str, write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>| {
        report_files::write_file(&folder.join(name), |out| write(out))
    };
    put(PAGE, &mut |out| out.write_all(page::render(trials, facts, changes).as_bytes()))?;
    put(JUNIT, &mut |out| junit::write(trials, facts, out))?;
    put(SARIF, &mut |out| sarif::write(trials, facts, out))?;
    // Last, and only then: whoever finds it knows that the run went through.
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

/// Prints keys of the ledger that no trial matches; true where there is one.
fn idle(ledger: &Ledger, matrix: &Matrix, whole: &[Trial], out: &mut dyn Write) -> io::Result<bool> {
    let there = whole.iter().filter(|trial| trial.absent().is_none());
    let names: Vec<(Key, Vec<ToolName>)> = there.map(|trial| (trial.key.clone(), trial.tools())).collect();
    let idle = ledger.idle(&names, |abi| matrix.producers.are_all_here(abi));
    for pattern in &idle {
        writeln!(
            out,
            "IDLE {pattern}: the ledger expects a trial of this name, and there is none; mend the name or remove it"
        )?;
    }
    Ok(!idle.is_empty())
}

//! `run`: the whole matrix in parallel, results as they come, a table at the end.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::Context as _;
use indicatif::{ProgressBar, ProgressStyle};
use model::ShownBy;
use rayon::prelude::*;
use reports::clauses::{self, Exercised};
use reports::panel::{Trials, print_sizes};
use reports::results::{RunFacts, SCHEMA, Status, TrialLine};
use reports::{junit, page, sarif};

use super::ledger::Ledger;
use super::results::Results;
use super::trial::Trial;
use super::{Extent, Home, Matrix};

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
    /// Results folder.
    pub out: PathBuf,
}

/// How the matrix came out.
#[derive(Debug)]
pub struct Ran {
    /// Exit code of the command.
    pub exit_code: u8,
    /// The results file.
    pub results: PathBuf,
}

/// Runs the matrix and prints its table.
///
/// # Errors
/// When data cannot be read or results cannot be written.
pub fn run(options: &RunOptions, out: &mut dyn Write) -> anyhow::Result<Ran> {
    let began = Instant::now();
    let matrix = Matrix::of(Home::find(), options.producers.as_deref())?;
    let ledger = Ledger::read(&matrix.home)?;
    let all = matrix.trials(options.extent)?;
    let mut results = Results::open(&options.out, options.resume)?;
    let chosen: Vec<&Trial> = all
        .iter()
        .filter(|trial| options.filter.as_ref().is_none_or(|text| trial.key.to_string().contains(text.as_str())))
        .enumerate()
        .filter(|(index, _)| options.shard.is_none_or(|(part, parts)| index % parts == part - 1))
        .map(|(_, trial)| trial)
        .filter(|trial| !results.has(&trial.key.to_string()))
        .collect();
    if let Some(text) =
        options.filter.as_ref().filter(|text| !all.iter().any(|trial| trial.key.to_string().contains(text.as_str())))
    {
        anyhow::bail!("--filter {text}: no trial has that in its name");
    }
    let bar = ProgressBar::new(chosen.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {per_sec} eta {eta}  {msg}")?);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0)).build()?;
    let sink = Mutex::new((&mut results, Vec::new()));
    pool.install(|| {
        chosen.par_iter().try_for_each(|trial| -> io::Result<()> {
            let line = trial.run(&ledger);
            let mut sink = sink.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            bar.set_message(line.key.clone());
            bar.inc(1);
            if matches!(line.status, Status::Fail | Status::Xpass | Status::Unresolved) {
                sink.1.push((line.key.clone(), line.status, line.problems.clone()));
            }
            sink.0.add(line)
        })
    })?;
    bar.finish_and_clear();
    let mut failures = sink.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).1;
    failures.sort();
    for (key, status, problems) in &failures {
        writeln!(out, "{} {key}", word(*status))?;
        for line in problems.iter().flat_map(|problem| problem.lines()) {
            writeln!(out, "     {line}")?;
        }
    }
    let table = Trials::of(results.lines());
    table.print(out)?;
    print_sizes(results.lines(), out)?;
    for (why, count) in unsupported(results.lines()) {
        writeln!(out, "UNSUPPORTED {count} trial{}: {why}", if count == 1 { "" } else { "s" })?;
    }
    let exercised: Vec<Exercised> = results.lines().filter_map(clauses::exercised).collect();
    let clauses = clauses::coverage(&exercised);
    let facts = RunFacts {
        schema: SCHEMA,
        tool_version: concat!("sframe-conformance ", env!("CARGO_PKG_VERSION")).to_owned(),
        day: ledger.today.clone(),
        seconds: began.elapsed().as_secs_f64(),
        producers: matrix.producers.facts(),
        clauses,
    };
    clauses::print(&facts.clauses, &[ShownBy::Producer, ShownBy::Linker], out)?;
    let lines: Vec<TrialLine> = results.lines().cloned().collect();
    let path = results.finish()?;
    let trials: Vec<TrialLine> = lines;
    let into = |name: &str, text: &[u8]| {
        std::fs::write(options.out.join(name), text).with_context(|| options.out.join(name).display().to_string())
    };
    into("index.html", page::render(&trials, &facts, None).as_bytes())?;
    let (mut junit, mut sarif) = (Vec::new(), Vec::new());
    junit::write(&trials, &facts, &mut junit)?;
    into("junit.xml", &junit)?;
    sarif::write(&trials, &facts, &mut sarif)?;
    into("results.sarif", &sarif)?;
    // Last: whoever finds it knows that the run went through.
    into("run.json", serde_json::to_string_pretty(&facts)?.as_bytes())?;
    writeln!(out, "results: {}\npage:    {}", path.display(), options.out.join("index.html").display())?;
    // A key of the whole matrix is not idle because this run leaves its options out.
    let whole = if options.extent == Extent::Full { all } else { matrix.trials(Extent::Full)? };
    let names: Vec<String> =
        whole.iter().filter(|trial| trial.absent().is_none()).map(|trial| trial.key.to_string()).collect();
    let idle = ledger.idle(&names);
    for pattern in &idle {
        writeln!(
            out,
            "IDLE {pattern}: the ledger expects a trial of this name, and there is none; mend the key or remove it"
        )?;
    }
    Ok(Ran { exit_code: exit_code(&table, !idle.is_empty()), results: path })
}

fn word(status: Status) -> &'static str {
    match status {
        Status::Pass => "PASS",
        Status::Xfail => "XFAIL",
        Status::Xpass => "XPASS",
        Status::Fail => "FAIL",
        Status::Unresolved => "UNRESOLVED",
        Status::Unsupported => "UNSUPPORTED",
    }
}

/// Why trials could not run here, and how many.
fn unsupported<'a>(lines: impl Iterator<Item = &'a TrialLine>) -> BTreeMap<String, usize> {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines.filter(|line| line.status == Status::Unsupported) {
        let why = line.problems.first().map_or("no reason given", String::as_str);
        *reasons.entry(why.to_owned()).or_default() += 1;
    }
    reasons
}

/// 1 over 2 over 0; strictly, an absent producer is a failure.
fn exit_code(table: &Trials, idle: bool) -> u8 {
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    let has = |status| table.count(status) > 0;
    if idle || has(Status::Fail) || has(Status::Xpass) || (strict && has(Status::Unsupported)) {
        1
    } else if has(Status::Unresolved) {
        2
    } else {
        0
    }
}

//! `run`: the whole matrix in parallel, results as they come, a table at the end.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;

use indicatif::{ProgressBar, ProgressStyle};
use model::ShownBy;
use rayon::prelude::*;
use reports::clauses::{self, Exercised};
use reports::report::Summary;
use reports::results::{RunFacts, SCHEMA, Status, TrialLine};

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
    let table = Table::of(results.lines());
    table.print(out)?;
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
    let path = results.finish()?;
    std::fs::write(options.out.join("run.json"), serde_json::to_string_pretty(&facts)?)?;
    writeln!(out, "results: {}", path.display())?;
    let names: Vec<String> =
        all.iter().filter(|trial| trial.absent().is_none()).map(|trial| trial.key.to_string()).collect();
    let idle = ledger.idle(&names);
    for pattern in &idle {
        writeln!(
            out,
            "IDLE {pattern}: the ledger expects a trial of this name, and there is none; mend the key or remove it"
        )?;
    }
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    Ok(Ran { exit_code: if idle.is_empty() { table.exit_code(strict) } else { 1 }, results: path })
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

/// Sums by ABI and SFrame version.
#[derive(Debug, Default)]
struct Table {
    rows: BTreeMap<(String, String), Sums>,
}

#[derive(Debug, Default)]
struct Sums {
    statuses: BTreeMap<Status, u64>,
    summary: Summary,
    findings: BTreeMap<String, u64>,
}

impl Table {
    fn of<'a>(lines: impl Iterator<Item = &'a TrialLine>) -> Table {
        let mut table = Table::default();
        for line in lines {
            let sums = table.rows.entry((line.abi.clone(), line.sframe.clone())).or_default();
            *sums.statuses.entry(line.status).or_default() += 1;
            let summary = line.summary.unwrap_or_default();
            sums.summary.functions += summary.functions;
            sums.summary.steps_judged += summary.steps_judged;
            sums.summary.pcs_judged += summary.pcs_judged;
            sums.summary.pcs_compared_static += summary.pcs_compared_static;
            sums.summary.missing += summary.missing;
            sums.summary.max_depth = sums.summary.max_depth.max(summary.max_depth);
            for finding in &line.findings {
                *sums.findings.entry(finding.blame.clone()).or_default() += 1;
            }
        }
        table
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<11} {:<5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>9} {:>10} {:>7} {:>8} {:>5} {:>7}  findings by blame",
            "abi",
            "vers",
            "PASS",
            "XFAIL",
            "XPASS",
            "FAIL",
            "UNRES",
            "UNSUP",
            "functions",
            "steps",
            "PCs",
            "compared",
            "depth",
            "missing"
        )?;
        for ((abi, version), sums) in &self.rows {
            let status = |status| sums.statuses.get(&status).copied().unwrap_or(0);
            let findings: Vec<String> = sums.findings.iter().map(|(blame, count)| format!("{blame} {count}")).collect();
            writeln!(
                out,
                "{abi:<11} {version:<5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>9} {:>10} {:>7} {:>8} {:>5} {:>7}  {}",
                status(Status::Pass),
                status(Status::Xfail),
                status(Status::Xpass),
                status(Status::Fail),
                status(Status::Unresolved),
                status(Status::Unsupported),
                sums.summary.functions,
                sums.summary.steps_judged,
                sums.summary.pcs_judged,
                sums.summary.pcs_compared_static,
                sums.summary.max_depth,
                sums.summary.missing,
                findings.join(", ")
            )?;
        }
        Ok(())
    }

    /// 1 over 2 over 0; strictly, an absent producer is a failure.
    fn exit_code(&self, strict: bool) -> u8 {
        let has = |status| self.rows.values().any(|sums| sums.statuses.contains_key(&status));
        if has(Status::Fail) || has(Status::Xpass) || (strict && has(Status::Unsupported)) {
            1
        } else if has(Status::Unresolved) {
            2
        } else {
            0
        }
    }
}

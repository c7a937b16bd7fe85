//! `run`: the whole matrix in parallel, results as they come, a table at the end.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use serde_json::Value;

use super::ledger::Ledger;
use super::results::Results;
use super::trial::{Status, Trial};
use super::{Home, trials};

/// What to run and where to write.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Trials whose name contains this.
    pub filter: Option<String>,
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
    let home = Home::find();
    let ledger = Ledger::read(&home)?;
    let all = trials(&home)?;
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
            let result = trial.run(&ledger);
            let mut sink = sink.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            bar.set_message(trial.key.to_string());
            bar.inc(1);
            sink.0.add(trial, &result)?;
            if matches!(result.status, Status::Fail | Status::Unresolved) {
                sink.1.push((trial.key.to_string(), result.problems));
            }
            Ok(())
        })
    })?;
    bar.finish_and_clear();
    let mut failures = sink.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner).1;
    failures.sort();
    for (key, problems) in &failures {
        writeln!(out, "FAIL {key}")?;
        for line in problems.iter().flat_map(|problem| problem.lines()) {
            writeln!(out, "     {line}")?;
        }
    }
    let lines: Vec<Value> = results.lines().collect();
    let table = Table::of(&lines);
    table.print(out)?;
    for (why, count) in unsupported(&lines) {
        writeln!(out, "UNSUPPORTED {count} trial{}: {why}", if count == 1 { "" } else { "s" })?;
    }
    let path = results.finish()?;
    writeln!(out, "results: {}", path.display())?;
    let strict = std::env::var_os("SFRAME_CONFORMANCE_STRICT").is_some_and(|value| value == "1");
    Ok(Ran { exit_code: table.exit_code(strict), results: path })
}

/// Why trials could not run here, and how many.
fn unsupported(lines: &[Value]) -> BTreeMap<String, usize> {
    let mut reasons: BTreeMap<String, usize> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.get("status").and_then(Value::as_str) == Some("UNSUPPORTED")) {
        let why = line.pointer("/problems/0").and_then(Value::as_str).unwrap_or("no reason given");
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
    numbers: BTreeMap<&'static str, u64>,
    findings: BTreeMap<String, u64>,
}

const SUMMED: [&str; 5] = ["functions", "steps_judged", "pcs_judged", "pcs_compared_static", "missing"];

impl Table {
    fn of(lines: &[Value]) -> Table {
        let mut table = Table::default();
        for line in lines {
            let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or("").to_owned();
            let sums = table.rows.entry((text("abi"), text("sframe"))).or_default();
            if let Some(status) = line.get("status").and_then(|status| serde_json::from_value(status.clone()).ok()) {
                *sums.statuses.entry(status).or_default() += 1;
            }
            let number = |key: &str| line.pointer(&format!("/summary/{key}")).and_then(Value::as_u64).unwrap_or(0);
            for key in SUMMED {
                *sums.numbers.entry(key).or_default() += number(key);
            }
            let depth = sums.numbers.entry("max_depth").or_default();
            *depth = (*depth).max(number("max_depth"));
            for finding in line.get("findings").and_then(Value::as_array).into_iter().flatten() {
                let blame = finding.get("blame").and_then(Value::as_str).unwrap_or("?").to_owned();
                *sums.findings.entry(blame).or_default() += 1;
            }
        }
        table
    }

    fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<11} {:<5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>9} {:>10} {:>7} {:>8} {:>5} {:>7}  findings by blame",
            "abi",
            "vers",
            "PASS",
            "XFAIL",
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
            let number = |key| sums.numbers.get(key).copied().unwrap_or(0);
            let findings: Vec<String> = sums.findings.iter().map(|(blame, count)| format!("{blame} {count}")).collect();
            writeln!(
                out,
                "{abi:<11} {version:<5} {:>5} {:>5} {:>5} {:>5} {:>5} {:>9} {:>10} {:>7} {:>8} {:>5} {:>7}  {}",
                status(Status::Pass),
                status(Status::Xfail),
                status(Status::Fail),
                status(Status::Unresolved),
                status(Status::Unsupported),
                number("functions"),
                number("steps_judged"),
                number("pcs_judged"),
                number("pcs_compared_static"),
                number("max_depth"),
                number("missing"),
                findings.join(", ")
            )?;
        }
        Ok(())
    }

    /// 1 over 2 over 0; strictly, an absent producer is a failure.
    fn exit_code(&self, strict: bool) -> u8 {
        let has = |status| self.rows.values().any(|sums| sums.statuses.contains_key(&status));
        if has(Status::Fail) || (strict && has(Status::Unsupported)) {
            1
        } else if has(Status::Unresolved) {
            2
        } else {
            0
        }
    }
}

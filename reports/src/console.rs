//! Results for a terminal: what somebody has to act on, the known findings, and a table of the words that toolchain people read.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::escape::{line, lines};
use crate::findings::ranked;
use crate::results::{Status, TrialLine};
use crate::tally::{STATUSES, Tally, word};

/// Prints the results, the table last.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    failures(trials, out)?;
    findings(trials, out)?;
    table(trials, out)?;
    absent(trials, out)?;
    writeln!(out, "{}", Tally::of(trials).sentence())
}

/// `FAIL NAME` and below it why, for each trial that somebody has to look at.
fn failures(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    for trial in trials {
        if !matches!(trial.status, Status::Fail | Status::Xpass | Status::Unresolved) {
            continue;
        }
        writeln!(out, "{} {}", word(trial.status), line(&trial.key))?;
        for problem in trial.problems.iter().flat_map(|problem| problem.lines()) {
            writeln!(out, "     {}", lines(problem))?;
        }
    }
    Ok(())
}

/// The distinct findings, those that explain most trials first.
fn findings(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    let groups = ranked(trials);
    let (new, known): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.is_new());
    for (title, groups) in [("new", new), ("known", known)] {
        if groups.is_empty() {
            continue;
        }
        writeln!(out, "{title} findings: {}", groups.len())?;
        for group in groups {
            writeln!(out, "{:>7} × {}   {}", group.trials, line(&group.title()), line(group.fingerprint))?;
            if group.is_new() {
                writeln!(out, "          {}", line(&group.best.message))?;
            }
        }
    }
    Ok(())
}

/// A row for each target and SFrame version.
fn table(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    let mut rows: BTreeMap<(String, String), Vec<&TrialLine>> = BTreeMap::new();
    for trial in trials {
        rows.entry((line(&trial.abi), line(&trial.sframe))).or_default().push(trial);
    }
    let heads: Vec<String> = STATUSES.iter().map(|status| format!("{:>6}", word(*status))).collect();
    writeln!(out, "{:<11} {:<5} {} {:>9} {:>11}", "abi", "vers", heads.join(" "), "functions", "steps")?;
    for ((abi, version), trials) in &rows {
        let tally = Tally::of(trials.iter().copied());
        let cells: Vec<String> =
            tally.iter().map(|(status, count)| format!("{count:>width$}", width = word(status).len().max(6))).collect();
        let sum = |of: fn(&crate::report::Summary) -> u64| -> u64 {
            trials.iter().filter_map(|trial| trial.summary.as_ref()).map(of).fold(0, u64::saturating_add)
        };
        let (functions, steps) = (sum(|summary| summary.functions), sum(|summary| summary.steps_judged));
        writeln!(out, "{abi:<11} {version:<5} {} {functions:>9} {steps:>11}", cells.join(" "))?;
    }
    Ok(())
}

/// Why trials could not run here, and how many.
fn absent(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.status == Status::Unsupported) {
        *reasons.entry(trial.problems.first().map_or("no reason given", String::as_str)).or_default() += 1;
    }
    for (why, count) in reasons {
        writeln!(out, "UNSUPPORTED {count} trial{}: {}", if count == 1 { "" } else { "s" }, line(why))?;
    }
    Ok(())
}

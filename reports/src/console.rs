//! Results for a terminal: what somebody has to act on, the known findings, what could not run, and last the tables, in the words that
//! toolchain people read. `run` ends with it, `report` prints it.

pub(crate) mod columns;
mod sizes;
mod trials;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use model::{RunFacts, ShownBy, Status, TrialLine};

use crate::clauses;
use crate::escape::{line, lines};
use crate::findings::{Group, ranked};
use crate::tally::{Tally, UNFINISHED, word};

/// Prints the results, the counts last.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    failures(trials, out)?;
    let groups = ranked(trials);
    let (new, known): (Vec<_>, Vec<_>) = groups.iter().partition(|group| group.is_new());
    new_findings(&new, out)?;
    known_findings(&known, out)?;
    if !facts.clauses.is_empty() {
        clauses::print(&facts.clauses, &[ShownBy::Producer, ShownBy::Linker], out)?;
    }
    absent(trials, out)?;
    sizes::table(trials).print(out)?;
    trials::table(trials).print(out)?;
    let unfinished = if facts.unfinished { format!("; {UNFINISHED}") } else { String::new() };
    writeln!(out, "\n{}{unfinished}", Tally::of(trials).sentence())
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

/// The distinct findings that no entry of the ledger covers, those that explain most trials first.
fn new_findings(groups: &[&Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    if groups.is_empty() {
        return Ok(());
    }
    writeln!(out, "new findings: {}", groups.len())?;
    for group in groups {
        writeln!(out, "{:>7} × {}   {}", group.trials, line(&group.title()), line(group.fingerprint))?;
        writeln!(out, "          {}", line(&group.best.message))?;
    }
    Ok(())
}

/// The others by the entries that cover them, those that explain most trials first: an entry is one mistake in many functions.
fn known_findings(groups: &[&Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    #[derive(Default)]
    struct Entry<'a> {
        findings: usize,
        trials: BTreeSet<&'a str>,
        titles: BTreeSet<String>,
    }
    let mut entries: BTreeMap<&str, Entry<'_>> = BTreeMap::new();
    for group in groups {
        let occurrences = group.occurrences.iter().filter_map(|(trial, found)| Some((trial, found.known.as_deref()?)));
        for (trial, file) in occurrences {
            entries.entry(file).or_default().trials.insert(&trial.key);
        }
        for file in &group.known {
            let entry = entries.entry(file).or_default();
            entry.findings += 1;
            entry.titles.insert(format!("{}: {}", group.best.blame(), group.best.rule()));
        }
    }
    if entries.is_empty() {
        return Ok(());
    }
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by_key(|(file, entry)| (std::cmp::Reverse(entry.trials.len()), *file));
    let by = if entries.len() == 1 { "entry" } else { "entries" };
    writeln!(out, "known findings: {}, of {} {by} of the ledger", groups.len(), entries.len())?;
    for (file, entry) in entries {
        let titles = Vec::from_iter(entry.titles).join(", ");
        let findings = if entry.findings == 1 { "finding" } else { "findings" };
        writeln!(
            out,
            "{:>7} × {}   {} {findings} ({})",
            entry.trials.len(),
            line(file),
            entry.findings,
            line(&titles)
        )?;
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

//! Changes as text for a terminal.

use std::io::{self, Write};

use super::compare::{Changes, FindingChange, SizeChange, StatusChange, TrialChange};
use crate::escape::line;
use results::tally::word;

/// Maximum number of trials and rows that are listed for one finding.
const MOST_TRIALS: usize = 3;

/// Prints the changes; one line if there are none.
pub fn write(changes: &Changes, out: &mut dyn Write) -> io::Result<()> {
    if changes.is_empty() {
        return writeln!(out, "nothing changed");
    }
    list(out, "new findings", &changes.new, |finding, out| print(finding, "shown by", out))?;
    list(out, "vanished findings", &changes.vanished, |finding, out| print(finding, "no longer shown by", out))?;
    list(out, "findings moved to another blame", &changes.moved, |moved, out| {
        writeln!(out, "  {} -> {}: {}", line(moved.old.blame.name()), line(moved.new.blame.name()), name(&moved.new))?;
        writeln!(out, "    {} -> {}", line(&moved.old.fingerprint), line(&moved.new.fingerprint))?;
        listed(&moved.new.trials, "shown by", out)
    })?;
    list(out, "findings in other trials than before", &changes.spread, |spread, out| {
        writeln!(
            out,
            "  {}: {}   {}",
            line(spread.finding.blame.name()),
            name(&spread.finding),
            spread.finding.fingerprint
        )?;
        listed(&spread.gained, "now also in", out)?;
        listed(&spread.lost, "no longer in", out)
    })?;
    list(out, "findings with other wrong rows than before", &changes.rows, |rows, out| {
        let found = &rows.finding;
        writeln!(out, "  {}: {}   {}", line(found.blame.name()), name(found), line(&found.fingerprint))?;
        listed(&rows.gained, "now also wrong:", out)?;
        listed(&rows.lost, "no longer wrong:", out)
    })?;
    list(out, "findings whose trials were not completed this time", &changes.not_judged, |finding, out| {
        print(finding, "shown by", out)
    })?;
    list(out, "trials that changed status", &changes.statuses, |change, out| status(change, out))?;
    list(out, "new trials", &changes.appeared, |trial, out| alone(trial, out))?;
    list(out, "trials that are gone", &changes.disappeared, |trial, out| alone(trial, out))?;
    list(out, "clauses covered now", &changes.clauses_gained, |clause, out| {
        writeln!(out, "  {}: {} (trials: {})", line(&clause.id), line(&clause.demand), clause.new)
    })?;
    list(out, "clauses no longer covered", &changes.clauses_lost, |clause, out| {
        writeln!(out, "  {}: {} (trials before: {})", line(&clause.id), line(&clause.demand), clause.old)
    })?;
    list(out, "sizes", &changes.sizes, |change, out| size(change, out))
}

/// Number of changes by kind, in one line.
pub fn sentence(changes: &Changes) -> String {
    if changes.is_empty() {
        return "Nothing changed since the previous run.".to_owned();
    }
    let counted = |number: usize, what: &str| (number > 0).then(|| format!("{number} {what}"));
    // New to the ledger, or new only compared with the previous run.
    let (known, new): (Vec<_>, Vec<_>) = changes.new.iter().partition(|found| found.known);
    let findings = [
        counted(new.len(), "new"),
        counted(known.len(), "known that the previous run did not show"),
        counted(changes.vanished.len(), "vanished"),
        counted(changes.moved.len(), "moved to another blame"),
        counted(changes.spread.len(), "in other trials than before"),
        counted(changes.rows.len(), "with other wrong rows than before"),
        counted(changes.not_judged.len(), "not completed this time"),
    ];
    let trials = [
        counted(changes.statuses.len(), "changed status"),
        counted(changes.appeared.len(), "added"),
        counted(changes.disappeared.len(), "no longer there"),
    ];
    let clauses = [
        counted(changes.clauses_gained.len(), "covered now"),
        counted(changes.clauses_lost.len(), "no longer covered"),
        None,
    ];
    let sizes = [counted(changes.sizes.len(), "changed"), None, None];
    let lists = [
        ("Findings", findings.to_vec()),
        ("Trials", trials.to_vec()),
        ("Clauses", clauses.to_vec()),
        ("Sizes", sizes.to_vec()),
    ];
    let lists = lists.map(|(name, parts)| {
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        (!parts.is_empty()).then(|| format!("{name}: {}.", parts.join(", ")))
    });
    lists.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

fn list<T>(
    out: &mut dyn Write,
    title: &str,
    items: &[T],
    print: impl Fn(&T, &mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "{title}: {}", items.len())?;
    items.iter().try_for_each(|item| print(item, out))
}

fn name(finding: &FindingChange) -> String {
    format!("{} in {}", line(finding.rule.name()), line(&finding.function))
}

fn print(finding: &FindingChange, shown: &str, out: &mut dyn Write) -> io::Result<()> {
    let known = if finding.known { "   (known)" } else { "" };
    writeln!(out, "  {}: {}   {}{known}", line(finding.blame.name()), name(finding), line(&finding.fingerprint))?;
    writeln!(out, "    {}", line(&finding.message))?;
    listed(&finding.trials, shown, out)
}

/// Lists the first trials or rows, and the number of the others.
fn listed(names: &[String], shown: &str, out: &mut dyn Write) -> io::Result<()> {
    for name in names.iter().take(MOST_TRIALS) {
        writeln!(out, "    {shown} {}", line(name))?;
    }
    match names.len().saturating_sub(MOST_TRIALS) {
        0 => Ok(()),
        rest => writeln!(out, "    {shown} {rest} more"),
    }
}

fn status(change: &StatusChange, out: &mut dyn Write) -> io::Result<()> {
    let why = change.why.as_deref().and_then(|why| why.lines().next());
    let why = why.map(|why| format!(": {}", line(why))).unwrap_or_default();
    writeln!(out, "  {} -> {} {}{why}", word(change.old), word(change.new), line(&change.key))
}

fn alone(trial: &TrialChange, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {} {}", word(trial.status), line(&trial.key))
}

fn size(change: &SizeChange, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  {} {} -> {}{} {}", change.what, change.old, change.new, percent(change), line(&change.key))
}

/// ` (+12.5 %)`; empty if the old value was 0.
pub(crate) fn percent(change: &SizeChange) -> String {
    if change.old == 0 {
        return String::new();
    }
    let percent = (change.new as f64 - change.old as f64) * 100.0 / change.old as f64;
    format!(" ({percent:+.1} %)")
}

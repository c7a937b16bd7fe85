//! Changes as Markdown, for a comment on a pull request. Strings and lists are truncated as in
//! [`crate::format::markdown`].

use std::io::{self, Write};

use super::compare::{Changes, ClauseChange, FindingChange, TrialChange};
use super::text::percent;
use crate::format::markdown::cut;
use results::tally::word;
use types::counted;

/// Maximum number of entries of one list.
const MOST: usize = 10;

/// Writes the changes; one line if there are none.
pub fn write(changes: &Changes, out: &mut dyn Write) -> io::Result<()> {
    if changes.is_empty() {
        return writeln!(out, "### SFrame conformance: nothing changed");
    }
    writeln!(
        out,
        "### SFrame conformance: {} new, {} vanished, {} moved",
        changes.new.len(),
        changes.vanished.len(),
        changes.moved.len()
    )?;
    list(out, "New findings", &changes.new, |found| finding(found, "in"))?;
    list(out, "Vanished findings", &changes.vanished, |found| finding(found, "no longer in"))?;
    list(out, "Findings moved to another blame", &changes.moved, |moved| {
        let (old, new) = (cut(moved.old.blame.name()), cut(moved.new.blame.name()));
        format!("{old} → {new}: {}, {}", name(&moved.new), trials(&moved.new.trials, "in"))
    })?;
    list(out, "Findings in other trials than before", &changes.spread, |spread| {
        let mut line = name(&spread.finding);
        for (names, shown) in [(&spread.gained, "now also in"), (&spread.lost, "no longer in")] {
            if !names.is_empty() {
                line.push_str(&format!(", {}", trials(names, shown)));
            }
        }
        line
    })?;
    list(out, "Findings with other wrong rows than before", &changes.rows, |rows| {
        let mut line = name(&rows.finding);
        for (rows, shown) in [(&rows.gained, "now also wrong:"), (&rows.lost, "no longer wrong:")] {
            if let Some(first) = rows.first() {
                line.push_str(&format!(", {shown} {}", cut(first)));
                let rest = rows.len() - 1;
                line.push_str(&if rest == 0 { String::new() } else { format!(" and {rest} more") });
            }
        }
        line
    })?;
    list(out, "Findings whose trials were not completed this time", &changes.not_judged, |found| finding(found, "in"))?;
    list(out, "Trials that changed status", &changes.statuses, |change| {
        let why = change.why.as_deref().and_then(|why| why.lines().next());
        let why = why.map(|why| format!(": {}", cut(why))).unwrap_or_default();
        format!("{} → {} {}{why}", word(change.old), word(change.new), cut(&change.key))
    })?;
    list(out, "New trials", &changes.appeared, alone)?;
    list(out, "Trials that are gone", &changes.disappeared, alone)?;
    let clause = |clause: &ClauseChange| format!("{}: {}", cut(&clause.id), cut(&clause.demand));
    list(out, "Clauses covered now", &changes.clauses_gained, clause)?;
    list(out, "Clauses no longer covered", &changes.clauses_lost, clause)?;
    list(out, "Sizes", &changes.sizes, |change| {
        let what = cut(change.what);
        format!("{what} {} → {}{} {}", change.old, change.new, percent(change), cut(&change.key))
    })
}

fn list<T>(out: &mut dyn Write, title: &str, items: &[T], entry: impl Fn(&T) -> String) -> io::Result<()> {
    if items.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n#### {title}: {}\n", items.len())?;
    for item in items.iter().take(MOST) {
        writeln!(out, "- {}", entry(item))?;
    }
    match items.len().saturating_sub(MOST) {
        0 => Ok(()),
        rest => writeln!(out, "- and {rest} more"),
    }
}

fn name(finding: &FindingChange) -> String {
    let known = if finding.known { " (known)" } else { "" };
    format!("{} in {} {}{known}", cut(finding.rule.name()), cut(&finding.function), cut(&finding.fingerprint))
}

fn finding(finding: &FindingChange, shown: &str) -> String {
    format!(
        "{}: {}: {}, {}",
        cut(finding.blame.name()),
        name(finding),
        cut(&finding.message),
        trials(&finding.trials, shown)
    )
}

fn trials(names: &[String], shown: &str) -> String {
    let first = names.first().map(|name| cut(name)).unwrap_or_default();
    match names.len().saturating_sub(1) {
        0 => format!("{shown} {first}"),
        rest => format!("{shown} {first} and {}", counted(rest, "more trial")),
    }
}

fn alone(trial: &TrialChange) -> String {
    format!("{} {}", word(trial.status), cut(&trial.key))
}

//! Results as Markdown, for the summary of a job or a comment on a pull request.
//!
//! Everything from outside stands in code spans, see [`crate::escape::code`]. Lists and texts are cut, and say so: a comment on
//! GitHub holds 65,536 characters, and this stays below it whatever the results are.

use std::collections::BTreeMap;
use std::io::{self, Write};

use results::{RunFacts, Status, TrialLine};

use crate::escape::{code, code_cell, line, short};
use crate::findings::{Group, ranked};
use crate::tally::{STATUSES, Tally, UNFINISHED, word};
use types::counted;

/// Most entries of one list.
const MOST: usize = 15;
/// Most characters of one text from outside.
const LONG: usize = 180;

/// Writes the results of a run, what is new first.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    let groups = ranked(trials);
    let (new, known): (Vec<&Group>, Vec<&Group>) = groups.iter().partition(|group| group.is_new());
    writeln!(out, "### SFrame conformance: {}", Tally::of(trials).sentence())?;
    writeln!(out)?;
    writeln!(
        out,
        "{} new and {} in {}; {}, {}.",
        new.len(),
        counted(known.len(), "known finding"),
        counted(trials.len(), "trial"),
        cut(&facts.tool_version),
        cut(&facts.day)
    )?;
    if facts.unfinished {
        writeln!(out, "\n**Unfinished**: {UNFINISHED}.")?;
    }
    table(trials, out)?;
    new_findings(&new, out)?;
    let failed = trials.iter().filter(|trial| {
        let new = trial.findings.iter().any(|found| found.known.is_none());
        (trial.status == Status::Fail && !new) || trial.status == Status::Xpass
    });
    troubles("Trials that failed without a new finding", failed, out)?;
    let undecided = trials.iter().filter(|trial| trial.status == Status::Unresolved);
    troubles("Undecided trials", undecided, out)?;
    known_findings(&known, out)?;
    absent(trials, out)?;
    clauses(facts, out)
}

/// Producers down, statuses across.
fn table(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    let mut producers: BTreeMap<&str, Vec<&TrialLine>> = BTreeMap::new();
    for trial in trials {
        producers.entry(&trial.producer).or_default().push(trial);
    }
    let mut rows: Vec<(&str, Tally)> =
        producers.iter().map(|(name, of)| (*name, Tally::of(of.iter().copied()))).collect();
    // Where somebody has to act first, if the list is cut.
    rows.sort_by_key(|(_, tally)| match tally.exit_code() {
        1 => 0,
        2 => 1,
        _ => 2,
    });
    if rows.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    writeln!(out, "| producer | {} |", STATUSES.map(word).join(" | "))?;
    writeln!(out, "|---|{}", "---:|".repeat(STATUSES.len()))?;
    for (name, tally) in rows.iter().take(MOST * 2) {
        let counts: Vec<String> =
            tally.iter().map(|(_, count)| if count == 0 { String::new() } else { count.to_string() }).collect();
        writeln!(out, "| {} | {} |", cut_cell(name), counts.join(" | "))?;
    }
    more(rows.len(), MOST * 2, "producer", out)
}

fn new_findings(new: &[&Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n#### New findings\n")?;
    for (rank, group) in new.iter().take(MOST).enumerate() {
        let best = group.best;
        writeln!(out, "{}. {}", rank + 1, cut(&group.title()))?;
        writeln!(out, "   - {}", cut(&best.message))?;
        let others =
            if group.trials > 1 { format!(", and {}", counted(group.trials - 1, "more trial")) } else { String::new() };
        writeln!(out, "   - in {} at {}{others}", cut(&group.best_trial.key), cut(&best.place))?;
        for (source, values) in [("truth", &best.truth), (".sframe", &best.sframe), (".eh_frame", &best.eh_frame)] {
            if let Some(values) = values {
                writeln!(out, "   - {source}: {}", cut(&crate::text::values_line(values)))?;
            }
        }
        writeln!(out, "   - clause: {}", cut(&group.clause()))?;
        writeln!(out, "   - fingerprint: {}", cut(group.fingerprint))?;
    }
    more(new.len(), MOST, "new finding", out)
}

fn troubles<'a>(title: &str, trials: impl Iterator<Item = &'a TrialLine>, out: &mut dyn Write) -> io::Result<()> {
    let trials: Vec<&TrialLine> = trials.collect();
    if trials.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n#### {title}\n")?;
    for trial in trials.iter().take(MOST) {
        let why = trial.reasons().next().unwrap_or_else(|| "no reason given".to_owned());
        let why = why.lines().next().unwrap_or_default();
        writeln!(out, "- {} {}: {}", word(trial.status), cut(&trial.key), cut(why))?;
    }
    more(trials.len(), MOST, "trial", out)
}

fn known_findings(known: &[&Group<'_>], out: &mut dyn Write) -> io::Result<()> {
    if known.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n<details><summary>{}</summary>\n", counted(known.len(), "known finding"))?;
    writeln!(out, "| trials | finding | ledger |\n|---:|---|---|")?;
    for group in known.iter().take(MOST) {
        let files: Vec<String> = group.known.iter().take(3).map(|file| cut_cell(&short(file, 80))).collect();
        let and_more = if group.known.len() > 3 { ", …" } else { "" };
        let title = cut_cell(&group.title());
        writeln!(out, "| {} | {title} | {}{and_more} |", group.trials, files.join(", "))?;
    }
    more(known.len(), MOST, "known finding", out)?;
    writeln!(out, "\n</details>")
}

fn absent(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, u64> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.status == Status::Unsupported) {
        *reasons.entry(trial.problems.first().map_or("no reason given", String::as_str)).or_default() += 1;
    }
    if reasons.is_empty() {
        return Ok(());
    }
    let count: u64 = reasons.values().sum();
    writeln!(out, "\n<details><summary>{} could not run here</summary>\n", counted(count, "trial"))?;
    for (why, count) in reasons.iter().take(MOST) {
        writeln!(out, "- {count}: {}", cut(why))?;
    }
    more(reasons.len(), MOST, "reason", out)?;
    writeln!(out, "\n</details>")
}

fn clauses(facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    if facts.clauses.is_empty() {
        return Ok(());
    }
    // A definition that nothing can break is covered by nobody.
    let owed = facts.clauses.iter().filter(|clause| clause.shown_by != "nobody");
    let (covered, all) = owed.fold((0, 0), |(covered, all), clause| (covered + u64::from(clause.trials > 0), all + 1));
    writeln!(out, "\n{covered} of {all} clauses that a tool can break are covered by these trials.")
}

/// What a list leaves out, as a paragraph of its own.
fn more(all: usize, shown: usize, what: &str, out: &mut dyn Write) -> io::Result<()> {
    match all.saturating_sub(shown) {
        0 => Ok(()),
        rest => writeln!(out, "\nand {}", counted(rest, &format!("more {what}"))),
    }
}

/// A text from outside as a code span, cut. Its backticks become apostrophes: a fence around a long run of them would be longer still.
pub(crate) fn cut(text: &str) -> String {
    code(&short(&line(text).replace('`', "'"), LONG))
}

/// The same in a table.
pub(crate) fn cut_cell(text: &str) -> String {
    code_cell(&short(&line(text).replace('`', "'").replace('|', "\\u{7c}"), LONG))
}

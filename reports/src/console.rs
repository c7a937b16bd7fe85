//! Results for a terminal: the known bugs, what could not run, the tables, and last what somebody
//! must act on, in the words that toolchain people read. `run` ends with it, `report` prints it.

pub(crate) mod columns;
mod failures;
mod sizes;
mod trials;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use results::{RunFacts, Status, TrialLine};
use spec::ShownBy;

use crate::clauses;
use crate::escape::line;
use crate::findings::{Group, ranked};
use crate::places::Places;
use crate::screen::Screen;
use crate::tally::Tally;
use types::counted;

/// What is printed, and for whom.
#[derive(Clone, Copy, Debug)]
pub struct ConsoleOptions<'a> {
    /// What the writer can show.
    pub screen: Screen,
    /// Where things stand.
    pub places: &'a Places,
    /// Clauses that no trial covers, each by itself.
    pub clauses: bool,
}

/// Prints the results: what is known and what could not run, the tables, and last what somebody
/// must act on and one sentence.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(
    trials: &[TrialLine],
    facts: &RunFacts,
    options: ConsoleOptions<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    write_with(trials, facts, options, &[], out)
}

/// The same, with lines that the caller adds before what failed.
///
/// # Errors
/// Whatever the writer reports.
pub fn write_with(
    trials: &[TrialLine],
    facts: &RunFacts,
    options: ConsoleOptions<'_>,
    remarks: &[String],
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = ranked(trials);
    let known: Vec<_> = groups.iter().filter(|group| !group.known.is_empty()).collect();
    known_findings(&known, facts, options.screen, out)?;
    if !facts.clauses.is_empty() {
        let listed: &[ShownBy] = if options.clauses { &[ShownBy::Producer, ShownBy::Linker] } else { &[] };
        clauses::print(&facts.clauses, listed, out)?;
    }
    absent(trials, options.screen, out)?;
    sizes::table(trials).print(options.screen.width, out)?;
    trials::table(trials).print(options.screen.width, out)?;
    for remark in remarks {
        writeln!(out, "{}", line(remark))?;
    }
    if Tally::new(trials).is_untried() {
        writeln!(out, "nothing was tried")?;
    }
    failures::write(trials, facts, options, out)?;
    failures::sentence(trials, facts, options, out)
}

/// The others by the entries that cover them, those that explain most trials first: an entry is one
/// bug in many functions.
fn known_findings(groups: &[&Group<'_>], facts: &RunFacts, screen: Screen, out: &mut dyn Write) -> io::Result<()> {
    let mut entries: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for group in groups {
        for (trial, found) in &group.occurrences {
            if let Some(file) = found.standing.known.as_deref() {
                entries.entry(file).or_default().insert(&trial.key);
            }
        }
    }
    if entries.is_empty() {
        return Ok(());
    }
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by_key(|(file, trials)| (std::cmp::Reverse(trials.len()), *file));
    writeln!(out, "known bugs that recur: {}", entries.len())?;
    for (file, trials) in entries {
        let title = facts.ledger.iter().find(|entry| entry.file == file).map_or("", |entry| entry.title.as_str());
        let name = file.trim_end_matches(".yaml");
        let options = if title.is_empty() { line(name) } else { format!("{} ({})", line(title), line(name)) };
        writeln!(out, "{}", screen.cut(&format!("{:>7} × {options}", trials.len())))?;
    }
    Ok(())
}

/// Why trials could not run here, and how many.
fn absent(trials: &[TrialLine], screen: Screen, out: &mut dyn Write) -> io::Result<()> {
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.status == Status::Unsupported) {
        *reasons.entry(trial.problems.first().map_or("no reason given", String::as_str)).or_default() += 1;
    }
    for (why, count) in reasons {
        writeln!(out, "{}", screen.cut(&format!("UNSUPPORTED {}: {}", counted(count, "trial"), line(why))))?;
    }
    Ok(())
}

//! Results for a terminal. `report` prints everything: the known bugs, missing tools, the tables.
//! `run` prints only the end: results that need action, and the verdict, in DejaGnu's terms.

pub(crate) mod columns;
mod ending;
mod failures;
mod sizes;
mod trials;

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use results::{RunFacts, Status, TrialLine};
use spec::ShownBy;

use crate::clauses;
use crate::escape::line;
use crate::findings::{Group, ranked};
use crate::places::Places;
use crate::screen::Screen;
use types::{SframeVersion, counted};

pub use ending::{Ending, Since};

/// Options of the output.
#[derive(Clone, Copy, Debug)]
pub struct ConsoleOptions<'a> {
    /// The capabilities of the terminal.
    pub screen: Screen,
    /// Paths for the commands to print.
    pub places: &'a Places,
    /// List each clause that no trial covers.
    pub clauses: bool,
}

/// Prints all results: known bugs and missing tools, the tables, and last the output of [`end`].
pub fn write(
    trials: &[TrialLine],
    facts: &RunFacts,
    options: ConsoleOptions<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let groups = ranked(trials);
    let known: Vec<_> = groups.iter().filter(|group| !group.known.is_empty()).collect();
    known_findings(&known, facts, options.screen, out)?;
    covered(facts, options, out)?;
    absent(trials, options.screen, out)?;
    sizes::table(trials).print(options.screen.width, out)?;
    trials::table(trials).print(options.screen.width, out)?;
    end(trials, facts, options, &Ending::default(), out)
}

/// Prints the essentials for a terminal: failures, and ten lines that end with the verdict in one
/// sentence.
pub fn end(
    trials: &[TrialLine],
    facts: &RunFacts,
    options: ConsoleOptions<'_>,
    ending: &Ending<'_>,
    out: &mut dyn Write,
) -> io::Result<()> {
    failures::write(trials, facts, options, out)?;
    ending::write(trials, facts, options, ending, out)
}

/// Prints the number of covered clauses, and the uncovered ones if requested.
pub fn covered(facts: &RunFacts, options: ConsoleOptions<'_>, out: &mut dyn Write) -> io::Result<()> {
    if facts.clauses.is_empty() {
        return Ok(());
    }
    let listed: &[ShownBy] = if options.clauses { &[ShownBy::Producer, ShownBy::Linker] } else { &[] };
    clauses::print(&facts.clauses, listed, out)
}

/// Sort key of an SFrame version in tables: the newest first, producers without a version last.
fn newest_first(version: &str) -> Reverse<Option<SframeVersion>> {
    Reverse(SframeVersion::named(version))
}

/// Prints the other findings by the entries that cover them, most trials first: an entry is one bug
/// in many functions.
fn known_findings(groups: &[&Group<'_>], facts: &RunFacts, screen: Screen, out: &mut dyn Write) -> io::Result<()> {
    let mut entries: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for group in groups {
        for (trial, found) in &group.occurrences {
            if let Some(file) = found.standing.known.as_deref() {
                entries.entry(file).or_default().insert(&trial.key);
            }
        }
    }
    let entry = |file: &str| facts.ledger.iter().find(|entry| entry.file == file);
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.sort_by_key(|(file, trials)| (Reverse(trials.len()), *file));
    let (bugs, others): (Vec<_>, Vec<_>) =
        entries.into_iter().partition(|(file, _)| entry(file).is_none_or(|entry| entry.class.is_bug()));
    for (heading, entries) in
        [("known bugs that recur", bugs), ("not counted as bugs: not implemented, or contested", others)]
    {
        if !entries.is_empty() {
            writeln!(out, "{heading}: {}", entries.len())?;
        }
        for (file, trials) in entries {
            let title = entry(file).map_or("", |entry| entry.title.as_str());
            let name = file.trim_end_matches(".yaml");
            let options = if title.is_empty() { line(name) } else { format!("{} ({})", line(title), line(name)) };
            writeln!(out, "{}", screen.cut(&format!("{:>7} × {options}", trials.len())))?;
        }
    }
    Ok(())
}

/// Prints the reasons why trials could not run here, with counts.
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

//! Results as annotations of a GitHub workflow: lines that its runner takes off the log and pins to a file of the repository.
//!
//! `::error file=…,title=…::message`. A step shows ten errors, ten warnings and ten notices and drops the rest without a word, so a
//! finding is written once however many trials show it, the one that explains most first, and known ones are written together; where there
//! are more than ten of a level, the tenth says how many are left out and where they are.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use results::{RunFacts, Status, TrialLine};

use crate::escape::{annotation, annotation_property, short};
use crate::findings::{Group, ranked};
use crate::place::case_file;
use crate::tally::{Tally, UNFINISHED, word};
use types::counted;

/// Annotations of one level that a step shows (GitHub, limits of annotations).
const MOST: usize = 10;

/// Where annotations stand: GitHub shows one at a line of a file that the repository of the workflow has, and only there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// The folder of the checkout with the cases in that repository: empty where it is the repository. None where it is another's.
    pub checkout: Option<String>,
    /// The producers' file of the run in that repository, and the line of each of its entries.
    pub producers: Option<(String, BTreeMap<String, usize>)>,
}

impl Pinned {
    /// File and line for what a trial shows: the entry of its producer in a file that the user wrote, else the case.
    fn at(&self, trial: &TrialLine) -> Option<(String, usize)> {
        let name = trial.producer.split('@').next().unwrap_or_default();
        if let Some((file, lines)) = &self.producers {
            return Some((file.clone(), lines.get(name).copied().unwrap_or(1)));
        }
        let checkout = self.checkout.as_ref()?;
        let below = if checkout.is_empty() { String::new() } else { format!("{checkout}/") };
        Some((format!("{below}{}", case_file(trial)), 1))
    }
}

/// One annotation; a file and its line make it stand there in the change.
struct Annotation {
    file: Option<(String, usize)>,
    title: String,
    message: String,
}

/// Writes the annotations and, last, one plain line with the counts.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], facts: &RunFacts, pinned: &Pinned, out: &mut dyn Write) -> io::Result<()> {
    let groups = ranked(trials);
    let mut errors = Vec::new();
    if facts.unfinished {
        errors.push(Annotation { file: None, title: "unfinished".to_owned(), message: UNFINISHED.to_owned() });
    }
    errors.extend(groups.iter().filter(|group| group.is_new()).map(|group| Annotation {
        file: pinned.at(group.best_trial),
        title: group.title(),
        message: message(group),
    }));
    let mut warnings = Vec::new();
    for trial in trials {
        let new = trial.findings.iter().any(|found| found.known.is_none());
        let list = match trial.status {
            // Its findings stand above.
            Status::Fail if !new => &mut errors,
            Status::Xpass => &mut errors,
            Status::Unresolved => &mut warnings,
            _ => continue,
        };
        let why: Vec<String> = trial.reasons().collect();
        let why = if why.is_empty() { "no reason given".to_owned() } else { why.join("\n") };
        let title = format!("{} {}", word(trial.status), trial.key);
        list.push(Annotation { file: pinned.at(trial), title, message: why });
    }
    annotate("error", errors, out)?;
    annotate("warning", warnings, out)?;
    annotate("notice", notices(trials, &groups), out)?;
    writeln!(out, "sframe-conformance: {}", Tally::of(trials).sentence())
}

/// What is known, and what could not run.
fn notices(trials: &[TrialLine], groups: &[Group<'_>]) -> Vec<Annotation> {
    let mut notices = Vec::new();
    let known = groups.iter().filter(|group| !group.is_new()).count();
    if known > 0 {
        let files: BTreeSet<&str> = groups.iter().flat_map(|group| group.known.iter().copied()).collect();
        let message = format!("{} recurred\n{}", counted(known, "known finding"), Vec::from_iter(files).join("\n"));
        notices.push(Annotation { file: None, title: "known discrepancies".to_owned(), message });
    }
    let mut absent: BTreeMap<&str, u64> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.status == Status::Unsupported) {
        *absent.entry(trial.problems.first().map_or("no reason given", String::as_str)).or_default() += 1;
    }
    if !absent.is_empty() {
        let reasons: Vec<String> = absent.iter().map(|(why, count)| format!("{count}: {why}")).collect();
        let title = "trials that cannot run here".to_owned();
        notices.push(Annotation { file: None, title, message: reasons.join("\n") });
    }
    notices
}

/// Writes the annotations of one level: all of them, or as many as are shown with the last one saying what is left out.
fn annotate(level: &str, list: Vec<Annotation>, out: &mut dyn Write) -> io::Result<()> {
    let (all, shown) = (list.len(), if list.len() > MOST { MOST - 1 } else { MOST });
    for Annotation { file, title, message } in list.iter().take(shown) {
        let at = |(file, line): &(String, usize)| format!("file={},line={line},", annotation_property(file));
        let file = file.as_ref().map(at).unwrap_or_default();
        writeln!(out, "::{level} {file}title={}::{}", annotation_property(title), annotation(message))?;
    }
    if all > shown {
        let rest: Vec<String> = list.iter().skip(shown).map(|left| left.title.clone()).collect();
        let title = format!("{} more, of {all}", rest.len());
        let message =
            format!("All of them are in index.html and results.sarif.\n{}", short(&rest.join("\n"), MOST_TEXT));
        writeln!(out, "::{level} title={}::{}", annotation_property(&title), annotation(&message))?;
    }
    Ok(())
}

/// Characters of one list of titles: a message holds 64 KiB, and nobody reads as much.
const MOST_TEXT: usize = 4000;

fn message(group: &Group<'_>) -> String {
    let best = group.best;
    let mut message = format!("{}\n{}\nin {} at {}", best.headline(), best.message, group.best_trial.key, best.place);
    if group.trials > 1 {
        message.push_str(&format!(" and {}", counted(group.trials - 1, "more trial")));
    }
    for (source, values) in [("truth", &best.truth), ("sframe", &best.sframe), ("eh_frame", &best.eh_frame)] {
        if let Some(values) = values {
            message.push_str(&format!("\n{source}: {}", crate::text::values_line(values)));
        }
    }
    message.push_str(&format!("\nclause: {}", group.clause()));
    message.push_str(&format!("\nfingerprint: {}", group.fingerprint));
    message
}

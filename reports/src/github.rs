//! Results as annotations of a GitHub workflow: lines that its runner takes off the log and pins to the case's file.
//!
//! `::error file=…,title=…::message`. A step shows ten errors, ten warnings and ten notices and drops the rest without a word, so a
//! finding is told once however many trials show it, the one that explains most first, and known ones are told together.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::escape::{annotation, annotation_property};
use crate::findings::{Group, ranked};
use crate::place::case_file;
use crate::results::{Status, TrialLine};
use crate::tally::{Tally, word};

/// Writes the annotations and, last, one plain line with the counts.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], out: &mut dyn Write) -> io::Result<()> {
    let groups = ranked(trials);
    for group in groups.iter().filter(|group| group.is_new()) {
        annotate("error", Some(group.best_trial), &group.title(), &message(group), out)?;
    }
    for trial in trials {
        let new = trial.findings.iter().any(|found| found.known.is_none());
        let (level, told) = match trial.status {
            // Its findings are told above.
            Status::Fail if !new => ("error", word(trial.status)),
            Status::Xpass => ("error", word(trial.status)),
            Status::Unresolved => ("warning", word(trial.status)),
            _ => continue,
        };
        let why = if trial.problems.is_empty() { "no reason given".to_owned() } else { trial.problems.join("\n") };
        annotate(level, Some(trial), &format!("{told} {}", trial.key), &why, out)?;
    }
    let known = groups.iter().filter(|group| !group.is_new()).count();
    if known > 0 {
        let files: BTreeSet<&str> = groups.iter().flat_map(|group| group.known.iter().copied()).collect();
        let told = format!("{known} known findings recurred\n{}", Vec::from_iter(files).join("\n"));
        annotate("notice", None, "known discrepancies", &told, out)?;
    }
    let mut absent: BTreeMap<&str, u64> = BTreeMap::new();
    for trial in trials.iter().filter(|trial| trial.status == Status::Unsupported) {
        *absent.entry(trial.problems.first().map_or("no reason given", String::as_str)).or_default() += 1;
    }
    if !absent.is_empty() {
        let told: Vec<String> = absent.iter().map(|(why, count)| format!("{count}: {why}")).collect();
        annotate("notice", None, "trials that cannot run here", &told.join("\n"), out)?;
    }
    writeln!(out, "sframe-conformance: {}", Tally::of(trials).sentence())
}

fn annotate(level: &str, trial: Option<&TrialLine>, title: &str, message: &str, out: &mut dyn Write) -> io::Result<()> {
    let file =
        trial.map(|trial| format!("file={},line=1,", annotation_property(&case_file(trial)))).unwrap_or_default();
    writeln!(out, "::{level} {file}title={}::{}", annotation_property(title), annotation(message))
}

fn message(group: &Group<'_>) -> String {
    let best = group.best;
    let mut message = format!("{}\nin {} at {}", best.message, group.best_trial.key, best.place);
    if group.trials > 1 {
        message.push_str(&format!(" and {} more trials", group.trials - 1));
    }
    for (voice, values) in [("truth", &best.truth), ("sframe", &best.sframe), ("eh_frame", &best.eh_frame)] {
        if let Some(values) = values {
            message.push_str(&format!("\n{voice}: {}", crate::text::values_line(values)));
        }
    }
    if let Some(rule) = group.rule() {
        message.push_str(&format!("\nclause: {}", rule.clause));
    }
    message.push_str(&format!("\nfingerprint: {}", group.fingerprint));
    message
}

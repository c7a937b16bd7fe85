//! The ledger of known bugs: trials that show them are still run, and they must recur as recorded.
//!
//! Data only; [`crate::Ledger`] reads the files under `reports/known/`. A finding is known if the
//! ledger covers each of its wrong rows: a row that is not recorded is new, even in a function with
//! a known bug.

mod entry;
mod patterns;
mod program;
mod recorded;
mod versions;

use std::collections::BTreeMap;

use results::{Finding, Key, ToolName, ToolVersion};
use types::SframeVersion;

pub use entry::{LedgerEntry, TrialVersion};
pub use patterns::patterns;
pub use program::{Compiled, Proof, RecordedCause, WRONG_RESULT};
pub use recorded::{Part, RecordedFinding};
pub use versions::{Versions, Within};

/// Comparison of a trial's findings with the ledger. Findings and entries are given by index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Findings that entries do not cover completely.
    pub new: Vec<New>,
    /// Findings that entries cover completely, each with the entry of its first row.
    pub known: Vec<(usize, usize)>,
    /// Recorded findings of this trial that did not recur, each with its entry.
    pub vanished: Vec<(usize, String)>,
    /// Findings that entries cover completely, of which at least one entry has expired.
    pub expired: Vec<(usize, usize)>,
}

/// A finding that entries do not cover completely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct New {
    /// Index of the finding.
    pub finding: usize,
    /// Index of the first row that is not covered, if other rows are.
    pub unlisted: Option<usize>,
}

/// Matches the error findings of a trial with the ledger, for a date (`YYYY-MM-DD`, which sorts as
/// text).
///
/// `tools` are those that took part and are not in the trial's name.
pub fn standing(
    ledger: &[LedgerEntry],
    (key, tools): (&Key, &[ToolName]),
    findings: &[Finding],
    today: &str,
) -> Coverage {
    let mut versions: BTreeMap<&str, Vec<ToolVersion>> = BTreeMap::new();
    let mut here = Vec::new();
    for (index, entry) in ledger.iter().enumerate() {
        let seen = entry.sees(key, tools);
        // A tool that took no part has no bug here; frozen objects do not name their tools.
        if seen.version.is_none() && !tools.is_empty() {
            continue;
        }
        if !entry.findings.iter().any(|recorded| recorded.is_for(&seen.name)) {
            continue;
        }
        let all = versions.entry(&entry.project).or_insert_with(|| recorded_versions(ledger, &entry.project));
        let records = entry.findings.iter().map(|recorded| (recorded, entry.place(recorded, &seen, all)));
        let mine = records.filter(|(_, within)| *within != Within::Outside);
        here.extend(mine.map(|(recorded, within)| Record { index, entry, recorded, within }));
    }
    let parts: Vec<(usize, Part<'_>)> = findings
        .iter()
        .enumerate()
        .flat_map(|(nth, found)| Part::all(found).into_iter().map(move |part| (nth, part)))
        .collect();
    let mut standing = Coverage::default();
    for nth in 0..findings.len() {
        let mut verdict = Verdict::default();
        for (index, (_, part)) in parts.iter().filter(|(of, _)| *of == nth).enumerate() {
            // An entry that has not expired is preferred.
            let by = here.iter().filter(|record| record.covers(*part)).min_by_key(|record| record.expired(today));
            verdict = verdict.with(index, by, today);
        }
        match verdict {
            Verdict { uncovered: Some(row), expired, known } => {
                let some_are = expired.is_some() || known.is_some();
                standing.new.push(New { finding: nth, unlisted: some_are.then_some(row) });
            }
            Verdict { expired: Some(index), .. } => standing.expired.push((nth, index)),
            Verdict { known: Some(index), .. } => standing.known.push((nth, index)),
            Verdict { .. } => {}
        }
    }
    for record in here.iter().filter(|record| record.within == Within::Due) {
        let covered: Vec<Part<'_>> = parts.iter().map(|(_, part)| *part).filter(|part| record.covers(*part)).collect();
        standing.vanished.extend(record.recorded.missing(&covered).map(|what| (record.index, what)));
    }
    standing
}

/// The versions that a project's entries name: those whose trials are recorded.
pub fn recorded_versions(ledger: &[LedgerEntry], project: &str) -> Vec<ToolVersion> {
    let mut versions = Vec::new();
    for version in ledger.iter().filter(|entry| entry.project == project).flat_map(LedgerEntry::named_versions) {
        if !versions.contains(version) {
            versions.push(version.clone());
        }
    }
    versions
}

/// An entry that covers the whole finding in another trial, and whether that trial is of the same
/// case, under another name or version of the tool. If several do: an entry of this tool first,
/// among those one of the same case, else the first.
pub fn resembling(ledger: &[LedgerEntry], key: &Key, found: &Finding) -> Option<(usize, bool)> {
    let parts = Part::all(found);
    let like = |entry: &LedgerEntry| -> Option<bool> {
        // Another version writes the same case in another version of the format.
        let written = SframeVersion::ALL.map(SframeVersion::name).into_iter().chain(["none"]);
        let names: Vec<String> =
            written.map(|sframe| Key { sframe: sframe.to_owned(), ..key.clone() }.as_if_of(&entry.project)).collect();
        let covering = |part: &Part<'_>| {
            let records = || entry.findings.iter().filter(|record| record.covers(*part, entry));
            let here = records().any(|record| names.iter().any(|name| record.is_for(name)));
            // Different bugs have the same words.
            (here || part.row.is_some() && records().next().is_some()).then_some(here)
        };
        let covered: Option<Vec<bool>> = parts.iter().map(covering).collect();
        Some(covered?.into_iter().all(|here| here))
    };
    let all = ledger.iter().enumerate().filter_map(|(index, entry)| Some((index, like(entry)?)));
    let own = |index: usize| ledger.get(index).is_some_and(|entry| entry.project == key.producer);
    all.min_by_key(|(index, same_case)| (!own(*index), !same_case))
}

/// A record that applies to the current trial.
struct Record<'a> {
    index: usize,
    entry: &'a LedgerEntry,
    recorded: &'a RecordedFinding,
    within: Within,
}

impl Record<'_> {
    fn covers(&self, part: Part<'_>) -> bool {
        self.recorded.covers(part, self.entry)
    }

    fn expired(&self, today: &str) -> bool {
        self.entry.expires.as_str() <= today
    }
}

/// State of a finding, from those of its parts.
#[derive(Default)]
struct Verdict {
    /// Index of the first part that is not covered.
    uncovered: Option<usize>,
    expired: Option<usize>,
    known: Option<usize>,
}

impl Verdict {
    fn with(mut self, part: usize, by: Option<&Record<'_>>, today: &str) -> Verdict {
        match by {
            None => {
                self.uncovered.get_or_insert(part);
            }
            Some(record) if record.expired(today) => {
                self.expired.get_or_insert(record.index);
            }
            Some(record) => {
                self.known.get_or_insert(record.index);
            }
        }
        self
    }
}

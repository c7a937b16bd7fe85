//! The ledger of known discrepancies: each is still run and must recur as recorded.
//!
//! Data only; reading the files under `reports/known/` is [`crate::ledger`]'s work. A finding is known when the ledger covers each of its
//! wrong rows: what nobody has looked at is new, also in a function with a known fault.

mod entry;
mod patterns;
mod recorded;
mod relation;

use model::{Finding, Key, ToolName};

pub use entry::{Known, Seen, Versions, Within};
pub use patterns::patterns;
pub use recorded::{Part, RecordedFinding};
pub use relation::{Relation, Value};

/// How a trial's findings stand against the ledger. Findings and entries are given by their index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// Findings of which no entry covers something: the first such row as text, where it has rows.
    pub new: Vec<(usize, Option<String>)>,
    /// Findings that entries cover in full, each with the entry of its first row.
    pub known: Vec<(usize, usize)>,
    /// What is recorded for this trial and was not found, each with its entry.
    pub vanished: Vec<(usize, String)>,
    /// Findings that entries cover in full, of which one has expired.
    pub expired: Vec<(usize, usize)>,
}

/// Matches the error findings of a trial with the ledger on a day (`YYYY-MM-DD`, which sorts as text).
///
/// `tools` are those that took part and stand not in the trial's name.
pub fn standing(ledger: &[Known], (key, tools): (&Key, &[ToolName]), findings: &[Finding], today: &str) -> Standing {
    let mut here = Vec::new();
    for (index, entry) in ledger.iter().enumerate() {
        let seen = entry.sees(key, tools);
        let records = entry.findings.iter().map(|recorded| (recorded, entry.place(recorded, &seen)));
        let mine = records.filter(|(_, within)| *within != Within::Outside);
        here.extend(mine.map(|(recorded, within)| Record { index, entry, recorded, within }));
    }
    let parts: Vec<(usize, Part<'_>)> = findings
        .iter()
        .enumerate()
        .flat_map(|(nth, found)| Part::all(found).into_iter().map(move |part| (nth, part)))
        .collect();
    let mut standing = Standing::default();
    for nth in 0..findings.len() {
        let mut verdict = Verdict::default();
        for (_, part) in parts.iter().filter(|(of, _)| *of == nth) {
            // One that has not expired comes first.
            let by = here.iter().filter(|record| record.covers(*part)).min_by_key(|record| record.expired(today));
            verdict = verdict.with(*part, by, today);
        }
        match verdict {
            Verdict { uncovered: Some(row), .. } => standing.new.push((nth, row)),
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

/// A record that is for the trial at hand.
struct Record<'a> {
    index: usize,
    entry: &'a Known,
    recorded: &'a RecordedFinding,
    within: Within,
}

impl Record<'_> {
    fn covers(&self, part: Part<'_>) -> bool {
        self.recorded.covers(part, self.entry.blame)
    }

    fn expired(&self, today: &str) -> bool {
        self.entry.expires.as_str() <= today
    }
}

/// What the parts of a finding come to together.
#[derive(Default)]
struct Verdict {
    uncovered: Option<Option<String>>,
    expired: Option<usize>,
    known: Option<usize>,
}

impl Verdict {
    fn with(mut self, part: Part<'_>, by: Option<&Record<'_>>, today: &str) -> Verdict {
        match by {
            None => {
                self.uncovered.get_or_insert_with(|| part.row.map(ToString::to_string));
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

//! The result of each bug, kept as it comes: a run that is broken off goes on.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use results::{Blame, Finding, TrialLine};

use super::draw::Mutant;
use super::operators::Operator;
use super::text::Code;
use crate::journal::{Journal, JournalError};

/// The result of a bug.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// A trial fails that did not.
    Detected,
    /// No trial does.
    Missed,
    /// No trial does, and none can: `equivalent.jsonl` has the reason.
    Equivalent,
    /// The compiler makes the same code of it.
    SameCode,
    /// It does not compile.
    NotBuilt,
}

/// A bug and its result.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The same for the same bug.
    pub id: String,
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The function or table.
    pub definition: String,
    /// The kind of bug.
    pub operator: Operator,
    /// The text that is replaced.
    pub was: String,
    /// The text put there.
    pub by: String,
    pub fate: Fate,
    /// The first finding blames the tool that the file is a part of; none where nothing is blamed.
    pub attributed: Option<bool>,
    /// The trial that fails first.
    pub trial: String,
    /// Why that trial fails, or why no trial can.
    pub first: String,
    /// Seconds of build and trials.
    pub seconds: f64,
}

/// What detects a bug first.
#[derive(Clone, Debug, Default)]
pub(super) struct First {
    /// The right tool is blamed; none where nothing is blamed.
    pub attributed: Option<bool>,
    /// The trial, or the vector.
    pub trial: String,
    /// What is wrong.
    pub why: String,
}

impl First {
    /// A trial that failed.
    pub(super) fn trial(line: &TrialLine, mutant: &Mutant) -> First {
        let new = line.findings.iter().find(|found| found.standing.known.is_none());
        // A function that the assembler lost explains what is wrong in later stages.
        let lost = line.blamed.filter(|blame| *blame == Blame::Assembler);
        let blame = lost.or(new.map(Finding::blame)).or(line.blamed);
        First {
            attributed: blame.map(|blame| mutant.file.part.is_blamed(blame)),
            trial: line.key.clone(),
            why: line.reasons().next().unwrap_or_default(),
        }
    }
}

impl Record {
    pub(super) fn new(mutant: &Mutant, code: &Code, fate: Fate, first: Option<First>, took: Duration) -> Record {
        let edit = &mutant.edit;
        let First { attributed, trial, why } = first.unwrap_or_default();
        Record {
            id: mutant.id.clone(),
            file: mutant.file.path.to_owned(),
            line: edit.line,
            definition: edit.definition.clone(),
            operator: edit.operator,
            was: code.text.get(edit.range.clone()).unwrap_or_default().to_owned(),
            by: edit.by.clone(),
            fate,
            attributed,
            trial,
            first: why,
            seconds: (took.as_secs_f64() * 10.0).round() / 10.0,
        }
    }

    /// The file, and the trial that showed the bug first.
    pub(super) fn shown_by(&self) -> (String, String) {
        (self.file.clone(), self.trial.clone())
    }
}

const MUTANTS: &str = "mutants.jsonl";

/// The records of a folder.
#[derive(Debug)]
pub(super) struct Records {
    journal: Journal,
    records: BTreeMap<String, Record>,
    equivalent: BTreeMap<String, String>,
}

/// A line of `equivalent.jsonl`: a bug that no program can show.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct EquivalentBug {
    id: String,
    reason: String,
}

impl Records {
    pub(super) fn open(folder: &Path) -> Result<Records, JournalError> {
        let journal = Journal::open(folder)?;
        let all = journal.lines(MUTANTS)?.collect::<Result<Vec<Record>, _>>()?;
        // Without a last line that was cut short.
        journal.replace(MUTANTS, all.iter().map(Ok))?;
        let records = all.into_iter().map(|record| (record.id.clone(), record)).collect();
        let equivalent = journal.lines::<EquivalentBug>("equivalent.jsonl")?;
        let equivalent = equivalent.map(|bug| bug.map(|bug| (bug.id, bug.reason))).collect::<Result<_, _>>()?;
        Ok(Records { journal, records, equivalent })
    }

    /// The record as it is counted: one that was missed is equivalent if a reason is given for it.
    pub(super) fn counted(&self, record: &Record) -> Record {
        match self.equivalent.get(&record.id).filter(|_| record.fate == Fate::Missed) {
            Some(reason) => Record { fate: Fate::Equivalent, first: reason.clone(), ..record.clone() },
            None => record.clone(),
        }
    }

    /// The record of a bug, if it was tried.
    pub(super) fn record(&self, id: &str) -> Option<&Record> {
        self.records.get(id)
    }

    /// Adds the record of a bug.
    pub(super) fn add(&mut self, record: Record) -> Result<(), JournalError> {
        self.journal.append(MUTANTS, std::slice::from_ref(&record))?;
        self.records.insert(record.id.clone(), record);
        Ok(())
    }

    /// Numbers of bugs of each file that each trial showed first.
    pub(super) fn shown(&self) -> BTreeMap<(String, String), usize> {
        let mut shown = BTreeMap::new();
        self.records.values().for_each(|record| *shown.entry(record.shown_by()).or_default() += 1);
        shown
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::draw::Mutant;
    use super::super::operators::{Edit, Operator};
    use super::super::text::Code;
    use super::super::tree::FILES;
    use super::{Fate, Record, Records};

    #[test]
    fn what_is_kept_is_not_tried_again_and_a_line_cut_short_is() {
        let scratch = testing::scratch::folder();
        let edit =
            Edit { operator: Operator::OffByOne, definition: "f".to_owned(), line: 1, range: 4..5, by: "2".to_owned() };
        let record = |id: &str| {
            let mutant = Mutant { file: &FILES[0], edit: edit.clone(), id: id.to_owned() };
            Record::new(&mutant, &Code::new("a = 1;"), Fate::Missed, None, Duration::from_millis(1240))
        };
        let path = scratch.path().join("score");
        let path = path.as_path();
        let mut records = Records::open(path).expect("a folder");
        records.add(record("one")).expect("kept");
        records.add(record("two")).expect("kept");
        drop(records);
        let file = path.join("mutants.jsonl");
        let text = std::fs::read_to_string(&file).expect("the file");
        std::fs::write(&file, text.get(..text.len() - 5).expect("its beginning")).expect("written");
        let mut records = Records::open(path).expect("the folder");
        assert_eq!(records.record("one"), Some(&record("one")));
        assert_eq!(records.record("two"), None);
        records.add(record("two")).expect("kept");
        drop(records);
        let reason = "{\"id\": \"two\", \"reason\": \"never called\"}\n";
        std::fs::write(path.join("equivalent.jsonl"), reason).expect("written");
        let records = Records::open(path).expect("the folder");
        let counted = ["one", "two"].map(|id| records.counted(records.record(id).expect("kept")));
        assert_eq!(counted.each_ref().map(|record| record.fate), [Fate::Missed, Fate::Equivalent]);
        assert_eq!(counted[1].first, "never called");
    }
}

//! What came of each bug, kept as it comes: a run that is broken off goes on.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use results::{Blame, Finding, TrialLine};
use toolchain::input;
use toolchain::lock::{FolderLock, LockError};

use super::draw::Mutant;
use super::operators::Operator;
use super::text::Code;

/// What came of a bug.
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

/// A bug and what came of it.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The same for the same bug.
    pub id: String,
    /// The file.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// The function or table.
    pub definition: String,
    /// The kind of bug.
    pub operator: Operator,
    /// What stood there.
    pub was: String,
    /// The text put there.
    pub by: String,
    /// What came of it.
    pub fate: Fate,
    /// The first finding blames the tool that the file is a part of; none where nothing is blamed.
    pub attributed: Option<bool>,
    /// The trial that fails first.
    pub trial: String,
    /// Why.
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
}

impl Record {
    /// The file, and the trial that showed the bug first.
    pub(super) fn shown_by(&self) -> (String, String) {
        (self.file.clone(), self.trial.clone())
    }
}

/// Why results cannot be kept.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file cannot be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    /// A line is not a result.
    #[error("{}:{line}: {error}", path.display())]
    Line { path: PathBuf, line: usize, error: serde_json::Error },
    /// Another run is at work in the folder.
    #[error(transparent)]
    Lock(#[from] LockError),
}

/// The folder of a score.
#[derive(Debug)]
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    records: BTreeMap<String, Record>,
    equivalent: BTreeMap<String, String>,
    _lock: FolderLock,
}

/// A line of `equivalent.jsonl`: a bug that no program can show.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct EquivalentBug {
    id: String,
    reason: String,
}

impl Journal {
    /// Opens a folder with what is in it.
    pub(super) fn open(folder: &Path) -> Result<Journal, JournalError> {
        let lock = FolderLock::take(folder)?;
        let path = folder.join("mutants.jsonl");
        let failed = |error| JournalError::File { path: path.clone(), error };
        let mut records = BTreeMap::new();
        let text = text_of(&path)?;
        // A last line without its end was cut short.
        let whole = text.rfind('\n').map_or("", |end| text.get(..end).unwrap_or_default());
        for (index, line) in whole.lines().enumerate() {
            let failed = |error| JournalError::Line { path: path.clone(), line: index + 1, error };
            let record: Record = serde_json::from_str(line).map_err(failed)?;
            records.insert(record.id.clone(), record);
        }
        if whole.len() + 1 < text.len() {
            fs::write(&path, format!("{whole}\n")).map_err(failed)?;
        }
        let file = OpenOptions::new().create(true).append(true).open(&path).map_err(failed)?;
        let equivalent = equivalents(&folder.join("equivalent.jsonl"))?;
        Ok(Journal { path, file, records, equivalent, _lock: lock })
    }

    /// The record as it is counted: one that was missed is equivalent if a reason is given for it.
    pub(super) fn counted(&self, record: &Record) -> Record {
        match self.equivalent.get(&record.id).filter(|_| record.fate == Fate::Missed) {
            Some(reason) => Record { fate: Fate::Equivalent, first: reason.clone(), ..record.clone() },
            None => record.clone(),
        }
    }

    /// What came of a bug, if it was tried.
    pub(super) fn record(&self, id: &str) -> Option<&Record> {
        self.records.get(id)
    }

    /// Adds what came of one.
    pub(super) fn add(&mut self, record: Record) -> Result<(), JournalError> {
        let failed = |error| JournalError::File { path: self.path.clone(), error };
        let line = serde_json::to_string(&record).map_err(io::Error::from);
        line.and_then(|line| self.file.write_all(format!("{line}\n").as_bytes())).map_err(failed)?;
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

/// Text of a file, empty if there is none.
fn text_of(path: &Path) -> Result<String, JournalError> {
    match input::read_text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        text => text.map_err(|error| JournalError::File { path: path.to_owned(), error }),
    }
}

/// Reasons by id.
fn equivalents(path: &Path) -> Result<BTreeMap<String, String>, JournalError> {
    let text = text_of(path)?;
    let lines = text.lines().enumerate().map(|(index, line)| {
        let bug: EquivalentBug = serde_json::from_str(line).map_err(|error| {
            let path = path.to_owned();
            JournalError::Line { path, line: index + 1, error }
        })?;
        Ok((bug.id, bug.reason))
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::draw::Mutant;
    use super::super::operators::{Edit, Operator};
    use super::super::text::Code;
    use super::super::tree::FILES;
    use super::{Fate, Journal, Record};

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
        let mut journal = Journal::open(path).expect("a folder");
        journal.add(record("one")).expect("kept");
        journal.add(record("two")).expect("kept");
        drop(journal);
        let file = path.join("mutants.jsonl");
        let text = std::fs::read_to_string(&file).expect("the file");
        std::fs::write(&file, text.get(..text.len() - 5).expect("its beginning")).expect("written");
        let mut journal = Journal::open(path).expect("the folder");
        assert_eq!(journal.record("one"), Some(&record("one")));
        assert_eq!(journal.record("two"), None);
        journal.add(record("two")).expect("kept");
        drop(journal);
        let reason = "{\"id\": \"two\", \"reason\": \"never called\"}\n";
        std::fs::write(path.join("equivalent.jsonl"), reason).expect("written");
        let journal = Journal::open(path).expect("the folder");
        let counted = ["one", "two"].map(|id| journal.counted(journal.record(id).expect("kept")));
        assert_eq!(counted.each_ref().map(|record| record.fate), [Fate::Missed, Fate::Equivalent]);
        assert_eq!(counted[1].first, "never called");
    }
}

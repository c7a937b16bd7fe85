//! The state of a run: `findings.jsonl` with one line for each finding, `done.jsonl` with one line
//! for each stretch of seeds. A killed run loses only its current stretches.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::{Finding, Stretch};
use crate::journal::{Journal, JournalError};

const FINDINGS: &str = "findings.jsonl";
const DONE: &str = "done.jsonl";

/// The findings and finished stretches of a run.
#[derive(Debug)]
pub struct Run {
    journal: Journal,
    finished: BTreeSet<Stretch>,
}

impl Run {
    /// Begins in a folder; with `resume`, continues with its contents, otherwise they are deleted.
    pub fn open(folder: &Path, resume: bool) -> Result<Run, JournalError> {
        let mut run = Run { journal: Journal::open(folder)?, finished: BTreeSet::new() };
        if resume {
            run.finished = run.journal.lines(DONE)?.collect::<Result<_, _>>()?;
            // A line that cannot be read ends the list.
            let kept = run.journal.lines::<Finding>(FINDINGS)?;
            run.write(kept.filter(|found| found.as_ref().map_or(true, |found| run.is_finished(found))))?;
        } else {
            run.write(std::iter::empty::<Result<Finding, _>>())?;
        }
        Ok(run)
    }

    /// The part of a stretch that is not done yet.
    pub fn left(&self, stretch: &Stretch) -> Option<Stretch> {
        let of = |done: &&Stretch| done.assembler == stretch.assembler && done.abi == stretch.abi;
        // Sorted by first seed.
        let first = self.finished.iter().filter(of).fold(stretch.first, |first, done| {
            if (done.first..done.next).contains(&first) { done.next } else { first }
        });
        (first < stretch.next).then(|| Stretch { first, ..stretch.clone() })
    }

    /// Writes the results of a stretch.
    pub fn add(&mut self, stretch: &Stretch, found: &[Finding]) -> Result<(), JournalError> {
        self.journal.append(FINDINGS, found)?;
        self.journal.append(DONE, std::slice::from_ref(stretch))?;
        self.finished.insert(stretch.clone());
        Ok(())
    }

    /// Number of files judged so far, by assembler and target.
    pub fn files(&self) -> BTreeMap<(String, String), u64> {
        let mut files = BTreeMap::new();
        for stretch in &self.finished {
            let of = files.entry((stretch.assembler.clone(), stretch.abi.name().to_owned())).or_default();
            *of += stretch.next.saturating_sub(stretch.first);
        }
        files
    }

    /// All findings, sorted by assembler, target and seed; the files are also sorted.
    pub fn close(&self) -> Result<Vec<Finding>, JournalError> {
        let mut findings: Vec<Finding> = self.journal.lines(FINDINGS)?.collect::<Result<_, _>>()?;
        findings.sort_by_key(|found| (found.assembler.clone(), found.abi, found.seed));
        self.write(findings.iter().map(Ok))?;
        Ok(findings)
    }

    fn is_finished(&self, found: &Finding) -> bool {
        let of = |stretch: &&Stretch| stretch.assembler == found.assembler && stretch.abi == found.abi;
        self.finished.iter().filter(of).any(|stretch| (stretch.first..stretch.next).contains(&found.seed))
    }

    fn write<F: serde::Serialize>(
        &self,
        findings: impl Iterator<Item = Result<F, JournalError>>,
    ) -> Result<(), JournalError> {
        self.journal.replace(FINDINGS, findings)?;
        self.journal.replace(DONE, self.finished.iter().map(Ok))
    }
}

//! Test bench for reducing the tables of a file: `check`, applied to the file without the removed
//! parts.

use std::collections::BTreeMap;

use check::Options;
use results::{Blame, Finding};
use spec::{RuleId, Severity};
use types::{Aspect, Bytes, ImageKind};

use super::bench::BenchError;
use super::parts::Files;
use super::seen::Observation;
use super::table::{Table, TableError};

/// A file that `check` judges.
#[derive(Clone, Debug)]
pub struct FileBench {
    name: String,
    options: Options,
    /// File name of the reduced file.
    kept: &'static str,
}

/// A finding about a file, ready to be reduced.
#[derive(Clone, Debug)]
pub struct FoundInFile {
    /// Bench that tests candidates.
    pub bench: FileBench,
    /// Original tables.
    pub table: Table,
    pub found: Finding,
    whole: Observation,
}

/// Rules that a cut itself breaks: a removed function or row no longer describes its PCs. Rows that
/// remain must stay as correct as before; a missing description is not a bug of the producer, and
/// not reported.
const GAPS: [RuleId; 1] = [RuleId::RowMissing];

impl FoundInFile {
    /// Chooses the finding of a file with a fingerprint, else the most specific one.
    pub fn choose(name: &str, bytes: Bytes, fingerprint: Option<&str>) -> Result<FoundInFile, BenchError> {
        let none = |what: String| BenchError::NoSource(format!("{name}: {what}"));
        let image = elf::load(name, &bytes).map_err(|error| none(error.to_string()))?;
        let kept = match image.kind {
            ImageKind::Relocatable => "repro.o",
            ImageKind::Shared => "repro.so",
            ImageKind::Executable | ImageKind::Dynamic => "repro.elf",
        };
        let table = Table::new(name, bytes).map_err(|error| none(error.to_string()))?;
        let judged = |options| -> Result<(FileBench, Observation), BenchError> {
            let bench = FileBench { name: name.to_owned(), options, kept };
            let whole = bench.observe(&table).map_err(|error| none(error.to_string()))?;
            Ok((bench, whole))
        };
        let (mut bench, mut whole) = judged(Options::exploring())?;
        // Trials explore no function: the finding may be one that the tables alone show.
        if let Some(wanted) = fingerprint.filter(|wanted| whole.fingerprinted(wanted).is_none()) {
            let of_trial = judged(Options::default())?;
            if of_trial.1.fingerprinted(wanted).is_some() {
                (bench, whole) = of_trial;
            }
        }
        let found = match fingerprint {
            Some(wanted) => whole
                .fingerprinted(wanted)
                .ok_or_else(|| none(format!("no finding {wanted}; it shows {}", whole.listed())))?,
            None => whole.foremost().ok_or_else(|| none("nothing is wrong".to_owned()))?,
        };
        Ok(FoundInFile { bench, table, found: found.clone(), whole })
    }

    /// Files of a candidate that shows the same finding, and no new errors.
    pub fn shown(&self, candidate: &Table) -> Option<Files> {
        let seen = self.bench.observe(candidate).ok()?;
        let shown = seen.fingerprinted(self.found.fingerprint())?;
        // The code does not move, so addresses do not change: the finding begins at the same PC,
        // and no other PC has become wrong.
        let begins = |found: &Finding| found.evidence.ranges.first().map(|(start, _)| *start);
        let same = begins(shown) == begins(&self.found) && shown.evidence.executed == self.found.evidence.executed;
        let apart: Vec<RuleId> = GAPS.into_iter().filter(|rule| *rule != self.found.rule()).collect();
        let alike = same && seen.adds_nothing_to(&self.whole, &apart) && is_within(&seen, &self.whole, &apart);
        if !alike {
            return None;
        }
        Some(self.files(candidate))
    }

    pub fn files(&self, candidate: &Table) -> Files {
        candidate.bytes().map(|bytes| Files::from([(self.bench.kept.to_owned(), bytes)])).unwrap_or_default()
    }
}

impl FileBench {
    /// File name of the reduced file, by kind of file.
    pub fn kept(&self) -> &'static str {
        self.kept
    }

    pub fn observe(&self, table: &Table) -> Result<Observation, FileBenchError> {
        let report = check::check(&self.name, &table.bytes()?.into(), &self.options).report;
        if let Some(error) = report.error {
            return Err(FileBenchError::Unjudged(error.message));
        }
        let lines = |wanted: &dyn Fn(Severity) -> bool| {
            let found = report.discrepancies.iter().filter(|found| wanted(found.severity));
            found.cloned().collect()
        };
        Ok(Observation {
            findings: lines(&|severity| severity >= Severity::Error),
            milder: lines(&|severity| severity < Severity::Error),
            summary: Some(report.summary),
            ..Observation::default()
        })
    }
}

/// Why a file with a smaller table cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum FileBenchError {
    #[error(transparent)]
    Table(#[from] TableError),
    /// The file cannot be judged.
    #[error("{0}")]
    Unjudged(String),
}

/// Returns true if no PC is wrong, by any rule and blame, that was not wrong before. A removed row
/// leaves its PCs to the row before it, which the producer did not intend for them.
fn is_within(seen: &Observation, whole: &Observation, apart: &[RuleId]) -> bool {
    type Wrong = BTreeMap<(RuleId, Blame), Vec<(u64, u64)>>;
    fn wrong(seen: &Observation, apart: &[RuleId]) -> Wrong {
        let mut wrong: Wrong = BTreeMap::new();
        let counted = |found: &&Finding| found.evidence.field != Aspect::Structure && !apart.contains(&found.rule());
        for found in seen.findings.iter().filter(counted) {
            wrong.entry((found.rule(), found.blame())).or_default().extend(&found.evidence.ranges);
        }
        wrong.into_iter().map(|(key, ranges)| (key, results::merge_ranges(ranges))).collect()
    }
    let before = wrong(whole, apart);
    wrong(seen, apart).into_iter().all(|(key, ranges)| {
        let before = before.get(&key).map_or(&[][..], Vec::as_slice);
        ranges.iter().all(|(start, end)| before.iter().any(|(from, upto)| from <= start && end <= upto))
    })
}

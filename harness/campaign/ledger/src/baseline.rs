//! Filters for a user of `check` and `sweep`: ignored rules, and findings already in the user's own
//! ledger or in the file of a baseline.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use results::{Cause, CauseCount, Finding, ProgramCause, Report, ToolName};
use spec::RuleId;
use toolchain::yaml::{self, YamlError};

use crate::baseline_file::{self, BaselineCause, BaselineItem};
use crate::entries::{entry, today};
use crate::error::LedgerError;
use crate::known::{LedgerEntry, Part};

/// Known findings and ignored rules.
#[derive(Clone, Debug, Default)]
pub struct Baseline(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    entries: Vec<(String, LedgerEntry)>,
    items: Vec<BaselineItem>,
    from: String,
    today: String,
    ignored: BTreeSet<RuleId>,
}

/// Errors of a baseline.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// A ledger cannot be used.
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// The folder contains no known findings.
    #[error("{}: no entries of a ledger (*.yaml)", .0.display())]
    Empty(PathBuf),
}

impl From<YamlError> for BaselineError {
    fn from(error: YamlError) -> Self {
        BaselineError::Ledger(error.into())
    }
}

impl Baseline {
    /// Reads the ledger in a folder and the file of a baseline, if any, and takes rules to ignore.
    pub fn read(
        ledger: Option<&Path>,
        file: Option<&Path>,
        ignored: BTreeSet<RuleId>,
    ) -> Result<Baseline, BaselineError> {
        let mut parts = Parts { ignored, today: today(), ..Parts::default() };
        if let Some(folder) = ledger {
            for path in yaml::files(folder)? {
                let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                parts.entries.push((name, entry(&path)?));
            }
            if parts.entries.is_empty() {
                return Err(BaselineError::Empty(folder.to_owned()));
            }
        }
        if let Some(file) = file {
            parts.from = file.display().to_string();
            parts.items = baseline_file::read(file)?;
        }
        Ok(Baseline(Arc::new(parts)))
    }

    /// Returns true if it needs the causes of findings ([`results::Evidence::causes`]).
    pub fn needs_causes(&self) -> bool {
        self.0.entries.iter().any(|(_, entry)| !entry.causes.is_empty())
    }

    /// Removes ignored findings from a report, and marks known ones: they stay, but do not affect
    /// the verdict. Lists those of the baseline that are gone.
    pub fn apply(&self, report: &mut Report) {
        let Parts { items, from, ignored, .. } = &*self.0;
        let before = report.discrepancies.len();
        report.discrepancies.retain(|found| !ignored.contains(&found.rule()));
        let left_out = before - report.discrepancies.len();
        if left_out > 0 {
            report.notes.push(format!("left out by --ignore: {left_out}"));
        }
        let counts = CauseCount::from_findings(&report.discrepancies).into_iter();
        let shown: BTreeMap<String, u64> = counts.map(|count| (count.fingerprint, count.functions)).collect();
        let mine: Vec<&BaselineItem> = items.iter().filter(|item| item.is_of(report)).collect();
        let accepted: BTreeMap<&str, u64> =
            mine.iter().flat_map(|item| &item.causes).map(|one| (one.cause.as_str(), one.functions)).collect();
        for found in &mut report.discrepancies {
            let known = self.entry_for(&report.file, found).or_else(|| self.entry_of_causes(&report.compilers, found));
            let known = known.map(str::to_owned);
            let is_accepted = |cause: &Cause| {
                let fingerprint = cause.fingerprint();
                let now = shown.get(&fingerprint).copied().unwrap_or_default();
                // In a further function the cause is new.
                accepted.get(fingerprint.as_str()).is_some_and(|functions| *functions >= now)
            };
            let in_baseline = || Cause::from_finding(found).iter().all(is_accepted).then(|| from.clone());
            found.standing.known = known.or_else(in_baseline);
        }
        let is_ignored = |one: &BaselineCause| ignored.iter().any(|rule| rule.name() == one.rule);
        let gone = mine.iter().flat_map(|item| item.gone(report, &shown)).filter(|one| !is_ignored(one));
        report.gone = gone.map(|one| format!("{}: {}", one.rule, one.example)).collect();
        report.sort_and_count();
    }

    /// The entry that covers the first part of a finding, if entries cover all of it. An entry's
    /// `in` holds file names here.
    fn entry_for(&self, file: &str, found: &Finding) -> Option<&str> {
        let Parts { entries, today, .. } = &*self.0;
        let name = file.rsplit('/').next().unwrap_or(file);
        let covering = |part: &Part<'_>| {
            let valid = entries.iter().filter(|(_, entry)| entry.expires > *today);
            valid.into_iter().find(|(_, entry)| {
                let mine = entry.findings.iter().filter(|record| record.is_for(file) || record.is_for(name));
                mine.into_iter().any(|record| record.covers(*part, entry.blame))
            })
        };
        let covered: Option<Vec<&(String, LedgerEntry)>> = Part::all(found).iter().map(covering).collect();
        covered?.first().map(|(name, _)| name.as_str())
    }

    /// The entry of the first cause of a finding, if entries of the file's compilers cover all of
    /// them.
    fn entry_of_causes(&self, compilers: &[ToolName], found: &Finding) -> Option<&str> {
        let Parts { entries, today, .. } = &*self.0;
        let covering = |cause: &ProgramCause| {
            let mut valid = entries.iter().filter(|(_, entry)| entry.expires > *today);
            valid.find(|(_, entry)| compilers.iter().any(|compiler| entry.is_cause(compiler, cause, None)))
        };
        let covered: Option<Vec<&(String, LedgerEntry)>> = found.evidence.causes.iter().map(covering).collect();
        covered?.first().map(|(name, _)| name.as_str())
    }
}

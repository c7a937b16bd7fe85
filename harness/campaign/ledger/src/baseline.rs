//! Filters for a user of `check` and `sweep`: ignored rules, and findings already in the user's own
//! ledger or in the results of an earlier sweep.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use results::{Cause, Finding, ProgramCause, Report, ToolName};
use spec::RuleId;
use toolchain::yaml::{self, YamlError};

use crate::entries::{entry, today};
use crate::error::LedgerError;
use crate::known::{LedgerEntry, Part};
use crate::swept::{Swept, causes_of, is_sweep};

/// Known findings and ignored rules.
#[derive(Clone, Debug, Default)]
pub struct Baseline(Arc<Parts>);

#[derive(Debug, Default)]
struct Parts {
    entries: Vec<(String, LedgerEntry)>,
    swept: Swept,
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
    /// The results of a sweep cannot be read.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// The folder contains no known findings.
    #[error("{}: neither entries of a ledger (*.yaml) nor the results of a sweep", .0.display())]
    Empty(PathBuf),
}

impl From<YamlError> for BaselineError {
    fn from(error: YamlError) -> Self {
        BaselineError::Ledger(error.into())
    }
}

impl Baseline {
    /// Reads the baseline from a folder, if any, and rules to ignore.
    pub fn read(folder: Option<&Path>, ignored: BTreeSet<RuleId>) -> Result<Baseline, BaselineError> {
        let mut parts = Parts { ignored, today: today(), ..Parts::default() };
        if let Some(folder) = folder {
            parts.from = folder.display().to_string();
            if is_sweep(folder) {
                let failed = |error| BaselineError::Io { path: folder.to_owned(), error };
                parts.swept = causes_of(folder).map_err(failed)?;
            } else {
                for path in yaml::files(folder)? {
                    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
                    parts.entries.push((name, entry(&path)?));
                }
                if parts.entries.is_empty() {
                    return Err(BaselineError::Empty(folder.to_owned()));
                }
            }
        }
        Ok(Baseline(Arc::new(parts)))
    }

    /// Returns true if it needs the causes of findings ([`results::Evidence::causes`]).
    pub fn needs_causes(&self) -> bool {
        self.0.entries.iter().any(|(_, entry)| !entry.causes.is_empty())
    }

    /// Removes ignored findings from a report, and marks known ones: they stay, but do not affect
    /// the verdict.
    pub fn apply(&self, report: &mut Report) {
        let Parts { swept, from, ignored, .. } = &*self.0;
        let before = report.discrepancies.len();
        report.discrepancies.retain(|found| !ignored.contains(&found.rule()));
        let left_out = before - report.discrepancies.len();
        if left_out > 0 {
            report.notes.push(format!("left out by --ignore: {left_out}"));
        }
        let shown = functions_by_cause(&report.discrepancies);
        for found in &mut report.discrepancies {
            let known = self.entry_for(&report.file, found).or_else(|| self.entry_of_causes(&report.compilers, found));
            let known = known.map(str::to_owned);
            let swept_before = || {
                let causes = Cause::from_finding(found);
                let before = |cause: &Cause| {
                    let of = (report.file.clone(), cause.fingerprint());
                    let now = shown.get(&of.1).map_or(0, |functions| functions.len() as u64);
                    // In a further function the cause is new.
                    swept.get(&of).is_some_and(|before| *before >= now)
                };
                (!swept.is_empty() && causes.iter().all(before)).then(|| from.clone())
            };
            found.standing.known = known.or_else(swept_before);
        }
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

/// Functions in which each cause occurs, by its fingerprint.
fn functions_by_cause(found: &[Finding]) -> BTreeMap<String, BTreeSet<String>> {
    let mut causes: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for finding in found {
        for cause in Cause::from_finding(finding) {
            causes.entry(cause.fingerprint()).or_default().insert(finding.function().to_owned());
        }
    }
    causes
}

//! The results of an earlier run of readers as what is known: `consumers --against DIR`.

use std::collections::BTreeMap;
use std::path::Path;

use ledger::earlier::KNOWN;
use results::ReaderFinding;

use super::CauseEvidence;
use crate::run_folder::{self, ResultsError};

/// The findings of an earlier run, by fingerprint: that of a cause, whatever the version of its
/// reader.
#[derive(Clone, Debug, Default)]
pub struct EarlierFindings(BTreeMap<String, Vec<ReaderFinding>>);

impl EarlierFindings {
    /// Reads a folder that `consumers --out` wrote.
    pub fn read(folder: &Path) -> Result<EarlierFindings, ResultsError> {
        let mut findings: BTreeMap<String, Vec<ReaderFinding>> = BTreeMap::new();
        for finding in run_folder::read(folder)?.0 {
            findings.entry(finding.fingerprint.clone()).or_default().push(finding);
        }
        Ok(EarlierFindings(findings))
    }

    /// Marks the findings that the earlier run had: these are known, whatever the ledger has, and
    /// all others are new. Nothing has to recur.
    pub fn hold(&self, found: &mut [CauseEvidence<'_, '_>]) {
        for one in found {
            let by_ledger = one.finding.known.take();
            let before = self.0.get(&one.finding.fingerprint).into_iter().flatten();
            if before.into_iter().any(|before| shows(before, &one.finding)) {
                one.finding.known = Some(by_ledger.unwrap_or_else(|| KNOWN.to_owned()));
            }
        }
    }
}

/// Returns true if the finding is one that was there, with no section besides those that were.
fn shows(before: &ReaderFinding, now: &ReaderFinding) -> bool {
    let is_private = before.shown_by.is_empty() || now.shown_by.is_empty();
    let tables = || now.tables.iter().all(|(table, count)| before.tables.get(table).is_some_and(|was| was >= count));
    tables() && (is_private || now.shown_by.iter().all(|id| before.shown_by.contains(id)))
}

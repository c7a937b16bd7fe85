//! The known bugs that are not reported to their projects, in the order in which they matter.

use results::Blame;
use results::bundle::{Unfiled, Weight};
use toolchain::yaml;

use crate::bundles::{BundleError, CRASH, KNOWN_LIBRARIES, UNFILED, stem};
use crate::entries::{Ledger, entry};
use crate::known::{LedgerEntry, RecordedCause, WRONG_RESULT};
use crate::{Home, KNOWN_READERS, read_faults, today};

/// The bugs without a report that no version fixes: by project, the weightiest first.
///
/// # Errors
/// The ledger cannot be read.
pub fn unfiled(home: &Home) -> Result<Vec<Unfiled>, BundleError> {
    let ledger = Ledger::read(home)?;
    let shown = ledger.entries.iter().enumerate().map(|(index, known)| (ledger.stem(index), known));
    let mut all: Vec<Unfiled> = shown.filter_map(|(name, known)| of_producer(name, known)).collect();
    for path in yaml::files(&home.root.join(KNOWN_LIBRARIES))? {
        all.extend(of_producer(stem(&path), &entry(&path)?));
    }
    for (path, known) in &read_faults(&home.root.join(KNOWN_READERS))? {
        let is_open = known.link == UNFILED && known.class.is_bug() && known.versions.fixed.is_none();
        if !is_open || known.same_as.is_some() {
            continue;
        }
        let is_private = known.tell.is_some() && known.public.as_ref().is_none_or(|day| *day > today());
        all.push(Unfiled {
            project: known.project.clone(),
            name: stem(path),
            title: known.title.clone(),
            weight: if known.tell.is_some() { Weight::WrongCode } else { Weight::OneTable },
            newest: known.versions.last.to_string(),
            looked: known.added.clone(),
            private: known.tell.clone().filter(|_| is_private),
        });
    }
    all.sort_by(|one, other| (&one.project, one.weight, &one.name).cmp(&(&other.project, other.weight, &other.name)));
    Ok(all)
}

fn of_producer(name: String, known: &LedgerEntry) -> Option<Unfiled> {
    let is_open = known.link == UNFILED && known.class.is_bug() && known.versions.fixed.is_none();
    (is_open && known.same_as.is_none()).then(|| Unfiled {
        project: known.project.clone(),
        name,
        title: known.title.clone(),
        weight: weight(known),
        newest: known.versions.last.to_string(),
        looked: known.looked.clone().unwrap_or_else(|| known.added.clone()),
        private: None,
    })
}

fn weight(known: &LedgerEntry) -> Weight {
    let is_wrong_code = |cause: &RecordedCause| cause.is_of(WRONG_RESULT) || cause.is_of(CRASH);
    let mut proofs = known.causes.iter().flat_map(|cause| &cause.proofs);
    let mut trials = known.findings.iter().flat_map(|found| &found.trials);
    if known.causes.iter().any(is_wrong_code) {
        Weight::WrongCode
    } else if proofs.any(|proof| proof.options == "-O2") || trials.any(|trial| trial.ends_with("+O2")) {
        Weight::DefaultOptions
    } else if known.blame == Blame::Compiler {
        Weight::BothTables
    } else {
        Weight::OneTable
    }
}

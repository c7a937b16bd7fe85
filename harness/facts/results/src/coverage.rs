//! Coverage of the specification: the clauses that the trials of a run have tested, and those that
//! none has.
//!
//! A trial covers a clause in one of two ways. Its case names the clause: the author asserts it,
//! which is the only way for a clause that no rule checks or that consumers must show. Or it judged
//! a table with all features that the clause is about, so that the clause's rules checked it. A
//! rule that a case names does not count by itself: the table shows whether the rule had anything
//! to check.

use std::collections::BTreeSet;

use crate::{ClauseFacts, Status, TrialLine};
use spec::{Clause, Feature, clauses};
use types::SframeVersion;

/// The contribution of one trial to coverage. Trials without a verdict contribute nothing and must
/// not be passed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exercised {
    /// IDs that the case names. IDs of rules, and unknown ones, have no effect here.
    pub covers: Vec<String>,
    /// The tables that were judged, in every stage of the build.
    pub tables: Vec<JudgedTable>,
}

/// A `.sframe` section that was decoded and judged, with any result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedTable {
    /// Version of the section.
    pub version: SframeVersion,
    /// The features of the section, which decide the rules that had something to check.
    pub features: BTreeSet<Feature>,
}

/// Every clause with the number of trials that cover it, in the order of the specification.
pub fn coverage(trials: &[Exercised]) -> Vec<ClauseFacts> {
    clauses().map(|clause| facts(clause, trials.iter().filter(|trial| trial.covers(clause)).count())).collect()
}

/// The contribution of a trial to coverage; `None` without a verdict.
pub fn exercised(line: &TrialLine) -> Option<Exercised> {
    if matches!(line.status, Status::Unresolved | Status::Unsupported) || line.summary.is_none() {
        return None;
    }
    let tables = line.tables.iter().filter_map(|table| {
        let version = SframeVersion::named(&table.version)?;
        let named = |name: &String| Feature::ALL.into_iter().find(|feature| feature.name() == name);
        Some(JudgedTable { version, features: table.features.iter().filter_map(named).collect() })
    });
    Some(Exercised { covers: line.covers.clone(), tables: tables.collect() })
}

fn facts(clause: &Clause, trials: usize) -> ClauseFacts {
    ClauseFacts {
        id: clause.id.to_owned(),
        section: clause.section.to_owned(),
        demand: clause.demand.to_owned(),
        shown_by: clause.shown_by.name().to_owned(),
        trials: trials as u64,
    }
}

impl Exercised {
    /// Returns true if this trial has tested the clause.
    pub fn covers(&self, clause: &Clause) -> bool {
        let named = self.covers.iter().any(|id| id == clause.id);
        named || self.tables.iter().any(|table| clause.shown_in(table.version, |it| table.features.contains(&it)))
    }
}

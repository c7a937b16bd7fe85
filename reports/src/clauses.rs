//! Coverage of the specification: the clauses that the trials of a run have tested, and those that
//! none has.
//!
//! A trial covers a clause in one of two ways. Its case names the clause: the author asserts it,
//! which is the only way for a clause that no rule checks or that consumers must show. Or it judged
//! a table with all features that the clause is about, so that the clause's rules checked it. A
//! rule that a case names does not count by itself: the table shows whether the rule had anything
//! to check.

use std::collections::BTreeSet;
use std::io::{self, Write};

use results::{ClauseFacts, Status, TrialLine};
use spec::{Clause, Feature, ShownBy, clause_named, clauses};
use types::SframeVersion;

use crate::escape::line;

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

/// Number of covered clauses of a kind, and of all clauses of that kind.
pub fn count(facts: &[ClauseFacts], shown_by: ShownBy) -> (usize, usize) {
    let of_kind = || facts.iter().filter(|clause| clause.shown_by == shown_by.name());
    (of_kind().filter(|clause| clause.trials > 0).count(), of_kind().count())
}

/// Prints the number of covered clauses, and by section every uncovered one of the `listed` kinds,
/// with the features that a table needs to cover it.
///
/// # Errors
/// Whatever the writer reports.
pub fn print(facts: &[ClauseFacts], listed: &[ShownBy], out: &mut dyn Write) -> io::Result<()> {
    let [producer, linker, consumer] = [ShownBy::Producer, ShownBy::Linker, ShownBy::Consumer].map(|kind| {
        let (covered, of) = count(facts, kind);
        format!("{covered} of {of} that {}s show", kind.name())
    });
    writeln!(out, "clauses of the specification covered: {producer}, {linker}, {consumer}")?;
    let uncovered: Vec<&ClauseFacts> = facts
        .iter()
        .filter(|clause| clause.trials == 0 && listed.iter().any(|kind| kind.name() == clause.shown_by))
        .collect();
    let mut sections: Vec<&str> = Vec::new();
    for clause in &uncovered {
        if !sections.contains(&clause.section.as_str()) {
            sections.push(&clause.section);
        }
    }
    for section in sections {
        writeln!(out, "  not covered, {}:", line(section))?;
        for clause in uncovered.iter().filter(|clause| clause.section == section) {
            writeln!(out, "    {:<36} {}{}", line(&clause.id), line(&clause.demand), needed(&clause.id))?;
        }
    }
    Ok(())
}

/// The features that a table needs to cover a clause; empty if this version of the harness does not
/// know the ID.
fn needed(id: &str) -> String {
    let Some(clause) = clause_named(id) else { return String::new() };
    if clause.rules.is_empty() {
        return " (a case that names it)".to_owned();
    }
    let versions: Vec<&str> = clause.versions.iter().map(|version| version.name()).collect();
    let features: Vec<&str> = clause.needs.iter().map(|feature| feature.name()).collect();
    let with = if features.is_empty() { String::new() } else { format!(" with {}", features.join(", ")) };
    format!(" (a table of {}{with})", versions.join(", "))
}

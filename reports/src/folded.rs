//! The findings of a report by cause: a known bug, a repair, or what is wrong without one.

use std::collections::BTreeSet;

use results::{Blame, Cause, Finding, Report};
use spec::Severity;

/// Findings of one cause.
#[derive(Debug)]
pub(crate) struct Folded<'a> {
    cause: Common<'a>,
    /// The findings, the first of the report first. Never empty.
    pub(crate) findings: Vec<&'a Finding>,
}

/// What findings of one cause have in common.
#[derive(Debug, PartialEq)]
enum Common<'a> {
    /// The ledger entry, or the folder of an earlier sweep.
    Known(&'a str),
    /// The edits that make the rows right, in normal form.
    Repair(Severity, Blame, Vec<&'a str>),
    /// Rule, blame and difference.
    Causes(BTreeSet<Cause>),
}

/// The findings of a report by cause, in order of the first of each; those that `is_shown` selects.
pub(crate) fn folded<'a>(report: &'a Report, is_shown: impl Fn(&Finding) -> bool) -> Vec<Folded<'a>> {
    let mut all: Vec<Folded<'a>> = Vec::new();
    for found in report.discrepancies.iter().filter(|found| is_shown(found)) {
        let cause = common(report, found);
        match all.iter_mut().find(|other| other.cause == cause) {
            Some(other) => other.findings.push(found),
            None => all.push(Folded { cause, findings: vec![found] }),
        }
    }
    all
}

fn common<'a>(report: &'a Report, found: &'a Finding) -> Common<'a> {
    if let Some(known) = &found.standing.known {
        return Common::Known(known);
    }
    let of = found.follows(&report.discrepancies).filter(|of| of.standing.known.is_none()).unwrap_or(found);
    let edits = of.evidence.repair.as_ref().map(|repair| repair.edits()).unwrap_or_default();
    match edits {
        [] => Common::Causes(Cause::from_finding(of)),
        edits => {
            let forms = edits.iter().map(|edit| edit.normal_form.as_str());
            Common::Repair(of.severity, of.blame(), forms.collect())
        }
    }
}

impl<'a> Folded<'a> {
    /// The ledger entry or folder that has the findings.
    pub(crate) fn known(&self) -> Option<&'a str> {
        match self.cause {
            Common::Known(file) => Some(file),
            Common::Repair(..) | Common::Causes(_) => None,
        }
    }

    /// The finding that is shown in full: preferably a row of the innermost frame, by execution.
    pub(crate) fn best(&self) -> Option<&'a Finding> {
        let rank = |found: &&Finding| (found.is_of_walk(), !found.evidence.executed, found.evidence.depth);
        self.findings.iter().copied().min_by_key(rank)
    }

    /// The other places, each once.
    pub(crate) fn others(&self) -> Vec<&'a str> {
        let place = |found: &'a Finding| match found.shown.shown_at.as_str() {
            "" => found.function(),
            at => at,
        };
        let mut seen: BTreeSet<&str> = self.best().map(place).into_iter().collect();
        self.findings.iter().map(|found| place(found)).filter(|place| !place.is_empty() && seen.insert(place)).collect()
    }
}

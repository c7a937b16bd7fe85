//! New findings of a run by cause: one bug of a tool shows in a row and in the chains
//! through it, in many functions and trials.

use std::collections::{BTreeMap, BTreeSet};

use results::{Cause, Finding, Source, TrialLine, WrongRow};
use spec::{RuleGroup, RuleId};
use types::{Claim, Equations, Location, ValueRule};

/// Findings with the same cause.
#[derive(Clone, Debug)]
pub struct NewCause<'a> {
    /// The most useful finding: preferred are a row over a chain, an executed one, one in the
    /// innermost frame; then the first by trial.
    pub best: &'a Finding,
    /// The trial with that finding.
    pub best_trial: &'a TrialLine,
    /// Fingerprints of all findings, starting with the best.
    pub fingerprints: Vec<&'a str>,
    /// The broken rules.
    pub rules: BTreeSet<RuleId>,
    /// The functions, or sections, of the findings.
    pub functions: BTreeSet<&'a str>,
    /// The trials that show a finding.
    pub trials: BTreeSet<&'a str>,
}

/// The common part of findings with one cause: how the row differs from the right one at which a
/// table goes wrong, or else rule and message.
type Alike = (Option<RuleId>, String);

/// The causes of findings that no ledger entry covers, most trials first. A finding that goes wrong
/// at several places in different ways is in several causes. Targets differ in the names of
/// registers, tools and options do not count.
pub fn new_causes(trials: &[TrialLine]) -> Vec<NewCause<'_>> {
    let mut causes: BTreeMap<Alike, Vec<(&TrialLine, &Finding)>> = BTreeMap::new();
    for trial in trials {
        let new: Vec<&Finding> = trial.findings.iter().filter(|found| found.standing.known.is_none()).collect();
        let (walks, others): (Vec<&Finding>, Vec<&Finding>) = new.iter().partition(|found| found.is_of_walk());
        for found in &others {
            for alike in alike(found) {
                causes.entry(alike).or_default().push((trial, found));
            }
        }
        for walk in walks {
            let of = walk.follows(others.iter().copied()).unwrap_or(walk);
            for alike in alike(of) {
                causes.entry(alike).or_default().push((trial, walk));
            }
        }
    }
    let mut causes: Vec<NewCause<'_>> = causes.into_values().filter_map(cause).collect();
    causes.sort_by(|a, b| {
        let rank = |cause: &NewCause<'_>| (std::cmp::Reverse(cause.trials.len()), cause.best.rule());
        rank(a).cmp(&rank(b)).then_with(|| a.fingerprints.cmp(&b.fingerprints))
    });
    causes
}

fn cause<'a>(findings: Vec<(&'a TrialLine, &'a Finding)>) -> Option<NewCause<'a>> {
    let says_most = |(trial, found): &&(&'a TrialLine, &'a Finding)| {
        (is_chain(found), !found.evidence.executed, found.evidence.depth, trial.key.as_str(), found.fingerprint())
    };
    let (best_trial, best) = *findings.iter().min_by_key(says_most)?;
    let all: BTreeSet<&str> = findings.iter().map(|(_, found)| found.fingerprint()).collect();
    let others = all.into_iter().filter(|fingerprint| *fingerprint != best.fingerprint());
    Some(NewCause {
        best,
        best_trial,
        fingerprints: std::iter::once(best.fingerprint()).chain(others).collect(),
        rules: findings.iter().map(|(_, found)| found.rule()).collect(),
        functions: findings.iter().map(|(_, found)| found.function()).filter(|name| !name.is_empty()).collect(),
        trials: findings.iter().map(|(trial, _)| trial.key.as_str()).collect(),
    })
}

fn is_chain(found: &Finding) -> bool {
    found.rule().group() == RuleGroup::Chain
}

fn alike(found: &Finding) -> BTreeSet<Alike> {
    let edits = found.evidence.repair.as_ref().map(|repair| repair.edits()).unwrap_or_default();
    if !edits.is_empty() {
        return edits.iter().map(|edit| (None, edit.title_of_any())).collect();
    }
    let rows = &found.evidence.rows;
    if rows.is_empty() {
        return Cause::from_finding(found).into_iter().map(|cause| (Some(found.rule()), cause.shape)).collect();
    }
    // A row of a walk is not counted again. A wrong row that follows another one, without a right
    // row between them, belongs to that one; so does the same row after an instruction that did
    // not execute.
    let again =
        |row: &WrongRow| row.right.is_none() && rows.iter().any(|other| other.right.is_some() && row.is_same(other));
    let rows: Vec<&WrongRow> = rows.iter().filter(|row| !again(row)).collect();
    let mut ranges: Vec<(u64, u64, &WrongRow)> =
        rows.iter().flat_map(|row| row.ranges.iter().map(move |(start, end)| (*start, *end, *row))).collect();
    ranges.sort_by_key(|(start, end, _)| (*start, *end));
    let mut first: Vec<&WrongRow> = rows.into_iter().filter(|row| row.ranges.is_empty()).collect();
    let mut last: Option<(u64, &WrongRow)> = None;
    for (start, end, row) in ranges {
        let follows = |(reached, before): (u64, &WrongRow)| {
            reached == start || (before.wrong() == row.wrong() && before.right() == row.right())
        };
        if !last.is_some_and(follows) {
            first.push(row);
        }
        last = Some((end, row));
    }
    first.into_iter().map(|row| (None, Cause::shape_of(&without_consequences(row)))).collect()
}

/// The row without the differences that follow from a wrong CFA: places relative to it.
fn without_consequences(row: &WrongRow) -> WrongRow {
    let mut row = row.clone();
    let Some(right) = row.right().and_then(Claim::equations).cloned() else { return row };
    let wrong = match row.wrong {
        Source::Sframe => &mut row.sframe,
        Source::EhFrame => &mut row.eh_frame,
        Source::Truth => return row,
    };
    if let Claim::Row(Equations { cfa, ra, fp, .. }, _) = wrong
        && *cfa != right.cfa
    {
        for (place, right) in [(ra, right.ra), (fp, right.fp)] {
            if matches!(place, Location::Rule(ValueRule::AtCfa(_) | ValueRule::CfaPlus(_))) {
                *place = right;
            }
        }
    }
    row
}

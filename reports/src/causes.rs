//! New findings of a run by cause: one bug of a tool shows in a row and in the chains
//! through it, in many functions and trials.

use std::collections::{BTreeMap, BTreeSet};

use results::{Cause, Finding, TrialLine};
use spec::{RuleGroup, RuleId};

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

/// The common part of findings with one cause: how a wrong row differs from the right one,
/// or else rule and message.
type Alike = (Option<RuleId>, String);

/// The causes of findings that no ledger entry covers, most trials first. A finding with several
/// wrong values is in several causes.
pub fn new_causes(trials: &[TrialLine]) -> Vec<NewCause<'_>> {
    let mut causes: BTreeMap<Alike, Vec<(&TrialLine, &Finding)>> = BTreeMap::new();
    for trial in trials {
        let new: Vec<&Finding> = trial.findings.iter().filter(|found| found.standing.known.is_none()).collect();
        let (chains, others): (Vec<&Finding>, Vec<&Finding>) = new.iter().partition(|found| is_chain(found));
        for found in &others {
            for alike in alike(found) {
                causes.entry(alike).or_default().push((trial, found));
            }
        }
        for chain in chains {
            // A walk fails at a row: if that row is also reported by itself, it is one bug.
            let row = |other: &&&Finding| {
                other.evidence.rows.iter().any(|row| chain.evidence.rows.iter().any(|own| same_row(own, row)))
            };
            let of = others.iter().find(row).map_or(chain, |other| other);
            for alike in alike(of) {
                causes.entry(alike).or_default().push((trial, chain));
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

fn same_row(one: &results::WrongRow, other: &results::WrongRow) -> bool {
    one.wrong == other.wrong
        && one.wrong() == other.wrong()
        && one.ranges.iter().any(|range| meets(*range, &other.ranges))
}

fn meets((start, end): (u64, u64), ranges: &[(u64, u64)]) -> bool {
    ranges.iter().any(|(from, to)| start < *to && *from < end)
}

fn alike(found: &Finding) -> impl Iterator<Item = Alike> {
    let rule = found.evidence.rows.is_empty().then(|| found.rule());
    Cause::from_finding(found).into_iter().map(move |cause| (rule, cause.shape))
}

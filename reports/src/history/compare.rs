//! The differences of two runs. Only trials of both runs can change: a finding whose trials were
//! not run again has not vanished, and trials that an interrupted run did not reach have not
//! changed.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use results::{Blame, ClauseFacts, Finding, Sizes, Status, TrialLine, WrongRow};
use spec::RuleId;

use super::pair::{Paired, pair};
use crate::findings::{Group, ranked};
use results::RunResults;
use results::tally::decided;

/// Thresholds of a change.
#[derive(Clone, Copy, Debug)]
pub struct CompareOptions {
    /// Sizes and counts are listed if they changed by more than this percentage of the old value.
    pub size_percent: f64,
}

impl Default for CompareOptions {
    fn default() -> Self {
        CompareOptions { size_percent: 5.0 }
    }
}

/// All changes between two runs; a list without changes is empty. Findings are ordered by number of
/// trials, all else by name.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Changes {
    pub new: Vec<FindingChange>,
    /// Findings that no longer occur, although a trial that showed them was completed again.
    pub vanished: Vec<FindingChange>,
    /// Findings with the same rule, function and shape, but another blamed tool.
    pub moved: Vec<BlameChange>,
    /// Findings of both runs that occur in other trials than before, of the trials in both runs.
    pub spread: Vec<Spread>,
    /// Findings of both runs with other wrong rows than before, in trials of both runs.
    pub rows: Vec<RowsChange>,
    /// Findings of the old run whose trials are not in the new run.
    pub not_judged: Vec<FindingChange>,
    /// Trials that changed status.
    pub statuses: Vec<StatusChange>,
    /// Trials only in the new run.
    pub appeared: Vec<TrialChange>,
    /// Trials only in the old run.
    pub disappeared: Vec<TrialChange>,
    /// Clauses that some trial covers now and none covered before.
    pub clauses_gained: Vec<ClauseChange>,
    /// Clauses that no trial covers any more.
    pub clauses_lost: Vec<ClauseChange>,
    /// Sizes and counts that changed by more than the threshold.
    pub sizes: Vec<SizeChange>,
}

/// A new or vanished finding.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct FindingChange {
    /// 16 hex digits over rule, blame, function and shape.
    pub fingerprint: String,
    pub rule: RuleId,
    /// The blamed tool.
    pub blame: Blame,
    /// The function, or the section for findings that are not about code.
    pub function: String,
    /// One sentence with the numbers.
    pub message: String,
    /// Trials that show the finding, or showed it.
    pub trials: Vec<String>,
    /// The ledger covers the finding in all trials.
    pub known: bool,
    /// One of the trials is in both runs.
    pub in_both: bool,
}

/// A finding that is now blamed on another tool.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct BlameChange {
    /// The finding of the old run.
    pub old: FindingChange,
    /// The finding of the new run.
    pub new: FindingChange,
}

/// A finding that occurs in other trials than before.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Spread {
    /// The finding in the new run.
    pub finding: FindingChange,
    /// Trials that show the finding now and did not before.
    pub gained: Vec<String>,
    /// Trials that showed the finding before and do not now.
    pub lost: Vec<String>,
}

/// A finding with other wrong rows than before.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct RowsChange {
    /// The finding in the new run.
    pub finding: FindingChange,
    /// Rows that are wrong now and were not before, in order.
    pub gained: Vec<String>,
    /// Rows that were wrong before and are not now.
    pub lost: Vec<String>,
}

/// A trial that changed status.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct StatusChange {
    /// Name of the trial in the new run.
    pub key: String,
    pub old: Status,
    pub new: Status,
    /// Reason: the first problem of the new run.
    pub why: Option<String>,
}

/// A trial of one run only.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TrialChange {
    pub key: String,
    pub status: Status,
}

/// A clause that became covered or uncovered.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct ClauseChange {
    /// ID of the clause, stable, in kebab-case.
    pub id: String,
    /// The requirement of the specification, in one sentence.
    pub demand: String,
    /// Number of trials that covered the clause.
    pub old: u64,
    /// Number of trials that cover the clause.
    pub new: u64,
}

/// A changed size or count of a trial's file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct SizeChange {
    /// Name of the trial in the new run.
    pub key: String,
    /// The measure: `sframe`, `eh_frame`, `eh_frame_hdr`, `text` in bytes, `functions`, `rows`.
    pub what: &'static str,
    /// Value in the old run.
    pub old: u64,
    /// Value in the new run.
    pub new: u64,
}

impl Changes {
    /// Returns true if no list has an entry.
    pub fn is_empty(&self) -> bool {
        *self == Changes::default()
    }
}

/// Compares a run with an earlier one.
pub fn compare(old: &RunResults, new: &RunResults, options: CompareOptions) -> Changes {
    let paired = pair(&old.trials, &new.trials);
    let mut changes = Changes::default();
    findings(old, new, &paired, &mut changes);
    for pair in &paired.both {
        if pair.old.status != pair.new.status {
            changes.statuses.push(StatusChange {
                key: pair.new.key.clone(),
                old: pair.old.status,
                new: pair.new.status,
                why: pair.new.reasons().next(),
            });
        }
        if let Some((was, is)) = pair.old.sizes.as_ref().zip(pair.new.sizes.as_ref()) {
            changes.sizes.extend(sizes(&pair.new.key, was, is, options));
        }
    }
    let alone = |trial: &&TrialLine| TrialChange { key: trial.key.clone(), status: trial.status };
    changes.appeared = paired.only_new.iter().map(alone).collect();
    changes.disappeared = paired.only_old.iter().map(alone).collect();
    clauses(&old.facts.clauses, &new.facts.clauses, &mut changes);
    if old.facts.unfinished {
        changes.appeared.clear();
        changes.clauses_gained.clear();
        changes.new.retain(|finding| finding.in_both || !finding.known);
    }
    if new.facts.unfinished {
        let ran: BTreeSet<&str> = paired.both.iter().map(|pair| pair.old.key.as_str()).collect();
        changes.disappeared.clear();
        changes.clauses_lost.clear();
        changes.not_judged.retain(|finding| finding.trials.iter().any(|name| ran.contains(name.as_str())));
    }
    changes
}

fn findings(old: &RunResults, new: &RunResults, paired: &Paired<'_>, changes: &mut Changes) {
    let (was, is) = (ranked(&old.trials), ranked(&new.trials));
    let fingerprints = |groups: &[Group<'_>]| -> BTreeSet<String> {
        groups.iter().map(|group| group.fingerprint.to_owned()).collect()
    };
    let (had, has) = (fingerprints(&was), fingerprints(&is));
    // Looks up the other run's trial of the same name: does it exist, and was it completed?
    let new_of: BTreeMap<&str, &TrialLine> = paired.both.iter().map(|pair| (pair.old.key.as_str(), pair.new)).collect();
    let old_of: BTreeMap<&str, &TrialLine> = paired.both.iter().map(|pair| (pair.new.key.as_str(), pair.old)).collect();
    let looked = |trial: &&TrialLine| decided(trial.status);

    for group in is.iter().filter(|group| !had.contains(group.fingerprint)) {
        let in_both = group.trial_names().any(|name| old_of.get(name).is_some_and(looked));
        changes.new.push(change(group, in_both));
    }
    for group in was.iter().filter(|group| !has.contains(group.fingerprint)) {
        let in_both = group.trial_names().any(|name| new_of.get(name).is_some_and(looked));
        let list = if in_both { &mut changes.vanished } else { &mut changes.not_judged };
        list.push(change(group, in_both));
    }
    moves(&was, &is, changes);

    let before: BTreeMap<&str, &Group<'_>> = was.iter().map(|group| (group.fingerprint, group)).collect();
    for group in &is {
        let Some(before) = before.get(group.fingerprint) else { continue };
        let showed: BTreeSet<&str> = before.trial_names().collect();
        let shows: BTreeSet<&str> = group.trial_names().collect();
        let gained = shows.iter().filter(|name| {
            old_of.get(*name).is_some_and(|old| decided(old.status) && !showed.contains(old.key.as_str()))
        });
        let lost = showed
            .iter()
            .filter_map(|name| new_of.get(name))
            .filter(|new| decided(new.status) && !shows.contains(new.key.as_str()));
        let gained: Vec<String> = gained.map(|name| (*name).to_owned()).collect();
        let lost: Vec<String> = lost.map(|trial| trial.key.clone()).collect();
        if !gained.is_empty() || !lost.is_empty() {
            changes.spread.push(Spread { finding: change(group, true), gained, lost });
        }
        changes.rows.extend(rows(before, group, &new_of));
    }
}

/// The change of a finding's wrong rows in trials of both runs.
fn rows(before: &Group<'_>, now: &Group<'_>, new_of: &BTreeMap<&str, &TrialLine>) -> Option<RowsChange> {
    let mut is: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (trial, found) in &now.occurrences {
        is.entry(&trial.key).or_default().extend(printed(found));
    }
    let mut was: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (trial, found) in &before.occurrences {
        if let Some(new) = new_of.get(trial.key.as_str()) {
            was.entry(&new.key).or_default().extend(printed(found));
        }
    }
    let (mut gained, mut lost) = (BTreeSet::new(), BTreeSet::new());
    for (key, was) in &was {
        let Some(is) = is.get(key) else { continue };
        gained.extend(is.difference(was).cloned());
        lost.extend(was.difference(is).cloned());
    }
    let change = |gained: BTreeSet<String>, lost: BTreeSet<String>| RowsChange {
        finding: change(now, true),
        gained: gained.into_iter().collect(),
        lost: lost.into_iter().collect(),
    };
    (!gained.is_empty() || !lost.is_empty()).then(|| change(gained, lost))
}

/// The wrong rows as text, and a note if there are more.
fn printed(found: &Finding) -> impl Iterator<Item = String> {
    let more = found.evidence.rows_cut.then(|| "more than are listed".to_owned());
    found.evidence.rows.iter().map(WrongRow::to_string).chain(more)
}

fn change(group: &Group<'_>, in_both: bool) -> FindingChange {
    FindingChange {
        fingerprint: group.fingerprint.to_owned(),
        rule: group.best.rule(),
        blame: group.best.blame(),
        function: group.best.function().to_owned(),
        message: group.best.shown.message.clone(),
        trials: group.trial_names().map(str::to_owned).collect(),
        known: !group.is_new(),
        in_both,
    }
}

/// Moves a vanished and a new finding with the same rule, function and shape to the list of moved
/// ones.
fn moves(was: &[Group<'_>], is: &[Group<'_>], changes: &mut Changes) {
    let shapes: BTreeMap<&str, String> =
        was.iter().chain(is).map(|group| (group.fingerprint, group.best.what())).collect();
    let identity = |change: &FindingChange| {
        let shape = shapes.get(change.fingerprint.as_str()).cloned().unwrap_or_default();
        (change.rule, change.function.clone(), shape)
    };
    let mut arrivals: BTreeMap<_, VecDeque<FindingChange>> = BTreeMap::new();
    for new in &changes.new {
        arrivals.entry(identity(new)).or_default().push_back(new.clone());
    }
    for old in std::mem::take(&mut changes.vanished) {
        match arrivals.get_mut(&identity(&old)).and_then(VecDeque::pop_front) {
            Some(new) => changes.moved.push(BlameChange { old, new }),
            None => changes.vanished.push(old),
        }
    }
    let moved: BTreeSet<&str> = changes.moved.iter().map(|moved| moved.new.fingerprint.as_str()).collect();
    changes.new.retain(|new| !moved.contains(new.fingerprint.as_str()));
}

fn sizes(key: &str, old: &Sizes, new: &Sizes, options: CompareOptions) -> Vec<SizeChange> {
    let list = |sizes: &Sizes| {
        [
            ("sframe", sizes.sframe),
            ("eh_frame", sizes.eh_frame),
            ("eh_frame_hdr", sizes.eh_frame_hdr),
            ("functions", sizes.functions),
            ("rows", sizes.rows),
            ("text", sizes.text),
        ]
    };
    let pairs = list(old).into_iter().zip(list(new));
    let changed = pairs.filter(|((_, old), (_, new))| {
        let difference = old.abs_diff(*new) as f64;
        difference > 0.0 && difference * 100.0 > *old as f64 * options.size_percent
    });
    changed.map(|((what, old), (_, new))| SizeChange { key: key.to_owned(), what, old, new }).collect()
}

fn clauses(old: &[ClauseFacts], new: &[ClauseFacts], changes: &mut Changes) {
    let by_id = |clauses: &[ClauseFacts]| -> BTreeMap<String, ClauseFacts> {
        clauses.iter().map(|clause| (clause.id.clone(), clause.clone())).collect()
    };
    let (old, new) = (by_id(old), by_id(new));
    let ids: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for id in ids {
        let count = |clauses: &BTreeMap<String, ClauseFacts>| clauses.get(id).map_or(0, |clause| clause.trials);
        let (was, is) = (count(&old), count(&new));
        let demand = new.get(id).or_else(|| old.get(id)).map(|clause| clause.demand.clone()).unwrap_or_default();
        let change = ClauseChange { id: id.clone(), demand, old: was, new: is };
        match (was, is) {
            (0, 1..) => changes.clauses_gained.push(change),
            (1.., 0) => changes.clauses_lost.push(change),
            _ => {}
        }
    }
}

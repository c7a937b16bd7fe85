//! The distinct findings of a run: occurrences in many trials grouped by fingerprint and ranked by
//! the number of trials.
//!
//! Used by everything that lists findings once, whatever the number of trials.

use std::collections::{BTreeMap, BTreeSet};

use results::{Finding, RunFacts, TrialLine, rows_fingerprint};
use spec::Rule;
use types::SframeVersion;

/// A finding and all trials that show it.
#[derive(Clone, Debug)]
pub struct Group<'a> {
    /// 16 hex digits over rule, blame, function and shape.
    pub fingerprint: &'a str,
    /// The representative occurrence: new, if there is a new one; then executed, if there is one;
    /// then the first by trial name.
    pub best: &'a Finding,
    /// The trial of [`Group::best`].
    pub best_trial: &'a TrialLine,
    /// Every occurrence, by trial name. A trial has several if two functions share a name.
    pub occurrences: Vec<(&'a TrialLine, &'a Finding)>,
    /// Number of distinct trials that show the finding.
    pub trials: usize,
    /// Number of trials that show the finding without a covering ledger entry.
    pub new: usize,
    /// Files of the covering ledger entries, without directories.
    pub known: BTreeSet<&'a str>,
}

impl<'a> Group<'a> {
    /// Returns true if a trial shows the finding without a covering ledger entry.
    pub fn is_new(&self) -> bool {
        self.new > 0
    }

    /// The rule in the catalogue.
    pub fn rule(&self) -> &'static Rule {
        self.best.rule().facts()
    }

    /// The rule's clause, in the text of the representative's SFrame version.
    pub fn clause(&self) -> String {
        self.rule().clause_in(SframeVersion::named(&self.best_trial.sframe))
    }

    /// Names of the trials, sorted, each once.
    pub fn trial_names(&self) -> impl Iterator<Item = &'a str> {
        let names: BTreeSet<&str> = self.occurrences.iter().map(|(trial, _)| trial.key.as_str()).collect();
        names.into_iter()
    }

    /// Producers whose trials show the finding, `name@version`, each once.
    pub fn producers(&self) -> BTreeSet<&'a str> {
        self.occurrences.iter().map(|(trial, _)| trial.producer.as_str()).collect()
    }

    /// [`Finding::rows_fingerprint`] of the rows of all occurrences.
    pub fn rows_fingerprint(&self) -> Option<String> {
        let rows = self.occurrences.iter().flat_map(|(_, found)| &found.evidence.rows);
        rows_fingerprint(rows, self.occurrences.iter().any(|(_, found)| found.evidence.rows_cut))
    }

    /// One line that names the culprit: `assembler: row/cfa-matches-truth in parse`.
    pub fn title(&self) -> String {
        crate::testrun::title(self.best)
    }
}

/// The distinct findings, most trials first; equal ones by rule, function and fingerprint.
pub fn ranked(trials: &[TrialLine]) -> Vec<Group<'_>> {
    let mut by_fingerprint: BTreeMap<&str, Vec<(&TrialLine, &Finding)>> = BTreeMap::new();
    for trial in trials {
        for finding in &trial.findings {
            by_fingerprint.entry(finding.fingerprint()).or_default().push((trial, finding));
        }
    }
    let mut groups: Vec<Group> = by_fingerprint.into_values().filter_map(group).collect();
    groups.sort_by(|a, b| {
        (b.trials, &a.best.rule(), &a.best.function(), a.fingerprint).cmp(&(
            a.trials,
            &b.best.rule(),
            &b.best.function(),
            b.fingerprint,
        ))
    });
    groups
}

/// The groups with new findings before known ones.
pub fn new_first(groups: Vec<Group<'_>>) -> Vec<Group<'_>> {
    let (new, known): (Vec<_>, Vec<_>) = groups.into_iter().partition(Group::is_new);
    [new, known].concat()
}

/// Findings that one ledger entry covers, at least in some trials: one bug.
#[derive(Clone, Debug)]
pub struct KnownBug<'a> {
    /// The entry's file, without directories.
    pub file: &'a str,
    /// The findings, by rank.
    pub groups: Vec<&'a Group<'a>>,
    /// Number of distinct trials that show the bug.
    pub trials: usize,
}

/// The recurring ledger entries of a run: bugs, and other entries.
#[derive(Clone, Debug, Default)]
pub struct Recorded<'a> {
    /// Bugs, and entries whose class the run does not know.
    pub bugs: Vec<KnownBug<'a>>,
    /// Entries of other classes: not implemented, contested.
    pub others: Vec<KnownBug<'a>>,
}

/// The recurring entries, each kind with most trials first.
pub fn recorded<'a>(groups: &'a [Group<'a>], facts: &RunFacts) -> Recorded<'a> {
    let class = |bug: &KnownBug<'_>| facts.ledger.iter().find(|entry| entry.file == bug.file).map(|entry| entry.class);
    let (bugs, others) = bugs(groups).into_iter().partition(|bug| class(bug).is_none_or(|class| class.is_bug()));
    Recorded { bugs, others }
}

/// The recurring ledger entries, most trials first.
pub fn bugs<'a>(groups: &'a [Group<'a>]) -> Vec<KnownBug<'a>> {
    let mut by_file: BTreeMap<&str, (Vec<&Group>, BTreeSet<&str>)> = BTreeMap::new();
    for group in groups {
        for (trial, found) in &group.occurrences {
            let Some(file) = found.standing.known.as_deref() else { continue };
            let (of, trials) = by_file.entry(file).or_default();
            if of.last().is_none_or(|last| !std::ptr::eq(*last, group)) {
                of.push(group);
            }
            trials.insert(&trial.key);
        }
    }
    let mut bugs: Vec<KnownBug> =
        by_file.into_iter().map(|(file, (groups, trials))| KnownBug { file, trials: trials.len(), groups }).collect();
    bugs.sort_by_key(|bug| std::cmp::Reverse(bug.trials));
    bugs
}

fn group<'a>(mut occurrences: Vec<(&'a TrialLine, &'a Finding)>) -> Option<Group<'a>> {
    occurrences.sort_by_key(|(trial, finding)| (&trial.key, &finding.shown.place));
    let best =
        occurrences.iter().min_by_key(|(_, finding)| (finding.standing.known.is_some(), !finding.evidence.executed))?;
    let (best_trial, best) = *best;
    let distinct = |new: bool| {
        let chosen = occurrences.iter().filter(|(_, finding)| !new || finding.standing.known.is_none());
        chosen.map(|(trial, _)| trial.key.as_str()).collect::<BTreeSet<_>>().len()
    };
    let (trials, new) = (distinct(false), distinct(true));
    let known = occurrences.iter().filter_map(|(_, finding)| finding.standing.known.as_deref()).collect();
    Some(Group { fingerprint: best.fingerprint(), best, best_trial, occurrences, trials, new, known })
}

//! Findings of all trials, one group a fingerprint, ranked: new ones first, then by how many trials each explains.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::results::{FindingLine, TrialLine};

/// All that shows one fingerprint. Trials are indices in the slice that was grouped.
#[derive(Clone, Debug)]
pub(super) struct Group<'a> {
    /// The fingerprint.
    pub(super) fingerprint: &'a str,
    /// The finding as the first trial shows it, a new one before a known one.
    pub(super) first: &'a FindingLine,
    /// Every trial that shows it, with its place in the trial's findings.
    pub(super) shown: Vec<(usize, usize)>,
    /// In how many of them it is new.
    pub(super) new: u64,
    /// `name@version` of the producers under test.
    pub(super) producers: BTreeSet<&'a str>,
    /// ABI and SFrame version.
    pub(super) targets: BTreeSet<(&'a str, &'a str)>,
}

/// The groups of these trials.
pub(super) fn groups(trials: &[TrialLine]) -> Vec<Group<'_>> {
    let mut by_fingerprint: BTreeMap<&str, Group<'_>> = BTreeMap::new();
    for (index, trial) in trials.iter().enumerate() {
        for (nth, finding) in trial.findings.iter().enumerate() {
            let group = by_fingerprint.entry(&finding.fingerprint).or_insert_with(|| Group {
                fingerprint: &finding.fingerprint,
                first: finding,
                shown: Vec::new(),
                new: 0,
                producers: BTreeSet::new(),
                targets: BTreeSet::new(),
            });
            if finding.known.is_none() {
                if group.new == 0 {
                    group.first = finding;
                }
                group.new += 1;
            }
            group.shown.push((index, nth));
            group.producers.insert(&trial.producer);
            group.targets.insert((&trial.abi, &trial.sframe));
        }
    }
    let mut ranked: Vec<Group<'_>> = by_fingerprint.into_values().collect();
    ranked.sort_by_key(|group| (group.new == 0, Reverse(group.trials()), group.fingerprint));
    ranked
}

impl Group<'_> {
    /// How many trials it explains. A trial that shows it twice counts once.
    pub(super) fn trials(&self) -> u64 {
        // `shown` ascends by trial.
        self.shown.chunk_by(|a, b| a.0 == b.0).count() as u64
    }

    /// New in at least one trial.
    pub(super) fn is_new(&self) -> bool {
        self.new > 0
    }
}

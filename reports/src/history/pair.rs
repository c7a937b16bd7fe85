//! Pairs of equal trials in two runs.

use std::collections::{BTreeMap, BTreeSet};

use results::{Key, TrialLine};

/// A trial in both runs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    pub(super) old: &'a TrialLine,
    pub(super) new: &'a TrialLine,
}

/// Trials of both runs, and those of one run only; sorted by name.
#[derive(Clone, Debug, Default)]
pub(super) struct Paired<'a> {
    pub(super) both: Vec<Pair<'a>>,
    pub(super) only_old: Vec<&'a TrialLine>,
    pub(super) only_new: Vec<&'a TrialLine>,
}

/// Pairs trials by name; the remaining ones by name without the day of a snapshot, if that is
/// unambiguous.
///
/// A nightly build of a producer has a new version every day (`gas@2.47.50.20261021`), so that no
/// name would recur.
pub(super) fn pair<'a>(old: &'a [TrialLine], new: &'a [TrialLine]) -> Paired<'a> {
    let by_key = |trials: &'a [TrialLine]| -> BTreeMap<&'a str, &'a TrialLine> {
        trials.iter().map(|trial| (trial.key.as_str(), trial)).collect()
    };
    let (mut old, mut new) = (by_key(old), by_key(new));
    let shared: BTreeSet<&str> = old.keys().filter(|key| new.contains_key(*key)).copied().collect();
    let mut both = Vec::new();
    for key in shared {
        both.extend(old.remove(key).zip(new.remove(key)).map(|(old, new)| Pair { old, new }));
    }
    let (undated_old, undated_new) = (undated(&old), undated(&new));
    for (name, found) in undated_old {
        if let ([old_key], Some([new_key])) = (found.as_slice(), undated_new.get(&name).map(Vec::as_slice)) {
            both.extend(old.remove(old_key).zip(new.remove(new_key)).map(|(old, new)| Pair { old, new }));
        }
    }
    both.sort_by(|a, b| a.new.key.cmp(&b.new.key));
    Paired { both, only_old: old.into_values().collect(), only_new: new.into_values().collect() }
}

fn undated<'a>(trials: &BTreeMap<&'a str, &'a TrialLine>) -> BTreeMap<String, Vec<&'a str>> {
    let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for key in trials.keys() {
        names.entry(without_days(key)).or_default().push(key);
    }
    names
}

/// A name without the days of snapshots; other texts are unchanged.
fn without_days(key: &str) -> String {
    key.parse::<Key>().map_or_else(|_| key.to_owned(), |key| key.without_days().to_string())
}

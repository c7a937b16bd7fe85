//! Signs and words for counts, and the status of a whole run.

use std::collections::BTreeMap;

use results::{RunFacts, Status};

use crate::findings::Group;
use results::tally::Tally;

/// The sign of a status, so that colour is never the only difference.
pub(crate) const fn sign(status: Status) -> &'static str {
    match status {
        Status::Pass => "✓",
        Status::Xfail => "≈",
        Status::Xpass => "↑",
        Status::Fail => "✗",
        Status::Unresolved => "?",
        Status::Unsupported => "–",
    }
}

/// The meaning of a status, in a few words.
pub(super) const fn meaning(status: Status) -> &'static str {
    match status {
        Status::Pass => "as expected",
        Status::Xfail => "known findings only",
        Status::Xpass => "a known finding did not recur",
        Status::Fail => "new finding, expired entry, vacuous or broken trial",
        Status::Unresolved => "undecided",
        Status::Unsupported => "not tried, for the reason given",
    }
}

/// The status of a whole run. An unfinished run cannot pass, nor one that ran nothing.
pub(crate) fn verdict(counts: &Tally, facts: &RunFacts) -> Status {
    let there_is = |status| counts.count(status) > 0;
    if there_is(Status::Fail) || there_is(Status::Xpass) {
        Status::Fail
    } else if there_is(Status::Unresolved) || facts.unfinished || !(there_is(Status::Xfail) || there_is(Status::Pass)) {
        Status::Unresolved
    } else if there_is(Status::Xfail) {
        Status::Xfail
    } else {
        Status::Pass
    }
}

/// Blamed tools with the numbers of new and known findings; most new ones first.
pub(super) fn blames<'a>(groups: &[Group<'a>]) -> Vec<(&'a str, u64, u64)> {
    let mut counts: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for group in groups {
        let (new, known) = counts.entry(group.best.blame().name()).or_default();
        if group.is_new() {
            *new += 1;
        } else {
            *known += 1;
        }
    }
    let mut list: Vec<_> = counts.into_iter().map(|(blame, (new, known))| (blame, new, known)).collect();
    list.sort_by_key(|(blame, new, known)| (std::cmp::Reverse((*new, *known)), *blame));
    list
}

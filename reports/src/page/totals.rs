//! The counts of a run and the sentence they amount to.

use std::collections::BTreeMap;

use model::{RunFacts, Status};

use super::text::{count, plural};
use crate::findings::Group;
use crate::tally::Tally;

/// A sign of its own for each, so that colour is never alone.
pub(super) const fn sign(status: Status) -> &'static str {
    match status {
        Status::Pass => "✓",
        Status::Xfail => "≈",
        Status::Xpass => "↑",
        Status::Fail => "✗",
        Status::Unresolved => "?",
        Status::Unsupported => "–",
    }
}

/// What a status means, in a few words.
pub(super) const fn meaning(status: Status) -> &'static str {
    match status {
        Status::Pass => "as it should be",
        Status::Xfail => "known discrepancies only",
        Status::Xpass => "a known discrepancy did not recur",
        Status::Fail => "something new, expired, vacuous or broken",
        Status::Unresolved => "could not be decided",
        Status::Unsupported => "a producer is not on this machine",
    }
}

/// The verdict in one word and one sentence. What is not finished cannot pass.
pub(super) fn verdict(counts: &Tally, groups: &[Group<'_>], facts: &RunFacts) -> (Status, String) {
    let [fail, xpass, unresolved, xfail, pass] =
        [Status::Fail, Status::Xpass, Status::Unresolved, Status::Xfail, Status::Pass]
            .map(|status| counts.count(status));
    let ran = counts.all() - counts.count(Status::Unsupported);
    let new = groups.iter().filter(|group| group.is_new()).count() as u64;
    if ran == 0 {
        return (Status::Unresolved, "Nothing was run.".to_owned());
    }
    if fail + xpass > 0 {
        let mut parts = Vec::new();
        if new > 0 {
            parts.push(format!("{} ({})", plural(new, "new finding"), by_blame(groups)));
        }
        if fail > 0 {
            parts.push(format!(
                "{} of {} trials {}",
                count(fail),
                count(ran),
                if fail == 1 { "fails" } else { "fail" }
            ));
        }
        if xpass > 0 {
            parts.push(format!("in {} a known discrepancy did not recur", plural(xpass, "trial")));
        }
        return (Status::Fail, format!("{}.", parts.join("; ")));
    }
    let known = match xfail {
        0 => String::new(),
        _ => format!(", {} with known discrepancies only", count(xfail)),
    };
    if unresolved > 0 {
        return (
            Status::Unresolved,
            format!("Nothing new; {} of {} trials could not be decided{known}.", count(unresolved), count(ran)),
        );
    }
    let status = if facts.unfinished {
        Status::Unresolved
    } else if xfail > 0 {
        Status::Xfail
    } else {
        Status::Pass
    };
    (status, format!("Nothing new in {}: {} right in everything{known}.", plural(ran, "trial"), count(pass)))
}

/// New findings by who is blamed, most first: `assembler 2, linker 1`.
pub(super) fn by_blame(groups: &[Group<'_>]) -> String {
    let parts: Vec<String> = blames(groups)
        .into_iter()
        .filter(|(_, new, _)| *new > 0)
        .map(|(blame, new, _)| format!("{blame} {new}"))
        .collect();
    parts.join(", ")
}

/// Blame, findings that are new, findings that are known; most new first.
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

//! What differs from the previous run: findings new, vanished, and moved to another blame; trials that came out otherwise.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};

use super::groups::{Group, groups};
use super::text::{clean, count, fragment};
use super::totals::{sign, word};
use crate::results::{FindingLine, Status, TrialLine};

/// Rows of one list; the rest is counted. Everything is in the results and in the comparison that the command prints.
const SHOWN: usize = 200;

/// The differences.
#[derive(Debug, Default)]
pub(super) struct Changes<'a> {
    /// Fingerprints that only this run has.
    pub(super) new: Vec<&'a FindingLine>,
    /// Fingerprints that only the previous run has, though at least one trial that showed them ran again.
    pub(super) vanished: Vec<&'a FindingLine>,
    /// The same rule, function and shape under another blame: before and now.
    pub(super) moved: Vec<(&'a FindingLine, &'a FindingLine)>,
    /// Findings of the previous run none of whose trials ran.
    pub(super) not_run: u64,
    /// Trials that came out otherwise: key, before, now.
    pub(super) statuses: Vec<(&'a str, Status, Status)>,
    /// Trials that only this run has.
    pub(super) added: u64,
    /// Trials that only the previous run has.
    pub(super) removed: u64,
}

impl<'a> Changes<'a> {
    /// Compares two runs.
    pub(super) fn between(before: &'a [TrialLine], now: &'a [TrialLine], now_groups: &[Group<'a>]) -> Changes<'a> {
        let ran = |trial: &&TrialLine| trial.status != Status::Unsupported;
        let by_key: BTreeMap<&str, &TrialLine> = before.iter().map(|trial| (trial.key.as_str(), trial)).collect();
        let keys: BTreeSet<&str> = now.iter().map(|trial| trial.key.as_str()).collect();
        let ran_now: BTreeSet<&str> = now.iter().filter(ran).map(|trial| trial.key.as_str()).collect();
        let mut changes =
            Changes { removed: by_key.keys().filter(|key| !keys.contains(*key)).count() as u64, ..Changes::default() };
        for trial in now {
            match by_key.get(trial.key.as_str()) {
                None => changes.added += 1,
                Some(old) if old.status != trial.status => {
                    changes.statuses.push((&trial.key, old.status, trial.status));
                }
                Some(_) => {}
            }
        }
        let before_groups = groups(before);
        let had: BTreeSet<&str> = before_groups.iter().map(|group| group.fingerprint).collect();
        let has: BTreeSet<&str> = now_groups.iter().map(|group| group.fingerprint).collect();
        let mut fresh: Vec<&FindingLine> =
            now_groups.iter().filter(|group| !had.contains(group.fingerprint)).map(|group| group.first).collect();
        for group in before_groups.iter().filter(|group| !has.contains(group.fingerprint)) {
            let again = |(trial, _): &(usize, usize)| {
                before.get(*trial).is_some_and(|trial| ran_now.contains(trial.key.as_str()))
            };
            if !group.shown.iter().any(again) {
                changes.not_run += 1;
                continue;
            }
            match fresh.iter().position(|found| same_but_blame(found, group.first)) {
                Some(at) => changes.moved.push((group.first, fresh.remove(at))),
                None => changes.vanished.push(group.first),
            }
        }
        changes.new = fresh;
        changes
    }

    /// Nothing differs.
    fn is_empty(&self) -> bool {
        self.new.is_empty()
            && self.vanished.is_empty()
            && self.moved.is_empty()
            && self.statuses.is_empty()
            && self.added + self.removed + self.not_run == 0
    }

    /// The differences in a line.
    pub(super) fn line(&self) -> String {
        if self.is_empty() {
            return "Nothing changed since the previous run.".to_owned();
        }
        let told = |number: u64, what: &str| (number > 0).then(|| format!("{} {what}", count(number)));
        let findings = [
            told(self.new.len() as u64, "new"),
            told(self.vanished.len() as u64, "vanished"),
            told(self.moved.len() as u64, "moved to another blame"),
            told(self.not_run, "not run again"),
        ];
        let trials = [
            told(self.statuses.len() as u64, "came out otherwise"),
            told(self.added, "added"),
            told(self.removed, "no longer there"),
        ];
        let lists = [("Findings", findings.to_vec()), ("Trials", trials.to_vec())].map(|(name, parts)| {
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            (!parts.is_empty()).then(|| format!("{name}: {}.", parts.join(", ")))
        });
        lists.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// The section of the page.
    pub(super) fn section(&self) -> Markup {
        html! {
            p { (self.line()) }
            (findings("New", "+", &self.new, true))
            (findings("Vanished", "−", &self.vanished, false))
            @if !self.moved.is_empty() {
                h3 { "Moved to another blame" }
                ul.plain {
                    @for (old, new) in self.moved.iter().take(SHOWN) {
                        li {
                            span.sign { "↷" } " " (clean(&old.blame)) " → " b { (clean(&new.blame)) } ": "
                            a href={ "#finding=" (fragment(&new.fingerprint)) } { (clean(&new.message)) }
                            " " code { (clean(&new.rule)) }
                        }
                    }
                }
                (rest(self.moved.len()))
            }
            @if !self.statuses.is_empty() {
                h3 { "Trials that came out otherwise" }
                ul.plain {
                    @for (key, old, new) in self.statuses.iter().take(SHOWN) {
                        li {
                            span class={ "status " (word(*old)) } { (sign(*old)) " " (word(*old)) } " → "
                            span class={ "status " (word(*new)) } { (sign(*new)) " " (word(*new)) } " "
                            a.key href={ "#trial=" (fragment(key)) } { (clean(key)) }
                        }
                    }
                }
                (rest(self.statuses.len()))
            }
        }
    }
}

/// The same finding but for who is blamed: blame is part of a fingerprint, so the fingerprints differ.
fn same_but_blame(a: &FindingLine, b: &FindingLine) -> bool {
    (&a.rule, &a.function, &a.shape) == (&b.rule, &b.function, &b.shape) && a.blame != b.blame
}

fn findings(title: &str, sign: &str, list: &[&FindingLine], linked: bool) -> Markup {
    html! {
        @if !list.is_empty() {
            h3 { (title) }
            ul.plain {
                @for found in list.iter().take(SHOWN) {
                    li {
                        span.sign { (sign) } " " (clean(&found.blame)) ": "
                        @if linked {
                            a href={ "#finding=" (fragment(&found.fingerprint)) } { (clean(&found.message)) }
                        } @else {
                            (clean(&found.message))
                        }
                        " " code { (clean(&found.rule)) }
                    }
                }
            }
            (rest(list.len()))
        }
    }
}

fn rest(len: usize) -> Markup {
    html! {
        @if len > SHOWN {
            p.note { "and " (count((len - SHOWN) as u64)) " more" }
        }
    }
}

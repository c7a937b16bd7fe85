//! The changes since the previous run, from [`crate::history`]: first findings, then trials,
//! clauses and sizes.

use maud::{Markup, html};
use results::Status;

use super::text::{clean, count, fragment};
use super::totals::sign;
use crate::history::text::{percent, sentence};
use crate::history::{Changes, ClauseChange, FindingChange, RowsChange, SizeChange, Spread, TrialChange};
use results::tally::word;

/// Maximum number of items of one list; the rest is counted. The results and the command's
/// comparison have everything.
const LISTED: usize = 200;

/// Maximum number of findings in the overview.
const FOREMOST: usize = 5;

/// The new and the moved findings for the overview, which maintainers look for first.
pub(super) fn foremost(changes: &Changes) -> Markup {
    let items = changes.new.iter().map(|found| ("+", found)).chain(changes.moved.iter().map(|moved| ("↷", &moved.new)));
    let mut items: Vec<_> = items.collect();
    items.sort_by_key(|(_, found)| found.known);
    items.truncate(FOREMOST);
    html! {
        @if !items.is_empty() {
            ul.plain.changes {
                @for (sign, found) in items { li { span.sign.FAIL { (sign) } " " (finding(found)) (linked(found)) (trials(found)) } }
            }
        }
    }
}

/// The section of the page.
pub(super) fn section(changes: &Changes) -> Markup {
    html! {
        p { (sentence(changes)) }
        (list("New findings", &changes.new, |found| html! { span.sign.FAIL { "+" } " " (finding(found)) (linked(found)) (trials(found)) }))
        (list("Vanished findings", &changes.vanished, |found| html! { span.sign.PASS { "−" } " " (finding(found)) (clean(&found.message)) (trials(found)) }))
        (list("Moved to another blame", &changes.moved, |moved| html! {
            span.sign { "↷" } " " (clean(moved.old.blame.name())) " → " (finding(&moved.new)) (linked(&moved.new)) (trials(&moved.new))
        }))
        (list("In other trials than before", &changes.spread, spread))
        (list("With other wrong rows than before", &changes.rows, rows))
        (list("Not completed this time", &changes.not_judged, |found| html! { span.sign { "?" } " " (finding(found)) (clean(&found.message)) (trials(found)) }))
        (list("Trials that changed status", &changes.statuses, |change| html! {
            (status(change.old)) " → " (status(change.new)) " " (key(&change.key))
            @if let Some(why) = change.why.as_deref().and_then(|why| why.lines().next()) { div.note { (clean(why)) } }
        }))
        (list("Trials added", &changes.appeared, |trial| html! { (status(trial.status)) " " (key(&trial.key)) }))
        (list("Trials no longer there", &changes.disappeared, gone))
        (list("Clauses covered now", &changes.clauses_gained, clause))
        (list("Clauses no longer covered", &changes.clauses_lost, clause))
        (list("Sizes", &changes.sizes, size))
    }
}

fn list<T>(title: &str, items: &[T], item: impl Fn(&T) -> Markup) -> Markup {
    html! {
        @if !items.is_empty() {
            h3 { (title) span.note { " " (count(items.len() as u64)) } }
            ul.plain.changes {
                @for one in items.iter().take(LISTED) { li { (item(one)) } }
            }
            @if items.len() > LISTED {
                p.note { "and " (count((items.len() - LISTED) as u64)) " more" }
            }
        }
    }
}

fn finding(found: &FindingChange) -> Markup {
    html! { b { (clean(found.blame.name())) } " " code { (clean(found.rule.name())) } " " }
}

fn linked(found: &FindingChange) -> Markup {
    html! { a href={ "#finding=" (fragment(&found.fingerprint)) } { (clean(&found.message)) } }
}

/// Number of trials, and whether the ledger covers the finding.
fn trials(found: &FindingChange) -> Markup {
    let known = if found.known { " · known" } else { "" };
    html! { span.note { " " (super::text::plural(found.trials.len() as u64, "trial")) (known) } }
}

fn rows(rows: &RowsChange) -> Markup {
    let listed = |rows: &[String], sign: &'static str| {
        html! { @for row in rows { div.note { (sign) " " code { (clean(row)) } } } }
    };
    html! { (finding(&rows.finding)) (linked(&rows.finding)) (listed(&rows.gained, "+")) (listed(&rows.lost, "−")) }
}

fn spread(spread: &Spread) -> Markup {
    let trials = |names: &[String], sign: &str| {
        let first = names.first().map(|name| key(name));
        let rest = names.len().saturating_sub(1);
        html! { @if let Some(first) = first { div { span.sign { (sign) } " " (first) @if rest > 0 { span.note { " and " (count(rest as u64)) " more" } } } } }
    };
    html! { (finding(&spread.finding)) (linked(&spread.finding)) (trials(&spread.gained, "+")) (trials(&spread.lost, "−")) }
}

fn status(status: Status) -> Markup {
    html! { span class={ "status " (word(status)) } { (sign(status)) " " (word(status)) } }
}

fn key(key: &str) -> Markup {
    html! { a.key href={ "#trial=" (fragment(key)) } { (clean(key)) } }
}

/// A trial without a view in this page.
fn gone(trial: &TrialChange) -> Markup {
    html! { (status(trial.status)) " " span.key { (clean(&trial.key)) } }
}

fn clause(change: &ClauseChange) -> Markup {
    html! { code { (clean(&change.id)) } " " (clean(&change.demand)) }
}

fn size(change: &SizeChange) -> Markup {
    html! { (change.what) " " (count(change.old)) " → " b { (count(change.new)) } (percent(change)) " " (key(&change.key)) }
}

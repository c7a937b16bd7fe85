//! The top of the page: verdict, counts, blamed tools, changes, and duration.

use maud::{Markup, html};
use results::{RunFacts, Status, TrialLine, entry_name};

use super::matrix::strip;
use super::table::{columns, heads};
use super::text::{clean, coded, count, fragment, plural};
use super::totals::{blames, meaning, sign, verdict};
use super::{bugs, changes};
use crate::causes::NewCause;
use crate::findings::{Group, KnownBug};
use crate::history::Changes;
use crate::history::text::sentence as changed;
use crate::sentence::sentence;
use results::tally::{Tally, WORST_FIRST, word};

/// Minimum number of known bugs that are named, however many are new.
const LEAST_KNOWN: usize = 3;

/// Maximum number of findings in the summary and without scripts.
const LISTED: usize = 100;

/// The sentence with the result of the run, as at the end of `run`, and the number of trials by
/// status.
pub(super) fn head(trials: &[TrialLine], facts: &RunFacts) -> Markup {
    let counts = &Tally::new(trials);
    let status = verdict(counts, facts);
    html! {
        p.verdict {
            span class={ "stamp " (word(status)) } { (sign(status)) " " (stamp(status)) }
            span { (clean(&sentence(trials, facts))) }
        }
        div.tally {
            (strip(counts))
            ul {
                @for status in WORST_FIRST {
                    li {
                        a class={ "status " (word(status)) } href={ "#trials&status=" (word(status)) } {
                            span.number { (count(counts.count(status))) } " "
                            span { (sign(status)) " " (word(status)) }
                        }
                        span.note { (meaning(status)) }
                    }
                }
            }
        }
    }
}

/// The parts of the matrix that did not run: trials with missing tools, and those not selected.
pub(super) fn not_run(trials: &[TrialLine], facts: &RunFacts) -> Markup {
    let counts = Tally::new(trials);
    let (all, absent) = (counts.all(), counts.count(Status::Unsupported));
    let asked = facts.asked.words();
    html! {
        @if absent > 0 {
            p.unrun {
                span.hatched aria-hidden="true" {} " "
                b { (share(absent, all)) " not run" } ": " a href="#trials&status=UNSUPPORTED" { (plural(absent, "trial")) } " of " (count(all))
                ", each with its reason; " a href="#producers" { "tools that were not found" } "."
            }
        }
        @if !asked.is_empty() {
            p.unrun { "Only a part of the matrix was requested: " code { (clean(&asked.join(" "))) } }
        }
    }
}

/// A share in per cent; a nonempty part is at least 1.
fn share(part: u64, whole: u64) -> String {
    let percent = (part as f64 * 100.0 / whole.max(1) as f64).round();
    if percent < 1.0 { "less than 1\u{a0}%".to_owned() } else { format!("{percent}\u{a0}%") }
}

pub(super) fn since(changes: &Changes) -> Markup {
    html! {
        div.changed {
            h2 { "Since the previous run" }
            p { (changed(changes)) }
            (changes::foremost(changes))
            @if !changes.is_empty() { p { a href="#changes" { "All changes" } } }
        }
    }
}

pub(super) fn stamp(status: Status) -> &'static str {
    match status {
        Status::Fail => "FAIL",
        Status::Unresolved => "UNDECIDED",
        _ => "PASS",
    }
}

/// Number of new and known findings by blamed tool.
pub(super) fn blame_table(groups: &[Group<'_>]) -> Markup {
    let rows = blames(groups);
    html! {
        @if rows.is_empty() {
            p.note { "No findings." }
        } @else {
            table.plain {
                (heads(&columns(&["blame"], &["new", "known"])))
                tbody {
                    @for (blame, new, known) in rows {
                        tr {
                            th scope="row" { a href={ "#findings&blame=" (fragment(blame)) } { (clean(blame)) } }
                            td.n { @if new > 0 { b.FAIL { "✗ " (count(new)) } } @else { "0" } }
                            td.n { (count(known)) }
                        }
                    }
                }
            }
        }
    }
}

/// The findings with most trials, as a list without scripts.
pub(super) fn finding_list(groups: &[Group<'_>], limit: usize) -> Markup {
    html! {
        ol.ranked {
            @for group in groups.iter().take(limit) {
                li {
                    @if group.is_new() { span.tag.FAIL { "✗ new" } } @else { span.tag.XFAIL { "≈ known" } } " "
                    a href={ "#finding=" (fragment(group.fingerprint)) } { (clean(&group.best.headline())) }
                    div.note {
                        code { (clean(group.best.rule().name())) }
                        " · " (clean(group.best.blame().name())) " · " (plural(group.trials as u64, "trial")) " · " (few(group))
                    }
                }
            }
        }
        @if groups.len() > limit {
            p { a href="#findings" { "and " (count((groups.len() - limit) as u64)) " more" } }
        }
    }
}

/// New bugs as on a terminal, each with its best finding.
pub(super) fn new_bugs(causes: &[NewCause<'_>], limit: usize) -> Markup {
    html! {
        ol.ranked {
            @for cause in causes.iter().take(limit) {
                li {
                    span.tag.FAIL { "✗ new" } " "
                    a href={ "#finding=" (fragment(cause.best.fingerprint())) } { (clean(&cause.best.headline())) }
                    div.note {
                        @for (nth, rule) in cause.rules.iter().enumerate() { @if nth > 0 { ", " } code { (clean(rule.name())) } }
                        " · " (clean(cause.best.blame().name())) " · " (plural(cause.trials.len() as u64, "trial"))
                        " · " (plural(cause.fingerprints.len() as u64, "finding"))
                    }
                }
            }
        }
        @if causes.len() > limit { p { a href="#bugs" { "and " (count((causes.len() - limit) as u64)) " more" } } }
    }
}

/// New findings, then known ones by bug.
pub(super) fn foremost(
    causes: &[NewCause<'_>],
    groups: &[Group<'_>],
    known: &[KnownBug<'_>],
    facts: &RunFacts,
    limit: usize,
) -> Markup {
    let new = causes.len();
    let title = |bug: &KnownBug<'_>| {
        let headline = || bug.groups.first().map_or_else(String::new, |group| group.best.headline());
        coded(&bugs::entry(facts, bug.file).map_or_else(headline, |entry| entry.title.clone()))
    };
    html! {
        @if new > 0 { (new_bugs(causes, limit)) }
        @if !known.is_empty() {
            ol.ranked {
                @for bug in known.iter().take(limit.saturating_sub(new).max(LEAST_KNOWN)) {
                    li {
                        span.tag.XFAIL { "≈ known" } " "
                        a href=(bugs::address(bug.file)) { (title(bug)) }
                        div.note {
                            code { (clean(entry_name(bug.file))) } " · "
                            @if let Some(group) = bug.groups.first() { (clean(group.best.blame().name())) " · " }
                            (plural(bug.trials as u64, "trial")) " · " (plural(bug.groups.len() as u64, "finding"))
                        }
                    }
                }
            }
        }
        p {
            a href="#bugs" { "All " (plural((new + known.len()) as u64, "bug")) }
            ", " a href="#findings" { (plural(groups.len() as u64, "finding")) }
        }
    }
}

/// The list that the script replaces.
pub(super) fn all_findings(groups: &[Group<'_>]) -> Markup {
    html! { @if groups.is_empty() { p.note { "No findings." } } @else { (finding_list(groups, LISTED)) } }
}

/// The first few producers that show a finding.
fn few(group: &Group<'_>) -> String {
    let producers = group.producers();
    let mut names: Vec<String> = producers.iter().take(3).map(|name| clean(name)).collect();
    if producers.len() > names.len() {
        names.push(format!("{} more", producers.len() - names.len()));
    }
    names.join(", ")
}

/// Amounts of work, and the time.
pub(super) fn speed(trials: &[TrialLine], facts: &RunFacts) -> Markup {
    let sum = |pick: fn(&results::Summary) -> u64| {
        trials.iter().filter_map(|trial| trial.summary.as_ref()).map(pick).fold(0, u64::saturating_add)
    };
    let (executed, judged) = (sum(|summary| summary.steps_executed), sum(|summary| summary.steps_judged));
    let (compared, frames) = (sum(|summary| summary.pcs_compared_static), sum(|summary| summary.frames_walked));
    let undecided = sum(|summary| summary.undecided);
    let rate = |amount: u64| match facts.seconds {
        seconds if seconds.is_finite() && seconds > 0.0 => match amount as f64 / seconds {
            slow @ ..10.0 => format!("{slow:.1}"),
            rate => count(rate.round() as u64),
        },
        _ => "–".to_owned(),
    };
    let deepest = trials.iter().filter_map(|trial| trial.summary.as_ref()).map(|summary| summary.max_depth).max();
    html! {
        dl.facts {
            div { dt { "wall clock" } dd { (seconds(facts.seconds)) } }
            div { dt { "trials" } dd { (count(trials.len() as u64)) span.note { " " (rate(trials.len() as u64)) "/s" } } }
            div { dt { "steps judged" } dd { (count(judged)) span.note { " " (rate(judged)) "/s" } } }
            div { dt { "steps executed" } dd { (count(executed)) } }
            div { dt { "PCs compared statically" } dd { (count(compared)) } }
            div { dt { "frames walked" } dd { (count(frames)) } }
            div { dt { "deepest chain" } dd { (count(deepest.unwrap_or_default())) } }
            div { dt { "undecided" } dd { (count(undecided)) } }
        }
    }
}

/// Seconds in readable form; number and unit stay on one line.
pub(super) fn seconds(seconds: f64) -> String {
    // An unfinished run has no such number.
    if !seconds.is_finite() || seconds <= 0.0 {
        return "–".to_owned();
    }
    match seconds.round() as u64 {
        0..60 => format!("{seconds:.1}\u{a0}s"),
        whole @ 60..3600 => format!("{}\u{a0}min {}\u{a0}s", whole / 60, whole % 60),
        whole => format!("{}\u{a0}h {}\u{a0}min", whole / 3600, whole % 3600 / 60),
    }
}

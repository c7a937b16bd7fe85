//! The bugs of the ledger: one row for each, and the contents of its entry for its own view.

use std::collections::BTreeMap;

use maud::{Markup, html};
use results::{LedgerFacts, RunFacts, entry_name};
use serde_json::{Value, json};

use super::PageExtras;
use super::data::Pool;
use super::readers::class_note;
use super::summary::new_bugs;
use super::table::{PLAIN, columns, wide_table};
use super::text::{clean, coded, count, fragment, plural};
use crate::causes::NewCause;
use crate::findings::{Group, KnownBug};

/// The first and the last day on which a bug was seen, in results of several days.
pub type Days = (String, String);

impl Pool {
    /// By name: the contents of the entry, the days on which the bug was seen, and commands.
    pub(super) fn ledger(
        &mut self,
        groups: &[Group<'_>],
        facts: &RunFacts,
        beside: PageExtras<'_>,
    ) -> BTreeMap<String, Value> {
        let mut ledger = BTreeMap::new();
        for entry in &facts.ledger {
            let shown = groups.iter().flat_map(|group| &group.occurrences);
            let of = shown.filter(|(_, found)| found.standing.known.as_ref() == Some(&entry.file));
            let trial = of.map(|(trial, _)| *trial).min_by_key(|trial| &trial.key);
            let steps = beside.places.zip(trial).map(|(places, trial)| places.steps_of_bug(entry, trial));
            let key = trial.map_or("", |trial| trial.key.as_str());
            let today = (facts.day.clone(), facts.day.clone());
            let days = beside.seen.and_then(|seen| seen.get(&entry.file)).unwrap_or(&today);
            let days = (!days.0.is_empty()).then_some(days);
            let written = json!({
                "t": clean(&entry.title), "l": clean(&entry.link), "p": clean(&entry.project), "y": clean(&entry.reason),
                "b": entry.blame.map(|blame| blame.name()), "v": [clean(&entry.first), clean(&entry.last)],
                "x": entry.fixed.as_deref().map(clean), "d": [clean(&entry.added), clean(&entry.expires)],
                "z": entry.bundle, "n": days.map(|(first, last)| [clean(first), clean(last)]),
                "c": self.steps(&steps.unwrap_or_default(), "", key), "i": clean(key),
            });
            ledger.insert(clean(entry.name()), written);
        }
        ledger
    }
}

/// The ledger entry of a file, as the run recorded it.
pub(super) fn entry<'a>(facts: &'a RunFacts, file: &str) -> Option<&'a LedgerFacts> {
    facts.ledger.iter().find(|entry| entry.file == file)
}

/// The address of a bug in the page.
pub(super) fn address(file: &str) -> String {
    format!("#bug={}", fragment(entry_name(file)))
}

/// Maximum number of new bugs in the section; the page has all findings.
const LISTED: usize = 200;

/// The section of the page.
pub(super) fn section(
    causes: &[NewCause<'_>],
    bugs: &[KnownBug<'_>],
    others: &[KnownBug<'_>],
    facts: &RunFacts,
) -> Markup {
    let columns = columns(&["bug", "tool", "versions", "recorded", "report"], &["findings", "trials"]);
    html! {
        @if !causes.is_empty() {
            h3 { "New" }
            (new_bugs(causes, LISTED))
            h3 { "Known" }
        }
        @if bugs.is_empty() { p.note { "No finding of this run is known to the ledger." } } @else {
            p.note { "One entry of the ledger each, whatever number of findings and trials shows it." }
            (wide_table("Table of known bugs", PLAIN, &columns, &html! { @for bug in bugs { (row(bug, entry(facts, bug.file))) } }))
        }
        @if !others.is_empty() {
            h3 { "Not counted as bugs: not implemented, or contested" }
            ul.plain { @for other in others { (line(other, entry(facts, other.file))) } }
        }
    }
}

/// An entry that is not a bug, in one line: title, class, trials, and address of the report.
fn line(other: &KnownBug<'_>, entry: Option<&LedgerFacts>) -> Markup {
    html! {
        li {
            a href=(address(other.file)) { (coded(entry.map_or(entry_name(other.file), |entry| &entry.title))) }
            span.note {
                @if let Some(entry) = entry { (class_note(entry.class)) ", " (report(&entry.link)) }
                ", " (plural(other.trials as u64, "trial"))
            }
        }
    }
}

fn row(bug: &KnownBug<'_>, entry: Option<&LedgerFacts>) -> Markup {
    let name = entry_name(bug.file);
    html! {
        tr {
            th.told scope="row" {
                a href=(address(bug.file)) { (coded(entry.map_or(name, |entry| &entry.title))) }
                div.note { code { (clean(name)) } @if let Some(entry) = entry { (class_note(entry.class)) } }
            }
            td { (clean(entry.map_or("", |entry| &entry.project))) }
            td { @if let Some(entry) = entry { (versions(entry)) } }
            td { (clean(entry.map_or("", |entry| &entry.added))) }
            td { @if let Some(entry) = entry { (report(&entry.link)) } }
            td.n { (count(bug.groups.len() as u64)) }
            td.n { (count(bug.trials as u64)) }
        }
    }
}

/// `2.40 to 2.44, right in 2.47`.
fn versions(entry: &LedgerFacts) -> String {
    let span =
        if entry.first == entry.last { entry.first.clone() } else { format!("{} to {}", entry.first, entry.last) };
    clean(&entry.fixed.as_ref().map_or(span.clone(), |fixed| format!("{span}, fixed in {fixed}")))
}

/// A link if the text is an address that a tracker may have, else plain text.
pub(crate) fn report(link: &str) -> Markup {
    html! {
        @if link.starts_with("https://") { a href=(clean(link)) rel="noreferrer" { "report" } } @else { (clean(link)) }
    }
}

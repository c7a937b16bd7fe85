//! The bugs of readers in the ledger: the contents of each entry, and every section that shows it.
//! Each has the address `#bug=NAME`, as on the page of a matrix.

use maud::{Markup, html};
use results::{EntryClass, ReaderBug, ReaderFinding, ReadersRun, entry_name};
use spec::clause_named;

use crate::page::bugs::{address, report};
use crate::page::table::{PLAIN, columns, wide_table};
use crate::page::text::{clean, coded, count, plural};
use crate::readers::{cause, spread};

/// One part of the page for each bug.
pub(super) fn parts(findings: &[ReaderFinding], run: &ReadersRun) -> Markup {
    html! {
        @if run.bugs.is_empty() { p.note { "No finding of this run is known to the ledger." } }
        @for bug in &run.bugs {
            (part(bug, run, &findings.iter().filter(|found| found.known.as_ref() == Some(&bug.file)).collect::<Vec<_>>()))
        }
    }
}

/// A table with one row for each bug, which links to its part in `page`.
pub(super) fn table(run: &ReadersRun, page: &str) -> Markup {
    let rows = html! {
        @for bug in &run.bugs {
            tr {
                th.told scope="row" {
                    a href={ (page) (address(&bug.file)) } { (coded(&bug.title)) }
                    div.note { code { (clean(entry_name(&bug.file))) } (class_note(bug.class)) (shared(bug, run)) }
                }
                td { (clean(&bug.project)) } td { (versions(bug)) } td { (clean(&bug.added)) } td { (report(&bug.link)) }
            }
        }
    };
    wide_table("Bugs of readers", PLAIN, &columns(&["bug", "reader", "versions", "recorded", "report"], &[]), &rows)
}

fn part(bug: &ReaderBug, run: &ReadersRun, found: &[&ReaderFinding]) -> Markup {
    let name = entry_name(&bug.file);
    let clause = bug.clause.as_deref().and_then(clause_named);
    html! {
        section id={ "bug=" (clean(name)) } {
            h3 tabindex="-1" { (coded(&bug.title)) }
            p.tags {
                span.tag { "≈ known" } span.tag { "of " b { (clean(&bug.project)) } } span.tag { code { (clean(name)) } }
                @if bug.private { span.tag { "private" } }
            }
            @if bug.private {
                p.reason { "This may be a memory safety bug. It is reported to its maintainers first; details are published here from a date that a maintainer of this project sets." }
            } @else { p.reason { (clean(&bug.reason)) } }
            @if let Some(because) = &bug.because { p.note { "Counted apart" (class_note(bug.class)) ". " (clean(because)) } }
            @if bug.same_as.is_some() || also_in(bug, run).next().is_some() { p.note { "Counted once" (shared(bug, run)) } }
            @if let Some(clause) = clause { p.note { "Violated clause: " (clean(clause.demand)) " (" (clean(clause.section)) ", " code { (clause.id) } ")" } }
            dl.facts {
                (fact("versions", &html! { (versions(bug)) }))
                (fact("report", &report(&bug.link)))
                (fact("first seen", &html! { (clean(&bug.added)) }))
                (fact("last seen", &html! { (clean(&run.day)) }))
                (fact("expires", &html! { (clean(&bug.expires)) }))
                (fact("bundle", &html! {
                    @if bug.bundle { code { "reports/known/readers/" (clean(name)) } ", ready to be filed" }
                    @else if bug.private { "not published yet" } @else { "none yet" }
                }))
            }
            (shown(found))
        }
    }
}

/// The other entries of this run that show the same bug.
fn also_in<'a>(bug: &'a ReaderBug, run: &'a ReadersRun) -> impl Iterator<Item = &'a ReaderBug> {
    run.bugs.iter().filter(|other| other.same_as.as_deref() == Some(entry_name(&bug.file)))
}

/// `, the bug of X` or `, also visible in X, Y`: one cause counts once.
fn shared(bug: &ReaderBug, run: &ReadersRun) -> Markup {
    let link = |name: &str| html! { a href=(address(name)) { (clean(name)) } };
    html! {
        @if let Some(library) = &bug.same_as { ", the bug of " (link(library)) }
        @for (nth, other) in also_in(bug, run).enumerate() {
            @if nth == 0 { ", also visible in " } @else { ", " }
            (link(entry_name(&other.file)))
        }
    }
}

/// `, not implemented` and similar for entries that are not bugs.
pub(in crate::page) fn class_note(class: EntryClass) -> Markup {
    html! {
        @match class {
            EntryClass::Bug => {}
            EntryClass::NotImplemented => ", not implemented",
            EntryClass::Contested => ", contested",
        }
    }
}

/// A fact; nothing if the value is empty.
fn fact(name: &str, value: &Markup) -> Markup {
    html! { @if !value.0.is_empty() { div { dt { (name) } dd { (value) } } } }
}

/// The causes, each with its sections.
fn shown(found: &[&ReaderFinding]) -> Markup {
    html! {
        ul.plain { @for finding in found { li {
            span.tag { (clean(&finding.reader)) " " (clean(&finding.version)) } " " code { (clean(&cause(finding))) }
            div.note { (clean(&spread(finding))) " · " (plural(finding.answers, "answer")) " · " code { (clean(&finding.fingerprint)) } }
            @if !finding.shown_by.is_empty() {
                details {
                    summary { "Every section that shows it" span.n { (count(finding.shown_by.len() as u64)) } }
                    p.sections { @for id in &finding.shown_by { code { (clean(id)) } " " } }
                }
            }
        } } }
    }
}

fn versions(bug: &ReaderBug) -> String {
    let ReaderBug { first, last, fixed, .. } = bug;
    let span = if first == last { first.clone() } else { format!("{first} to {last}") };
    clean(&fixed.as_ref().map_or(span.clone(), |fixed| format!("{span}, fixed in {fixed}")))
}

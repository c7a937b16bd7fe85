//! The page of a run of readers: one self-contained file.

mod bugs;

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use results::{ReaderBug, ReaderFinding, ReadersRun, entry_name};

pub(super) use bugs::class_note;

use super::bugs::address;
use super::matrix::{gravity, reading_sign};
use super::plain::{self, section};
use super::table::Column::Text;
use super::table::{PLAIN, columns, wide_table};
use super::text::{clean, count, plural};
use crate::readers::{cause, names, of_reader, spread};

/// Renders the page. The same results give the same bytes.
pub fn render(findings: &[ReaderFinding], run: &ReadersRun) -> String {
    let (known, new): (Vec<_>, Vec<_>) = findings.iter().partition(|finding| finding.known.is_some());
    let links = html! {
        a href="#reads" { "Who reads what" }
        a href="#new" { "New" span.n { (count(new.len() as u64)) } }
        a href="#known" { "Known" span.n { (count(known.len() as u64)) } }
        a href="#bugs" { "Known bugs" span.n { (count(causes(run) as u64)) } }
        a href="#verdicts" { "Verdicts" }
        a href="#open" { "Left open" }
    };
    let view = html! {
        (section("reads", "Who reads what", &who_reads_what(run)))
        (section("new", "New findings", &listed("new-list", &new, run)))
        @if !run.problems.is_empty() { ul.plain { @for problem in &run.problems { li { (clean(problem)) } } } }
        (section("known", "Known findings", &listed("known-list", &known, run)))
        (section("bugs", "Known bugs", &bugs::parts(findings, run)))
        (section("verdicts", "Verdicts", &html! { (open_questions(run)) (verdicts(findings, run)) }))
        (section("open", "What the specification leaves open", &choices(run)))
    };
    plain::page(
        "SFrame conformance: readers",
        &clean(&format!("{} · {}", plain::version(&run.tool_version), run.day)),
        &links,
        &view,
    )
}

/// The section about the readers that were tested with a matrix.
pub(super) fn beside(run: &ReadersRun, page: Option<&str>) -> Markup {
    html! {
        @if let Some(page) = page { p { a href=(page) { "Findings, verdicts and choices of " (count(run.readers.len() as u64)) " readers" } } }
        (who_reads_what(run))
        @if let Some(page) = page.filter(|_| !run.bugs.is_empty()) { h3 { "Known bugs" } (bugs::table(run, page)) }
    }
}

fn who_reads_what(run: &ReadersRun) -> Markup {
    let names = names(run);
    let tables: BTreeSet<&String> = run.readers.iter().flat_map(|reader| reader.reads.keys()).collect();
    let shown: Vec<String> = names.iter().map(|name| clean(name)).collect();
    let columns = std::iter::once(Text("table")).chain(shown.iter().map(|name| Text(name)));
    let rows = html! {
        @for table in tables {
            tr {
                th scope="row" { (clean(table)) }
                @for reader in &run.readers {
                    td { @match reader.reads.get(table) {
                        Some(reading) => { span class={ "cell " (gravity(*reading)) } { (reading_sign(*reading)) " " (reading.word()) } }
                        None => "–",
                    } }
                }
            }
        }
    };
    html! {
        p.note { "Valid tables of each version and ABI: " b { "right" } ", " b { "partly" } " (some are omitted or refused), " b { "silently wrong" }
            ", " b { "refused" } "; – is not claimed." }
        (wide_table("Who reads what", "plain reads", &columns.collect::<Vec<_>>(), &rows))
    }
}

/// Findings, folded by reader; those of a reader with many are closed.
fn listed(id: &str, findings: &[&ReaderFinding], run: &ReadersRun) -> Markup {
    let mut readers: Vec<(&str, Vec<&ReaderFinding>)> = Vec::new();
    for finding in findings {
        match readers.iter_mut().find(|(name, _)| *name == finding.reader) {
            Some((_, own)) => own.push(finding),
            None => readers.push((&finding.reader, vec![finding])),
        }
    }
    html! {
        @if findings.is_empty() { p.note { "None." } } @else {
            div.finder.alive-only {
                input type="search" data-filters=(id) placeholder="filter by text" aria-label="Filter findings by text" autocomplete="off" spellcheck="false";
                span.note role="status" {}
            }
        }
        div id=(id) {
            @for (reader, own) in &readers {
                details.fold open[findings.len() <= MOST_OPEN] {
                    summary { b { (clean(reader)) } span.note { (plural(own.len() as u64, "finding")) } }
                    ol.ranked { @for finding in own { (entry(finding, run)) } }
                }
            }
        }
    }
}

const MOST_OPEN: usize = 12;

fn entry(finding: &ReaderFinding, run: &ReadersRun) -> Markup {
    html! {
        li {
            span.tag { (clean(&finding.reader)) " " (clean(&finding.version)) } " " code { (clean(&cause(finding))) }
            div.note {
                (clean(&spread(finding))) " · " code { (clean(&finding.fingerprint)) }
                @if let Some(by) = &finding.known {
                    " · "
                    @if run.bugs.iter().any(|bug| bug.file == *by) { a href=(address(by)) { (clean(entry_name(by))) } }
                    @else { (clean(by)) }
                }
            }
            @if let Some(example) = &finding.example {
                div.note {
                    code { (clean(&example.id)) }
                    @if let Some(pc) = example.pc { " at " code { (format!("{pc:#x}")) } }
                    ": " code { (clean(&example.got)) } ", expected " code { (clean(&example.want)) }
                }
            }
        }
    }
}

/// The number of sections and of stacks, by kind.
fn open_questions(run: &ReadersRun) -> Markup {
    let listed = |counts: &BTreeMap<String, u64>| {
        let each: Vec<String> =
            counts.iter().map(|(name, number)| format!("{} {}", count(*number), clean(name))).collect();
        each.join(", ")
    };
    html! {
        p.note {
            @if !run.sections.is_empty() { "Sections: " (listed(&run.sections)) "." }
            @if !run.stacks.is_empty() { " Stacks of runs, for readers that walk: " (listed(&run.stacks)) "." }
        }
    }
}

fn verdicts(findings: &[ReaderFinding], run: &ReadersRun) -> Markup {
    let rows = html! {
        @for reader in &run.readers {
            @for (verdict, counts) in &reader.verdicts {
                tr {
                    th scope="row" { (clean(&reader.name)) } td { (clean(&reader.version)) } td { (verdict.name()) }
                    td.n { (count(counts.sections)) } td.n { (count(counts.answers)) }
                }
            }
            @let found = of_reader(findings, &reader.name).len() as u64;
            @if found > 0 {
                tr { th scope="row" { (clean(&reader.name)) } td { (clean(&reader.version)) } td { "findings" } td.n { (count(found)) } td {} }
            }
        }
    };
    let columns = columns(&["reader", "version", "verdict"], &["sections", "answers"]);
    wide_table("Verdicts", PLAIN, &columns, &rows)
}

fn choices(run: &ReadersRun) -> Markup {
    html! {
        @for choice in &run.choices {
            h3 { (clean(&choice.question)) }
            p.note { (clean(&choice.asks)) " (" (clean(&choice.clause)) ")" }
            ul.plain { @for (reader, word) in &choice.by_reader { li { b { (clean(reader)) } ": " (clean(word)) } } }
        }
    }
}

/// Number of causes that the ledger knows: a bug of a library that other programs show counts once.
fn causes(run: &ReadersRun) -> usize {
    let is_counted = |bug: &&ReaderBug| {
        let named = |other: &ReaderBug| bug.same_as.as_deref() == Some(entry_name(&other.file));
        !run.bugs.iter().any(named)
    };
    run.bugs.iter().filter(is_counted).count()
}

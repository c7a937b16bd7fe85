//! The page of a sweep: one self-contained file, with collapsed sections, so that ten thousand
//! files are as readable as ten. It needs no script.

use maud::{Markup, html};
use results::{CauseTotal, Example, ReasonTotal, SweepTotals};
use spec::Severity;

use super::plain::{self, section};
use super::summary::seconds;
use super::table::{PLAIN, columns, wide_table};
use super::text::{clean, count, plural};
use crate::escape::short;
use crate::sizes::Cost;
use crate::sweep::text::UNFINISHED;

/// Maximum number of items of one list; the rest is counted.
const LISTED: usize = 500;
/// Maximum number of characters of an example's sentence.
const MOST: usize = 600;

/// Renders the page. The same totals give the same bytes.
pub fn render(totals: &SweepTotals) -> String {
    let (errors, others): (Vec<_>, Vec<_>) =
        totals.causes.iter().partition(|one| one.cause.severity == Severity::Error);
    let verdicts = &totals.verdicts;
    let links = html! {
        a href="#errors" { "Errors" span.n { (count(errors.len() as u64)) } }
        a href="#others" { "Warnings" span.n { (count(others.len() as u64)) } }
        a href="#undecided" { "Undecided" span.n { (count(totals.undecided.len() as u64)) } }
        a href="#gaps" { "Gaps" span.n { (count(totals.gaps.len() as u64)) } }
        a href="#outside" { "Outside" span.n { (count(totals.outside.len() as u64)) } }
        a href="#sizes" { "Sizes" }
        a href="#files" { "Files" }
    };
    let view = html! {
        @if totals.unfinished { p.unfinished { b { "Unfinished" } " " (UNFINISHED) "." } }
        div.tally {
            ul {
                (tile("FAIL", "✗ discrepancy", verdicts.discrepancy, "a table is wrong"))
                (tile("UNRESOLVED", "? undecided", verdicts.undecided, "no error, but something could not be judged"))
                (tile("XPASS", "! error", verdicts.error, "could not be judged"))
                (tile("PASS", "✓ clean", verdicts.clean, "no error found"))
                (tile("UNSUPPORTED", "= duplicate", totals.duplicates, "same contents as another file"))
                (tile("UNSUPPORTED", "– skipped", totals.skipped.values().sum(), "no table to judge"))
            }
        }
        (section("errors", "Errors by cause", &causes(&errors)))
        (section("others", "Warnings and notes by cause", &causes(&others)))
        (section("undecided", "Undecided, by reason", &reasons(&totals.undecided, "time")))
        (section("gaps", "Functions omitted from .sframe", &reasons(&totals.gaps, "function")))
        (section("outside", "Code outside every FDE", &reasons(&totals.outside, "byte")))
        (section("sizes", "Sizes", &costs(totals)))
        (section("files", "Files", &files(totals)))
    };
    plain::page("SFrame conformance: a sweep", &imprint(totals), &links, &view)
}

fn imprint(totals: &SweepTotals) -> String {
    let asked = &totals.asked;
    let mut parts =
        vec![asked.tool_version.strip_prefix("sframe-conformance ").unwrap_or(&asked.tool_version).to_owned()];
    parts.push(totals.day.clone());
    parts.push(seconds(totals.seconds));
    parts.push(asked.options.join(" "));
    parts.extend(asked.shard.map(|(part, parts)| format!("shard {part}/{parts}")));
    parts.push(short(&asked.paths.join(" "), MOST));
    parts.retain(|part| !part.is_empty());
    clean(&parts.join(" · "))
}

fn tile(class: &str, word: &str, number: u64, meaning: &str) -> Markup {
    html! {
        li {
            span class={ "status " (class) } { span.number { (count(number)) } " " span { (word) } }
            span.note { (meaning) }
        }
    }
}

fn causes(causes: &[&CauseTotal]) -> Markup {
    html! {
        @if causes.is_empty() { p.note { "None." } }
        ol.ranked {
            @for one in causes.iter().take(LISTED) {
                li {
                    span.tag { (plural(one.files, "file")) } " "
                    b { (clean(one.cause.blame.name())) } " " code { (clean(one.cause.rule.name())) } " "
                    @if !one.cause.shape.is_empty() { code { (clean(&one.cause.difference())) } }
                    @if let Some(known) = &one.known { div { "known: " (clean(&known.sentence())) } }
                    div.note {
                        (plural(one.functions, "function")) " · "
                        @for abi in &one.abis { (abi.name()) " · " }
                        code { (clean(&one.fingerprint)) }
                    }
                    (example(&one.example))
                }
            }
        }
        (more(causes.len()))
    }
}

fn reasons(reasons: &[ReasonTotal], word: &str) -> Markup {
    html! {
        @if reasons.is_empty() { p.note { "None." } }
        ol.ranked {
            @for one in reasons.iter().take(LISTED) {
                li {
                    span.tag { (plural(one.files, "file")) } " " (clean(&one.reason))
                    div.note { (plural(one.count, word)) }
                    (example(&one.example))
                }
            }
        }
        (more(reasons.len()))
    }
}

fn more(all: usize) -> Markup {
    html! { @if all > LISTED { p.note { "and " (count((all - LISTED) as u64)) " more, in sweep.json" } } }
}

fn example(example: &Example) -> Markup {
    html! {
        div.note {
            "in " code { (clean(&example.file)) }
            @if !example.place.is_empty() { " at " code { (clean(&example.place)) } }
            ": " (clean(&short(&example.message, MOST)))
        }
    }
}

fn costs(totals: &SweepTotals) -> Markup {
    let fixed = |value: Option<f64>| value.map_or("–".to_owned(), |value| format!("{value:.1}"));
    if totals.sizes.is_empty() {
        return html! { p.note { "No file has both " code { ".sframe" } " and " code { ".eh_frame" } "." } };
    }
    let rows = html! {
        @for one in &totals.sizes {
            @let cost = Cost { files: one.files, sizes: one.sizes };
            tr {
                th scope="row" { (one.abi.name()) } th scope="row" { (one.version.name()) }
                td.n { (count(one.files)) } td.n { (count(one.sizes.functions)) }
                td.n { (count(one.sizes.sframe)) } td.n { (fixed(cost.per_function(one.sizes.sframe))) }
                td.n { (count(cost.eh())) } td.n { (fixed(cost.per_function(cost.eh()))) }
                td.n { (cost.ratio().map_or("–".to_owned(), |ratio| format!("{:.0} %", ratio * 100.0))) }
                td.n { (count(one.sizes.text)) }
            }
        }
    };
    wide_table(
        "Table of sizes",
        PLAIN,
        &columns(
            &["target", "version"],
            &[
                "files",
                "functions",
                ".sframe bytes",
                "a function",
                ".eh_frame + hdr",
                "a function",
                ".sframe / .eh_frame",
                "text",
            ],
        ),
        &rows,
    )
}

fn files(totals: &SweepTotals) -> Markup {
    let summary = &totals.summary;
    html! {
        p.note { "A line for each of them, with what was found in it, is in " code { "results.jsonl" } "." }
        dl.facts {
            div { dt { "bytes" } dd { (count(totals.bytes)) } }
            div { dt { "functions in .sframe" } dd { (count(summary.functions)) } }
            div { dt { "PCs compared statically" } dd { (count(summary.pcs_compared_static)) } }
            div { dt { "PCs judged" } dd { (count(summary.pcs_judged)) } }
            div { dt { "steps judged" } dd { (count(summary.steps_judged)) } }
        }
        @if !totals.errors.is_empty() {
            h3 { "Could not be judged" }
            (reasons(&totals.errors, "file"))
        }
        @if !totals.skipped.is_empty() {
            h3 { "Skipped" }
            ul.plain { @for (kind, number) in &totals.skipped { li { (count(*number)) " " (kind.name()) } } }
        }
        @if !totals.slowest.is_empty() {
            h3 { "Slowest" }
            ul.plain { @for slow in &totals.slowest { li { (format!("{:.2} s ", slow.seconds)) code { (clean(&slow.file)) } } } }
        }
    }
}

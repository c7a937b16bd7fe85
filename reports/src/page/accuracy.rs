//! The page of `accuracy`: for each program, bars of right chains per method, the causes of wrong
//! ones, the worst functions with their code, and what tables cost.

use maud::{Markup, html};
use results::{Accuracy, MethodAccuracy, MissPlace, MissedFunction, ReaderTime, Share, TableCost};

use super::plain::{self, section};
use super::table::Column::{Number, Text};
use super::table::{FIT, PLAIN, columns, wide_table};
use super::text::{clean, count, plural, ratio};
use crate::accuracy::{full_title, share, title};

/// Width of a bar of 100 %, in the picture's units.
const LONGEST: f64 = 180.0;

/// The page of measurements. The same values give the same bytes.
pub fn render(measured: &[Accuracy], tool: &str) -> String {
    let links = html! {
        @for (nth, one) in measured.iter().enumerate() { a href={ "#program" (nth) } { (clean(name(&one.file))) } }
    };
    let view = html! {
        p.note {
            "How often each way of unwinding finds the true callers, at executed instructions drawn at random. A chain is right if it has "
            "every true caller up to that of main; a chain of own frames ends at the first frame of a library. A chain may skip a frame, invent one "
            "and end early: it counts in each of these columns. Every wrong chain is in at least one; one that is right up to main may invent frames "
            "after it."
        }
        p.key { span { span.swatch.sframe {} " samples in the program's own code" } span { span.swatch.eh {} " all samples" } }
        @for (nth, one) in measured.iter().enumerate() {
            (section(&format!("program{nth}"), &clean(&format!("{} ({})", name(&one.file), one.abi.name())), &program(one)))
        }
    };
    plain::page("Accuracy of unwinding", plain::version(tool), &links, &view)
}

/// Last part of a path.
fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn program(one: &Accuracy) -> Markup {
    let wrong: Vec<&MethodAccuracy> = one.methods.iter().filter(|method| !method.misses.is_empty()).collect();
    html! {
        p {
            (plural(one.samples, "sample")) " of " (plural(one.steps, "executed instruction")) "; seed " (one.seed) "; " (clean(&one.end))
            @if !one.finished { ". " strong { "Measured up to there." } }
        }
        (methods(one))
        @if wrong.is_empty() {
            p.note { "No wrong chain." }
        } @else {
            h3 { "Causes of wrong chains" span.note { " place of the first wrong frame, in % of all samples" } }
            (causes(&wrong, one.samples))
            h3 { "Worst functions" span.note { " those whose caller is not found, with the instructions at which it is not" } }
            @for method in wrong { (worst(method)) }
        }
        @if !one.readers.is_empty() {
            h3 { "Readers" span.note { " one frame's caller, by row look-up and memory, at frames of sampled chains; the fastest of several passes" } }
            (readers(&one.readers))
        }
        @if !one.tables.is_empty() {
            h3 { "Tables" span.note { " .eh_frame with its index; the synthesised .sframe is in no file" } }
            (tables(&one.tables))
        }
    }
}

/// A table with a row for each method.
fn methods(one: &Accuracy) -> Markup {
    let timed = one.methods.iter().any(|method| method.nanoseconds_per_frame.is_some());
    let of_all = |number: u64| share(number, one.samples);
    let numbers = ["own: first", "own: chain", "all: first", "all: chain"];
    let mut columns = columns(&["method", "right chains"], &numbers);
    columns.extend(["frame skipped", "frame invented", "ends early"].map(Number));
    columns.extend(timed.then_some(Number("ns a frame")));
    let rows = html! {
        @for MethodAccuracy { method, own, all, skips, invents, ends_early, nanoseconds_per_frame, .. } in &one.methods {
            tr {
                th scope="row" { (title(*method)) }
                td.bar { (bars(*own, *all)) }
                td.n { (share(own.first, own.samples)) } td.n { (share(own.chain, own.samples)) }
                td.n { (share(all.first, all.samples)) } td.n { (share(all.chain, all.samples)) }
                td.n { (of_all(*skips)) } td.n { (of_all(*invents)) } td.n { (of_all(*ends_early)) }
                @if timed { td.n { @if let Some(time) = nanoseconds_per_frame { (format!("{time:.0}")) } } }
            }
        }
    };
    wide_table("Methods", PLAIN, &columns, &rows)
}

/// Two bars: right chains of own frames, and of all.
fn bars(own: Share, all: Share) -> Markup {
    let width = |share: Share| format!("{:.1}", share.chain as f64 / share.samples.max(1) as f64 * LONGEST);
    html! {
        svg.bars viewBox={ "0 0 " (LONGEST) " 18" } width=(LONGEST) height="18" preserveAspectRatio="none" aria-hidden="true" {
            rect.track y="1" width=(LONGEST) height="17" {}
            rect.sframe y="1" width=(width(own)) height="8" {}
            rect.eh y="10" width=(width(all)) height="8" {}
        }
    }
}

fn causes(wrong: &[&MethodAccuracy], samples: u64) -> Markup {
    let missed = |method: &MethodAccuracy, place: MissPlace| -> u64 {
        method.misses.iter().filter(|one| one.place == place).map(|one| one.own + one.library).sum()
    };
    let is_seen = |place: &MissPlace| wrong.iter().any(|method| missed(method, *place) > 0);
    let places: Vec<MissPlace> = MissPlace::ALL.into_iter().filter(is_seen).collect();
    let columns = std::iter::once(Text("method")).chain(places.iter().map(|place| Number(place.name())));
    let rows = html! {
        @for method in wrong {
            tr {
                th scope="row" { (title(method.method)) }
                @for place in &places {
                    @let number = missed(method, *place);
                    td.n { @if number > 0 { (share(number, samples)) } }
                }
            }
        }
    };
    wide_table("Causes", FIT, &columns.collect::<Vec<_>>(), &rows)
}

fn worst(method: &MethodAccuracy) -> Markup {
    html! {
        @for function in &method.worst {
            details {
                summary {
                    span.name { (full_title(method.method)) ": " code { (clean(&function.function)) } @if !function.own { " of " (clean(name(&function.file))) } }
                    span.n { (plural_misses(function.misses)) }
                }
                (code(function))
            }
        }
    }
}

fn plural_misses(number: u64) -> String {
    format!("{} {}", count(number), if number == 1 { "miss" } else { "misses" })
}

/// The code of a function; instructions with misses are marked.
fn code(function: &MissedFunction) -> Markup {
    let rows = html! {
        @let mut last: Option<u64> = None;
        @for one in &function.code {
            @let apart = last.replace(one.address).is_some_and(|last| one.address.saturating_sub(last) > 15);
            @if apart { tr { td colspan="4" { "⋮" } } }
            tr class=[(one.misses > 0).then_some("wrong")] {
                th scope="row" { @if one.misses > 0 { span.arrow { "▸" } } (format!("{:#x}", one.address)) }
                td { (clean(&one.text)) }
                td.n { @if one.misses > 0 { (count(one.misses)) } }
                td { @if let Some(place) = one.place { (place) } }
            }
        }
    };
    wide_table(
        &format!("Code of {}", clean(&function.function)),
        "plain fit window",
        &[columns(&["address", "instruction"], &["misses"]), columns(&["kind of code"], &[])].concat(),
        &rows,
    )
}

fn readers(readers: &[ReaderTime]) -> Markup {
    let rows = html! {
        @for ReaderTime { reader, version, section, frames, right, nanoseconds_per_frame } in readers {
            tr {
                th scope="row" { (clean(reader)) } td { (clean(version)) } td { (clean(section)) } td.n { (count(*frames)) }
                td.n { (share(*right, *frames)) } td.n { @if let Some(time) = nanoseconds_per_frame { (format!("{time:.0}")) } @else { "-" } }
            }
        }
    };
    wide_table(
        "Readers",
        FIT,
        &columns(&["reader", "version", "section"], &["frames", "right, %", "ns a frame"]),
        &rows,
    )
}

fn tables(tables: &[TableCost]) -> Markup {
    let rows = html! {
        @for TableCost { file, section, bytes, functions, text, .. } in tables {
            tr {
                th scope="row" { (clean(name(file))) } td { (clean(section)) }
                td.n { (count(*bytes)) } td.n { (count(*functions)) } td.n { (ratio(*bytes, *functions)) } td.n { (share(*bytes, *text)) }
            }
        }
    };
    wide_table(
        "Tables",
        FIT,
        &columns(&["file", "table"], &["bytes", "functions", "bytes a function", "% of the code"]),
        &rows,
    )
}

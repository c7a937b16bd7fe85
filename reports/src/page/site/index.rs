//! The first page of a site: the newest night's verdict, downloads, the trend, all nights, and all
//! bugs.

use maud::{Markup, PreEscaped, html};
use results::{Status, entry_name};

use super::{Night, beside, seen, trend};
use crate::escape::uri_path;
use crate::page::plain::{self, section};
use crate::page::summary::stamp;
use crate::page::table::{PLAIN, columns, wide_table};
use crate::page::text::{clean, coded, count, fragment, plural};
use crate::page::totals::sign;
use results::tally::word;

/// The archive of the corpus for download.
#[derive(Clone, Debug)]
pub struct Corpus {
    pub file: String,
    /// Size in bytes.
    pub bytes: u64,
}

/// Renders the page. Nights must be in order of their days.
pub fn index(nights: &[Night], corpus: Option<&Corpus>) -> String {
    let links = html! {
        a href="#newest" { "Newest" }
        a href="#matrix" { "Matrix" }
        a href="#nights" { "Nights" span.n { (count(nights.len() as u64)) } }
        a href="#trend" { "Trend" }
        a href="#bugs" { "Known bugs" }
        a href="#others" { "Not counted" }
        a href="#beside" { "Compare" }
        a href="#take" { "Downloads" }
        a href="feed.xml" { "Feed" }
    };
    let newest = nights.last();
    let view = html! {
        (section("newest", "Newest night", &newest.map_or_else(|| html! { p.note { "No night yet." } }, latest)))
        @if let Some(night) = newest { (section("matrix", "Matrix of the newest night", &matrix(night))) }
        (section("nights", "Nights", &table(nights)))
        (section("beside", "Compare two nights", &beside::choice(nights)))
        (section("trend", "Trend by producer", &html! {
            p.note { "The newest night is first. Snapshots of one version are one line; a line has the nights with the same options as the newest." }
            (trend::measures(nights))
        }))
        (section("bugs", "Known bugs", &known(nights, true)))
        (section("others", "Not counted as bugs: not implemented, or contested", &known(nights, false)))
        (section("take", "Downloads", &downloads(newest, corpus)))
    };
    let note =
        newest.map_or_else(String::new, |night| clean(&format!("{} · {}", plain::version(&night.tool), night.day)));
    plain::page("SFrame conformance", &note, &links, &view)
}

/// Its matrix, whose marks lead to their trials on the night's page.
fn matrix(night: &Night) -> Markup {
    PreEscaped(night.matrix.0.replace("href=\"#", &format!("href=\"{}#", page_of(night))))
}

fn page_of(night: &Night) -> String {
    format!("nights/{}/index.html", night.folder)
}

fn verdict(night: &Night) -> Markup {
    html! { span class={ "status " (word(night.status)) } { (sign(night.status)) " " (stamp(night.status)) } }
}

fn latest(night: &Night) -> Markup {
    html! {
        p.verdict {
            span class={ "stamp " (word(night.status)) } { (sign(night.status)) " " (stamp(night.status)) }
            span { (clean(&night.sentence)) }
        }
        p { a href=(page_of(night)) { "All of " (clean(&night.day)) } ": matrix, findings, trials, clauses." }
        @if !night.asked.is_empty() { p.unrun { "Only a part of the matrix was requested: " code { (clean(&night.asked)) } } }
    }
}

fn table(nights: &[Night]) -> Markup {
    let rows = html! {
        @for night in nights.iter().rev() {
            tr {
                th scope="row" { a href=(page_of(night)) { (clean(&night.folder)) } }
                td { (verdict(night)) }
                td.n { (count(night.tally.all())) }
                td.n { (count(night.tally.count(Status::Unsupported))) }
                td.n { (count(night.new.len() as u64)) }
                td.n { (count(night.recurring(true))) }
                td.n { (count(night.recurring(false))) }
                td.told { @if night.asked.is_empty() { "all" } @else { code { (clean(&night.asked)) } } }
                td { (clean(plain::version(&night.tool))) }
                td { a href={ "nights/" (night.folder) "/results.jsonl" } aria-label={ "results.jsonl of " (clean(&night.folder)) } { "results.jsonl" } }
            }
        }
    };
    wide_table(
        "Table of nights",
        PLAIN,
        &[
            columns(&["night", "verdict"], &["trials", "not run", "new bugs", "known bugs", "not counted"]),
            columns(&["asked for", "version", "results"], &[]),
        ]
        .concat(),
        &rows,
    )
}

/// The bugs, or the other entries, with the state of the last night that shows each.
fn known(nights: &[Night], is_bug: bool) -> Markup {
    let seen = seen(nights);
    let latest = |file: &str| nights.iter().rev().find_map(|night| Some((night, night.known.get(file)?)));
    let rows = seen.iter().filter_map(|(file, days)| Some((file, days, latest(file)?)));
    let mut rows: Vec<_> = rows.filter(|(_, _, (_, known))| known.is_bug == is_bug).collect();
    rows.sort_by_key(|(file, (first, last), (_, known))| {
        (std::cmp::Reverse((last.clone(), first.clone(), known.trials)), (*file).clone())
    });
    if rows.is_empty() {
        return html! { p.note { "None." } };
    }
    let body = html! {
        @for (file, (first, last), (night, latest)) in rows {
            tr {
                th.told scope="row" {
                    a href={ (page_of(night)) "#bug=" (fragment(entry_name(file))) } { (coded(&latest.title)) }
                    div.note { code { (clean(entry_name(file))) } }
                }
                td { (clean(first)) } td { (clean(last)) }
                td.n { (count(nights.iter().filter(|night| night.known.contains_key(file)).count() as u64)) }
                td.n { (count(latest.trials as u64)) }
            }
        }
    };
    let (label, first) = match is_bug {
        true => ("Table of known bugs", "bug"),
        false => ("Table of entries that are not counted as bugs", "entry"),
    };
    wide_table(label, PLAIN, &columns(&[first, "first seen", "last seen"], &["nights", "trials then"]), &body)
}

fn downloads(newest: Option<&Night>, corpus: Option<&Corpus>) -> Markup {
    html! {
        ul.get {
            @if let Some(night) = newest {
                li { a href={ "nights/" (night.folder) "/results.jsonl" } { "results.jsonl" } " of the newest night" }
                li { a href={ "nights/" (night.folder) "/run.json" } { "run.json" } " beside it" }
            }
            @if let Some(corpus) = corpus {
                li { a href={ "corpus/" (uri_path(&corpus.file)) } { (clean(&corpus.file)) } ", test vectors for readers, " (plural(corpus.bytes, "byte")) }
            }
            li { a href="feed.xml" { "feed.xml" } ", new bugs as an Atom feed" }
            li { a href="badge.svg" { "badge.svg" } ", the newest verdict as a picture" }
        }
    }
}

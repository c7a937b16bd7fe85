//! The page of a matrix run: one self-contained `index.html` that needs no network, for mouse and
//! keyboard.
//!
//! Summary, matrix and panels are generated here and need no script. The page contains the trials
//! as data, from which a small script draws lists, filters and the views of single trials and
//! findings. All text of the results is escaped, in HTML by the template, in data by the
//! serializer; the page allows itself no connection.

pub mod accuracy;
mod bugs;
mod catalogue;
mod changes;
mod clauses;
mod data;
mod intern;
mod matrix;
pub mod picture;
mod plain;
mod producers;
pub mod readers;
pub mod site;
mod sizes;
mod summary;
pub mod sweep;
mod table;
pub mod tests;
mod text;
mod totals;
mod written;

use std::collections::BTreeMap;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use results::{RunFacts, TrialLine};

pub use self::bugs::Days;
use self::matrix::Matrix;
use self::text::{clean, count, plural, script_json};
use crate::causes::new_causes;
use crate::findings::{Recorded, new_first, ranked, recorded};
use crate::history::Changes;
use crate::places::Places;

const STYLE: &str = include_str!("page/assets/page.css");

/// The button for light and dark.
const SCHEME: &str = include_str!("page/assets/scheme.js");

/// The script, in the order in which its parts need each other.
const SCRIPT: [&str; 13] = [
    include_str!("page/assets/dom.js"),
    include_str!("page/assets/data.js"),
    include_str!("page/assets/list.js"),
    include_str!("page/assets/stack.js"),
    include_str!("page/assets/timeline.js"),
    include_str!("page/assets/lists.js"),
    include_str!("page/assets/parts.js"),
    include_str!("page/assets/commands.js"),
    include_str!("page/assets/finding.js"),
    include_str!("page/assets/bug.js"),
    include_str!("page/assets/details.js"),
    SCHEME,
    include_str!("page/assets/route.js"),
];

/// Sets the chosen colour scheme before anything is drawn, and hides all views until the visible
/// one is known. If the script stops before that, the page looks as without scripts.
const EARLY: &str = "try{var s=localStorage.getItem('scheme');if(s==='dark'||s==='light')document.documentElement.dataset.scheme=s}catch(e){}\
document.documentElement.classList.add('scripted','starting');\
addEventListener('error',()=>{var c=document.documentElement.classList;if(c.contains('starting'))c.remove('scripted','starting')})";

/// Path of the readers' page, relative to the page of the run.
pub const READERS: &str = "readers/index.html";

/// Maximum number of findings in the overview.
const TOP: usize = 8;

/// Further contents of a page besides the results.
#[derive(Clone, Copy, Debug, Default)]
pub struct PageExtras<'a> {
    /// Changes since a previous run.
    pub changes: Option<&'a Changes>,
    /// Paths for the commands on the page; without them there are no commands.
    pub places: Option<&'a Places>,
    /// First and last day on which results of several days show each bug, by the file of its entry.
    pub seen: Option<&'a BTreeMap<String, Days>>,
    /// Address of the page of the readers that were tested with the matrix.
    pub readers: Option<&'a str>,
}

/// The page of a run. The same values give the same bytes.
pub fn render(trials: &[TrialLine], facts: &RunFacts, beside: PageExtras<'_>) -> String {
    let groups = new_first(ranked(trials));
    let (causes, Recorded { bugs, others }) = (new_causes(trials), recorded(&groups, facts));
    let matrix = Matrix::new(trials, &causes, facts);
    let (covered, demands) = clauses::covered(&facts.clauses);
    let title = if facts.day.is_empty() {
        "SFrame conformance".to_owned()
    } else {
        format!("SFrame conformance, {}", clean(&facts.day))
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(&title, Some(EARLY)))
            body {
                a.skip href="#view" { "Skip to content" }
                header {
                    div.name {
                        h1 { a href="#overview" { "SFrame conformance" } }
                        p.note { (imprint(facts)) }
                    }
                    nav aria-label="Views" {
                        a href="#overview" { "Overview" }
                        a href="#bugs" { "Bugs" span.n { (count((causes.len() + bugs.len()) as u64)) } }
                        a href="#findings" { "Findings" span.n { (count(groups.len() as u64)) } }
                        a href="#trials" { "Trials" span.n { (count(trials.len() as u64)) } }
                        a href="#clauses" { "Clauses" @if demands > 0 { span.n { (count(covered)) "/" (count(demands)) } } }
                        a href="#sizes" { "Sizes" }
                        a href="#producers" { "Producers" }
                        @if facts.readers.is_some() { a href="#readers" { "Readers" } }
                        @if beside.changes.is_some() { a href="#changes" { "Changes" } }
                    }
                    button #scheme .script type="button" { "auto" }
                }
                main #view tabindex="-1" {
                    section #overview {
                        (summary::head(trials, facts))
                        h2 { "Matrix" span.note { " producer under test × target" } }
                        (matrix.table())
                        (summary::not_run(trials, facts))
                        @if let Some(changes) = beside.changes { (summary::since(changes)) }
                        div.columns {
                            div {
                                h2 { "Bugs" span.note { " new ones, then known ones, by number of trials" } }
                                @if groups.is_empty() { p.note { "No findings." } } @else { (summary::foremost(&causes, &groups, &bugs, facts, TOP)) }
                            }
                            div {
                                h2 { "Who is blamed" }
                                (summary::blame_table(&groups))
                            }
                        }
                        h2 { "Speed" }
                        (summary::speed(trials, facts))
                    }
                    (section("bugs", "Bugs", bugs::section(&causes, &bugs, &others, facts)))
                    (section("findings", "Findings", html! { div #finding-list { (summary::all_findings(&groups)) } }))
                    (section("trials", "Trials", html! {
                        div #trial-list { p.note.noscript { (plural(trials.len() as u64, "trial")) ". The list needs JavaScript; all of it is in results.jsonl." } }
                    }))
                    (section("clauses", "Clauses of the specification", clauses::section(facts)))
                    (section("sizes", "Sizes", sizes::section(trials)))
                    (section("producers", "Producers", producers::section(facts, trials)))
                    @if let Some(run) = &facts.readers { (section("readers", "Readers", readers::beside(run, beside.readers))) }
                    @if let Some(changes) = beside.changes { (section("changes", "Changes since the previous run", changes::section(changes))) }
                    section #detail hidden {}
                }
                script #data type="application/json" { (PreEscaped(script_json(&data::data(trials, facts, &groups, beside)))) }
                script { (PreEscaped(format!("(()=>{{\"use strict\";\n{}}})();", SCRIPT.concat()))) }
            }
        }
    };
    page.into_string()
}

/// The head of a page. A page allows no connections, and no script other than this one.
fn head(title: &str, script: Option<&str>) -> Markup {
    let scripts = if script.is_some() { "script-src 'unsafe-inline'; " } else { "" };
    let policy = format!("default-src 'none'; style-src 'unsafe-inline'; {scripts}img-src data:");
    html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name="color-scheme" content="light dark";
            link rel="icon" href="data:,";
            title { (title) }
            style { (PreEscaped(STYLE)) }
            @if let Some(script) = script { script { (PreEscaped(script)) } }
        }
    }
}

fn section(id: &str, title: &str, body: Markup) -> Markup {
    html! { section id=(id) { h2 tabindex="-1" { (title) } (body) } }
}

/// Tool, day and duration.
fn imprint(facts: &RunFacts) -> String {
    // The name is shown next to the version.
    let version = plain::version(&facts.tool_version);
    let mut parts: Vec<String> = [version, &facts.day].into_iter().filter(|part| !part.is_empty()).map(clean).collect();
    if facts.seconds > 0.0 {
        parts.push(summary::seconds(facts.seconds));
    }
    parts.join(" · ")
}

//! Pages of few trials, and their text: as one line for an assertion, or as lines for a golden
//! file.

use reports::history::{CompareOptions, compare};
use reports::page::{self, PageExtras};
use reports::places::Places;
use results::RunResults;
use results::{Blame, Finding, RunFacts, Status, TrialLine};
use serde_json::Value;
use spec::RuleId;

use crate::page_sample::trials;

/// Renders the page, with the changes since other trials.
pub(crate) fn render(trials: &[TrialLine], facts: &RunFacts, previous: Option<&[TrialLine]>) -> String {
    let run = |trials: &[TrialLine]| RunResults { facts: facts.clone(), trials: trials.to_vec() };
    let changes = previous.map(|previous| compare(&run(previous), &run(trials), CompareOptions::default()));
    page::render(
        trials,
        facts,
        PageExtras { changes: changes.as_ref(), places: Some(&places()), ..PageExtras::default() },
    )
}

/// A results directory next to the checkout, with a blank in its name.
fn places() -> Places {
    Places { program: "sframe-conformance".to_owned(), results: "my results".to_owned(), ..Places::default() }
}

/// A trial `gas@1::amd64::v2::t::NAME` with this status.
pub(crate) fn trial(name: &str, status: Status, findings: Vec<Finding>) -> TrialLine {
    TrialLine {
        key: format!("gas@1::amd64::v2::t::{name}"),
        status,
        producer: "gas@1".to_owned(),
        abi: "amd64".to_owned(),
        sframe: "v2".to_owned(),
        topic: "t".to_owned(),
        case: name.to_owned(),
        findings,
        tables: Vec::new(),
        ..trials(1, 1).remove(0)
    }
}

pub(crate) fn finding(function: &str, blame: Blame, known: Option<&str>) -> Finding {
    let mut found = Finding::new(RuleId::RowOutermost, blame, function, "shape");
    found.shown.message = format!("{function} claims a caller");
    found.standing.known = known.map(str::to_owned);
    found
}

pub(crate) fn data(page: &str) -> Value {
    let (_, rest) = page.split_once("<script id=\"data\" type=\"application/json\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(json).expect("JSON")
}

/// The text between two markers.
pub(crate) fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = text.split_once(from).unwrap_or_else(|| panic!("no '{from}'"));
    rest.split_once(to).unwrap_or_else(|| panic!("no '{to}' after '{from}'")).0
}

/// HTML without tags.
pub(crate) fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = after.split_once('>').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Sections of a page as lines of text.
pub(crate) fn sections(page: &str, ids: &[&str]) -> String {
    let section = |id: &&str| lines(between(page, &format!("<section id=\"{id}\">"), "</section>"));
    ids.iter().map(section).collect::<Vec<_>>().join("\n")
}

/// HTML as lines of text: one for each paragraph, row and entry, bars between cells, and the target
/// after a link's text. Includes collapsed parts.
pub(crate) fn lines(html: &str) -> String {
    let (mut text, mut link) = (String::new(), None);
    for part in html.split('<') {
        let (tag, words) = part.split_once('>').unwrap_or(("", part));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        match name.trim_start_matches('/') {
            "a" if tag == "/a" => text.extend(link.take().map(|to| format!(" <{to}>"))),
            "a" => link = attributes.split("href=\"").nth(1).and_then(|to| to.split('"').next()),
            "td" | "th" | "dt" | "dd" if tag.starts_with('/') => text.push_str(" | "),
            "h2" | "h3" | "p" | "li" | "div" | "tr" | "dl" | "table" | "details" | "summary" => text.push('\n'),
            "code" | "b" => {}
            _ => text.push(' '),
        }
        text.push_str(&words.replace('\n', " "));
    }
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&");
    let neat =
        |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ").trim_end_matches([' ', '|']).to_owned();
    text.lines().map(neat).filter(|line| !line.is_empty()).map(|line| line + "\n").collect()
}

//! A finding as an issue: the common code for trials and files.

use std::collections::BTreeMap;

use results::{Finding, Values};
use serde_json::{Value, json};
use types::{Aspect, SframeVersion};

use super::{Issue, IssuePlace, Pin};
use crate::text::values_line;

/// The fingerprint's key; its number changes with the fingerprint's definition.
const FINGERPRINT: &str = "sframeConformance/v2";
/// The key of the fingerprint of the wrong rows in all tests.
const ROWS: &str = "sframeConformanceRows/v1";

/// `assembler: row/cfa-matches-truth in parse`.
pub(crate) fn title(found: &Finding) -> String {
    let (blame, rule, function) = (found.blame(), found.rule(), found.function());
    if function.is_empty() { format!("{blame}: {rule}") } else { format!("{blame}: {rule} in {function}") }
}

/// An issue that one test shows once; `rows` is the fingerprint of all its wrong rows.
pub(super) fn issue(found: &Finding, version: Option<SframeVersion>, rows: Option<String>, place: IssuePlace) -> Issue {
    let mut facts = values(found);
    facts.push(("clause", found.rule().facts().clause_in(version)));
    facts.push(("fingerprint", found.fingerprint().to_owned()));
    let mut fingerprints = BTreeMap::from([(FINGERPRINT, found.fingerprint().to_owned())]);
    fingerprints.extend(rows.map(|rows| (ROWS, rows)));
    Issue {
        rule: found.rule().name().to_owned(),
        severity: found.severity,
        title: title(found),
        headline: found.headline(),
        message: found.shown.message.clone(),
        blame: found.blame().name().to_owned(),
        facts,
        fingerprints,
        known: found.standing.known.iter().cloned().collect(),
        is_new: found.standing.known.is_none(),
        counted: false,
        best: place.clone(),
        places: vec![place],
        tests: 1,
        occurrences: 1,
        pin: None,
        properties: properties(found),
    }
}

pub(super) fn place(found: &Finding, test: &str, file: Pin, properties: Value) -> IssuePlace {
    let function = found.function();
    let kind = match found.evidence.field == Aspect::Structure && function.starts_with('.') {
        true => "module",
        false => "function",
    };
    let function = (!function.is_empty()).then(|| (function.to_owned(), kind));
    IssuePlace { test: test.to_owned(), at: found.shown.place.clone(), file, function, properties }
}

/// The text of a finding, with all values, in lines.
pub(super) fn details(found: &Finding) -> String {
    let mut details = format!(
        "{}: {}\n  blame: {}   function: {}   pc: {}   stage: {}   fingerprint: {}",
        found.rule(),
        found.shown.message,
        found.blame(),
        found.function(),
        found.shown.place,
        found.stage.name(),
        found.fingerprint()
    );
    for (source, values) in values(found) {
        details.push_str(&format!("\n  {source:>9}: {values}"));
    }
    details
}

/// The values of each source, and the repair.
fn values(found: &Finding) -> Vec<(&'static str, String)> {
    let all = [
        ("truth", &found.evidence.truth),
        (".sframe", &found.evidence.sframe),
        (".eh_frame", &found.evidence.eh_frame),
    ];
    let values = all.into_iter().filter_map(|(source, values)| Some((source, values_line(values.as_ref()?))));
    let edits = found.evidence.repair.iter().flat_map(|repair| repair.edits());
    values.chain(edits.map(|edit| ("repair", edit.sentence()))).collect()
}

fn properties(best: &Finding) -> Value {
    json!({
        "blame": best.blame(),
        "field": best.evidence.field,
        "stage": best.stage,
        "shape": best.what(),
        "executed": best.evidence.executed,
        "steps": best.evidence.steps,
        "depth": best.evidence.depth,
        "section": best.shown.section,
        "offset": best.shown.offset.map(hex),
        "ranges": best.evidence.ranges.iter().map(|(start, end)| [hex(*start), hex(*end)]).collect::<Vec<_>>(),
        "truth": best.evidence.truth.as_ref().map(in_hex),
        "sframe": best.evidence.sframe.as_ref().map(in_hex),
        "eh_frame": best.evidence.eh_frame.as_ref().map(in_hex),
    })
}

/// Values with addresses as hexadecimal strings: many JSON readers cannot represent 64-bit numbers.
fn in_hex(values: &Values) -> Value {
    json!({ "cfa": values.cfa.map(hex), "ra": values.ra.map(hex), "fp": values.fp.map(hex), "row": values.row.to_string() })
}

fn hex(value: u64) -> String {
    format!("{value:#x}")
}

//! SARIF 2.1.0 (OASIS), for code-scanning services: one result for each issue, with its tests as
//! related locations.
//!
//! - A rule's id, help and clause come from the catalogue; only rules that a result names are
//!   listed.
//! - `partialFingerprints` holds the finding's own fingerprint, which is stable across addresses
//!   and runs, so that a service can track it; and one of its wrong rows, which changes when a row
//!   is wrong in a new way: such a result is not unchanged.
//! - An issue that the ledger covers in every test is a `note`, suppressed with the ledger's files
//!   as justification. A new one has the level of its severity and is not suppressed.
//! - A location is the source line if known, else the file; for a trial it is the case's file (its
//!   first line: the purpose of a case is at the top). The function is the logical location.
//! - Tests without an issue that failed or could not be decided are notifications of the
//!   invocation, which did not succeed if a file could not be judged or the run was not finished.

use std::collections::BTreeMap;
use std::io::{self, Write};

use results::ReaderVerdict;
use serde_json::{Value, json};
use spec::{RuleId, Severity};
use types::counted;

use crate::escape::{code, line, lines, uri_path};
use crate::place::ledger_file;
use crate::testrun::{Issue, IssuePlace, Kind, Test, TestRun, TestStatus};

/// Maximum number of related locations of one result: services show no more than a hundred. The
/// message has the number of tests.
pub(crate) const MOST_RELATED: usize = 100;

/// Writes the document of [`document`], indented.
pub fn write(run: &TestRun, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(run)).map_err(io::Error::from)?;
    writeln!(out)
}

/// The SARIF log of one run.
pub fn document(run: &TestRun) -> Value {
    let mut rules: BTreeMap<&str, usize> = run.issues.iter().map(|issue| (issue.rule.as_str(), 0)).collect();
    for (at, place) in rules.values_mut().enumerate() {
        *place = at;
    }
    let id = match run.kind {
        Kind::Matrix => "sframe-conformance/",
        Kind::Check => "sframe-conformance/check/",
        Kind::Sweep => "sframe-conformance/sweep/",
        Kind::Readers => "sframe-conformance/consumers/",
    };
    let is_whole = |test: &&Test| test.status == TestStatus::Error || test.class == "run";
    let unit = run.kind.unit();
    let mut properties = json!({ "day": run.day, "seconds": run.seconds });
    // Entries for the run as a whole are not tests.
    properties[format!("{unit}s")] = run.tests.iter().filter(|test| test.class != "run").count().into();
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "sframe-conformance",
                "fullName": run.tool_version,
                "version": run.tool_version.split_whitespace().last().unwrap_or("unknown"),
                "rules": rules.keys().map(|id| descriptor(id)).collect::<Vec<_>>(),
                "notifications": notification_kinds(unit),
            } },
            "automationDetails": { "id": id },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "SRCROOT": { "description": { "text": "The root of the checkout." } } },
            "invocations": [{
                "executionSuccessful": !run.tests.iter().any(|test| is_whole(&test)),
                "toolExecutionNotifications": run.flat().filter_map(notification).collect::<Vec<_>>(),
            }],
            "results": run.issues.iter().map(|issue| result(issue, unit, &rules)).collect::<Vec<_>>(),
            "properties": properties,
        }],
    })
}

fn descriptor(id: &str) -> Value {
    let Ok(rule) = id.parse::<RuleId>().map(RuleId::facts) else {
        let verdict = ReaderVerdict::ALL.into_iter().find(|verdict| id.strip_prefix("reader/") == Some(verdict.name()));
        let text = match verdict {
            Some(verdict) => format!("The actual answer of a reader of .sframe is not the expected one: {verdict}."),
            // Results of another version of this tool.
            None => "This version of sframe-conformance does not know the rule.".to_owned(),
        };
        return json!({ "id": id, "shortDescription": { "text": text } });
    };
    let group = id.split('/').next().unwrap_or_default();
    let markdown = format!(
        "{}\n\n- Clause: {}\n- Versions: {}\n- Example: {}\n",
        code(rule.statement),
        code(rule.clause),
        code(&rule.versions.to_string()),
        code(rule.example)
    );
    json!({
        "id": id,
        "shortDescription": { "text": rule.statement },
        "fullDescription": { "text": format!("{} ({})", rule.statement, rule.clause) },
        "help": {
            "text": format!(
                "{}\nClause: {}\nVersions: {}\nExample: {}",
                rule.statement, rule.clause, rule.versions, rule.example
            ),
            "markdown": markdown,
        },
        "defaultConfiguration": { "level": level(rule.severity) },
        "properties": { "tags": ["sframe", group], "clause": rule.clause, "versions": rule.versions.to_string() },
    })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

fn result(issue: &Issue, unit: &str, rules: &BTreeMap<&str, usize>) -> Value {
    let mut text = line(&issue.message);
    if !issue.blame.is_empty() {
        text = format!("{text} (blame: {}; shown by {})", line(&issue.blame), counted(issue.tests, unit));
    }
    let related = issue.places.iter().take(MOST_RELATED).enumerate().map(|(id, place)| {
        let mut location = location(place);
        location["id"] = id.into();
        location["message"] = json!({ "text": line(&place.test) });
        if !place.properties.is_null() {
            location["properties"] = place.properties.clone();
        }
        location
    });
    json!({
        "ruleId": issue.rule,
        "ruleIndex": rules.get(issue.rule.as_str()),
        "kind": "fail",
        "level": level(issue.level()),
        "message": { "text": text },
        "locations": [location(&issue.best)],
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": issue.fingerprints,
        // If one result has suppressions, every result must have the property; empty means not
        // suppressed (3.27.23).
        "suppressions": suppressions(issue),
        "occurrenceCount": issue.occurrences,
        "properties": issue.properties,
    })
}

fn suppressions(issue: &Issue) -> Vec<Value> {
    if issue.is_new {
        return Vec::new();
    }
    let entry = |file: &String| {
        let path = ledger_file(file);
        json!({
            "kind": "external",
            "status": "accepted",
            "justification": format!("known: {}", line(&path)),
            "location": { "physicalLocation": { "artifactLocation": artifact(&path) } },
        })
    };
    issue.known.iter().map(entry).collect()
}

fn location(place: &IssuePlace) -> Value {
    let (file, at) = &place.file;
    let mut location = json!({ "physicalLocation": physical(file, *at) });
    if let Some((name, kind)) = &place.function {
        let name = line(name);
        let full = format!("{}::{name}", line(&place.test));
        location["logicalLocations"] = json!([{ "name": name, "fullyQualifiedName": full, "kind": kind }]);
    }
    location
}

fn physical(file: &str, line: u64) -> Value {
    json!({ "artifactLocation": artifact(file), "region": { "startLine": line.max(1) } })
}

/// The artifact of a path below the root of the checkout, or of an absolute path.
fn artifact(path: &str) -> Value {
    match path.starts_with('/') {
        true => json!({ "uri": format!("file://{}", uri_path(path)) }),
        false => json!({ "uri": uri_path(path), "uriBaseId": "SRCROOT" }),
    }
}

/// A notification of a test that failed, passed unexpectedly or could not be decided, unless its
/// issues cover that.
fn notification(test: &Test) -> Option<Value> {
    let level = match test.status {
        TestStatus::Unresolved if test.class == "run" => "error",
        // The parts of the test have the reason.
        TestStatus::Unresolved if !test.parts.is_empty() => return None,
        TestStatus::Unresolved => "warning",
        _ if test.is_untold_failure() => "error",
        _ => return None,
    };
    if test.class == "run" {
        return Some(json!({ "level": level, "message": { "text": test.message() } }));
    }
    let mut notification = json!({
        "level": level,
        "descriptor": { "id": test.status.name() },
        "message": { "text": format!("{}: {}", line(&test.name), lines(&test.reason())) },
    });
    if let Some(file) = &test.file {
        notification["locations"] = json!([{ "physicalLocation": physical(file, 1) }]);
    }
    Some(notification)
}

fn notification_kinds(unit: &str) -> Value {
    let kind = |status: TestStatus, text: String| json!({ "id": status.name(), "shortDescription": { "text": text } });
    json!([
        kind(
            TestStatus::Fail,
            format!("A {unit} failed without a finding: it is vacuous, was not built, or is not as recorded.")
        ),
        kind(TestStatus::Unresolved, format!("A {unit}'s run could not be decided.")),
        kind(TestStatus::Xpass, "A known finding did not recur.".to_owned()),
        kind(TestStatus::Error, format!("A {unit} could not be judged at all.")),
    ])
}

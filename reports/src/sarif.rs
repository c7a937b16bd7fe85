//! Results as SARIF 2.1.0 (OASIS), for code-scanning services: one result a distinct finding, its trials as related locations.
//!
//! - A rule's id, help and clause come from the catalogue; only rules that a result names are listed.
//! - `partialFingerprints` holds the finding's own fingerprint, which does not change with addresses or from run to run, so that a
//!   service follows it over time; and one of its wrong rows, which changes when a row is wrong in a new way: such a result is not
//!   unchanged.
//! - A finding that the ledger covers in every trial is a `note`, suppressed with the ledger's files as justification. One that is
//!   new somewhere is an `error` and not suppressed.
//! - A location is the case's file (its first line: a case says what it is about at the top) and, as logical location, the
//!   function. Addresses are hexadecimal strings in `properties`: 64 bits do not fit what many readers take for a number.
//! - Trials that failed or could not be decided without a finding are notifications of the invocation.
//! - Findings of lower severity are legal and counted, not listed one by one: one result for each rule and producer that shows it, a
//!   `warning` or a `note` as the catalogue has it. They never make a trial fail.

use std::collections::BTreeMap;
use std::io::{self, Write};

use results::{Finding, RunFacts, Status, TrialLine, Values};
use serde_json::{Value, json};
use spec::RuleId;
use types::Aspect;

use crate::escape::{code, line, uri_path};
use crate::findings::{Group, ranked};
use crate::place::{case_file, ledger_file};
use crate::tally::{UNFINISHED, word};
use types::counted;

/// Most related locations of one result: services show no more than a hundred. The message says how many trials there are.
const MOST_RELATED: usize = 100;

/// The key under which the fingerprint stands; its number changes when what it is made from does.
const FINGERPRINT: &str = "sframeConformance/v2";

/// The key of the fingerprint over the wrong rows of all its trials.
const ROWS: &str = "sframeConformanceRows/v1";

/// The same for rules of lower severity, whose fingerprint is rule and producer.
const MILDER: &str = "sframeConformanceMilder/v1";

/// Writes the document of [`document`], indented.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(trials, facts)).map_err(io::Error::from)?;
    writeln!(out)
}

/// The log of one run, by its results and what it knew.
pub fn document(trials: &[TrialLine], facts: &RunFacts) -> Value {
    let groups = ranked(trials);
    let milder = Milder::of(trials);
    let rules = Rules::of(&groups, &milder);
    let results =
        groups.iter().map(|group| result(group, &rules)).chain(milder.iter().map(|milder| milder.result(&rules)));
    json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "sframe-conformance",
                "fullName": facts.tool_version,
                "version": facts.tool_version.split_whitespace().last().unwrap_or("unknown"),
                "rules": rules.descriptors,
                "notifications": notification_kinds(),
            } },
            "automationDetails": { "id": "sframe-conformance/" },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "SRCROOT": { "description": { "text": "The root of the checkout." } } },
            "invocations": [{
                "executionSuccessful": !facts.unfinished,
                "toolExecutionNotifications": unfinished(facts).into_iter().chain(trials.iter().filter_map(notification)).collect::<Vec<_>>(),
            }],
            "results": results.collect::<Vec<_>>(),
            "properties": { "day": facts.day, "seconds": facts.seconds, "trials": trials.len() },
        }],
    })
}

/// The rules that results name, in order of their ids.
struct Rules {
    index: BTreeMap<String, usize>,
    descriptors: Vec<Value>,
}

impl Rules {
    fn of(groups: &[Group<'_>], milder: &[Milder<'_>]) -> Rules {
        let named = groups.iter().map(|group| group.best.rule().name()).chain(milder.iter().map(|milder| milder.rule));
        let mut index: BTreeMap<String, usize> = named.map(|rule| (rule.to_owned(), 0)).collect();
        for (at, place) in index.values_mut().enumerate() {
            *place = at;
        }
        let descriptors = index.keys().map(|id| descriptor(id)).collect();
        Rules { index, descriptors }
    }
}

fn descriptor(id: &str) -> Value {
    let Ok(rule) = id.parse::<RuleId>().map(RuleId::facts) else {
        // Results of another version of this tool.
        let text = "This version of sframe-conformance does not know the rule.";
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

fn level(severity: spec::Severity) -> &'static str {
    match severity {
        spec::Severity::Error => "error",
        spec::Severity::Warning => "warning",
        spec::Severity::Info => "note",
    }
}

fn result(group: &Group<'_>, rules: &Rules) -> Value {
    let best = group.best;
    let text = format!(
        "{} (blame: {}; shown by {})",
        line(&best.message),
        line(best.blame().name()),
        counted(group.trials, "trial")
    );
    // New ones first: they are what somebody has to look at.
    let mut occurrences = group.occurrences.clone();
    occurrences.sort_by_key(|(_, found)| found.known.is_some());
    let related = occurrences.iter().take(MOST_RELATED).enumerate();
    let related = related.map(|(id, (trial, found))| {
        let mut location = location(trial, found);
        merge(&mut location, json!({ "id": id, "message": { "text": line(&trial.key) } }));
        merge(
            &mut location,
            json!({ "properties": {
                "status": word(trial.status), "stage": found.stage, "place": found.place, "known": found.known,
            } }),
        );
        location
    });
    json!({
        "ruleId": best.rule(),
        "ruleIndex": rules.index.get(best.rule().name()),
        "kind": "fail",
        "level": if group.is_new() { "error" } else { "note" },
        "message": { "text": text },
        "locations": [location(group.best_trial, best)],
        "relatedLocations": related.collect::<Vec<_>>(),
        "partialFingerprints": fingerprints(group),
        // Once one result has suppressions every one must have the property; empty means not suppressed (3.27.23).
        "suppressions": suppressions(group),
        "occurrenceCount": group.occurrences.len(),
        "properties": {
            "blame": best.blame(),
            "field": best.field,
            "stage": best.stage,
            "shape": best.what(),
            "executed": best.executed,
            "steps": best.steps,
            "depth": best.depth,
            "trials": group.trials,
            "trialsWhereNew": group.new,
            "producers": group.producers(),
            "section": best.section,
            "offset": best.offset.map(hex),
            "ranges": best.ranges.iter().map(|(start, end)| [hex(*start), hex(*end)]).collect::<Vec<_>>(),
            "truth": best.truth.as_ref().map(values),
            "sframe": best.sframe.as_ref().map(values),
            "eh_frame": best.eh_frame.as_ref().map(values),
        },
    })
}

/// What the result is followed by over time.
fn fingerprints(group: &Group<'_>) -> Value {
    let mut fingerprints = json!({ FINGERPRINT: group.fingerprint });
    if let Some(rows) = group.rows_fingerprint() {
        merge(&mut fingerprints, json!({ ROWS: rows }));
    }
    fingerprints
}

/// A rule of lower severity than error, as one producer shows it.
struct Milder<'a> {
    rule: &'a str,
    producer: &'a str,
    /// Trials that show it, in order of their names.
    trials: Vec<&'a TrialLine>,
    count: u64,
}

impl<'a> Milder<'a> {
    /// All of them, in order of rule and producer.
    fn of(trials: &'a [TrialLine]) -> Vec<Milder<'a>> {
        let mut shown: BTreeMap<(&str, &str), (Vec<&TrialLine>, u64)> = BTreeMap::new();
        for trial in trials {
            for (rule, count) in &trial.warnings {
                let (trials, sum) = shown.entry((rule, &trial.producer)).or_default();
                trials.push(trial);
                *sum = sum.saturating_add(*count);
            }
        }
        let milder = |((rule, producer), (trials, count))| Milder { rule, producer, trials, count };
        shown.into_iter().map(milder).collect()
    }

    fn result(&self, rules: &Rules) -> Value {
        let rule = self.rule.parse().ok().map(RuleId::facts);
        let statement = rule.map_or("A rule that this version does not know.", |rule| rule.statement);
        let (count, producer) = (self.count, line(self.producer));
        let trials = match self.trials.len() {
            1 => "1 trial".to_owned(),
            many => format!("{many} trials"),
        };
        let related = self.trials.iter().take(MOST_RELATED).enumerate().map(|(id, trial)| {
            json!({
                "physicalLocation": { "artifactLocation": artifact(&case_file(trial)), "region": { "startLine": 1 } },
                "id": id, "message": { "text": line(&trial.key) },
            })
        });
        let first = self.trials.first().map(|trial| {
            json!({ "physicalLocation": { "artifactLocation": artifact(&case_file(trial)), "region": { "startLine": 1 } } })
        });
        json!({
            "ruleId": self.rule,
            "ruleIndex": rules.index.get(self.rule),
            "kind": "fail",
            // The results hold nothing of severity error here; what this version does not know is no alarm.
            "level": rule.map_or("note", |rule| if level(rule.severity) == "error" { "warning" } else { level(rule.severity) }),
            "message": { "text": format!("{statement} ({count} times not so in {trials} of {producer})") },
            "locations": Vec::from_iter(first),
            "relatedLocations": related.collect::<Vec<_>>(),
            "partialFingerprints": { MILDER: format!("{} {producer}", self.rule) },
            "suppressions": [],
            "occurrenceCount": self.count.max(1),
            "properties": { "producers": [producer], "trials": self.trials.len() },
        })
    }
}

fn suppressions(group: &Group<'_>) -> Vec<Value> {
    if group.is_new() {
        return Vec::new();
    }
    let entry = |file: &&str| {
        let path = ledger_file(file);
        json!({
            "kind": "external",
            "status": "accepted",
            "justification": format!("known: {}", line(&path)),
            "location": { "physicalLocation": { "artifactLocation": artifact(&path) } },
        })
    };
    group.known.iter().map(entry).collect()
}

fn location(trial: &TrialLine, found: &Finding) -> Value {
    let mut location = json!({
        "physicalLocation": { "artifactLocation": artifact(&case_file(trial)), "region": { "startLine": 1 } },
    });
    if !found.function().is_empty() {
        let kind =
            if found.field == Aspect::Structure && found.function().starts_with('.') { "module" } else { "function" };
        let name = line(found.function());
        let full = format!("{}::{name}", line(&trial.key));
        merge(
            &mut location,
            json!({ "logicalLocations": [{ "name": name, "fullyQualifiedName": full, "kind": kind }] }),
        );
    }
    location
}

fn artifact(path: &str) -> Value {
    json!({ "uri": uri_path(path), "uriBaseId": "SRCROOT" })
}

/// What is missing, where the run was not finished.
fn unfinished(facts: &RunFacts) -> Option<Value> {
    facts.unfinished.then(|| json!({ "level": "error", "message": { "text": UNFINISHED } }))
}

/// A trial that failed, passed unexpectedly or could not be decided, unless its findings say so.
fn notification(trial: &TrialLine) -> Option<Value> {
    let is_reported = trial.findings.iter().any(|found| found.known.is_none());
    let level = match trial.status {
        Status::Fail if !is_reported => "error",
        Status::Xpass => "error",
        Status::Unresolved => "warning",
        _ => return None,
    };
    let why: Vec<String> = trial.reasons().collect();
    let why = if why.is_empty() { "no reason given".to_owned() } else { why.join("\n") };
    Some(json!({
        "level": level,
        "descriptor": { "id": word(trial.status) },
        "message": { "text": format!("{}: {}", line(&trial.key), crate::escape::lines(&why)) },
        "locations": [{
            "physicalLocation": { "artifactLocation": artifact(&case_file(trial)), "region": { "startLine": 1 } },
        }],
    }))
}

fn notification_kinds() -> Value {
    let kind = |status: Status, text: &str| json!({ "id": word(status), "shortDescription": { "text": text } });
    json!([
        kind(Status::Fail, "A trial failed without a finding: it is vacuous, was not built, or is not as recorded."),
        kind(Status::Unresolved, "A trial's run could not be decided."),
        kind(Status::Xpass, "A known discrepancy did not recur."),
    ])
}

fn values(values: &Values) -> Value {
    json!({ "cfa": values.cfa.map(hex), "ra": values.ra.map(hex), "fp": values.fp.map(hex), "row": values.row.to_string() })
}

fn hex(value: u64) -> String {
    format!("{value:#x}")
}

/// Adds the keys of an object to another.
fn merge(into: &mut Value, more: Value) {
    if let (Value::Object(into), Value::Object(more)) = (into, more) {
        into.extend(more);
    }
}

//! Results as JUnit XML, in the layout that CI services have in common.
//!
//! There is no standard. Jenkins (its xUnit plugin's schema, `junit-10.xsd`), GitLab, Azure and Buildkite share this much, and no
//! more is used: `testsuites > testsuite > (properties, testcase*)`, `testcase > (failure | error | skipped)?, system-out?`,
//! with counts as attributes of the suites.
//!
//! | Status | Element | Why |
//! |---|---|---|
//! | PASS | none | passed |
//! | XFAIL | `skipped`, `known: FILE` | not green, for the tool is wrong; not red, for nobody has to act |
//! | FAIL, XPASS | `failure` | somebody has to act |
//! | UNRESOLVED | `error` | the test could not decide |
//! | UNSUPPORTED | `skipped` with the reason | it did not run |
//!
//! A run that was not finished has a suite of its own with one `error`, for what is missing must not look green.
//!
//! A suite is a producer on a target with an SFrame version; the class of a test case is its topic; its name is the trial's whole
//! name, which `run --filter` takes; its file is the case's, from the checkout; its time stands in `run.json`, for results themselves do not
//! vary with it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use results::{RunFacts, Status, TrialLine};

use crate::escape::{xml_attribute, xml_text};
use crate::place::case_file;
use crate::tally::{Tally, UNFINISHED, word};

/// Writes the results of a run as one document.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(trials: &[TrialLine], facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    let mut suites: BTreeMap<String, Vec<&TrialLine>> = BTreeMap::new();
    for trial in trials {
        let suite = format!("{}::{}::{}", trial.producer, trial.abi, trial.sframe);
        suites.entry(suite).or_default().push(trial);
    }
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(
        out,
        "<testsuites name=\"sframe-conformance\" {} time=\"{:.3}\">",
        // The schema of Jenkins knows no count of skipped tests here, only on the suites.
        counts(&Tally::of(trials), u64::from(facts.unfinished)),
        if facts.seconds.is_finite() { facts.seconds.max(0.0) } else { 0.0 }
    )?;
    if facts.unfinished {
        unfinished(out)?;
    }
    for (name, mut trials) in suites {
        trials.sort_by(|a, b| a.key.cmp(&b.key));
        let tally = Tally::of(trials.iter().copied());
        let skipped = tally.count(Status::Xfail) + tally.count(Status::Unsupported);
        let name = xml_attribute(&name);
        let seconds: f64 = trials.iter().filter_map(|trial| facts.times.get(&trial.key)).sum();
        let time = if facts.times.is_empty() { String::new() } else { format!(" time=\"{seconds:.3}\"") };
        writeln!(out, "  <testsuite name=\"{name}\" {} skipped=\"{skipped}\"{time}>", counts(&tally, 0))?;
        writeln!(out, "    <properties>")?;
        for (name, value) in [("tool", &facts.tool_version), ("day", &facts.day)] {
            writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", xml_attribute(value))?;
        }
        writeln!(out, "    </properties>")?;
        for trial in trials {
            test_case(trial, facts, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

/// Counts of trials, and of errors that are none.
fn counts(tally: &Tally, more: u64) -> String {
    let failures = tally.count(Status::Fail) + tally.count(Status::Xpass);
    let (all, errors) = (tally.all() + more, tally.count(Status::Unresolved) + more);
    format!("tests=\"{all}\" failures=\"{failures}\" errors=\"{errors}\"")
}

/// The suite that says that trials are missing.
fn unfinished(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "  <testsuite name=\"run\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">")?;
    writeln!(out, "    <testcase name=\"finished\" classname=\"run\">")?;
    writeln!(out, "      <error type=\"UNRESOLVED\" message=\"{UNFINISHED}\">{UNFINISHED}</error>")?;
    writeln!(out, "    </testcase>")?;
    writeln!(out, "  </testsuite>")
}

fn test_case(trial: &TrialLine, facts: &RunFacts, out: &mut dyn Write) -> io::Result<()> {
    let (name, class) = (xml_attribute(&trial.key), xml_attribute(&trial.topic));
    let time = facts.times.get(&trial.key).map(|seconds| format!(" time=\"{seconds:.3}\"")).unwrap_or_default();
    let place = format!("classname=\"{class}\" file=\"{}\"{time}", xml_attribute(&case_file(trial)));
    let element = match trial.status {
        Status::Pass => return writeln!(out, "    <testcase name=\"{name}\" {place}/>"),
        Status::Xfail | Status::Unsupported => "skipped",
        Status::Fail | Status::Xpass => "failure",
        Status::Unresolved => "error",
    };
    let (kind, message) = (word(trial.status), xml_attribute(&message(trial)));
    writeln!(out, "    <testcase name=\"{name}\" {place}>")?;
    write!(out, "      <{element} type=\"{kind}\" message=\"{message}\"")?;
    if element == "skipped" {
        writeln!(out, "/>")?;
    } else {
        writeln!(out, ">{}</{element}>", xml_text(&details(trial)))?;
        if !trial.commands.is_empty() {
            writeln!(out, "      <system-out>{}</system-out>", xml_text(&trial.commands.join("\n")))?;
        }
    }
    writeln!(out, "    </testcase>")
}

/// One line that says why.
fn message(trial: &TrialLine) -> String {
    let known: BTreeSet<&str> = trial.findings.iter().filter_map(|found| found.known.as_deref()).collect();
    if trial.status == Status::Xfail && !known.is_empty() {
        return format!("known: {}", Vec::from_iter(known).join(", "));
    }
    let reason = trial.reasons().next().and_then(|reason| reason.lines().next().map(str::to_owned));
    reason.unwrap_or_else(|| format!("{}, no reason given", word(trial.status)))
}

/// The problems, and each finding that the ledger does not cover.
fn details(trial: &TrialLine) -> String {
    let mut details = trial.problems.join("\n");
    for found in trial.findings.iter().filter(|found| found.known.is_none()) {
        details.push_str(&format!(
            "\n{}: {}\n  blame: {}   function: {}   pc: {}   stage: {}   fingerprint: {}",
            found.rule(),
            found.message,
            found.blame(),
            found.function(),
            found.place,
            found.stage.name(),
            found.fingerprint()
        ));
        for (source, values) in [("truth", &found.truth), ("sframe", &found.sframe), ("eh_frame", &found.eh_frame)] {
            if let Some(values) = values {
                details.push_str(&format!("\n  {source:>8}: {}", crate::text::values_line(values)));
            }
        }
    }
    details.trim_start_matches('\n').to_owned()
}

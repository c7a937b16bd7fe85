//! Files of `check` as tests: one test for each file, with a part for each finding and each reason
//! for undecided.

use results::{Deny, Finding, Outcome, Report};
use serde_json::json;
use spec::Severity;

use super::{Issue, Issues, Kind, Pin, ShownIn, Test, TestRun, TestStatus, finding};
use crate::text::why;

/// Accumulates checked files into a [`TestRun`]. No report is kept.
#[derive(Debug)]
pub struct CheckedFiles {
    deny: Deny,
    workspace: Option<String>,
    tests: Vec<Test>,
    issues: Issues,
}

impl CheckedFiles {
    /// Creates an empty list. `workspace` is the directory that source paths in debug information
    /// are relative to.
    pub fn new(deny: Deny, workspace: Option<String>) -> CheckedFiles {
        CheckedFiles { deny, workspace, tests: Vec::new(), issues: Issues::default() }
    }

    pub fn add(&mut self, report: &Report, outcome: Outcome) {
        let (file, status) = (&report.file, status(outcome));
        let mut test = Test::new(file, "file", file.clone(), status);
        test.file = Some(file.clone());
        test.reasons.push(match status {
            // A pass of a file of which little was executed proves less.
            TestStatus::Pass => report.summary.looked_at(),
            _ => why(report, outcome),
        });
        for found in &report.discrepancies {
            self.issue(report, found);
            if found.severity >= self.least() {
                part(&mut test, report, found);
            }
        }
        if self.deny.gaps && (!report.gaps.is_empty() || !report.outside.is_empty()) {
            let name = format!("{file} functions without .sframe");
            let gaps = report.gaps.iter().map(|gap| gap.function.clone());
            let outside = report.outside.iter().flat_map(|section| &section.functions);
            let gaps = gaps.chain(outside.map(|code| format!("{} (outside every FDE)", code.place)));
            let part = Test::new(file, "gaps", name, TestStatus::Fail).because(why(report, outcome));
            test.parts.push(Test { details: gaps.collect::<Vec<_>>().join("\n"), ..part });
        }
        for item in &report.undecided {
            let name = format!("{file} undecided ({})", item.reason.name());
            if test.parts.iter().all(|part| part.name != name) {
                let status = if self.deny.undecided { TestStatus::Fail } else { TestStatus::Unresolved };
                test.parts.push(Test::new(file, "undecided", name, status).because(item.message.clone()));
            }
        }
        test.finish();
        // Parts have the failures and undecided reasons; the file's own test repeats them.
        test.shown_in = if test.parts.is_empty() { ShownIn::Test } else { ShownIn::Issues };
        self.tests.push(test);
    }

    /// The test run of all files; `sentence` has the number of files by verdict.
    pub fn finish(self, tool_version: &str, sentence: String) -> TestRun {
        TestRun {
            kind: Kind::Check,
            tool_version: format!("sframe-conformance {tool_version}"),
            day: String::new(),
            seconds: None,
            sentence,
            table: String::new(),
            remark: String::new(),
            tests: self.tests,
            issues: self.issues.ranked(),
            bugs: None,
        }
    }

    /// The lowest severity that makes a file fail.
    fn least(&self) -> Severity {
        if self.deny.warnings { Severity::Warning } else { Severity::Error }
    }

    fn issue(&mut self, report: &Report, found: &Finding) {
        let source = self.source(found);
        let file = source.clone().unwrap_or_else(|| (report.file.clone(), 1));
        let place = finding::place(
            found,
            &report.file,
            file,
            json!({ "place": found.shown.place, "known": found.standing.known }),
        );
        let issue = finding::issue(found, report.sframe_version, found.rows_fingerprint(), place);
        let severity = if found.severity >= self.least() { Severity::Error } else { found.severity };
        self.issues.add(found.fingerprint(), Issue { severity, pin: source, ..issue });
    }

    /// The source line, if it is in the workspace.
    fn source(&self, found: &Finding) -> Option<Pin> {
        let source = found.shown.source.as_ref()?;
        let below = self.workspace.as_ref().and_then(|folder| source.file.strip_prefix(folder)?.strip_prefix('/'));
        Some((below.unwrap_or(&source.file).to_owned(), source.line))
    }
}

/// Adds a finding to the test of its file. Two functions with one name share a part.
fn part(test: &mut Test, report: &Report, found: &Finding) {
    let at = if found.function().is_empty() { String::new() } else { format!(" in {}", found.function()) };
    let (rule, blame, fingerprint) = (found.rule(), found.blame(), found.fingerprint());
    let name = format!("{} {rule}{at} ({blame}, {fingerprint})", test.suite);
    let status = if report.counts(found) { TestStatus::Fail } else { TestStatus::Xfail };
    let why = match &found.standing.known {
        Some(entry) => format!("known: {entry}"),
        None => found.headline(),
    };
    let part = Test::new(&test.suite, "finding", name, status).because(why);
    let part = Test { details: finding::details(found), shown_in: ShownIn::Issues, ..part };
    match test.parts.iter_mut().find(|other| other.name == part.name) {
        Some(other) if part.status == TestStatus::Fail => *other = part,
        Some(_) => {}
        None => test.parts.push(part),
    }
}

fn status(outcome: Outcome) -> TestStatus {
    match outcome {
        Outcome::Clean => TestStatus::Pass,
        Outcome::Discrepancy => TestStatus::Fail,
        Outcome::Undecided => TestStatus::Unresolved,
        Outcome::Error => TestStatus::Error,
    }
}

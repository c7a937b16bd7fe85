//! Results of any kind as tests with a status each, and their distinct issues.
//!
//! The common form between results and the formats of other programs: each kind of result (files of
//! `check` and `sweep`, trials of the matrix, readers) is converted to a [`TestRun`] once, and each
//! [`Format`] prints any of them.
//!
//! - A test's name is stable: it contains no address, count or time. Details of a failure are in
//!   its reasons.
//! - A file, or a reader, is a test with a part for each of its findings. A trial has no parts.
//! - A test that could not be decided is [`TestStatus::Unresolved`], and no format prints that as
//!   passed.

mod check;
mod finding;
mod matrix;
mod readers;
mod sweep;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use results::Status;
use serde_json::Value;
use spec::Severity;
use types::named;

pub use check::CheckedFiles;
pub(crate) use finding::title;
pub use matrix::{Pinned, of_matrix};
pub use readers::of_readers;
pub use sweep::SweptFiles;

use crate::format::{dejagnu, github, junit, markdown, sarif, tap};

#[derive(Clone, Debug)]
pub struct TestRun {
    pub kind: Kind,
    /// `sframe-conformance` and its version.
    pub tool_version: String,
    /// The day; empty if the same input must give the same bytes.
    pub day: String,
    /// Duration in seconds, if known.
    pub seconds: Option<f64>,
    /// The result in one line, as at the end of the text for people.
    pub sentence: String,
    /// A Markdown table; empty if there are no rows.
    pub table: String,
    /// A last sentence for Markdown, from this program.
    pub remark: String,
    /// The tests; those of a suite are adjacent.
    pub tests: Vec<Test>,
    /// All issues, each once: new before known, errors first.
    pub issues: Vec<Issue>,
    /// The issues by bug, if a bug has many: for people. `None` if each issue is a bug.
    pub bugs: Option<Bugs>,
}

/// Issues by bug: the most useful issue of each, with the number of tests that show the bug.
#[derive(Clone, Debug, Default)]
pub struct Bugs {
    /// Bugs that no ledger entry covers, most tests first.
    pub new: Vec<Issue>,
    /// Ledger entries, most tests first.
    pub known: Vec<Issue>,
}

/// The command that the results are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Check,
    Sweep,
    /// `run`.
    Matrix,
    /// `consumers`.
    Readers,
}

named! {
    pub enum TestStatus {
        /// As expected.
        Pass = "PASS",
        /// Only known findings.
        Xfail = "XFAIL",
        /// A known finding did not recur.
        Xpass = "XPASS",
        /// A failure.
        Fail = "FAIL",
        /// The test could not be decided.
        Unresolved = "UNRESOLVED",
        /// The file could not be judged.
        Error = "ERROR",
        /// Not run: a tool is missing.
        Unsupported = "UNSUPPORTED",
    }
}

#[derive(Clone, Debug)]
pub struct Test {
    /// The suite: a file, a reader, a producer on a target.
    pub suite: String,
    /// The class within the suite.
    pub class: String,
    /// The full name, unique in the run.
    pub name: String,
    pub file: Option<String>,
    pub status: TestStatus,
    /// Duration in seconds, if known.
    pub seconds: Option<f64>,
    /// Reasons why the test did not simply pass, one sentence each; of one that passed, what was
    /// looked at.
    pub reasons: Vec<String>,
    /// The reasons with all values, in lines.
    pub details: String,
    pub commands: Vec<String>,
    /// File and line for an annotation.
    pub pin: Option<Pin>,
    /// Whether the reasons are in [`TestRun::issues`].
    pub shown_in: ShownIn,
    /// A part for each finding.
    pub parts: Vec<Test>,
}

/// The place where the reasons of a test are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownIn {
    Test,
    /// In [`TestRun::issues`] too.
    Issues,
}

/// A line of a file in the repository of a workflow.
pub type Pin = (String, u64);

/// Something wrong, in any number of tests.
#[derive(Clone, Debug)]
pub struct Issue {
    /// ID of the rule.
    pub rule: String,
    /// Severity if the issue is new.
    pub severity: Severity,
    /// One line that names the culprit.
    pub title: String,
    /// The wrong row and the right one; empty if the message has both.
    pub headline: String,
    /// One sentence.
    pub message: String,
    /// The blamed producer; empty if the message names it.
    pub blame: String,
    /// Values by name: truth, tables, clause, fingerprint.
    pub facts: Vec<(&'static str, String)>,
    /// Fingerprints by SARIF key.
    pub fingerprints: BTreeMap<&'static str, String>,
    /// Ledger entries that cover the issue.
    pub known: BTreeSet<String>,
    /// A test shows the issue without a covering ledger entry.
    pub is_new: bool,
    /// Counted rather than listed: no annotation, no row of a list.
    pub counted: bool,
    /// The best example.
    pub best: IssuePlace,
    /// The places of the issue, new ones first; limited if there are very many.
    pub places: Vec<IssuePlace>,
    /// Number of tests that show the issue.
    pub tests: usize,
    pub occurrences: u64,
    /// File and line for an annotation.
    pub pin: Option<Pin>,
    /// Additional data for programs.
    pub properties: Value,
}

#[derive(Clone, Debug)]
pub struct IssuePlace {
    pub test: String,
    /// The location in readable form.
    pub at: String,
    /// A file and a line in it.
    pub file: Pin,
    /// The function, or section.
    pub function: Option<(String, &'static str)>,
    /// Additional data for programs.
    pub properties: Value,
}

named! {
    /// An output format for other programs.
    pub enum Format {
        /// Markdown, for the summary of a job or a comment.
        Markdown = "markdown",
        /// JUnit XML, for CI services.
        Junit = "junit",
        /// SARIF, for code scanning.
        Sarif = "sarif",
        /// Annotations of a GitHub workflow.
        Github = "github",
        /// DejaGnu's `.sum`.
        Dejagnu = "dejagnu",
        /// DejaGnu's `.log`.
        DejagnuLog = "dejagnu-log",
        /// The Test Anything Protocol, version 14.
        Tap = "tap",
        /// The kernel's variant of the Test Anything Protocol.
        Ktap = "ktap",
    }
}

impl TestRun {
    /// Prints the results in a format.
    pub fn write(&self, format: Format, out: &mut dyn Write) -> io::Result<()> {
        match format {
            Format::Markdown => markdown::write(self, out),
            Format::Junit => junit::write(self, out),
            Format::Sarif => sarif::write(self, out),
            Format::Github => github::write(self, out),
            Format::Dejagnu => dejagnu::write(self, dejagnu::File::Sum, &dejagnu::host(), out),
            Format::DejagnuLog => dejagnu::write(self, dejagnu::File::Log, &dejagnu::host(), out),
            Format::Tap => tap::write(self, tap::Protocol::Tap, out),
            Format::Ktap => tap::write(self, tap::Protocol::Ktap, out),
        }
    }

    /// Tests and their parts, each before its parts.
    pub(crate) fn flat(&self) -> impl Iterator<Item = &Test> {
        self.tests.iter().flat_map(|test| std::iter::once(test).chain(&test.parts))
    }

    /// The issues to list: new bugs or issues, and known ones.
    pub(crate) fn listed(&self) -> (Vec<&Issue>, Vec<&Issue>) {
        if let Some(bugs) = &self.bugs {
            return (bugs.new.iter().collect(), bugs.known.iter().collect());
        }
        let listed = self.issues.iter().filter(|issue| !issue.counted);
        let (new, known): (Vec<&Issue>, Vec<&Issue>) = listed.partition(|issue| issue.is_new);
        (new.into_iter().filter(|issue| issue.severity == Severity::Error).collect(), known)
    }

    /// The reasons why tests could not run here, with counts.
    pub(crate) fn absent(&self) -> BTreeMap<String, u64> {
        let mut absent = BTreeMap::new();
        for test in self.flat().filter(|test| test.status == TestStatus::Unsupported) {
            *absent.entry(test.message()).or_default() += 1;
        }
        absent
    }
}

impl Kind {
    /// The name of the whole test run.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Check => "sframe-conformance check",
            Kind::Sweep => "sframe-conformance sweep",
            Kind::Matrix => "sframe-conformance",
            Kind::Readers => "sframe-conformance consumers",
        }
    }

    /// The noun for the listed issues.
    pub(crate) const fn listed(self) -> &'static str {
        match self {
            Kind::Matrix => "bug",
            Kind::Check | Kind::Sweep | Kind::Readers => "finding",
        }
    }

    /// The noun for a test.
    pub(crate) const fn unit(self) -> &'static str {
        match self {
            Kind::Check | Kind::Sweep => "file",
            Kind::Matrix => "trial",
            Kind::Readers => "reader",
        }
    }
}

impl From<Status> for TestStatus {
    fn from(status: Status) -> TestStatus {
        match status {
            Status::Pass => TestStatus::Pass,
            Status::Xfail => TestStatus::Xfail,
            Status::Xpass => TestStatus::Xpass,
            Status::Fail => TestStatus::Fail,
            Status::Unresolved => TestStatus::Unresolved,
            Status::Unsupported => TestStatus::Unsupported,
        }
    }
}

impl Issue {
    /// One line for people: the wrong row and the right one with the address, else the message.
    pub(crate) fn heading(&self) -> &str {
        if self.headline.is_empty() { &self.message } else { &self.headline }
    }
}

impl Test {
    /// Creates a test with this name and status.
    pub(crate) fn new(suite: &str, class: &str, name: String, status: TestStatus) -> Test {
        Test {
            suite: suite.to_owned(),
            class: class.to_owned(),
            name,
            file: None,
            status,
            seconds: None,
            reasons: Vec::new(),
            details: String::new(),
            commands: Vec::new(),
            pin: None,
            shown_in: ShownIn::Test,
            parts: Vec::new(),
        }
    }

    /// Adds a reason.
    #[must_use]
    pub(crate) fn because(mut self, reason: impl Into<String>) -> Test {
        self.reasons.push(reason.into());
        self
    }

    /// Copies the file to the parts. A test that passes except for known findings is expected to
    /// fail.
    fn finish(&mut self) {
        for part in &mut self.parts {
            part.file.clone_from(&self.file);
        }
        let known: BTreeSet<&String> =
            self.parts.iter().filter(|part| part.status == TestStatus::Xfail).flat_map(|part| &part.reasons).collect();
        if self.status == TestStatus::Pass && !known.is_empty() {
            self.status = TestStatus::Xfail;
            self.reasons = known.into_iter().cloned().collect();
        }
    }

    /// The reason why the test did not simply pass, in one line.
    pub(crate) fn message(&self) -> String {
        let first = self.reasons.first().and_then(|reason| reason.lines().next());
        first.map_or_else(|| format!("{}, no reason given", self.status.name()), str::to_owned)
    }

    /// What was looked at, of a test that passes and prints it.
    pub(crate) fn remark(&self) -> Option<String> {
        (self.status == TestStatus::Pass && !self.reasons.is_empty()).then(|| self.message())
    }

    /// All reasons, at least one line each.
    pub(crate) fn reason(&self) -> String {
        if self.reasons.is_empty() { "no reason given".to_owned() } else { self.reasons.join("\n") }
    }

    /// Returns true if action is needed and no issue covers it.
    pub(crate) fn is_untold_failure(&self) -> bool {
        match self.status {
            TestStatus::Fail => self.shown_in == ShownIn::Test,
            TestStatus::Xpass | TestStatus::Error => true,
            TestStatus::Pass | TestStatus::Xfail | TestStatus::Unresolved | TestStatus::Unsupported => false,
        }
    }
}

impl Issue {
    /// The severity; that of a note if the ledger covers the issue.
    pub(crate) fn level(&self) -> Severity {
        if self.is_new { self.severity } else { Severity::Info }
    }
}

/// Issues of many tests, each once.
#[derive(Debug, Default)]
struct Issues(BTreeMap<String, Issue>);

impl Issues {
    /// Adds an issue of a test to the one with the same fingerprint.
    fn add(&mut self, fingerprint: &str, issue: Issue) {
        let Some(first) = self.0.get_mut(fingerprint) else {
            self.0.insert(fingerprint.to_owned(), issue);
            return;
        };
        first.known.extend(issue.known);
        first.tests += issue.tests;
        first.occurrences += issue.occurrences;
        first.severity = first.severity.max(issue.severity);
        if issue.is_new && !first.is_new {
            // A new finding is the representative.
            first.is_new = true;
            first.pin = issue.pin;
            first.best = issue.best;
            first.places.splice(0..0, issue.places);
        } else if first.places.len() < sarif::MOST_RELATED {
            first.places.extend(issue.places);
        }
    }

    fn ranked(self) -> Vec<Issue> {
        let mut issues: Vec<Issue> = self.0.into_values().collect();
        let rank = |issue: &Issue| std::cmp::Reverse((issue.is_new, issue.severity, issue.tests));
        issues.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.title.cmp(&b.title)));
        issues
    }
}

//! Results of any kind as tests with a status each, and the distinct issues that they show.
//!
//! The one shape between results and the formats that other programs read: each kind of result
//! (files of `check` and `sweep`, trials of the matrix, readers) is turned into a [`TestRun`] once,
//! and each [`Format`] prints any of them.
//!
//! - A test's name is stable: it holds no address, no count and no time. What failed belongs in its
//!   reasons.
//! - A file, or a reader, is a test with a part for each of its findings. A trial has no parts.
//! - What could not be decided is [`TestStatus::Unresolved`], and no format prints that as passed.

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

/// Results, as tests.
#[derive(Clone, Debug)]
pub struct TestRun {
    /// What they are the results of.
    pub kind: Kind,
    /// `sframe-conformance` and its version.
    pub tool_version: String,
    /// The day; empty where results of the same input are to be the same bytes.
    pub day: String,
    /// How long it took, where that is known.
    pub seconds: Option<f64>,
    /// The outcome in a line, as the text for people ends with it.
    pub sentence: String,
    /// A Markdown table; empty if there are no rows.
    pub table: String,
    /// A last sentence for Markdown, of this program's own words.
    pub remark: String,
    /// The tests, those of a suite together.
    pub tests: Vec<Test>,
    /// What is wrong, each once: new before known, errors first.
    pub issues: Vec<Issue>,
    /// The same by bug, where many issues are one: what people read. `None`: each is one.
    pub bugs: Option<Bugs>,
}

/// Issues by bug: of each the most useful one, with the number of tests that show the bug.
#[derive(Clone, Debug, Default)]
pub struct Bugs {
    /// Those that no entry of the ledger covers, those of most tests first.
    pub new: Vec<Issue>,
    /// Entries of the ledger, those of most tests first.
    pub known: Vec<Issue>,
}

/// What results are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `check`.
    Check,
    /// `sweep`.
    Sweep,
    /// `run`.
    Matrix,
    /// `consumers`.
    Readers,
}

named! {
    /// How a test came out.
    pub enum TestStatus {
        /// As expected.
        Pass = "PASS",
        /// Nothing but known findings.
        Xfail = "XFAIL",
        /// A known finding did not recur.
        Xpass = "XPASS",
        /// Something is wrong.
        Fail = "FAIL",
        /// It could not be decided.
        Unresolved = "UNRESOLVED",
        /// The file could not be judged at all.
        Error = "ERROR",
        /// Not run: a tool is missing.
        Unsupported = "UNSUPPORTED",
    }
}

/// A test.
#[derive(Clone, Debug)]
pub struct Test {
    /// What it belongs to: a file, a reader, a producer on a target.
    pub suite: String,
    /// Of what kind it is within the suite.
    pub class: String,
    /// Its whole name, which no other test of the run has.
    pub name: String,
    /// The file that it is about.
    pub file: Option<String>,
    /// How it came out.
    pub status: TestStatus,
    /// How long it took, where that is known.
    pub seconds: Option<f64>,
    /// Why it is not a plain pass, a sentence each.
    pub reasons: Vec<String>,
    /// The same with all values, in lines.
    pub details: String,
    /// The commands that it ran.
    pub commands: Vec<String>,
    /// File and line for an annotation.
    pub pin: Option<Pin>,
    /// Whether its reasons are in [`TestRun::issues`].
    pub shown_in: ShownIn,
    /// Its findings.
    pub parts: Vec<Test>,
}

/// Where the reasons of a test are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownIn {
    /// In the test only.
    Test,
    /// In [`TestRun::issues`] too.
    Issues,
}

/// A line of a file in the repository of a workflow.
pub type Pin = (String, u64);

/// Something that is wrong, in however many tests.
#[derive(Clone, Debug)]
pub struct Issue {
    /// The rule's id.
    pub rule: String,
    /// How bad it is where it is new.
    pub severity: Severity,
    /// One line that names the culprit.
    pub title: String,
    /// The wrong row and the right one; empty if the message has them.
    pub headline: String,
    /// One sentence.
    pub message: String,
    /// The blamed producer; empty if the message has it.
    pub blame: String,
    /// Values by what they are of: truth, tables, clause, fingerprint.
    pub facts: Vec<(&'static str, String)>,
    /// Fingerprints by the keys that SARIF knows them by.
    pub fingerprints: BTreeMap<&'static str, String>,
    /// Entries of the ledger that cover it.
    pub known: BTreeSet<String>,
    /// True if some test shows it that no entry covers.
    pub is_new: bool,
    /// Counted rather than listed: no annotation, no row of a list.
    pub counted: bool,
    /// The best example.
    pub best: IssuePlace,
    /// Where it shows, new places first; not all of very many.
    pub places: Vec<IssuePlace>,
    /// Number of tests that show it.
    pub tests: usize,
    /// Number of occurrences.
    pub occurrences: u64,
    /// File and line for an annotation.
    pub pin: Option<Pin>,
    /// More for programs.
    pub properties: Value,
}

/// Where an issue shows.
#[derive(Clone, Debug)]
pub struct IssuePlace {
    /// The test.
    pub test: String,
    /// The place as people name it.
    pub at: String,
    /// A file and a line in it.
    pub file: Pin,
    /// The function, or section.
    pub function: Option<(String, &'static str)>,
    /// More for programs.
    pub properties: Value,
}

named! {
    /// A format that other programs read.
    pub enum Format {
        /// For the summary of a job, or a comment.
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
        /// The same as kernels have it.
        Ktap = "ktap",
    }
}

impl TestRun {
    /// Prints it.
    ///
    /// # Errors
    /// Whatever the writer reports.
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

    /// What is listed: new bugs or issues, then known ones.
    pub(crate) fn listed(&self) -> (Vec<&Issue>, Vec<&Issue>) {
        if let Some(bugs) = &self.bugs {
            return (bugs.new.iter().collect(), bugs.known.iter().collect());
        }
        let listed = self.issues.iter().filter(|issue| !issue.counted);
        let (new, known): (Vec<&Issue>, Vec<&Issue>) = listed.partition(|issue| issue.is_new);
        (new.into_iter().filter(|issue| issue.severity == Severity::Error).collect(), known)
    }

    /// Why tests could not run here, and how many each.
    pub(crate) fn absent(&self) -> BTreeMap<String, u64> {
        let mut absent = BTreeMap::new();
        for test in self.flat().filter(|test| test.status == TestStatus::Unsupported) {
            *absent.entry(test.message()).or_default() += 1;
        }
        absent
    }
}

impl Kind {
    /// The name of the whole.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Kind::Check => "sframe-conformance check",
            Kind::Sweep => "sframe-conformance sweep",
            Kind::Matrix => "sframe-conformance",
            Kind::Readers => "sframe-conformance consumers",
        }
    }

    /// What is listed.
    pub(crate) const fn listed(self) -> &'static str {
        match self {
            Kind::Matrix => "bug",
            Kind::Check | Kind::Sweep | Kind::Readers => "finding",
        }
    }

    /// What a test is of.
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
    /// One line for people: the wrong row and the right one with the place, else the message.
    pub(crate) fn heading(&self) -> &str {
        if self.headline.is_empty() { &self.message } else { &self.headline }
    }
}

impl Test {
    /// A test of that name and outcome, of which no more is known.
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

    /// The same, for that reason.
    #[must_use]
    pub(crate) fn because(mut self, reason: impl Into<String>) -> Test {
        self.reasons.push(reason.into());
        self
    }

    /// Gives parts what they have of it: the file. One that passes but for known findings is
    /// expected to fail.
    fn settle(&mut self) {
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

    /// Why it is not a plain pass, in one line.
    pub(crate) fn message(&self) -> String {
        let first = self.reasons.first().and_then(|reason| reason.lines().next());
        first.map_or_else(|| format!("{}, no reason given", self.status.name()), str::to_owned)
    }

    /// All reasons, a line each at least.
    pub(crate) fn reason(&self) -> String {
        if self.reasons.is_empty() { "no reason given".to_owned() } else { self.reasons.join("\n") }
    }

    /// Returns true if action is needed, and no issue has it.
    pub(crate) fn is_untold_failure(&self) -> bool {
        match self.status {
            TestStatus::Fail => self.shown_in == ShownIn::Test,
            TestStatus::Xpass | TestStatus::Error => true,
            TestStatus::Pass | TestStatus::Xfail | TestStatus::Unresolved | TestStatus::Unsupported => false,
        }
    }
}

impl Issue {
    /// Its severity, or a note's where the ledger covers it.
    pub(crate) fn level(&self) -> Severity {
        if self.is_new { self.severity } else { Severity::Info }
    }
}

/// Issues of many tests, each kept once.
#[derive(Debug, Default)]
struct Issues(BTreeMap<String, Issue>);

impl Issues {
    /// Adds what a test shows to the issue of the same fingerprint.
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
            // A new finding represents all.
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

//! Output formats of `check`, `sweep`, `run`, `consumers` and `report`.

use reports::testrun;

use super::Printed;

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum ResultFormat {
    // For people.
    Text,
    // For the summary of a job or a comment.
    Markdown,
    // One page.
    Html,
    // JUnit XML, for CI services.
    Junit,
    // SARIF 2.1.0, for code scanning.
    Sarif,
    // Annotations of a GitHub workflow.
    Github,
    // DejaGnu's .sum, for compare_tests and dg-cmp-results.sh.
    Dejagnu,
    // DejaGnu's .log: the same with reasons.
    DejagnuLog,
    // The Test Anything Protocol, version 14.
    Tap,
    // KTAP version 1, the kernel's.
    Ktap,
    // For programs.
    Json,
}

impl ResultFormat {
    /// The format of tests from which it is printed; `None` for text, JSON and pages, which are
    /// printed from the results.
    pub(super) fn of_tests(self) -> Option<testrun::Format> {
        Some(match self {
            ResultFormat::Text | ResultFormat::Html | ResultFormat::Json => return None,
            ResultFormat::Markdown => testrun::Format::Markdown,
            ResultFormat::Junit => testrun::Format::Junit,
            ResultFormat::Sarif => testrun::Format::Sarif,
            ResultFormat::Github => testrun::Format::Github,
            ResultFormat::Dejagnu => testrun::Format::Dejagnu,
            ResultFormat::DejagnuLog => testrun::Format::DejagnuLog,
            ResultFormat::Tap => testrun::Format::Tap,
            ResultFormat::Ktap => testrun::Format::Ktap,
        })
    }

    pub(super) fn printed(self) -> Printed {
        match self {
            ResultFormat::Json | ResultFormat::Sarif => Printed::Json,
            ResultFormat::Markdown | ResultFormat::Html | ResultFormat::Junit | ResultFormat::Github => {
                Printed::Document
            }
            // Lines for a log: control sequences in them are escaped again.
            ResultFormat::Text
            | ResultFormat::Dejagnu
            | ResultFormat::DejagnuLog
            | ResultFormat::Tap
            | ResultFormat::Ktap => Printed::Text,
        }
    }
}

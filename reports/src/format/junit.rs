//! JUnit XML, in the layout that CI services share.
//!
//! There is no standard. Jenkins (its xUnit plugin's schema, `junit-10.xsd`), GitLab, Azure and
//! Buildkite share this part, and no more is used:
//! `testsuites > testsuite > (properties, testcase*)`,
//! `testcase > (failure | error | skipped)?, system-out?`, with counts as attributes of the suites.
//!
//! | Status | Element | Why |
//! |---|---|---|
//! | PASS | none | passed |
//! | XFAIL | `skipped`, `known: ENTRY` | not green, the tool is wrong; not red, it is known |
//! | FAIL, XPASS | `failure` | action is needed |
//! | UNRESOLVED, ERROR | `error` | the test could not decide |
//! | UNSUPPORTED | `skipped` with the reason | it did not run |
//!
//! An unfinished run has a suite of its own with one `error`, since missing results must not look
//! passed.

use std::io::{self, Write};

use crate::escape::{xml_attribute, xml_text};
use crate::testrun::{Test, TestRun, TestStatus};

/// Writes one document.
pub fn write(run: &TestRun, out: &mut dyn Write) -> io::Result<()> {
    let tests: Vec<&Test> = run.flat().collect();
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    let seconds = run.seconds.map(|seconds| if seconds.is_finite() { seconds.max(0.0) } else { 0.0 });
    // Jenkins' schema has a count of skipped tests only on the suites.
    writeln!(out, "<testsuites name=\"{}\" {}{}>", run.kind.name(), counts(&tests), time(seconds))?;
    for suite in tests.chunk_by(|a, b| a.suite == b.suite) {
        let name = suite.first().map_or("", |test| test.suite.as_str());
        let skipped = suite.iter().filter(|test| element(test.status) == Some("skipped")).count();
        let times: Vec<f64> = suite.iter().filter_map(|test| test.seconds).collect();
        let seconds = (!times.is_empty()).then(|| times.iter().sum());
        let (name, counts, time) = (xml_attribute(name), counts(suite), time(seconds));
        writeln!(out, "  <testsuite name=\"{name}\" {counts} skipped=\"{skipped}\"{time}>")?;
        writeln!(out, "    <properties>")?;
        for (name, value) in [("tool", &run.tool_version), ("day", &run.day)] {
            if !value.is_empty() {
                writeln!(out, "      <property name=\"{name}\" value=\"{}\"/>", xml_attribute(value))?;
            }
        }
        writeln!(out, "    </properties>")?;
        for test in suite {
            test_case(test, out)?;
        }
        writeln!(out, "  </testsuite>")?;
    }
    writeln!(out, "</testsuites>")
}

fn element(status: TestStatus) -> Option<&'static str> {
    match status {
        TestStatus::Pass => None,
        TestStatus::Xfail | TestStatus::Unsupported => Some("skipped"),
        TestStatus::Fail | TestStatus::Xpass => Some("failure"),
        TestStatus::Unresolved | TestStatus::Error => Some("error"),
    }
}

fn counts(tests: &[&Test]) -> String {
    let count = |name: &str| tests.iter().filter(|test| element(test.status) == Some(name)).count();
    format!("tests=\"{}\" failures=\"{}\" errors=\"{}\"", tests.len(), count("failure"), count("error"))
}

fn time(seconds: Option<f64>) -> String {
    seconds.map(|seconds| format!(" time=\"{seconds:.3}\"")).unwrap_or_default()
}

fn test_case(test: &Test, out: &mut dyn Write) -> io::Result<()> {
    let (name, class) = (xml_attribute(&test.name), xml_attribute(&test.class));
    let file = test.file.as_ref().map(|file| format!(" file=\"{}\"", xml_attribute(file))).unwrap_or_default();
    let place = format!("classname=\"{class}\"{file}{}", time(test.seconds));
    let Some(element) = element(test.status) else {
        let Some(remark) = test.remark() else { return writeln!(out, "    <testcase name=\"{name}\" {place}/>") };
        writeln!(out, "    <testcase name=\"{name}\" {place}>")?;
        return writeln!(out, "      <system-out>{}</system-out>\n    </testcase>", xml_attribute(&remark));
    };
    writeln!(out, "    <testcase name=\"{name}\" {place}>")?;
    let message = xml_attribute(&test.message());
    write!(out, "      <{element} type=\"{}\" message=\"{message}\"", test.status.name())?;
    if element == "skipped" {
        writeln!(out, "/>")?;
    } else {
        writeln!(out, ">{}</{element}>", xml_text(&test.details))?;
        if !test.commands.is_empty() {
            writeln!(out, "      <system-out>{}</system-out>", xml_text(&test.commands.join("\n")))?;
        }
    }
    writeln!(out, "    </testcase>")
}

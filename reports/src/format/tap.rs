//! The Test Anything Protocol, version 14 (`testanything.org/tap-version-14-specification.html`),
//! and what kernels make of it, KTAP version 1 (Linux, `Documentation/dev-tools/ktap.rst`).
//!
//! | Status | TAP | KTAP |
//! |---|---|---|
//! | PASS | `ok` | `ok` |
//! | XFAIL | `not ok ... # TODO known: ENTRY` | `ok ... # XFAIL`, as in Linux' `kselftest.h` |
//! | FAIL, XPASS | `not ok` | `not ok` |
//! | UNRESOLVED, ERROR | `not ok` | `not ok ... # ERROR` |
//! | UNSUPPORTED | `ok ... # SKIP` | `ok ... # SKIP` |
//!
//! The parts of a test are its subtests: in TAP after a comment with its name and indented by four,
//! without a version; in KTAP after a version line of their own and indented by two. Reasons are a
//! YAML block after the result in TAP, diagnostic lines before it in KTAP. In TAP a backslash
//! escapes `#` and itself; in a description of KTAP `#` cannot be, and is spelt out.

use std::io::{self, Write};

use serde_json::json;

use crate::escape::{line, lines};
use crate::testrun::{Test, TestRun, TestStatus};

/// Which of both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Version 14.
    Tap,
    /// The kernel's, version 1.
    Ktap,
}

/// Writes one document.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(run: &TestRun, protocol: Protocol, out: &mut dyn Write) -> io::Result<()> {
    if protocol == Protocol::Tap {
        writeln!(out, "TAP version 14")?;
    }
    group(&run.tests, protocol, "", out)?;
    writeln!(out, "# {}", line(&run.sentence))
}

/// Tests of one level.
fn group(tests: &[Test], protocol: Protocol, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    if protocol == Protocol::Ktap {
        writeln!(out, "{indent}KTAP version 1")?;
    }
    let none = if tests.is_empty() { " # SKIP nothing was tested" } else { "" };
    writeln!(out, "{indent}1..{}{none}", tests.len())?;
    for (number, test) in (1..).zip(tests) {
        if !test.parts.is_empty() {
            let deeper = match protocol {
                Protocol::Tap => {
                    writeln!(out, "{indent}# Subtest: {}", protocol.escape(&test.name))?;
                    format!("{indent}    ")
                }
                Protocol::Ktap => format!("{indent}  "),
            };
            group(&test.parts, protocol, &deeper, out)?;
        }
        match protocol {
            Protocol::Tap => tap(test, number, indent, out)?,
            Protocol::Ktap => ktap(test, number, indent, out)?,
        }
    }
    Ok(())
}

fn tap(test: &Test, number: usize, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let escape = |text: &str| Protocol::Tap.escape(text);
    let (result, directive) = match test.status {
        TestStatus::Pass => ("ok", String::new()),
        TestStatus::Xfail => ("not ok", format!(" # TODO {}", escape(&test.message()))),
        TestStatus::Unsupported => ("ok", format!(" # SKIP {}", escape(&test.message()))),
        TestStatus::Fail | TestStatus::Xpass | TestStatus::Unresolved | TestStatus::Error => ("not ok", String::new()),
    };
    writeln!(out, "{indent}{result} {number} - {}{directive}", escape(&test.name))?;
    if result == "ok" {
        return Ok(());
    }
    // A string of JSON is one of YAML, whatever is in it.
    writeln!(out, "{indent}  ---\n{indent}  message: {}", json!(line(&test.message())))?;
    writeln!(out, "{indent}  severity: {}", test.status.name().to_lowercase())?;
    // A block takes its indentation from its first line.
    for (name, text) in [("details", &test.details), ("commands", &test.commands.join("\n"))] {
        let text = lines(text.trim());
        if !text.is_empty() {
            writeln!(out, "{indent}  {name}: |")?;
        }
        for part in text.lines() {
            writeln!(out, "{indent}    {part}")?;
        }
    }
    writeln!(out, "{indent}  ...")
}

fn ktap(test: &Test, number: usize, indent: &str, out: &mut dyn Write) -> io::Result<()> {
    let (result, directive) = match test.status {
        TestStatus::Pass => ("ok", None),
        TestStatus::Xfail => ("ok", Some("XFAIL")),
        TestStatus::Unsupported => ("ok", Some("SKIP")),
        TestStatus::Unresolved | TestStatus::Error => ("not ok", Some("ERROR")),
        TestStatus::Fail | TestStatus::Xpass => ("not ok", None),
    };
    if result == "not ok" {
        for text in lines(&test.details).lines() {
            // Further in than `# Subtest: NAME`, by which a parser takes what follows for another
            // test.
            writeln!(out, "{indent}#   {text}")?;
        }
    }
    let why = match (test.status, directive) {
        (TestStatus::Pass, _) => String::new(),
        // A word that is no directive: what is said may begin with one.
        (status, None) => format!(" # {} {}", status.name(), line(&test.message())),
        (_, Some(directive)) => format!(" # {directive} {}", line(&test.message())),
    };
    writeln!(out, "{indent}{result} {number} {}{why}", Protocol::Ktap.escape(&test.name))
}

impl Protocol {
    /// A name that ends where it ends.
    fn escape(self, text: &str) -> String {
        match self {
            Protocol::Tap => line(text).replace('\\', "\\\\").replace('#', "\\#"),
            Protocol::Ktap => line(text).replace('#', "\\u{23}"),
        }
    }
}

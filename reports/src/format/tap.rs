//! The Test Anything Protocol, version 14 (`testanything.org/tap-version-14-specification.html`),
//! and the kernel's variant, KTAP version 1 (Linux, `Documentation/dev-tools/ktap.rst`).
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
//! escapes `#` and itself; KTAP allows no `#` in a description, so it is replaced.

use std::io::{self, Write};

use serde_json::json;

use crate::escape::{line, lines};
use crate::testrun::{Test, TestRun, TestStatus};

/// One of the two protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// Version 14.
    Tap,
    /// The kernel's variant, version 1.
    Ktap,
}

/// Writes one document.
pub fn write(run: &TestRun, protocol: Protocol, out: &mut dyn Write) -> io::Result<()> {
    if protocol == Protocol::Tap {
        writeln!(out, "TAP version 14")?;
    }
    group(&run.tests, protocol, "", out)?;
    writeln!(out, "# {}", line(&run.sentence))
}

/// Writes the tests of one level.
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
        if let Some(remark) = test.remark() {
            writeln!(out, "{indent}# {}: {}", protocol.escape(&test.name), line(&remark))?;
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
    // A JSON string is always a valid YAML string.
    writeln!(out, "{indent}  ---\n{indent}  message: {}", json!(line(&test.message())))?;
    writeln!(out, "{indent}  severity: {}", test.status.name().to_lowercase())?;
    // The first line of a block sets its indentation.
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
            // Indented more than `# Subtest: NAME`, which a parser would take for the start of
            // another test.
            writeln!(out, "{indent}#   {text}")?;
        }
    }
    let why = match (test.status, directive) {
        (TestStatus::Pass, _) => String::new(),
        // The status, which is not a directive: the message may begin with one.
        (status, None) => format!(" # {} {}", status.name(), line(&test.message())),
        (_, Some(directive)) => format!(" # {directive} {}", line(&test.message())),
    };
    writeln!(out, "{indent}{result} {number} {}{why}", Protocol::Ktap.escape(&test.name))
}

impl Protocol {
    /// A name in which nothing acts as the end of the name.
    fn escape(self, text: &str) -> String {
        match self {
            Protocol::Tap => line(text).replace('\\', "\\\\").replace('#', "\\#"),
            Protocol::Ktap => line(text).replace('#', "\\u{23}"),
        }
    }
}

//! DejaGnu's `.sum` and `.log`, as `runtest` writes them (DejaGnu manual, "Output files").
//!
//! Programs that read these files decide the details:
//! - GCC's `contrib/compare_tests` takes the name from after the first `: ` of a line, and a name
//!   that two tests have as one.
//! - `contrib/dg-cmp-results.sh` ends a name at its next colon, and needs a line `Running target`:
//!   so `::` is a slash here, and any other colon is spelt out.
//! - `contrib/dg-extract-results.py` refuses a result before a line `Running NAME ...`, and a count
//!   that it does not know.
//!
//! Reasons are only in the log, indented so that no line begins like a result. A test that could
//! not be decided, or a file that could not be judged, is UNRESOLVED, which DejaGnu never counts as
//! passed.

use std::io::{self, Write};

use crate::escape::{line, lines};
use crate::testrun::{Test, TestRun, TestStatus};

/// One of the two files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum File {
    Sum,
    /// Results and counts with reasons.
    Log,
}

/// The texts of counts, in the order in which DejaGnu prints them, with tabs for alignment.
const COUNTS: [(&str, &str); 6] = [
    ("PASS", "# of expected passes\t\t"),
    ("FAIL", "# of unexpected failures\t"),
    ("XPASS", "# of unexpected successes\t"),
    ("XFAIL", "# of expected failures\t\t"),
    ("UNRESOLVED", "# of unresolved testcases\t"),
    ("UNSUPPORTED", "# of unsupported tests\t\t"),
];

/// The configuration of this machine, in the form of a triplet.
pub fn host() -> String {
    format!("{}-{}-gnu", std::env::consts::ARCH, std::env::consts::OS)
}

/// Writes one of the two files.
pub fn write(run: &TestRun, file: File, host: &str, out: &mut dyn Write) -> io::Result<()> {
    let on = if run.day.is_empty() { String::new() } else { format!(" on {}", line(&run.day)) };
    writeln!(out, "Test run by sframe-conformance{on}\nNative configuration is {host}\n")?;
    writeln!(out, "\t\t=== sframe tests ===\n\nSchedule of variations:\n    unix\n\nRunning target unix")?;
    let tests: Vec<&Test> = run.flat().collect();
    for suite in tests.chunk_by(|a, b| a.suite == b.suite) {
        writeln!(out, "Running {} ...", name(suite.first().map_or("", |test| test.suite.as_str())))?;
        for test in suite {
            writeln!(out, "{}: {}", word(test.status), name(&test.name))?;
            if file == File::Log && (test.status != TestStatus::Pass || test.remark().is_some()) {
                reasons(test, out)?;
            }
        }
    }
    writeln!(out, "\n\t\t=== sframe Summary ===\n")?;
    for (status, text) in COUNTS {
        let count = tests.iter().filter(|test| word(test.status) == status).count();
        // DejaGnu prints no zero counts.
        if count > 0 {
            writeln!(out, "{text}{count}")?;
        }
    }
    writeln!(out, "{}\n", line(&run.tool_version))
}

fn word(status: TestStatus) -> &'static str {
    match status {
        TestStatus::Error => TestStatus::Unresolved.name(),
        status => status.name(),
    }
}

fn name(name: &str) -> String {
    line(name).replace("::", "/").replace(':', "\\u{3a}")
}

fn reasons(test: &Test, out: &mut dyn Write) -> io::Result<()> {
    let commands = test.commands.iter().map(|command| format!("$ {command}"));
    let details = if test.details.is_empty() { None } else { Some(test.details.clone()) };
    for text in [test.message()].into_iter().chain(details).chain(commands) {
        for part in lines(&text).lines() {
            writeln!(out, "    {part}")?;
        }
    }
    Ok(())
}

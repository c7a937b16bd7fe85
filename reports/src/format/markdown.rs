//! Markdown, for the summary of a job or a comment on a pull request.
//!
//! All external text is in code spans, see [`crate::escape::code`]. Lists and texts are truncated,
//! with a note: a comment on GitHub holds 65,536 characters, and the output is always shorter.

use std::io::{self, Write};

use types::counted;

use crate::escape::{code, code_cell, line, short};
use crate::testrun::{Issue, Kind, Test, TestRun, TestStatus};

/// Maximum number of entries of one list.
const MOST: usize = 15;
/// Maximum number of characters of one external text.
const LONG: usize = 180;

/// Writes results, new ones first.
pub fn write(run: &TestRun, out: &mut dyn Write) -> io::Result<()> {
    let unit = run.kind.unit();
    let (new, known) = run.listed();
    writeln!(out, "### SFrame conformance: {}\n", line(&run.sentence))?;
    let all = run.tests.iter().filter(|test| !matches!(test.class.as_str(), "run" | "ledger")).count();
    let day = if run.day.is_empty() { String::new() } else { format!(", {}", cut(&run.day)) };
    let listed = run.kind.listed();
    let (known_ones, tests) = (counted(known.len(), &format!("known {listed}")), counted(all, unit));
    writeln!(out, "{} new and {known_ones} in {tests}; {}{day}.", new.len(), cut(&run.tool_version))?;
    if let Some(test) = run.tests.iter().find(|test| test.class == "run") {
        writeln!(out, "\n**Unfinished**: {}.", test.message())?;
    }
    if !run.table.is_empty() {
        write!(out, "\n{}", run.table)?;
    }
    findings(&new, run.kind, out)?;
    let failed = run.flat().filter(|test| test.is_untold_failure()).collect();
    tests_of(&format!("{}s that failed without a new {listed}", capital(unit)), unit, failed, out)?;
    let undecided = run.flat().filter(|test| test.status == TestStatus::Unresolved && test.class != "run");
    // Parts report which rows of a file were undecided.
    let undecided = undecided.filter(|test| test.parts.is_empty()).collect();
    tests_of(&format!("Undecided {unit}s"), unit, undecided, out)?;
    known_table(&known, run.kind, out)?;
    absent(run, out)?;
    if !run.remark.is_empty() {
        writeln!(out, "\n{}", run.remark)?;
    }
    Ok(())
}

fn capital(unit: &str) -> String {
    let (first, rest) = unit.split_at(1);
    first.to_uppercase() + rest
}

fn findings(new: &[&Issue], kind: Kind, out: &mut dyn Write) -> io::Result<()> {
    if new.is_empty() {
        return Ok(());
    }
    let (unit, listed) = (kind.unit(), kind.listed());
    writeln!(out, "\n#### New {listed}s\n")?;
    for (rank, issue) in new.iter().take(MOST).enumerate() {
        writeln!(out, "{}. {}", rank + 1, cut(issue.heading()))?;
        writeln!(out, "   - {}", cut(&issue.title))?;
        let at = if issue.best.at.is_empty() { String::new() } else { format!(" at {}", cut(&issue.best.at)) };
        let others = match issue.tests {
            0 | 1 => String::new(),
            tests => format!(", and {}", counted(tests - 1, &format!("more {unit}"))),
        };
        writeln!(out, "   - in {}{at}{others}", cut(&issue.best.test))?;
        for (name, text) in &issue.facts {
            writeln!(out, "   - {name}: {}", cut(text))?;
        }
    }
    write!(out, "{}", more(new.len(), MOST, &format!("new {listed}")))
}

fn tests_of(title: &str, unit: &str, tests: Vec<&Test>, out: &mut dyn Write) -> io::Result<()> {
    if tests.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n#### {title}\n")?;
    for test in tests.iter().take(MOST) {
        writeln!(out, "- {} {}: {}", test.status.name(), cut(&test.name), cut(&test.message()))?;
    }
    write!(out, "{}", more(tests.len(), MOST, unit))
}

fn known_table(known: &[&Issue], kind: Kind, out: &mut dyn Write) -> io::Result<()> {
    if known.is_empty() {
        return Ok(());
    }
    let (unit, listed) = (kind.unit(), kind.listed());
    writeln!(out, "\n<details><summary>{}</summary>\n", counted(known.len(), &format!("known {listed}")))?;
    writeln!(out, "| {unit}s | {listed} | ledger |\n|---:|---|---|")?;
    for issue in known.iter().take(MOST) {
        let files: Vec<String> = issue.known.iter().take(3).map(|file| cut_cell(&short(file, 80))).collect();
        let and_more = if issue.known.len() > 3 { ", …" } else { "" };
        writeln!(out, "| {} | {} | {}{and_more} |", issue.tests, cut_cell(issue.heading()), files.join(", "))?;
    }
    write!(out, "{}", more(known.len(), MOST, &format!("known {listed}")))?;
    writeln!(out, "\n</details>")
}

fn absent(run: &TestRun, out: &mut dyn Write) -> io::Result<()> {
    let reasons = run.absent();
    if reasons.is_empty() {
        return Ok(());
    }
    let count = counted(reasons.values().sum::<u64>(), run.kind.unit());
    writeln!(out, "\n<details><summary>{count} could not run here</summary>\n")?;
    for (why, count) in reasons.iter().take(MOST) {
        writeln!(out, "- {count}: {}", cut(why))?;
    }
    write!(out, "{}", more(reasons.len(), MOST, "reason"))?;
    writeln!(out, "\n</details>")
}

/// A paragraph with the number of omitted entries of a list.
pub(crate) fn more(all: usize, shown: usize, what: &str) -> String {
    match all.saturating_sub(shown) {
        0 => String::new(),
        rest => format!("\nand {}\n", counted(rest, &format!("more {what}"))),
    }
}

/// An external text as a code span, truncated. Its backticks become apostrophes: a fence around a
/// long run of backticks would be even longer.
pub(crate) fn cut(text: &str) -> String {
    code(&short(&line(text).replace('`', "'"), LONG))
}

/// An external text as a code span in a table, truncated.
pub(crate) fn cut_cell(text: &str) -> String {
    code_cell(&short(&line(text).replace('`', "'").replace('|', "\\u{7c}"), LONG))
}

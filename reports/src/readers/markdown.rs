//! As Markdown, for the summary of a job: what is new first.

use std::io::{self, Write};

use results::{ReaderFinding, ReadersRun};

use super::{cause, entries, names, reads, spread};
use crate::escape::{code, code_cell, short};

/// Findings that are listed; the rest is counted.
const MOST: usize = 40;
/// Characters of a cause.
const LONG: usize = 160;

/// Writes a run and its findings.
///
/// # Errors
/// Whatever the writer reports.
pub fn write(findings: &[ReaderFinding], run: &ReadersRun, out: &mut dyn Write) -> io::Result<()> {
    let new: Vec<&ReaderFinding> = findings.iter().filter(|finding| finding.known.is_none()).collect();
    writeln!(
        out,
        "### Readers of SFrame: {} new and {} known findings by {} entries, {} readers; {}",
        new.len(),
        findings.len() - new.len(),
        entries(findings).len(),
        run.readers.len(),
        code(&run.day)
    )?;
    if !new.is_empty() {
        writeln!(out, "\n| New | Reader | Sections |\n|---|---|---|")?;
    }
    for finding in new.iter().take(MOST) {
        let reader = format!("{} {}", finding.reader, finding.version);
        let what = short(&cause(finding), LONG);
        writeln!(out, "| {} | {} | {} |", code_cell(&what), code_cell(&reader), code_cell(&spread(finding)))?;
    }
    if new.len() > MOST {
        writeln!(out, "\n{} more.", new.len() - MOST)?;
    }
    for problem in run.problems.iter().take(MOST) {
        writeln!(out, "\n- {}", code(&short(problem, LONG)))?;
    }
    table(run, out)
}

/// Who reads what.
fn table(run: &ReadersRun, out: &mut dyn Write) -> io::Result<()> {
    let names = names(run);
    let heads: String = names.iter().map(|name| format!(" {} |", code_cell(name))).collect();
    writeln!(out, "\n| Table |{heads}\n|---|{}", "---|".repeat(names.len()))?;
    for (kind, by_reader) in reads(run) {
        let cells: String =
            names.iter().map(|name| format!(" {} |", by_reader.get(name).copied().unwrap_or(""))).collect();
        writeln!(out, "| {} |{cells}", code_cell(kind))?;
    }
    Ok(())
}

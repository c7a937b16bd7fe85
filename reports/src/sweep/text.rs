//! The totals of a sweep for a terminal; results that need attention are last, where reading
//! starts.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use results::{CauseTotal, Example, KnownEntry, ReasonTotal, SweepTotals, VerdictTotals};
use spec::Severity;

use super::verdicts as words;
use crate::console::columns::Table;
use crate::escape::{line, short};
use crate::sentence::and;
use crate::sizes::{COLUMNS, Cost};
use types::counted;

/// Maximum number of characters of an example's sentence.
const MOST: usize = 300;

/// The message for a sweep that lacks some of its files.
pub const UNFINISHED: &str = "the sweep was not finished; `sweep --resume` continues it";

/// Prints the totals.
pub fn write(totals: &SweepTotals, out: &mut dyn Write) -> io::Result<()> {
    slowest(totals, out)?;
    costs(totals).print(None, out)?;
    reasons("functions omitted from .sframe, by reason", "function", &totals.gaps, out)?;
    reasons("code outside every FDE, by section", "byte", &totals.outside, out)?;
    reasons("could not be decided, by reason", "time", &totals.undecided, out)?;
    reasons("could not be judged, by reason", "time", &totals.errors, out)?;
    let (known, new): (Vec<_>, Vec<_>) = totals.causes.iter().partition(|one| one.known.is_some());
    let (errors, others): (Vec<_>, Vec<_>) = new.iter().partition(|one| one.cause.severity == Severity::Error);
    known_bugs(&known, out)?;
    causes("warnings and notes by cause", &others, out)?;
    causes("errors by cause", &errors, out)?;
    writeln!(out)?;
    if !totals.skipped.is_empty() {
        let kinds: Vec<String> =
            totals.skipped.iter().map(|(kind, count)| format!("{} {count}", kind.name())).collect();
        writeln!(out, "skipped: {}", kinds.join(", "))?;
    }
    let summary = &totals.summary;
    writeln!(
        out,
        "{} in .sframe, {} compared, {} judged by {}; {} bytes in {:.1} s",
        counted(summary.functions, "function"),
        counted(summary.pcs_compared_static, "PC"),
        counted(summary.pcs_judged, "PC"),
        counted(summary.steps_judged, "step"),
        totals.bytes,
        totals.seconds
    )?;
    if let Some(reach) = &summary.reach {
        let share = reach.executed as f64 * 100.0 / (reach.covered as f64).max(1.0);
        writeln!(out, "explored: {} of {} instructions reached, {share:.1} %", reach.executed, reach.covered)?;
    }
    if let Some(outside) = &summary.outside {
        writeln!(out, "outside every FDE: {} of {} bytes of code, {}", outside.bytes, outside.of, outside.percent())?;
    }
    Ok(())
}

/// Prints the last line: number of files by verdict.
pub fn sentence(totals: &SweepTotals, out: &mut dyn Write) -> io::Result<()> {
    let same = match totals.duplicates {
        0 => String::new(),
        count => format!("; {} with the same bytes as one of these", counted(count, "more file")),
    };
    let known = match totals.summary.known {
        0 => String::new(),
        count => format!("; {}", counted(count, "known finding")),
    };
    let unfinished = if totals.unfinished { format!("; {UNFINISHED}") } else { String::new() };
    let of_known = || totals.causes.iter().filter_map(|one| one.known.as_ref());
    let counted_ones = if of_known().next().is_some() {
        let entries: BTreeSet<&KnownEntry> = of_known().collect();
        let projects: BTreeSet<&str> = entries.iter().map(|entry| entry.project.as_str()).collect();
        format!(", {} of {}: `--known` ignores them", counted(entries.len(), "bug"), and(projects))
    } else {
        String::new()
    };
    let VerdictTotals { clean, discrepancy, undecided, error } = totals.verdicts;
    let all = counted(clean + discrepancy + undecided + error, "file");
    writeln!(out, "{all}: {}{same}{known}{counted_ones}{unfinished}", words(totals))
}

fn causes(title: &str, causes: &[&CauseTotal], out: &mut dyn Write) -> io::Result<()> {
    if causes.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", causes.len())?;
    for one in causes {
        let (files, functions) = (counted(one.files, "file"), counted(one.functions, "function"));
        writeln!(out, "{files:>12}, {functions:>15}  {}   {}", line(&one.cause.title()), line(&one.fingerprint))?;
        example(&one.example, out)?;
    }
    Ok(())
}

/// Prints known causes, a line for each entry of the ledger.
fn known_bugs(causes: &[&CauseTotal], out: &mut dyn Write) -> io::Result<()> {
    let mut entries: BTreeMap<&KnownEntry, (u64, u64, &Example)> = BTreeMap::new();
    for one in causes {
        let Some(known) = &one.known else { continue };
        let of = entries.entry(known).or_insert((0, 0, &one.example));
        *of = (of.0.max(one.files), of.1.max(one.functions), of.2);
    }
    if entries.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nknown bugs: {}", entries.len())?;
    for (entry, (files, functions, first)) in entries {
        let (files, functions) = (counted(files, "file"), counted(functions, "function"));
        writeln!(out, "{files:>12}, {functions:>15}  {}", line(&entry.sentence()))?;
        example(first, out)?;
    }
    Ok(())
}

fn reasons(title: &str, word: &str, reasons: &[ReasonTotal], out: &mut dyn Write) -> io::Result<()> {
    if reasons.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{title}: {}", reasons.len())?;
    for one in reasons {
        let (files, count) = (counted(one.files, "file"), counted(one.count, word));
        writeln!(out, "{files:>12}, {count:>15}  {}", line(&one.reason))?;
        example(&one.example, out)?;
    }
    Ok(())
}

fn example(example: &Example, out: &mut dyn Write) -> io::Result<()> {
    let at = if example.place.is_empty() { String::new() } else { format!(" at {}", line(&example.place)) };
    writeln!(out, "              in {}{at}: {}", line(&example.file), short(&line(&example.message), MOST))
}

fn costs(totals: &SweepTotals) -> Table {
    let mut table = Table::new(2, &[&["sizes (bytes)", "vers"], &COLUMNS[..]].concat());
    for one in &totals.sizes {
        let names = [one.abi.name(), one.version.name()].map(str::to_owned);
        let cost = Cost { files: one.files, sizes: one.sizes };
        table.row(names.into_iter().chain(cost.cells()).collect());
    }
    table
}

fn slowest(totals: &SweepTotals, out: &mut dyn Write) -> io::Result<()> {
    const NAMED: usize = 5;
    if totals.slowest.is_empty() {
        return Ok(());
    }
    writeln!(out, "\nslowest:")?;
    for slow in totals.slowest.iter().take(NAMED) {
        writeln!(out, "{:>10.2} s  {}", slow.seconds, line(&slow.file))?;
    }
    Ok(())
}

//! The tables that end a run: trials by producer, and what `.sframe` costs beside `.eh_frame` and its header.

use std::collections::BTreeMap;
use std::io::{self, Write};

use crate::report::Summary;
use crate::results::{Sizes, Status, TrialLine};

/// What a line of the table of trials stands for: producer, ABI, SFrame version.
type Maker = (String, String, String);

/// Sums by producer, ABI and SFrame version.
#[derive(Debug, Default)]
pub struct Trials {
    rows: BTreeMap<Maker, Sums>,
}

#[derive(Debug, Default)]
struct Sums {
    statuses: BTreeMap<Status, u64>,
    summary: Summary,
    findings: BTreeMap<String, u64>,
}

impl Trials {
    /// Adds the lines up.
    pub fn of<'a>(lines: impl Iterator<Item = &'a TrialLine>) -> Trials {
        let mut table = Trials::default();
        for line in lines {
            let sums = table.rows.entry(maker(line)).or_default();
            *sums.statuses.entry(line.status).or_default() += 1;
            let (sum, one) = (&mut sums.summary, line.summary.unwrap_or_default());
            sum.functions += one.functions;
            sum.steps_judged += one.steps_judged;
            sum.pcs_judged += one.pcs_judged;
            sum.pcs_compared_static += one.pcs_compared_static;
            sum.missing += one.missing;
            sum.undecided += one.undecided;
            sum.max_depth = sum.max_depth.max(one.max_depth);
            for finding in &line.findings {
                *sums.findings.entry(finding.blame.clone()).or_default() += 1;
            }
        }
        table
    }

    /// Trials of a status.
    pub fn count(&self, status: Status) -> u64 {
        self.rows.values().filter_map(|sums| sums.statuses.get(&status)).sum()
    }

    /// Prints the table.
    ///
    /// # Errors
    /// Whatever the writer reports.
    pub fn print(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{:<22} {:<10} {:<4} {:>5} {:>5} {:>5} {:>4} {:>5} {:>5} {:>9} {:>10} {:>8} {:>8} {:>5} {:>7} {:>9}  findings by blame",
            "producer",
            "abi",
            "vers",
            "PASS",
            "XFAIL",
            "XPASS",
            "FAIL",
            "UNRES",
            "UNSUP",
            "functions",
            "steps",
            "PCs",
            "compared",
            "depth",
            "missing",
            "undecided"
        )?;
        for ((producer, abi, version), sums) in &self.rows {
            let status = |status| sums.statuses.get(&status).copied().unwrap_or(0);
            let findings: Vec<String> = sums.findings.iter().map(|(blame, count)| format!("{blame} {count}")).collect();
            let summary = &sums.summary;
            writeln!(
                out,
                "{producer:<22} {abi:<10} {version:<4} {:>5} {:>5} {:>5} {:>4} {:>5} {:>5} {:>9} {:>10} {:>8} {:>8} {:>5} {:>7} {:>9}  {}",
                status(Status::Pass),
                status(Status::Xfail),
                status(Status::Xpass),
                status(Status::Fail),
                status(Status::Unresolved),
                status(Status::Unsupported),
                summary.functions,
                summary.steps_judged,
                summary.pcs_judged,
                summary.pcs_compared_static,
                summary.max_depth,
                summary.missing,
                summary.undecided,
                findings.join(", ")
            )?;
        }
        Ok(())
    }
}

/// Prints what the tables cost in bytes, by producer, ABI and SFrame version: compiled programs only, where both are there.
///
/// # Errors
/// Whatever the writer reports.
pub fn print_sizes<'a>(lines: impl Iterator<Item = &'a TrialLine>, out: &mut dyn Write) -> io::Result<()> {
    let mut sums: BTreeMap<Maker, (u64, Sizes)> = BTreeMap::new();
    for line in lines.filter(|line| line.tools.contains_key("compiler")) {
        let Some(one) = line.sizes.filter(|sizes| sizes.sframe > 0 && sizes.eh_frame > 0) else { continue };
        let (files, sum) = sums.entry(maker(line)).or_default();
        *files += 1;
        sum.sframe += one.sframe;
        sum.eh_frame += one.eh_frame;
        sum.eh_frame_hdr += one.eh_frame_hdr;
        sum.functions += one.functions;
        sum.rows += one.rows;
        sum.text += one.text;
    }
    if sums.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<22} {:<10} {:<4} {:>6} {:>9} {:>9} {:>9} {:>9} {:>6} {:>9} {:>9}",
        "sizes (bytes)",
        "abi",
        "vers",
        "files",
        "text",
        ".sframe",
        ".eh_frame",
        "+ hdr",
        "ratio",
        "bytes/fn",
        "rows/fn"
    )?;
    for ((producer, abi, version), (files, sum)) in &sums {
        let per = |value: u64, of: u64| value as f64 / of.max(1) as f64;
        writeln!(
            out,
            "{producer:<22} {abi:<10} {version:<4} {files:>6} {:>9} {:>9} {:>9} {:>9} {:>6.2} {:>9.1} {:>9.2}",
            sum.text,
            sum.sframe,
            sum.eh_frame,
            sum.eh_frame_hdr,
            per(sum.sframe, sum.eh_frame + sum.eh_frame_hdr),
            per(sum.sframe, sum.functions),
            per(sum.rows, sum.functions)
        )?;
    }
    Ok(())
}

fn maker(line: &TrialLine) -> Maker {
    (line.producer.clone(), line.abi.clone(), line.sframe.clone())
}

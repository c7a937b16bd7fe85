//! Totals of several files: the ones that are not clean, and the number of files with each verdict.

use std::collections::BTreeSet;
use std::io::{self, Write};

use reports::escape::line;
use reports::screen::{Mark, Screen};
use reports::sentence::and;
use reports::text::why;
use results::{Finding, Outcome, Report};
use types::counted;

/// Counts of files by verdict.
#[derive(Default)]
pub(super) struct Total {
    /// Number for each verdict, in the order of [`WORST_FIRST`].
    counts: [usize; WORST_FIRST.len()],
    /// A line for each file that is not clean.
    bad: Vec<String>,
    /// The first file with the worst verdict, and its reason.
    decided: Option<(Outcome, String)>,
    /// The clean file of which least was looked at.
    least: Option<Least>,
    /// Number of errors.
    errors: u64,
    /// Number of those that are known and count, and the tools that have the bugs.
    known: (u64, BTreeSet<String>),
}

/// A clean file, and what was looked at of it.
struct Least {
    /// The share in per mille ([`results::Summary::permille`]).
    permille: u64,
    looked_at: String,
    file: String,
}

const WORST_FIRST: [Outcome; 4] = [Outcome::Error, Outcome::Discrepancy, Outcome::Undecided, Outcome::Clean];

/// Place of a verdict in [`WORST_FIRST`].
fn rank(outcome: Outcome) -> usize {
    WORST_FIRST.iter().position(|other| *other == outcome).unwrap_or(WORST_FIRST.len())
}

/// Number of files up to which all verdicts are visible on the screen.
const FEW: usize = 10;

/// Maximum number of lines repeated at the end, after many files.
const AGAIN: usize = 20;

impl Total {
    pub(super) fn add(&mut self, report: &Report, outcome: Outcome) {
        for (count, of) in self.counts.iter_mut().zip(WORST_FIRST) {
            *count += usize::from(of == outcome);
        }
        if self.decided.as_ref().is_none_or(|(worst, _)| rank(outcome) < rank(*worst)) {
            self.decided = Some((outcome, format!("{}: {}", line(&report.file), line(&why(report, outcome)))));
        }
        self.errors += report.summary.discrepancies;
        let is_known = |found: &&Finding| found.is_error() && found.standing.known.is_some();
        for found in report.discrepancies.iter().filter(is_known).filter(|found| report.counts(found)) {
            let entry = report.ledger.iter().find(|entry| found.standing.known.as_ref() == Some(&entry.file));
            self.known.0 += 1;
            self.known.1.extend(entry.map(|entry| entry.project.clone()));
        }
        if outcome != Outcome::Clean {
            self.bad.push(sentence(report, outcome));
        } else if self.least.as_ref().is_none_or(|least| report.summary.permille() < least.permille) {
            let (permille, looked_at) = (report.summary.permille(), report.summary.looked_at());
            self.least = Some(Least { permille, looked_at, file: line(&report.file) });
        }
    }

    pub(super) fn worst(&self) -> Outcome {
        let mut there = WORST_FIRST.into_iter().zip(self.counts).filter(|(_, count)| *count > 0);
        there.next().map_or(Outcome::Clean, |(outcome, _)| outcome)
    }

    /// Prints `500 files: 1 discrepancy, 499 clean`, preceded by the lines of files that are not
    /// clean, unless they have just been printed.
    pub(super) fn write(&self, are_printed: bool, screen: Screen, out: &mut dyn Write) -> io::Result<()> {
        let all: usize = self.counts.iter().sum();
        // The verdicts of few files are still visible.
        if !are_printed && !self.bad.is_empty() && all > FEW {
            writeln!(out, "\nnot clean:")?;
            for line in self.bad.iter().take(AGAIN) {
                writeln!(out, "{line}")?;
            }
            let more = self.bad.len().saturating_sub(AGAIN);
            if more > 0 {
                writeln!(out, "and {}", counted(more, "more file"))?;
            }
        }
        let mark = if self.bad.is_empty() { Mark::Good } else { Mark::Wrong };
        screen.put(mark, &format!("{}: {}", counted(all, "file"), self.words()), out)?;
        writeln!(out)
    }

    /// Prints the file and finding of several that decide the exit code.
    pub(super) fn write_decided(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.decided {
            Some((outcome, why)) if *outcome != Outcome::Clean && self.counts.iter().sum::<usize>() > 1 => {
                writeln!(out, "exit code {}: {why}", outcome.exit_code())
            }
            _ => Ok(()),
        }
    }

    /// Prints how many of the errors are known, if they count: `2 errors, both known bugs of ld:
    /// exit 1; --known ignores them`.
    pub(super) fn write_known(&self, out: &mut dyn Write) -> io::Result<()> {
        let (known, tools) = &self.known;
        let tools = and(tools.iter().map(String::as_str));
        let which = match (self.errors, known) {
            (_, 0) => return Ok(()),
            (1, 1) => format!("a known bug of {tools}"),
            (2, 2) => format!("both known bugs of {tools}"),
            (all, known) if all == *known => format!("all known bugs of {tools}"),
            (_, 1) => format!("1 of them a known bug of {tools}"),
            (_, known) => format!("{known} of them known bugs of {tools}"),
        };
        let them = if *known == 1 { "it" } else { "them" };
        let code = self.worst().exit_code();
        writeln!(out, "{}, {which}: exit {code}; `--known` ignores {them}", counted(self.errors, "error"))
    }

    /// Counts as text, with the least that was looked at: `1 discrepancy, 499 clean (least: 98.0 %
    /// of instructions explored, lib.so)`.
    pub(super) fn words(&self) -> String {
        let words = WORST_FIRST.into_iter().zip(self.counts).filter(|(_, count)| *count > 0);
        let words: Vec<String> = words.map(|(outcome, count)| format!("{count} {}", outcome.name())).collect();
        let least = match (&self.least, self.counts.iter().sum::<usize>()) {
            (None | Some(Least { permille: 1000.., .. }), _) => String::new(),
            (Some(least), 1) => format!(" ({})", least.looked_at),
            (Some(least), _) => format!(" (least: {}, {})", least.looked_at, least.file),
        };
        format!("{}{least}", words.join(", "))
    }
}

/// `DISCREPANCY FILE: CFA rsp+24 where rsp+8 holds, at leaf (row/cfa-matches-truth), and 2 more
/// findings`.
pub(super) fn sentence(report: &Report, outcome: Outcome) -> String {
    format!("{:<11} {}: {}", outcome.name().to_uppercase(), line(&report.file), line(&why(report, outcome)))
}

//! Progress and lines of a sweep, as the command prints them.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

use ledger::run_files::RESULTS;
use reports::escape::line;
use reports::progress::{Amount, Progress};
use reports::sweep::text;
use results::{CauseCount, FileLine, SweepTotals, SweepVerdict, entry_name};
use spec::Severity;
use sweep::{PAGE, SweepObserver};
use types::counted;

/// Prints files in the order in which they are found, independent of the order in which they are
/// judged, and the progress on standard error.
pub(super) struct SweepPrinter<'a> {
    out: &'a mut dyn Write,
    lines: SweptLines,
    progress: Option<Progress>,
    /// Lines that wait for earlier files to be judged.
    waiting: BTreeMap<u64, Option<(bool, String)>>,
    next: u64,
    /// The first lines of files that are not clean, and the number of further ones.
    bad: Vec<String>,
    more: usize,
}

/// The lines of a sweep that are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SweptLines {
    /// All, and the totals.
    All,
    /// Those of files that are not clean, and the totals.
    Bad,
    /// Only the last sentence of the totals.
    Total,
}

/// Maximum number of lines that are printed again.
const AGAIN: usize = 20;

impl<'a> SweepPrinter<'a> {
    pub(super) fn new(lines: SweptLines, out: &'a mut dyn Write) -> SweepPrinter<'a> {
        SweepPrinter { out, lines, progress: None, waiting: BTreeMap::new(), next: 0, bad: Vec::new(), more: 0 }
    }

    /// Prints all lines that can be printed now.
    fn write_ready(&mut self) -> io::Result<()> {
        while let Some(ready) = self.waiting.remove(&self.next) {
            self.next += 1;
            if let Some((is_bad, text)) = ready {
                writeln!(self.out, "{text}")?;
                match is_bad {
                    true if self.bad.len() < AGAIN => self.bad.push(text),
                    true => self.more += 1,
                    false => {}
                }
            }
        }
        Ok(())
    }

    /// Prints the totals.
    pub(super) fn write_totals(&mut self, totals: &SweepTotals, folder: &Path) -> io::Result<()> {
        if self.lines != SweptLines::Total {
            text::write(totals, self.out)?;
            let name = |file: &str| line(&folder.join(file).display().to_string());
            writeln!(self.out, "results: {}\npage:    {}", name(RESULTS), name(PAGE))?;
        }
        // If all files have lines, those that need attention are hard to find among them.
        if self.lines == SweptLines::All {
            self.write_bad()?;
        }
        text::sentence(totals, self.out)
    }

    /// Prints the files that are not clean again.
    fn write_bad(&mut self) -> io::Result<()> {
        if self.bad.is_empty() {
            return Ok(());
        }
        writeln!(self.out, "\nnot clean:")?;
        for text in &self.bad {
            writeln!(self.out, "{text}")?;
        }
        if self.more > 0 {
            writeln!(self.out, "and {}; {RESULTS} has them all", counted(self.more, "more file"))?;
        }
        Ok(())
    }
}

impl SweepObserver for SweepPrinter<'_> {
    fn begin(&mut self, files: u64, work: u64, threads: usize) {
        self.progress = Some(Progress::new("file", Amount { count: files, work }, threads));
    }

    fn read(&mut self, file: &str, work: u64) {
        if let Some(progress) = &mut self.progress {
            progress.add(file, work);
        }
    }

    fn judged(&mut self, number: u64, judged: Option<&FileLine>) -> io::Result<()> {
        let is_bad = judged.is_some_and(|line| line.exit_code() > 0);
        // Skipped files are only counted.
        let shown = judged.filter(|line| line.verdict != SweepVerdict::Skipped);
        let shown = shown.filter(|line| self.lines == SweptLines::All || line.verdict != SweepVerdict::Clean);
        self.waiting.insert(number, shown.map(|shown| (is_bad, sentence(shown))));
        let Some(mut progress) = self.progress.take() else { return self.write_ready() };
        if is_bad {
            progress.bad();
        }
        let written = progress.beside(|| self.write_ready());
        self.progress = Some(progress);
        written
    }

    fn end(&mut self) {
        if let Some(progress) = self.progress.take() {
            progress.end();
        }
    }
}

/// Summary line of a file: `DISCREPANCY lib.so: amd64, SFrame v3, 2 functions wrong, ...`.
fn sentence(of: &FileLine) -> String {
    let Some(judged) = &of.judged else { return String::new() };
    let mut parts: Vec<String> = Vec::new();
    match &judged.error {
        Some(error) => parts.push(line(&error.message)),
        None => {
            parts.extend(judged.abi.map(|abi| abi.name().to_owned()));
            parts.push(
                judged.sframe_version.map_or_else(|| "no .sframe".to_owned(), |version| format!("SFrame {version}")),
            );
            for severity in [Severity::Error, Severity::Warning] {
                let is_new = |count: &&CauseCount| count.known.is_none();
                let causes =
                    || judged.causes.iter().filter(is_new).filter(move |count| count.cause.severity == severity);
                let functions: u64 = causes().map(|count| count.functions).sum();
                let word = if severity == Severity::Error { "error" } else { "warning" };
                let count = causes().count() as u64;
                if count > 0 {
                    parts.push(format!("{word}s of {} in {}", counted(count, "cause"), counted(functions, "function")));
                }
            }
            parts.extend(judged.gone.iter().map(|gone| format!("gone: {}", line(gone))));
            let entries: BTreeSet<&str> =
                judged.causes.iter().filter_map(|count| Some(entry_name(&count.known.as_ref()?.file))).collect();
            match (judged.summary.known, entries.is_empty()) {
                (0, _) => {}
                (count, true) => parts.push(format!("{count} known")),
                (count, false) => parts.push(format!("{count} known ({})", Vec::from_iter(entries).join(", "))),
            }
            parts.extend(judged.undecided.iter().map(|one| format!("undecided: {}", one.reason)));
        }
    }
    format!("{:<11} {}: {}", of.verdict.name().to_uppercase(), line(&of.file), parts.join(", "))
}

//! `report`: prints the results of one or several runs, in any format; compares them with earlier
//! results; merges shards.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use ::sweep::{merge, totals};
use anyhow::{Context as _, bail};
use ledger::run_files::{read, write, write_file};
use ledger::swept::{each_line, is_sweep};
use reports::console::ConsoleOptions;
use reports::history::{self, Changes, CompareOptions, compare};
use reports::page::PageExtras;
use reports::places::Places;
use reports::screen::Screen;
use reports::terminal::{self, Terminal};
use reports::testrun::{Pinned, SweptFiles, of_matrix, of_readers};
use reports::{console, merged, page, readers, sweep};
use results::RunResults;
use results::tally;
use results::{ReaderFinding, ReadersRun, SweepTotals};
use toolchain::lock::FolderLock;

use super::formats::ResultFormat;
use super::sweep::write_page;
use super::{Printed, program_name, site};
use crate::home;
use crate::places::places;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance report target/conformance
  sframe-conformance report target/conformance --format junit --out junit.xml
  sframe-conformance report --diff target/before target/after
  sframe-conformance report --merge shard-1 shard-2 --out all
  sframe-conformance report --site public nights/*

Exit codes: 0, 1, 2 as of the run; with --diff 0 unchanged, 1 changed, 2 a run
was not finished; 3 results cannot be read.";

/// print results in any format, compare or merge them, write a site
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Report {
    /// results folders of run, sweep or consumers, or results.jsonl files
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// print what changed since these results; exit code 1 if anything did
    #[arg(long, value_name = "OLD", conflicts_with = "merge", help_heading = "Action")]
    diff: Option<PathBuf>,
    /// with --diff: print sizes that changed by more than this many per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, requires = "diff", value_parser = percent, allow_negative_numbers = true, help_heading = "Action")]
    size_change: f64,
    /// merge the results into the folder given by --out, print nothing
    #[arg(long, requires = "out", conflicts_with = "format", help_heading = "Action")]
    merge: bool,
    /// write a static site: one page per RESULTS, trends, downloads, a badge
    #[arg(long, value_name = "DIR", conflicts_with_all = ["format", "clauses", "out", "diff", "merge"], help_heading = "Action")]
    site: Option<PathBuf>,
    /// with --site: offer this archive of test vectors, written by corpus --archive
    #[arg(long, value_name = "FILE", requires = "site", help_heading = "Action")]
    corpus: Option<PathBuf>,
    /// print in this format
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    format: ResultFormat,
    /// list clauses of the specification that no trial covers (text)
    #[arg(long, help_heading = "Output")]
    clauses: bool,
    /// print to this file; with --merge, the folder
    #[arg(long, value_name = "PATH", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Report {
    /// A report on the results in a folder.
    pub(super) fn new(folder: PathBuf, format: ResultFormat) -> Report {
        Report {
            results: vec![folder],
            format,
            clauses: false,
            out: None,
            diff: None,
            size_change: 0.0,
            merge: false,
            site: None,
            corpus: None,
        }
    }

    pub(super) fn printed(&self) -> Printed {
        self.format.printed()
    }

    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if let Some(folder) = &self.site {
            return site::write(folder, &self.results, self.corpus.as_deref(), out);
        }
        if let Some(path) = self.results.iter().find(|path| !path.exists()) {
            bail!("{}: no such file or folder; `run`, `sweep` and `consumers` write results", path.display());
        }
        if self.results.iter().any(|folder| is_sweep(folder)) {
            return self.of_sweeps(out);
        }
        if let [folder] = self.results.as_slice()
            && folder.join(::readers::FACTS).is_file()
        {
            return self.of_readers(folder, out);
        }
        let results = read(&self.results)?;
        if self.merge {
            let folder = self.out.context("--merge needs --out")?;
            let _lock = FolderLock::take(&folder)?;
            write(&folder, &results)?;
            return Ok(0);
        }
        // A comparison prints no positions, except on a page.
        let names_none = self.diff.is_some() && self.format != ResultFormat::Html;
        let places = if names_none { Places::default() } else { self.places(&results)? };
        let readers = Path::new(&places.results).join(page::READERS);
        let beside = PageExtras {
            places: Some(&places),
            readers: readers.is_file().then_some(page::READERS),
            ..PageExtras::default()
        };
        if let Some(old) = &self.diff {
            let print = diff_printer(self.format)?;
            let old = read(std::slice::from_ref(old))?;
            let changes = compare(&old, &results, CompareOptions { size_percent: self.size_change });
            self.put(out, |out| print(&changes, &results, beside, out))?;
            for (which, run) in [("old", &old), ("new", &results)] {
                if run.facts.unfinished {
                    let part = tally::UNFINISHED;
                    writeln!(terminal::stderr(), "sframe-conformance: the {which} results are incomplete: {part}")?;
                }
            }
            return Ok(match changes.is_empty() {
                true if old.facts.unfinished || results.facts.unfinished => 2,
                empty => u8::from(!empty),
            });
        }
        let screen = if self.out.is_some() { Screen::default() } else { Screen::of_stdout() };
        let options = ConsoleOptions { screen, places: &places, clauses: self.clauses };
        let pinned = if self.format == ResultFormat::Github { pinned(&results)? } else { Pinned::default() };
        self.put(out, |out| print(self.format, &results, options, beside, &pinned, out))?;
        Ok(tally::exit_code(&results.trials, &results.facts))
    }

    /// Reports on the folders of sweeps.
    fn of_sweeps(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.merge {
            let folder = self.out.context("--merge needs --out")?;
            let _lock = FolderLock::take(&folder)?;
            let totals = merge(&self.results, &folder)?;
            write_page(&folder, &totals)?;
            return Ok(0);
        }
        let [folder] = self.results.as_slice() else { bail!("more than one sweep: --merge combines them") };
        if self.diff.is_some() {
            bail!("--diff compares runs of the matrix, not sweeps");
        }
        let totals = totals(folder)?;
        self.put(out, |out| print_sweep(self.format, folder, &totals, out))?;
        Ok(sweep::exit_code(&totals))
    }

    /// Reports on the results of readers under test.
    fn of_readers(&self, folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.merge || self.diff.is_some() {
            bail!("--merge and --diff are for runs of the matrix");
        }
        let (findings, run) = ::readers::read(folder)?;
        self.put(out, |out| print_readers(self.format, &findings, &run, out))?;
        Ok(readers::exit_code(&findings, &run))
    }

    /// Positions of files for the first of the results.
    fn places(&self, results: &RunResults) -> anyhow::Result<Places> {
        let first = self.results.first().cloned().unwrap_or_default();
        let folder = if first.is_dir() { first } else { first.parent().unwrap_or(Path::new("")).to_owned() };
        Ok(places(&program_name(), &home::find()?, &folder, &results.trials))
    }

    /// Prints into the file of `--out`, else to standard output.
    fn put(&self, out: &mut dyn Write, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        match &self.out {
            // Other programs may print a text file to a terminal, so it is escaped; standard output
            // is escaped by `printed`.
            Some(path) => write_file(path, |out| match self.printed() {
                Printed::Text => print(&mut Terminal::new(out)),
                Printed::Json => print(&mut Terminal::json(out)),
                Printed::Document => print(out),
            }),
            None => print(out),
        }
    }
}

fn print(
    format: ResultFormat,
    run: &RunResults,
    options: ConsoleOptions<'_>,
    beside: PageExtras<'_>,
    pinned: &Pinned,
    out: &mut dyn Write,
) -> io::Result<()> {
    let RunResults { trials, facts } = run;
    match (format, format.of_tests()) {
        (_, Some(format)) => of_matrix(trials, facts, pinned).write(format, out),
        (ResultFormat::Html, None) => out.write_all(page::render(trials, facts, beside).as_bytes()),
        (ResultFormat::Json, None) => merged::write(trials, facts, out),
        (_, None) => console::write(trials, facts, options, out),
    }
}

/// Prints the results of a sweep: file by file in formats of tests, else its totals.
pub(super) fn print_sweep(
    format: ResultFormat,
    folder: &Path,
    totals: &SweepTotals,
    out: &mut dyn Write,
) -> io::Result<()> {
    match (format, format.of_tests()) {
        (_, Some(format)) => {
            let mut swept = SweptFiles::default();
            each_line(folder, |line| swept.add(&line))?;
            swept.finish(totals).write(format, out)
        }
        (ResultFormat::Html, None) => out.write_all(page::sweep::render(totals).as_bytes()),
        (ResultFormat::Json, None) => writeln!(out, "{}", serde_json::to_string(totals)?),
        (_, None) => {
            sweep::text::write(totals, out)?;
            sweep::text::sentence(totals, out)
        }
    }
}

/// Prints the results of readers.
pub(super) fn print_readers(
    format: ResultFormat,
    findings: &[ReaderFinding],
    run: &ReadersRun,
    out: &mut dyn Write,
) -> io::Result<()> {
    match (format, format.of_tests()) {
        (_, Some(format)) => of_readers(findings, run).write(format, out),
        (ResultFormat::Html, None) => out.write_all(page::readers::render(findings, run).as_bytes()),
        (ResultFormat::Json, None) => {
            writeln!(out, "{}", serde_json::json!({ "run": run, "findings": findings }))
        }
        (_, None) => readers::text::write(findings, run, out),
    }
}

/// Prints changes; the page also shows everything else.
type DiffPrinter = fn(&Changes, &RunResults, PageExtras<'_>, &mut dyn Write) -> io::Result<()>;

fn diff_printer(format: ResultFormat) -> anyhow::Result<DiffPrinter> {
    Ok(match format {
        ResultFormat::Text => |changes, _, _, out| history::text::write(changes, out),
        ResultFormat::Markdown => |changes, _, _, out| history::markdown::write(changes, out),
        ResultFormat::Json => |changes, _, _, out| writeln!(out, "{}", serde_json::to_string(changes)?),
        ResultFormat::Html => |changes, run, beside, out| {
            let beside = PageExtras { changes: Some(changes), ..beside };
            out.write_all(page::render(&run.trials, &run.facts, beside).as_bytes())
        },
        _ => bail!("--diff prints text, markdown, json or html"),
    })
}

/// Positions of annotations, relative to the repository of the workflow that runs this.
fn pinned(results: &RunResults) -> anyhow::Result<Pinned> {
    let Some(workspace) = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from) else {
        return Ok(Pinned { checkout: Some(String::new()), producers: None });
    };
    let below = |path: &Path| {
        let path = std::fs::canonicalize(path).ok()?;
        let path = path.strip_prefix(std::fs::canonicalize(&workspace).ok()?).ok()?;
        Some(path.display().to_string())
    };
    let producers = results.facts.asked.producers.as_ref().and_then(|file| {
        let text = std::fs::read_to_string(file).ok()?;
        let mut lines = BTreeMap::new();
        for (number, line) in (1..).zip(text.lines()) {
            // Name of an entry; its partners' names are indented further.
            if let Some(name) = line.strip_prefix("- name:") {
                lines.insert(name.trim().trim_matches(['"', '\'']).to_owned(), number);
            }
        }
        Some((below(Path::new(file))?, lines))
    });
    Ok(Pinned { checkout: below(&home::find()?.root), producers })
}

fn percent(text: &str) -> anyhow::Result<f64> {
    let percent: f64 = text.parse()?;
    if !(percent.is_finite() && percent >= 0.0) {
        bail!("expected a percentage, 0 or more");
    }
    Ok(percent)
}

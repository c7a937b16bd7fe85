//! `report`: the results of one or several runs, in any format; what changed since other results; shards put together.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use reports::history::{self, Changes, Options, RunResults, compare};
use reports::tally::Tally;
use reports::{console, github, junit, markdown, merged, sarif};
use sframe_conformance::report_files::{read, write, write_file};

/// Options of `report`.
#[derive(clap::Args)]
pub(crate) struct Report {
    /// Folders with results.jsonl and run.json, or results files with run.json beside them
    #[arg(required = true, value_name = "RESULTS")]
    results: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: ReportFormat,
    /// Print into this file; with --merge, the folder
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Print only what changed since these results (text, markdown, json); exit code 1 where anything did
    #[arg(long, value_name = "OLD", conflicts_with = "merge")]
    diff: Option<PathBuf>,
    /// With --diff: tell sizes that changed by more than so many per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, requires = "diff", value_parser = percent)]
    size_change: f64,
    /// Write the results as one run into the folder given by --out, and print nothing
    #[arg(long, requires = "out", conflicts_with = "format")]
    merge: bool,
}

/// How results are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum ReportFormat {
    /// For people.
    Text,
    /// For the summary of a job or a comment.
    Markdown,
    /// One page.
    Html,
    /// For CI services.
    Junit,
    /// For code scanning.
    Sarif,
    /// Annotations of a GitHub workflow.
    Github,
    /// For programs.
    Json,
}

impl Report {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let results = read(&self.results)?;
        if self.merge {
            let folder = self.out.context("--merge needs --out")?;
            write(&folder, &results)?;
            return Ok(0);
        }
        if let Some(old) = &self.diff {
            let old = read(std::slice::from_ref(old))?;
            let changes = compare(&old, &results, Options { size_percent: self.size_change });
            let print = diff_printer(self.format)?;
            self.put(out, |out| print(&changes, out))?;
            return Ok(u8::from(!changes.is_empty()));
        }
        let print = printer(self.format)?;
        self.put(out, |out| print(&results, out))?;
        Ok(Tally::of(&results.trials).exit_code())
    }

    /// Prints into the file of `--out`, else to standard output.
    fn put(&self, out: &mut dyn Write, print: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        match &self.out {
            Some(path) => write_file(path, print),
            None => print(out),
        }
    }
}

type Printer<T> = fn(&T, &mut dyn Write) -> io::Result<()>;

fn printer(format: ReportFormat) -> anyhow::Result<Printer<RunResults>> {
    Ok(match format {
        ReportFormat::Text => |run, out| console::write(&run.trials, out),
        ReportFormat::Markdown => |run, out| markdown::write(&run.trials, &run.facts, out),
        ReportFormat::Junit => |run, out| junit::write(&run.trials, &run.facts, out),
        ReportFormat::Sarif => |run, out| sarif::write(&run.trials, &run.facts, out),
        ReportFormat::Github => |run, out| github::write(&run.trials, out),
        ReportFormat::Json => |run, out| merged::write(&run.trials, &run.facts, out),
        ReportFormat::Html => bail!("--format html: not built in"),
    })
}

fn diff_printer(format: ReportFormat) -> anyhow::Result<Printer<Changes>> {
    Ok(match format {
        ReportFormat::Text => |changes, out| history::text::write(changes, out),
        ReportFormat::Markdown => |changes, out| history::markdown::write(changes, out),
        ReportFormat::Json => |changes, out| {
            serde_json::to_writer(&mut *out, changes)?;
            writeln!(out)
        },
        _ => bail!("--diff prints text, markdown or json"),
    })
}

fn percent(text: &str) -> anyhow::Result<f64> {
    let percent: f64 = text.parse()?;
    if !(percent.is_finite() && percent >= 0.0) {
        bail!("not a share");
    }
    Ok(percent)
}

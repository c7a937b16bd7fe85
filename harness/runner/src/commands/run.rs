//! `run`: the matrix.

use std::io::{self, Write};
use std::path::PathBuf;

use matrix::Extent;
use matrix::run::{Remake, RunError, RunOptions, list, run};
use reports::screen::Screen;
use toolchain::cache::Sample;
use toolchain::interrupt;

use super::consumers::Consumers;
use super::formats::ResultFormat;
use super::own_build::OwnBuild;
use super::program_name;
use super::report::Report;
use super::share::{Share, shard};
use crate::home;

/// Options of `run`.
#[derive(clap::Args)]
pub(crate) struct Run {
    /// Only trials whose name contains this, or, where none does, that match it as a regular expression (may be repeated: any of them)
    #[arg(long, value_name = "TEXT|REGEX")]
    filter: Vec<String>,
    /// Print the names of the trials, and run none
    #[arg(long)]
    list: bool,
    // Only trials in which it takes part.
    #[command(flatten)]
    own: OwnBuild,
    /// Producers' file (default: what SFRAME_CONFORMANCE_PRODUCERS names, else the one shipped)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["as_program", "ld_program"])]
    producers: Option<PathBuf>,
    /// Run although a producers' file of your own names a tool that is not here
    #[arg(long)]
    allow_missing: bool,
    /// All option sets and partners, not only those of every push
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    share: Share,
    /// Run every command, also those that a tool was given before on the same inputs
    #[arg(long)]
    no_cache: bool,
    /// Run the K-th of N parts of the kept commands again, K from 1, and fail where one does not do the same
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with = "no_cache")]
    recheck: Option<(usize, usize)>,
    /// Keep the files of every trial in DIR/kept, not only of those that fail
    #[arg(long)]
    keep: bool,
    /// List the clauses of the specification that no trial covers
    #[arg(long)]
    clauses: bool,
    /// Put readers to the test as well, those of FILE (default: the one shipped); their results stand in `readers`, in the results folder
    #[arg(long, value_name = "FILE", num_args = 0..=1)]
    consumers: Option<Option<PathBuf>>,
    /// How to print the results, once all are there
    #[arg(long, value_enum, default_value = "text", conflicts_with = "list")]
    pub(super) format: ResultFormat,
    /// Results folder
    #[arg(long, value_name = "DIR", default_value = "target/conformance")]
    out: PathBuf,
}

impl Run {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let (format, folder) = (self.format, self.out.clone());
        if format == ResultFormat::Text {
            return self.run_trials(out);
        }
        let code = self.run_trials(&mut io::sink())?;
        Report::of(folder, format).run(out)?;
        Ok(code)
    }

    fn run_trials(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let consumers = self.consumers.filter(|_| !self.list);
        let asked = consumers.map(|file| Consumers::whole(file, self.out.join("readers")).ask(out)).transpose()?;
        let (readers, of_readers) = asked.map_or((None, 0), |(run, code)| (Some(Box::new(run)), code));
        let options = RunOptions {
            filters: self.filter,
            producers: self.producers,
            programs: self.own.programs(),
            allow_missing: self.allow_missing,
            extent: if self.full { Extent::Full } else { Extent::Often },
            jobs: self.share.jobs,
            shard: self.share.shard,
            resume: self.share.resume,
            home: home::find()?,
            remake: match self.recheck {
                Some((part, of)) => Remake::Sample(Sample { part: part as u64 - 1, of: of as u64 }),
                None if self.no_cache => Remake::All,
                None => Remake::Missing,
            },
            keep: self.keep,
            clauses: self.clauses,
            program: program_name(),
            screen: Screen::of_stdout(),
            readers,
            out: self.out,
        };
        interrupt::watch()?;
        let done =
            if self.list { list(&options, out).map(|()| 0) } else { run(&options, out).map(|ran| ran.exit_code) };
        match done {
            // 1 over 2 over 0.
            Ok(code) => Ok([1, 2].into_iter().find(|worse| [code, of_readers].contains(worse)).unwrap_or(code)),
            // By itself, so that a reader who has gone is recognised.
            Err(RunError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}

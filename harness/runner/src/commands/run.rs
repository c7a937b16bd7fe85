//! `run`: the matrix.

use std::io::{self, Write};
use std::path::PathBuf;

use ledger::run_files;
use matrix::Extent;
use matrix::run::{ListedTrial, Remake, RunError, RunOptions, list, run};
use reports::escape::line;
use reports::terminal;
use results::RunFacts;
use toolchain::cache::Sample;
use toolchain::interrupt;

use super::consumers::Consumers;
use super::formats::ResultFormat;
use super::own_build::OwnBuild;
use super::own_reader::OwnReader;
use super::report::Report;
use super::run_report::{RunPrinter, RunProgress};
use super::share::{Share, shard};
use crate::home;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance run                          # every case, every tool here
  sframe-conformance run --as ../build/gas/as-new --ld ../build/ld/ld-new
  sframe-conformance run --as ../build/gas/as-new --against before/
  sframe-conformance run --filter frames::no-fp --keep
  sframe-conformance run --filter '^gas@2.4[04].*::c::' --list
  sframe-conformance run --producers my.yaml      # see ci/producers.md

Exit codes: 0 as the ledger expects; 1 a new finding or failure, or a known
bug that did not recur; 2 undecided, or interrupted; 3 bad usage, results
cannot be written, or a tool of your producers' file is missing.";

/// Exit code of a run without a trial.
const INTERRUPTED: u8 = 2;

/// run the matrix: cases and frozen objects with every producer found
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    /// run only trials whose name contains this text, else that match it as a regular expression
    /// (may be repeated: any of them)
    #[arg(long, value_name = "TEXT|REGEX", help_heading = "Selection")]
    filter: Vec<String>,
    /// print the names of the trials, run none
    #[arg(long, help_heading = "Selection")]
    list: bool,
    /// compare with earlier results: findings in them are known, any other fails, as does a
    /// function that lost its FDE; trials of another SFrame version are skipped
    #[arg(long, value_name = "DIR", conflicts_with = "list", help_heading = "Selection")]
    against: Option<PathBuf>,
    /// use all compiler option sets, and every assembler and linker combination
    #[arg(long, help_heading = "Selection")]
    full: bool,
    // Only trials in which it takes part.
    #[command(flatten)]
    own: OwnBuild,
    /// use this producers' file [default: SFRAME_CONFORMANCE_PRODUCERS, else the shipped one]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["as_program", "ld_program", "cc_program"], help_heading = "Tools")]
    producers: Option<PathBuf>,
    /// run although a tool that your producers' file names is missing
    #[arg(long, help_heading = "Tools")]
    allow_missing: bool,
    /// execute every command, also those with a cached outcome
    #[arg(long, help_heading = "Tools")]
    no_cache: bool,
    /// execute the K-th of N parts of the cached commands again, fail if an outcome differs
    #[arg(long, value_name = "K/N", value_parser = shard, conflicts_with = "no_cache", help_heading = "Tools")]
    recheck: Option<(usize, usize)>,
    /// test readers too, those of FILE [default: the shipped ones]; results in DIR/readers
    #[arg(long, visible_alias = "readers", value_name = "FILE", num_args = 0..=1, help_heading = "Tools")]
    consumers: Option<Option<PathBuf>>,
    // Tests readers too, only these.
    #[command(flatten)]
    readers: OwnReader,
    #[command(flatten)]
    share: Share,
    /// keep the files of every trial in DIR/kept, not only of failures
    #[arg(long, help_heading = "Output")]
    keep: bool,
    /// list the N trials that took longest
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "20", help_heading = "Output")]
    slow: Option<usize>,
    /// list clauses of the specification that no trial covers
    #[arg(long, help_heading = "Output")]
    clauses: bool,
    /// print results in this format, once all are there
    #[arg(long, value_enum, default_value = "text", conflicts_with = "list", help_heading = "Output")]
    pub(super) format: ResultFormat,
    /// write results to this folder
    #[arg(long, value_name = "DIR", default_value = "target/conformance", help_heading = "Output")]
    out: PathBuf,
}

impl Run {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let (format, folder) = (self.format, self.out.clone());
        let ran = match format {
            ResultFormat::Text => self.run_trials(out),
            _ => self.run_trials(&mut io::sink()),
        };
        match ran {
            Err(error) if matches!(error.downcast_ref(), Some(RunError::Interrupted)) => {
                writeln!(terminal::stderr(), "sframe-conformance: {error}")?;
                Ok(INTERRUPTED)
            }
            Ok(code) if format != ResultFormat::Text => {
                Report::new(folder, format).run(out)?;
                Ok(code)
            }
            ran => ran,
        }
    }

    fn run_trials(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let consumers = self.consumers.or(self.readers.is_given().then_some(None)).filter(|_| !self.list);
        let before = self.against.as_ref().map(|folder| folder.join("readers")).filter(|folder| folder.is_dir());
        let ask =
            |file| Consumers::whole(file, self.readers.clone(), before.clone(), self.out.join("readers")).ask(out);
        let asked = consumers.map(ask).transpose()?;
        let (readers, of_readers) = asked.map_or((None, 0), |(run, code)| (Some(Box::new(run)), code));
        let slow = self.slow.filter(|_| !self.list).map(|most| (most, self.out.clone()));
        let options = RunOptions {
            filters: self.filter,
            producers: self.producers,
            against: self.against,
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
            readers,
            out: self.out,
        };
        interrupt::watch()?;
        let printer = RunPrinter { home: &options.home, folder: &options.out, clauses: self.clauses };
        let done = match self.list {
            true => list(&options).and_then(|trials| Ok(write_list(&trials, out).map(|()| 0)?)),
            false => run(&options, &mut RunProgress::default()).and_then(|ended| {
                let code = ended.exit_code;
                Ok(printer.print(ended, out).map(|()| code)?)
            }),
        };
        if let (Some((most, folder)), Ok(_)) = (slow, &done) {
            write_slow(&run_files::read(&[folder])?.facts, most, out)?;
        }
        match done {
            // 1 takes precedence over 2 over 0.
            Ok(code) => Ok([1, 2].into_iter().find(|worse| [code, of_readers].contains(worse)).unwrap_or(code)),
            // Separate, so that a closed pipe is recognised.
            Err(RunError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}

/// The names of trials, each with the reason if it cannot run.
fn write_list(trials: &[ListedTrial], out: &mut dyn Write) -> io::Result<()> {
    for ListedTrial { name, absent } in trials {
        let absent = absent.as_ref().map(|why| format!("   {}", line(why))).unwrap_or_default();
        writeln!(out, "{}{absent}", line(name))?;
    }
    Ok(())
}

/// The trials that took longest.
fn write_slow(facts: &RunFacts, most: usize, out: &mut dyn Write) -> io::Result<()> {
    let mut times: Vec<(&String, f64)> = facts.times.iter().map(|(name, seconds)| (name, *seconds)).collect();
    times.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
    for (name, seconds) in times.into_iter().take(most) {
        writeln!(out, "{seconds:>9.3} s  {}", line(name))?;
    }
    Ok(())
}

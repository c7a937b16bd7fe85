//! `run`: the matrix.

use std::io::Write;
use std::path::PathBuf;

use matrix::Extent;
use matrix::run::{Remake, RunError, RunOptions, run};
use toolchain::cache::Sample;
use toolchain::interrupt;

use super::share::{Share, shard};
use crate::home;

/// Options of `run`.
#[derive(clap::Args)]
pub(crate) struct Run {
    /// Only trials whose name contains this
    #[arg(long, value_name = "TEXT")]
    filter: Option<String>,
    /// Producers' file (default: what SFRAME_CONFORMANCE_PRODUCERS names, else the one shipped)
    #[arg(long, value_name = "FILE")]
    producers: Option<PathBuf>,
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
    /// Results folder
    #[arg(long, value_name = "DIR", default_value = "target/conformance")]
    out: PathBuf,
}

impl Run {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let options = RunOptions {
            filter: self.filter,
            producers: self.producers,
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
            out: self.out,
        };
        interrupt::watch()?;
        match run(&options, out) {
            Ok(ran) => Ok(ran.exit_code),
            // By itself, so that a reader who has gone is recognised.
            Err(RunError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}

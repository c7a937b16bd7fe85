//! `run`: the matrix.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use matrix::Extent;
use matrix::run::{RunError, RunOptions, run};
use toolchain::interrupt;

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
    /// Threads (default: one a core)
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Only the K-th of N parts, K from 1
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Keep results that are there and run only the rest
    #[arg(long)]
    resume: bool,
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
            jobs: self.jobs,
            shard: self.shard,
            resume: self.resume,
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

/// `K/N`.
pub(super) fn shard(text: &str) -> anyhow::Result<(usize, usize)> {
    let (part, parts) = text.split_once('/').context("not of the form K/N")?;
    let (part, parts) = (part.parse()?, parts.parse()?);
    if part == 0 || part > parts {
        bail!("K runs from 1 to N");
    }
    Ok((part, parts))
}

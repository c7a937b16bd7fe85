//! Options of `run` and `sweep` for the division of work between threads, machines and resumed
//! runs.

use anyhow::{Context as _, bail};

#[derive(clap::Args)]
pub(crate) struct Share {
    /// do only the K-th of N parts, K from 1, the same on every machine
    #[arg(long, value_name = "K/N", value_parser = shard, help_heading = "Selection")]
    pub(crate) shard: Option<(usize, usize)>,
    /// number of threads, up to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = "Execution")]
    pub(crate) jobs: Option<usize>,
    /// keep finished results, do the rest; `run` also repeats trials that ran out of time or disk
    /// space
    #[arg(long, help_heading = "Execution")]
    pub(crate) resume: bool,
}

/// Maximum number of threads; more are probably a typing error, since each has a worker process and
/// its pipes.
const MOST_JOBS: usize = 1024;

/// Parses a number of threads.
pub(super) fn jobs(text: &str) -> anyhow::Result<usize> {
    let jobs = text.parse()?;
    if !(1..=MOST_JOBS).contains(&jobs) {
        bail!("1 to {MOST_JOBS} threads");
    }
    Ok(jobs)
}

/// Parses a shard `K/N`.
pub(super) fn shard(text: &str) -> anyhow::Result<(usize, usize)> {
    let (part, parts) = text.split_once('/').context("expected K/N")?;
    let (part, parts) = (part.parse()?, parts.parse()?);
    if part == 0 || part > parts {
        bail!("K runs from 1 to N");
    }
    Ok((part, parts))
}

//! Options of `run` and `sweep`: how the work is shared out, between threads, machines and goes.

use anyhow::{Context as _, bail};

#[derive(clap::Args)]
pub(crate) struct Share {
    /// number of threads [default: one per core]
    #[arg(long, value_name = "N", help_heading = "Execution")]
    pub(crate) jobs: Option<usize>,
    /// do only the K-th of N parts, K from 1, the same on every machine
    #[arg(long, value_name = "K/N", value_parser = shard, help_heading = "Selection")]
    pub(crate) shard: Option<(usize, usize)>,
    /// keep finished results, do the rest
    #[arg(long, help_heading = "Execution")]
    pub(crate) resume: bool,
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

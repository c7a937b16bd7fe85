//! Options of `run` and `sweep`: how the work is shared out, between threads, machines and goes.

use anyhow::{Context as _, bail};

#[derive(clap::Args)]
pub(crate) struct Share {
    /// Threads (default: one a core)
    #[arg(long, value_name = "N")]
    pub(crate) jobs: Option<usize>,
    /// Only the K-th of N parts, K from 1; what is in a part is the same on every machine
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<(usize, usize)>,
    /// Keep results that are there and do only the rest
    #[arg(long)]
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

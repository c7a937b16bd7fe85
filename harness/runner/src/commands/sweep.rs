//! `sweep`: many files in folders, archives and packages, and what they come to.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use matrix::check::Options;
use matrix::sweep::{SweepError, SweepOptions, sweep};
use toolchain::interrupt;

use super::run::shard;

/// Options of `sweep`.
#[derive(clap::Args)]
pub(crate) struct Sweep {
    /// Files and folders: ELF files, archives (.a, .deb, .tar), and what gzip, xz or zstd compressed (.ko.xz), nested
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Leave the run out
    #[arg(long = "static")]
    static_only: bool,
    /// Also run functions that nothing calls
    #[arg(long)]
    explore: bool,
    /// Walk the whole chain at every step, not only at calls, returns and first visits
    #[arg(long)]
    whole_chain: bool,
    /// End a run as undecided after so many instructions
    #[arg(long, value_name = "N", default_value_t = Options::default().step_limit)]
    step_limit: u64,
    /// End what is executed of a file after so many seconds, all runs together, as undecided
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// A file without .sframe is an error
    #[arg(long)]
    require_sframe: bool,
    /// Threads (default: one a core)
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// Only the K-th of N parts, K from 1; a file is in the same part on every machine
    #[arg(long, value_name = "K/N", value_parser = shard)]
    shard: Option<(usize, usize)>,
    /// Keep results that are there and judge only the rest
    #[arg(long)]
    resume: bool,
    /// Print no line of a clean file
    #[arg(long)]
    only_bad: bool,
    /// Results folder
    #[arg(long, value_name = "DIR", default_value = "target/sweep")]
    out: PathBuf,
}

impl Sweep {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let check = Options {
            static_only: self.static_only,
            explore: self.explore,
            whole_chain: self.whole_chain,
            step_limit: self.step_limit,
            time_limit: self.seconds.map(Duration::from_secs),
            require_sframe: self.require_sframe,
            ..Options::default()
        };
        let options = SweepOptions {
            paths: self.paths,
            check,
            jobs: self.jobs,
            shard: self.shard.map(|(part, parts)| (part as u64, parts as u64)),
            resume: self.resume,
            only_bad: self.only_bad,
            out: self.out,
        };
        interrupt::watch()?;
        match sweep(&options, out) {
            Ok(code) => Ok(code),
            // By itself, so that a reader who has gone is recognised.
            Err(SweepError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }
}

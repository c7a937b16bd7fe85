//! `corpus`: test vectors for readers of `.sframe`, to disk.

use std::io::Write;
use std::path::PathBuf;

use matrix::corpus::{self, SEED};
use reports::escape::line;

/// Options of `corpus`.
#[derive(clap::Args)]
pub(crate) struct Corpus {
    /// Write sections, cases, index and schemas here
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Where the random ones come from: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,
}

impl Corpus {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let counts = corpus::write(&self.out, self.seed)?;
        writeln!(out, "{:<24} {:<7} {:<11} cases", "class", "version", "abi")?;
        for ((class, version, abi), cases) in &counts.vectors {
            writeln!(out, "{class:<24} {version:<7} {abi:<11} {cases:>5}")?;
        }
        let total: usize = counts.vectors.values().sum();
        writeln!(out, "{total} cases, {} answers in {}", counts.answers, line(&self.out.display().to_string()))?;
        Ok(0)
    }
}

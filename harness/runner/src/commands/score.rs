//! `score`: how many known mistakes the judge catches.

use std::io::Write;

use matrix::score::{self, Selection};

use super::Format;

/// Options of `score`.
#[derive(clap::Args)]
pub(crate) struct Score {
    /// Only operators whose name contains this
    #[arg(long, value_name = "S", default_value = "")]
    filter: String,
    /// At most so many mutants of each operator for each target, version and kind of file
    #[arg(long, value_name = "N")]
    most: Option<usize>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

impl Score {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let score = score::score(&Selection { filter: self.filter, most: self.most })?;
        anyhow::ensure!(!score.mutants.is_empty(), "no operator has such a name");
        match self.format {
            Format::Text => score::print(&score, out)?,
            Format::Json => writeln!(out, "{}", score::to_json(&score))?,
        }
        Ok(u8::from(score.failures().next().is_some()))
    }
}

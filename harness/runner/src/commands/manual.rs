//! `manual`: manual pages of all commands.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::CommandFactory as _;
use reports::escape::line;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance manual --out ~/.local/share/man/man1

Exit codes: 0 written; 3 it cannot be written.";

/// write manual pages, one per command
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Manual {
    /// write sframe-conformance.1 and others to this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: PathBuf,
}

impl Manual {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let written =
            fs::create_dir_all(&self.out).and_then(|()| clap_mangen::generate_to(crate::Cli::command(), &self.out));
        written.with_context(|| self.out.display().to_string())?;
        writeln!(out, "{}", line(&self.out.join("sframe-conformance.1").display().to_string()))?;
        Ok(0)
    }
}

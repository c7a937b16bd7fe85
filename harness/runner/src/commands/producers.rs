//! `producers`: lists the tools of the producers' file that are installed, and why others are
//! missing.

use std::io::Write;
use std::path::PathBuf;

use reports::escape::line;
use toolchain::producers::Producers;

use super::Format;
use crate::home;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance producers
  sframe-conformance producers --format json | jq '.[].version'

Exit codes: 0 listed; 3 the producers' file cannot be read.";

/// list the producers found, and why others are missing
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ProducersCommand {
    /// use this producers' file [default: SFRAME_CONFORMANCE_PRODUCERS, else the shipped one]
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    producers: Option<PathBuf>,
    /// print in this format
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: Format,
}

impl ProducersCommand {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let home = home::find()?;
        let facts = Producers::new(self.producers.as_deref(), &home.root)?.facts();
        if self.format == Format::Json {
            writeln!(out, "{}", serde_json::to_string(&facts)?)?;
            return Ok(0);
        }
        writeln!(out, "{:<12} {:<15} {:<11} {:<18} {:<8} detail", "name", "kind", "abi", "version", "SFrame")?;
        for fact in &facts {
            let version = line(fact.version.as_deref().unwrap_or("-"));
            writeln!(
                out,
                "{:<12} {:<15} {:<11} {version:<18} {:<8} {}",
                line(&fact.name),
                fact.kind,
                fact.abi,
                fact.sframe,
                line(&fact.told)
            )?;
        }
        Ok(0)
    }
}

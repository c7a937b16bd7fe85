//! `dump`: prints decoded tables.

use std::io::Write;

use anyhow::bail;
use reports::escape::line;
use results::DumpedSection;

use super::{Files, Format, load};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance dump foo.o
  sframe-conformance dump --format json a.out | jq '.functions[].rows[].text'

Exit codes: 0 printed; 3 a file cannot be read, or has no .sframe.";

/// print .sframe sections as decoded, with byte offsets
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Dump {
    #[command(flatten)]
    files: Files,
    /// print in this format; JSON has a line per section
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: Format,
}

impl Dump {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        for path in &self.files.files {
            let image = load(path)?;
            let mut sections = image.sframe_sections().peekable();
            if sections.peek().is_none() {
                bail!("{}: no .sframe section", path.display());
            }
            for section in sections {
                let place = sframe::Placement::in_file(image.kind, section.address);
                if self.format == Format::Json {
                    let dumped = DumpedSection {
                        file: path.display().to_string(),
                        section: section.name.clone(),
                        address: section.address,
                        ..check::dumped(&section.bytes, place)
                    };
                    writeln!(out, "{}", serde_json::to_string(&dumped)?)?;
                    continue;
                }
                let (file, name) = (line(&path.display().to_string()), line(&section.name));
                writeln!(out, "{file}: section {name} at {:#x}", section.address)?;
                sframe::dump(&section.bytes, place, out)?;
            }
        }
        Ok(0)
    }
}

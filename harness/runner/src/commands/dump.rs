//! `dump`: the tables as decoded.

use std::io::Write;

use anyhow::bail;
use reports::escape::line;

use super::{Files, load};

/// Options of `dump`.
#[derive(clap::Args)]
pub(crate) struct Dump {
    #[command(flatten)]
    files: Files,
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
                let (file, name) = (line(&path.display().to_string()), line(&section.name));
                writeln!(out, "{file}: section {name} at {:#x}", section.address)?;
                let place = sframe::Placement::in_file(image.kind, section.address);
                let mut text = String::new();
                sframe::dump(&section.bytes, place, &mut text)?;
                out.write_all(text.as_bytes())?;
            }
        }
        Ok(0)
    }
}

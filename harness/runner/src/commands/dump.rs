//! `dump`: the tables as decoded.

use std::fmt;
use std::io::{self, BufWriter, Write};

use anyhow::bail;
use model::DumpedSection;
use reports::escape::line;

use super::{Files, Format, load};

/// Lines of a large section are written together, of which the whole text is ten times as large.
const BUFFER: usize = 1 << 16;

/// What is written where text is.
struct Text<W: Write> {
    out: W,
    /// What `fmt` cannot tell.
    failed: Option<io::Error>,
}

impl<W: Write> fmt::Write for Text<W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.out.write_all(text.as_bytes()).map_err(|error| {
            self.failed = Some(error);
            fmt::Error
        })
    }
}

/// Options of `dump`.
#[derive(clap::Args)]
pub(crate) struct Dump {
    #[command(flatten)]
    files: Files,
    /// How to print; as JSON a line a section
    #[arg(long, value_enum, default_value = "text")]
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
                        ..sframe::dumped(&section.bytes, place)
                    };
                    writeln!(out, "{}", serde_json::to_string(&dumped)?)?;
                    continue;
                }
                let (file, name) = (line(&path.display().to_string()), line(&section.name));
                writeln!(out, "{file}: section {name} at {:#x}", section.address)?;
                let mut text = Text { out: BufWriter::with_capacity(BUFFER, &mut *out), failed: None };
                let told = sframe::dump(&section.bytes, place, &mut text);
                match text.failed.take() {
                    Some(error) => return Err(error.into()),
                    None => told?,
                }
                text.out.flush()?;
            }
        }
        Ok(0)
    }
}

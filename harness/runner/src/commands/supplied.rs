//! What `check` and `trace` give a program: files and input, read once.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use check::supplies::{Bytes, Outside, Supplies};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use toolchain::input;

/// Options that fill a program's file tree.
#[derive(clap::Args)]
pub(crate) struct Supplied {
    /// give the program a copy of this file under this name (may be repeated)
    #[arg(long = "file", value_name = "HOST:GUEST", help_heading = "Execution")]
    given: Vec<String>,
    /// give the program a copy of this file as standard input
    #[arg(long, value_name = "FILE", help_heading = "Execution")]
    stdin: Option<PathBuf>,
    /// give the program this folder as its file tree, read only; its dynamic linker and libraries
    /// come from there [default: those of this machine, and no other file]
    #[arg(long, value_name = "FOLDER", help_heading = "Execution")]
    root: Option<PathBuf>,
}

/// Reads a length of scalable vectors that processors have.
pub(crate) fn sve_bits() -> impl TypedValueParser<Value = u16> {
    PossibleValuesParser::new(["128", "256", "512", "1024", "2048"]).try_map(|bits| bits.parse::<u16>())
}

impl Supplied {
    /// Reads them.
    pub(crate) fn read(self) -> anyhow::Result<Supplies> {
        let mut supplies = Supplies { outside: Outside::Libraries, ..Supplies::default() };
        for given in &self.given {
            // A name in the program's tree seldom has a colon in it.
            let (host, guest) = given.rsplit_once(':').ok_or_else(|| anyhow!("--file {given}: not HOST:GUEST"))?;
            supplies.files.push((guest.to_owned(), bytes(Path::new(host)).with_context(|| format!("--file {given}"))?));
        }
        if let Some(path) = &self.stdin {
            supplies.input = Some(bytes(path).with_context(|| format!("--stdin {}", path.display()))?);
        }
        if let Some(folder) = self.root {
            // Found out here, and not by a program that finds nothing.
            std::fs::read_dir(&folder).with_context(|| format!("--root {}", folder.display()))?;
            supplies.outside = Outside::Folder(std::path::absolute(folder)?);
        }
        supplies.check()?;
        Ok(supplies)
    }
}

fn bytes(path: &Path) -> anyhow::Result<Bytes> {
    Ok(Bytes(input::read(path)?.into()))
}

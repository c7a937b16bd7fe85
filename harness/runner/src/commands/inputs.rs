//! Options of `check`, `trace` and `accuracy` for a program's inputs: arguments, files, signals.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow};
use check::Inputs;
use check::signals::SignalAt;
use check::supplies::{Bytes, Outside, Supplies};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use toolchain::input;

/// Options that a program's run depends on.
#[derive(clap::Args)]
pub(crate) struct InputOptions {
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
    /// send the program a signal that it handles: before the instruction at an address or
    /// SYM[+BYTES], or COUNT times after random numbers of steps, as random:COUNT:SEED; either with
    /// :SIGNAL (may be repeated)
    #[arg(long, value_name = "WHEN", help_heading = "Execution")]
    signal_at: Vec<SignalAt>,
    /// switch threads at random, from this seed [default: round robin, every 20,000 steps]
    #[arg(long, value_name = "SEED", help_heading = "Execution")]
    schedule: Option<u64>,
    /// length of AArch64's scalable vectors
    #[arg(long, value_name = "BITS", default_value = "256", value_parser = sve_bits(), help_heading = "Execution")]
    sve_bits: u16,
    /// arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

/// Parses a length of scalable vectors that processors support.
fn sve_bits() -> impl TypedValueParser<Value = u16> {
    PossibleValuesParser::new(["128", "256", "512", "1024", "2048"]).try_map(|bits| bits.parse::<u16>())
}

impl InputOptions {
    /// Reads the files.
    pub(crate) fn read(self) -> anyhow::Result<Inputs> {
        let mut supplies = Supplies { outside: Outside::Libraries, ..Supplies::default() };
        for given in &self.given {
            // A name in the program's file tree rarely contains a colon.
            let (host, guest) = given.rsplit_once(':').ok_or_else(|| anyhow!("--file {given}: expected HOST:GUEST"))?;
            supplies.files.push((guest.to_owned(), bytes(Path::new(host)).with_context(|| format!("--file {given}"))?));
        }
        if let Some(path) = &self.stdin {
            supplies.input = Some(bytes(path).with_context(|| format!("--stdin {}", path.display()))?);
        }
        if let Some(folder) = self.root {
            // Detected here, because the program would only find nothing.
            std::fs::read_dir(&folder).with_context(|| format!("--root {}", folder.display()))?;
            supplies.outside = Outside::Folder(std::path::absolute(folder)?);
        }
        supplies.check()?;
        Ok(Inputs {
            arguments: self.arguments,
            supplies,
            signals: self.signal_at,
            schedule: self.schedule,
            sve_bits: Some(self.sve_bits),
        })
    }
}

fn bytes(path: &Path) -> anyhow::Result<Bytes> {
    Ok(Bytes(input::read(path)?.into()))
}

//! `accuracy`: how often each unwinding method finds the true callers.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use accuracy::Timing;
use anyhow::Context as _;
use check::client;
use check::measure::{Measured, Options};
use readers::timed;
use results::ReaderTime;
use toolchain::consumer::{self, Reader, SHIPPED};
use toolchain::input;
use toolchain::scratch::Scratch;

use super::inputs::InputOptions;
use super::{Files, Format};
use crate::home;

/// Number of sampled chains whose frames readers are asked about.
const CHAINS: u64 = 400;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance accuracy --stdin text a.out
  sframe-conformance accuracy --format json --samples 1000 a.out b.out
  sframe-conformance accuracy --report page a.out
  sframe-conformance accuracy --time --readers a.out

A caller is right if it has the true return address and is found from the true
frame. A chain is right if it has the true callers up to that of main, 127 at
most; a chain of own frames ends at the first frame of a library. Code of the
dynamic linker before the program's entry is not counted.

A chain may omit a caller (skip), have one that does not exist (invent) and end
early (stop): a chain with several of these counts in each column. Every wrong
chain has at least one. A chain that is right up to main may invent callers
after it.

Exit codes: 0 every program ran to its end; 2 one ended early; 3 one cannot be
executed.";

/// compare ways of unwinding with the true callers
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct AccuracyCommand {
    #[command(flatten)]
    files: Files,
    /// measure at this many executed instructions, drawn at random, or at all if there are fewer
    #[arg(long, value_name = "N", default_value_t = 20_000, help_heading = "Selection")]
    samples: u64,
    /// seed of the random choice
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = "Selection")]
    seed: u64,
    /// stop after this many instructions
    #[arg(long, value_name = "N", default_value_t = 100_000_000, help_heading = "Execution")]
    step_limit: u64,
    #[command(flatten)]
    inputs: InputOptions,
    /// measure the time that each method takes for a frame, which differs from run to run
    #[arg(long, help_heading = "Output")]
    time: bool,
    /// also ask the readers of tables on this machine, and measure their time for the same frames:
    /// those of ci/consumers.yaml that can measure it
    #[arg(long, help_heading = "Output")]
    readers: bool,
    /// print in this format; JSON has a line per file
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: Format,
    /// also write a page with pictures to this folder, as index.html
    #[arg(long, value_name = "FOLDER", help_heading = "Output")]
    report: Option<PathBuf>,
}

impl AccuracyCommand {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let inputs = self.inputs.read()?;
        let timing = if self.time { Timing::Measured } else { Timing::Skipped };
        let questions = if self.readers { CHAINS } else { 0 };
        let AccuracyCommand { step_limit, samples, seed, .. } = self;
        let options = Options { step_limit, samples, seed, timing, questions, inputs };
        let readers = if self.readers { installed()? } else { Vec::new() };
        let (mut code, mut all) = (0, Vec::new());
        for file in &self.files.files {
            let name = file.display().to_string();
            let bytes = input::read(file).with_context(|| name.clone())?;
            let measured = client::measure(&name, &bytes, &options).with_context(|| name.clone())?;
            let times = times(&readers, &measured)?;
            let measured = results::Accuracy { readers: times, ..measured.accuracy };
            if !measured.finished {
                code = 2;
            }
            match self.format {
                Format::Text => reports::accuracy::text(out, &measured)?,
                Format::Json => writeln!(out, "{}", serde_json::to_string(&measured)?)?,
            }
            all.push(measured);
        }
        if let Some(folder) = &self.report {
            let page = folder.join("index.html");
            let written = fs::create_dir_all(folder)
                .and_then(|()| fs::write(&page, reports::page::accuracy::render(&all, crate::version::text())));
            written.with_context(|| page.display().to_string())?;
        }
        Ok(code)
    }
}

/// The readers on this machine.
fn installed() -> anyhow::Result<Vec<Reader>> {
    let root = std::path::absolute(&home::find()?.root)?;
    let this_program = std::env::current_exe()?;
    let entries = consumer::read(&root.join(SHIPPED))?;
    let timed = entries.iter().filter(|entry| entry.tells.contains(&consumer::Tells::Time));
    Ok(timed.filter_map(|entry| entry.find(&root, &this_program)).collect())
}

fn times(readers: &[Reader], measured: &Measured) -> anyhow::Result<Vec<ReaderTime>> {
    let folder = Scratch::new().context("a folder for sections")?;
    Ok(timed(readers, &measured.questions, folder.path())?)
}

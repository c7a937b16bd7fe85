//! `core`: writes a core file of a program at a step.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use check::client;
use check::corefile::{Caller, Options, Place, Written};
use reports::escape::line;
use toolchain::input;
use types::counted;

use super::inputs::InputOptions;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance core a.out --at main+0x4 --out core
  gdb -batch -ex bt a.out core
  sframe-conformance core a.out --at qsort --visit 3 --out core

Prints the true callers: a debugger's backtrace of the file has to show them.
PLACE is the number of an executed instruction, 0xADDRESS, or a function or
section, also of a library, with +0xBYTES. The instruction at it is not
executed.

Exit codes: 0 written; 3 the place is not reached, the file cannot be executed,
or the core file cannot be written.";

/// write an ELF core file of a program at an instruction, for debuggers
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct CoreCommand {
    /// a program
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// stop before this instruction
    #[arg(long, value_name = "PLACE", help_heading = "Selection")]
    at: Place,
    /// stop when control reaches the place for the N-th time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..), help_heading = "Selection")]
    visit: u64,
    /// stop after this many instructions
    #[arg(long, value_name = "N", default_value_t = 100_000_000, help_heading = "Execution")]
    step_limit: u64,
    #[command(flatten)]
    inputs: InputOptions,
    /// write the core file here
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    out: PathBuf,
}

impl CoreCommand {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let name = self.file.display().to_string();
        ensure!(self.file != self.out, "{name}: --out is the input file");
        let bytes = input::read(&self.file).with_context(|| name.clone())?;
        let inputs = self.inputs.read()?;
        let (place, visit, step_limit) = (self.at, self.visit, self.step_limit);
        let written_to = line(&self.out.display().to_string());
        let options = Options { place, visit, step_limit, inputs, out: self.out };
        let Written { step, pc, place, callers } =
            client::write_core(&name, &bytes, &options).with_context(|| name.clone())?;
        writeln!(out, "{written_to}: {} before instruction {step}, {pc:#x} {}", line(&name), line(&place))?;
        writeln!(out, "  {}", counted(callers.len() as u64, "true caller"))?;
        for Caller { ra, place, sp } in &callers {
            writeln!(out, "  {ra:#x} {}, SP {sp:#x}", line(place))?;
        }
        Ok(0)
    }
}

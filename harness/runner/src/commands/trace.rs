//! `trace`: the truth as witnessed, without any table.

use std::io::Write;

use anyhow::{Context as _, anyhow};
use isa::Disassembler;
use judge::witness::Witness;
use machine::{End, Plan, Start, run};
use model::{Event, Image, Observer, Pc, Step};
use reports::escape::line;

use super::load;

/// Options of `trace`.
#[derive(clap::Args)]
pub(crate) struct Trace {
    /// An ELF64 file
    #[arg(value_name = "FILE")]
    file: std::path::PathBuf,
    /// Run this function in place of the ELF entry
    #[arg(long, value_name = "SYM")]
    entry: Option<String>,
    /// Stop after so many instructions
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    step_limit: u64,
    /// Arguments of the program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

impl Trace {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let image = load(&self.file)?;
        let start = match &self.entry {
            None => Start::ElfEntry,
            Some(name) => {
                let symbol = image.symbols.iter().find(|symbol| symbol.name == *name);
                Start::Function(Pc(symbol.ok_or_else(|| anyhow!("no symbol {name}"))?.address))
            }
        };
        let plan = Plan { start, step_limit: self.step_limit, arguments: self.arguments, ..Plan::new(&image) };
        let mut printer =
            Printer { image: &image, disassembler: Disassembler::new(&image), out, failed: None, count: 0 };
        let ran = run(&plan, &mut printer).with_context(|| self.file.display().to_string())?;
        if let Some(error) = printer.failed {
            return Err(error.into());
        }
        writeln!(out, "{} instructions, {}", ran.steps, line(&ending(&ran.end, &image)))?;
        Ok(if matches!(ran.end, End::Undecided { .. }) { 2 } else { 0 })
    }
}

struct Printer<'a> {
    image: &'a Image,
    disassembler: Disassembler<'a>,
    out: &'a mut dyn Write,
    failed: Option<std::io::Error>,
    count: u64,
}

impl Observer for Printer<'_> {
    fn step(&mut self, step: &Step<'_>) {
        if self.failed.is_none() {
            self.failed = self.print(step).err();
        }
    }
}

impl Printer<'_> {
    fn print(&mut self, step: &Step<'_>) -> std::io::Result<()> {
        let event = match step.event {
            Event::Entry => "entry",
            Event::Sequential => "",
            Event::Jump => "jump",
            Event::Call => "call",
            Event::Return => "return",
            Event::Unwound => "unwound",
        };
        let text = self.disassembler.at(step.pc.0).map(|instruction| instruction.text).unwrap_or_default();
        self.count += 1;
        write!(
            self.out,
            "{:>8} {:<8} {:#x} {:<24} {text:<40}",
            self.count,
            event,
            step.pc.0,
            line(&self.image.place(step.pc.0))
        )?;
        write!(self.out, " depth={} sp={:#x}", step.frames.depth(), step.regs.sp)?;
        if let Some(frame) = step.frames.innermost() {
            write!(self.out, " cfa={:#x} ra={:#x} fp={:#x}", frame.cfa, frame.ra.0, frame.fp)?;
        }
        writeln!(self.out, "  {}", Witness::of(step).claim(self.image.abi))
    }
}

fn ending(end: &End, image: &Image) -> String {
    match end {
        End::Exit(code) => format!("exit status {code}"),
        End::Halt(pc) => format!("halt at {}", image.place(pc.0)),
        End::Sentinel => "returned".to_owned(),
        End::Undecided { pc, message, .. } => format!("ended early at {}: {message}", image.place(pc.0)),
    }
}

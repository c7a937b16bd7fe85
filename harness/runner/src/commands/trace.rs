//! `trace`: prints the true frames of each step, without any table.

use std::io::Write;

use anyhow::Context as _;
use check::client;
use check::signals::{self};
use check::trace::{self, TraceError, Traced, TracedStep};
use reports::escape::line;
use results::{DUMP_SCHEMA, TraceEnd, TraceLine, TraceStep};
use toolchain::input;
use types::counted;
use types::{Event, RunEnd};

use super::Format;
use super::inputs::InputOptions;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance trace a.out | head
  sframe-conformance trace --entry parse --format json a.out

Exit codes: 0 it ran to its end; 2 it ended early; 3 it cannot be executed.";

/// print registers and true frames at each step
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Trace {
    /// an ELF64 file
    #[arg(value_name = "FILE")]
    file: std::path::PathBuf,
    /// execute this function in place of the ELF entry
    #[arg(long, value_name = "SYM", help_heading = "Execution")]
    entry: Option<String>,
    /// stop after this many instructions
    #[arg(long, value_name = "N", default_value_t = 100_000, help_heading = "Execution")]
    step_limit: u64,
    #[command(flatten)]
    inputs: InputOptions,
    /// print in this format; JSON has a line per step, and one for the end
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: Format,
}

impl Trace {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let name = self.file.display().to_string();
        let bytes = input::read(&self.file).with_context(|| name.clone())?;
        let inputs = self.inputs.read()?;
        let options = trace::Options { entry: self.entry, step_limit: self.step_limit, inputs };
        let mut printer = Printer { out, count: 0, format: self.format };
        let traced = match client::trace(&name, &bytes, &options, |step| printer.print(step)) {
            Err(TraceError::Unshown(error)) => return Err(error.into()),
            traced => traced.with_context(|| name.clone())?,
        };
        if self.format == Format::Json {
            let end = TraceEnd {
                schema: DUMP_SCHEMA,
                steps: traced.steps,
                finished: !matches!(traced.end, RunEnd::Undecided { .. }),
                exit_status: if let RunEnd::Exit(status) = traced.end { Some(status) } else { None },
                message: ending(&traced),
            };
            writeln!(out, "{}", serde_json::to_string(&TraceLine::End(end))?)?;
            let unsent = signals::unsent(&traced.signals).is_some();
            return Ok(if unsent || matches!(traced.end, RunEnd::Undecided { .. }) { 2 } else { 0 });
        }
        writeln!(out, "{}, {}", counted(traced.steps, "instruction"), line(&ending(&traced)))?;
        if let Some(summary) = signals::summary(&traced.signals) {
            writeln!(out, "{summary}")?;
        }
        let unsent = signals::unsent(&traced.signals);
        if let Some(unsent) = &unsent {
            writeln!(out, "{}", unsent.message)?;
        }
        Ok(if unsent.is_some() || matches!(traced.end, RunEnd::Undecided { .. }) { 2 } else { 0 })
    }
}

struct Printer<'a> {
    out: &'a mut dyn Write,
    count: u64,
    format: Format,
}

impl Printer<'_> {
    fn print(&mut self, step: &TracedStep) -> std::io::Result<()> {
        let TracedStep { text, place, .. } = step;
        self.count += 1;
        if self.format == Format::Json {
            let frame = step.caller.as_ref();
            let line = TraceStep {
                schema: DUMP_SCHEMA,
                number: self.count,
                pc: step.pc,
                place: place.clone(),
                event: step.event.name(),
                text: text.clone(),
                depth: step.depth,
                sp: step.sp,
                cfa: frame.map(|frame| frame.cfa),
                ra: frame.map(|frame| frame.ra.0),
                fp: frame.map(|frame| frame.fp),
                row: step.claim.to_string(),
            };
            return writeln!(self.out, "{}", serde_json::to_string(&TraceLine::Step(line))?);
        }
        // Continuing to the next instruction is not printed.
        let event = if step.event == Event::Sequential { "" } else { step.event.name() };
        write!(self.out, "{:>8} {:<8} {:#x} {:<24} {text:<40}", self.count, event, step.pc, line(place))?;
        write!(self.out, " depth={} sp={:#x}", step.depth, step.sp)?;
        if let Some(frame) = &step.caller {
            write!(self.out, " cfa={:#x} ra={:#x} fp={:#x}", frame.cfa, frame.ra.0, frame.fp)?;
        }
        writeln!(self.out, "  {}", step.claim)
    }
}

fn ending(traced: &Traced) -> String {
    let place = traced.place.as_deref().unwrap_or_default();
    match &traced.end {
        RunEnd::Exit(code) => format!("exit status {code}"),
        RunEnd::Halt(_) => format!("halt at {place}"),
        RunEnd::Sentinel => "returned".to_owned(),
        RunEnd::Undecided { message, .. } => format!("ended early at {place}: {message}"),
    }
}

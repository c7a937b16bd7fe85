//! `check`: prints each file's verdict; the exit code is the worst of them.

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, bail};
use check::{Engine, Include, Options, Stub};
use ledger::baseline_file::{self, BaselineItem};
use matrix::{Meant, attribute};
use rayon::prelude::*;
use reports::escape::line;
use reports::screen::{Mark, Screen};
use reports::terminal;
use reports::testrun::CheckedFiles;
use reports::{json, page, text};
use results::{Deny, Outcome, Report};
use types::{Image, ImageKind, counted};

use crate::home;
use crate::judged::judged;

use super::Files;
use super::acceptance;
use super::assembling::AssemblerOptions;
use super::baseline::BaselineOptions;
use super::formats::ResultFormat;
use super::inputs::InputOptions;
use super::judging::JudgingArgs;
use super::total::{self, Total};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance check a.out lib.so foo.o     # executed
  sframe-conformance check --static huge.so       # not executed
  sframe-conformance check --deny reach:99 a.out  # less is an error
  sframe-conformance check -q build/*.o           # only what is not clean
  sframe-conformance check --format json a.out | jq .verdict
  sframe-conformance check - <foo.o               # from standard input
  sframe-conformance check a.out --known          # known bugs do not count
  sframe-conformance check --write-baseline b.yml a.out; later --baseline b.yml
  sframe-conformance check --for linux-user a.out # will it be used?
  sframe-conformance check --assembly f.s --as as f.o  # whose bug is it?

Exit codes: 0 no error found (a file without .sframe is judged by .eh_frame
alone; --require-sframe makes that an error); 1 at least one finding of
severity error; 2 undecided; 3 not an ELF64 file of a known machine, no unwind
table, or bad usage. Several files: 3 over 1 over 2 over 0.";

/// judge ELF files: static checks at every PC, execution, exploration
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Check {
    #[command(flatten)]
    files: Files,
    /// in place of judging, print whether this reader takes the .sframe, and the functions it
    /// does not use it for (may be repeated; all: every reader): linux-user, linux-kernel,
    /// glibc-VERSION, libsframe-VERSION, simple-frame-rs-VERSION, gdb, perf; exit code 1 if it
    /// refuses, or takes a part
    #[arg(long = "for", value_name = "READER", help_heading = "Selection")]
    readers: Vec<String>,
    /// attribute wrong rows by the directives of this source, from which --as assembled FILE
    #[arg(long, value_name = "SOURCE", requires = "assembler", help_heading = "Tools")]
    assembly: Option<PathBuf>,
    #[command(flatten)]
    assembler: AssemblerOptions,
    #[command(flatten)]
    judging: JudgingArgs,
    /// execute this function in place of the ELF entry (may be repeated)
    #[arg(long, value_name = "SYM", help_heading = "Execution")]
    entry: Vec<String>,
    #[command(flatten)]
    inputs: InputOptions,
    /// what executes the code:
    ///   unicorn       the emulator, in the sandbox
    ///   qemu          qemu-user (PATH or ci/producers), outside the sandbox
    ///   gdb:ADDRESS   GDB stub at HOST:PORT or a socket, outside the sandbox
    ///   both          unicorn and qemu in step, registers compared at each
    ///                 instruction
    ///   both:ADDRESS  unicorn and a GDB stub, as `both`
    #[arg(long, value_name = "ENGINE", default_value = "unicorn", value_parser = engine, help_heading = "Execution", verbatim_doc_comment)]
    engine: Engine,
    #[command(flatten)]
    known: BaselineOptions,
    /// count these as errors too (may be repeated): warnings, gaps, undecided, and reach:PERCENT,
    /// less than this share of the instructions explored, or of the steps judged
    #[arg(long, value_name = "WHAT", help_heading = "Verdict")]
    deny: Vec<Denied>,
    /// judge the named files alone: findings in the loader and the libraries of a program are notes
    #[arg(long, help_heading = "Verdict")]
    only_named: bool,
    /// print in this format
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: ResultFormat,
    /// also print notes (severity info), and known bugs in full
    #[arg(long, help_heading = "Output")]
    info: bool,
    /// list functions without an FDE in .sframe, code outside every FDE, and undecided functions
    #[arg(long, help_heading = "Output")]
    gaps: bool,
    /// print what the program writes to standard output and error
    #[arg(long, help_heading = "Output")]
    output: bool,
}

/// What `--deny` makes an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Denied {
    Warnings,
    Gaps,
    Undecided,
    /// A share below this one, in per mille.
    Reach(u64),
}

impl Denied {
    /// The share that is denied.
    fn permille(self) -> Option<u64> {
        match self {
            Denied::Reach(permille) => Some(permille),
            Denied::Warnings | Denied::Gaps | Denied::Undecided => None,
        }
    }
}

impl FromStr for Denied {
    type Err = String;

    fn from_str(word: &str) -> Result<Denied, String> {
        let share = || {
            let percent: f64 = word.strip_prefix("reach:")?.parse().ok()?;
            (0.0..=100.0).contains(&percent).then_some((percent * 10.0).ceil() as u64)
        };
        match word {
            "warnings" => Ok(Denied::Warnings),
            "gaps" => Ok(Denied::Gaps),
            "undecided" => Ok(Denied::Undecided),
            _ => share().map(Denied::Reach).ok_or("one of warnings, gaps, undecided, reach:PERCENT".to_owned()),
        }
    }
}

impl Check {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if !self.readers.is_empty() {
            return acceptance::run(&self.readers, &self.files.files, self.format, out);
        }
        let (baseline, screen, meant) = (self.known.read()?, Screen::of_stdout(), self.meant()?);
        let options = Options {
            execution: self.judging.execution(self.entry),
            engine: self.engine,
            inputs: self.inputs.read()?,
            include: self.output.then_some(Include::Output).into_iter().chain([Include::Causes]).collect(),
            ..self.judging.options()
        };
        if options.engine != Engine::Unicorn {
            writeln!(terminal::stderr(), "sframe-conformance: --engine executes code of the file outside the sandbox")?;
        }
        let denies = |what| self.deny.contains(&what);
        let deny = Deny {
            warnings: denies(Denied::Warnings),
            gaps: denies(Denied::Gaps),
            undecided: denies(Denied::Undecided),
            reach: self.deny.iter().filter_map(|what| what.permille()).max(),
        };
        let several = self.files.files.len() > 1;
        let detail = text::Detail { info: self.info, gaps: self.gaps || deny.gaps, screen };
        let mut total = Total::default();
        let mut accepted = Vec::new();
        let mut checked = CheckedFiles::new(deny, workspace());
        // In batches, so that a long list prints as it proceeds and keeps few reports in memory.
        for batch in self.files.files.chunks(rayon::current_num_threads().max(1) * 4) {
            let reports: Vec<Vec<Report>> = batch.par_iter().map(|path| judged(path, &options)).collect();
            // The first report of a file is its own, the others are those of the objects that it
            // mapped.
            let all = reports.into_iter().flat_map(|of_file| of_file.into_iter().enumerate());
            let mut libraries = CleanLibraries::default();
            for (index, mut report) in all {
                if index == 0 {
                    libraries.print(screen, out)?;
                } else if self.only_named {
                    report.make_notes();
                }
                if let Some((meant, image)) = meant.as_ref().filter(|_| index == 0) {
                    let linked = (image.kind != ImageKind::Relocatable).then_some(image);
                    attribute(&mut report.discrepancies, std::slice::from_ref(meant), linked);
                }
                baseline.apply(&mut report)?;
                let deny = if index > 0 && self.only_named { Deny::default() } else { deny };
                accepted.extend(BaselineItem::from_report(&report));
                let outcome = report.outcome(deny);
                total.add(&report, outcome);
                match (self.format, outcome) {
                    (_, Outcome::Clean) if self.known.quiet => {}
                    (ResultFormat::Json, _) => {
                        writeln!(out, "{}", json::to_json(&report, outcome, env!("CARGO_PKG_VERSION")))?;
                    }
                    (ResultFormat::Text, _) if self.known.quiet => {
                        writeln!(out, "{}", total::sentence(&report, outcome))?
                    }
                    (ResultFormat::Text, Outcome::Clean) if index > 0 && !self.info => libraries.add(&report),
                    // For a clean file among many the verdict suffices.
                    (ResultFormat::Text, Outcome::Clean) if several && !self.info => {
                        text::headline(&report, outcome, screen, out)?
                    }
                    (ResultFormat::Text, _) => text::print(&report, outcome, detail, out)?,
                    (_, _) => checked.add(&report, outcome),
                }
                if self.format == ResultFormat::Text {
                    text::gone(&report, out)?;
                }
            }
            libraries.print(screen, out)?;
            out.flush()?;
        }
        if let Some(file) = &self.known.write_baseline {
            baseline_file::write(file, &accepted)?;
        }
        let tests = || checked.finish(env!("CARGO_PKG_VERSION"), total.words());
        match (self.format, self.format.of_tests()) {
            (_, Some(format)) => tests().write(format, out)?,
            (ResultFormat::Html, None) => out.write_all(page::tests::render(&tests()).as_bytes())?,
            (ResultFormat::Text, None) => {
                if several {
                    total.write(self.known.quiet, screen, out)?;
                }
                total.write_decided(out)?;
                total.write_known(out)?;
            }
            (_, None) => {}
        }
        Ok(total.worst().exit_code())
    }

    /// What the directives of --assembly mean, and the file that was made of it.
    fn meant(&self) -> anyhow::Result<Option<(Meant, Image)>> {
        match (&self.assembly, self.assembler.assembler(), self.files.files.as_slice()) {
            (None, None, _) => Ok(None),
            (Some(source), Some(assembler), [file]) => {
                let image = super::load(file)?;
                let text = assembler.text(source)?;
                let meant = assembler.meant(&text, &image).with_context(|| source.display().to_string())?;
                Ok(Some((meant, image)))
            }
            _ => bail!("--assembly and --as need each other and one FILE"),
        }
    }
}

/// Clean objects that a program mapped, in one line.
#[derive(Default)]
struct CleanLibraries {
    names: Vec<String>,
}

impl CleanLibraries {
    fn add(&mut self, report: &Report) {
        self.names.push(line(&report.file));
    }

    /// Prints them, and begins with the next program.
    fn print(&mut self, screen: Screen, out: &mut dyn Write) -> std::io::Result<()> {
        if self.names.is_empty() {
            return Ok(());
        }
        write!(out, "{}: ", counted(self.names.len(), "mapped object"))?;
        screen.put(Mark::Good, "CLEAN", out)?;
        writeln!(out, ": {}", std::mem::take(&mut self.names).join(", "))
    }
}

fn engine(word: &str) -> Result<Engine, String> {
    // Without a checkout, or with the embedded copy of its data, no qemu was fetched.
    let fetched = || home::find().map(|home| home.root.join("target/producers")).unwrap_or_default();
    let qemu = || Stub::Qemu { fetched: fetched() };
    let is_address = |address: &str| {
        let port = address.rsplit_once(':').map(|(_, port)| port.parse::<u16>());
        address.contains('/') || matches!(port, Some(Ok(_)))
    };
    match word.split_once(':') {
        Some(("gdb" | "both", address)) if !address.is_empty() && !is_address(address) => {
            Err(format!("{address}: neither HOST:PORT nor the path of a socket"))
        }
        None if word == "unicorn" => Ok(Engine::Unicorn),
        None if word == "qemu" => Ok(Engine::Remote(qemu())),
        None if word == "both" => Ok(Engine::Both(qemu())),
        Some(("gdb", address)) if !address.is_empty() => Ok(Engine::Remote(Stub::Address(address.to_owned()))),
        Some(("both", address)) if !address.is_empty() => Ok(Engine::Both(Stub::Address(address.to_owned()))),
        _ => Err("one of unicorn, qemu, gdb:ADDRESS, both, both:ADDRESS".to_owned()),
    }
}

/// Folder of the workflow's repository, else the current one: source names are relative to it.
fn workspace() -> Option<String> {
    let folder = std::env::var_os("GITHUB_WORKSPACE").map(PathBuf::from).or_else(|| std::env::current_dir().ok());
    folder.map(|folder| folder.display().to_string())
}

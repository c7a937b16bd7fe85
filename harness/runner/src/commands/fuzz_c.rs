//! `fuzz c`: tests compilers with random C programs, and prints a table of the causes of wrong
//! rows, with the new ones.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use ledger::Ledger;
use reduce::compiled::{Known, Span, hunt, shrink};
use reports::screen::Screen;
use reports::text::{self, Detail};
use results::{Outcome, Report};
use selftest::compiled::observe::ProgramEnd;
use selftest::compiled::options::{self, Choices};
use selftest::compiled::run::{FoundCause, Run, State, name};
use selftest::compiled::subject;
use toolchain::interrupt;
use toolchain::producers::Producers;
use types::{Abi, counted};

use super::own_build::OwnBuild;
use super::share::jobs;
use crate::home;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance fuzz c --count 100 --compiler gcc@12 --abi amd64
  sframe-conformance fuzz c --seconds 3600 --resume --out target/fuzz-c
  sframe-conformance fuzz c --cc ../build/gcc --against before/

Exit codes: 0 every cause is known; 1 a new cause; 2 no program was compiled; 3
bad usage, or no compiler.";

/// feed random C programs to compilers, fold wrong rows by cause
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct FuzzC {
    /// number of programs per compiler and ABI [default: 20, or no limit with --seconds]
    #[arg(long, value_name = "N", help_heading = "Selection")]
    count: Option<u64>,
    /// first seed
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Selection")]
    seed: u64,
    /// use only this ABI (may be repeated)
    #[arg(long, value_name = "ABI", help_heading = "Selection")]
    abi: Vec<Abi>,
    /// compare with the results of earlier runs of the same compilers in this folder: their causes
    /// are known, any other is new
    #[arg(long, value_name = "DIR", help_heading = "Selection")]
    against: Option<PathBuf>,
    // A compiler of one's own is the only one.
    #[command(flatten)]
    own: OwnBuild,
    /// use only this compiler; the beginning of its version is enough (may be repeated)
    #[arg(long, value_name = "NAME@VERSION", help_heading = "Tools")]
    compiler: Vec<String>,
    /// use this producers' file [default: SFRAME_CONFORMANCE_PRODUCERS, else the shipped one]
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    producers: Option<PathBuf>,
    /// draw compilers' options from this file [default: ci/options.yaml]
    #[arg(long, value_name = "FILE", help_heading = "Tools")]
    options: Option<PathBuf>,
    /// begin no further programs after this many seconds
    #[arg(long, value_name = "N", help_heading = "Execution")]
    seconds: Option<u64>,
    /// number of threads, up to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = "Execution")]
    jobs: Option<usize>,
    /// try at most this many programs, and as many texts, to reduce a new cause; 0: do not reduce
    #[arg(long, value_name = "N", default_value_t = 150, help_heading = "Execution")]
    tries: u64,
    /// keep finished results, do the rest
    #[arg(long, help_heading = "Execution")]
    resume: bool,
    /// write state.json and, for each new cause, the least program to this folder
    #[arg(long, value_name = "DIR", default_value = "target/fuzz-c", help_heading = "Output")]
    out: PathBuf,
}

/// Number of programs for each compiler and ABI without other limits.
const COUNT: u64 = 20;

impl FuzzC {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let began = Instant::now();
        let home = home::find()?;
        let producers = self.own.put_in(Producers::new(self.producers.as_deref(), &home.root)?)?;
        let mut subjects = subject::all(&producers, &self.compiler)?;
        if self.own.has_compiler() {
            subjects.retain(|subject| producers.is_local(subject.family.name()));
        }
        if !self.abi.is_empty() {
            subjects.retain(|subject| self.abi.contains(&subject.abi));
        }
        anyhow::ensure!(
            !subjects.is_empty(),
            "no compiler with an assembler that writes .sframe; `producers` lists why"
        );
        let choices = Choices::read(&self.options.unwrap_or_else(|| home.root.join(options::SHIPPED)))?;
        let ledger = Ledger::read(&home)?;
        let against = |folder: &Path| State::read(folder)?.with_context(|| format!("{}: no results", folder.display()));
        let earlier = self.against.as_deref().map(against).transpose().context("--against")?;
        let known = earlier.as_ref().map_or(Known::Ledger(&ledger), Known::Earlier);
        let mut run = Run::open(&self.out, self.resume)?;
        let span = Span {
            first: self.seed,
            count: self.count.or(self.seconds.is_none().then_some(COUNT)),
            time: self.seconds.map(Duration::from_secs),
        };
        interrupt::watch()?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).build()?;
        let mut goes_on = || !interrupt::is_requested();
        pool.install(|| hunt(&subjects, &choices, known, &mut run, span, &mut goes_on))?;
        if self.tries > 0 && goes_on() {
            pool.install(|| shrink(&subjects, &choices, &mut run, self.tries, &mut goes_on, &report_text))?;
        }
        let new = print(&run, out).context("cannot write the table")?;
        writeln!(out, "{} s; {}", began.elapsed().as_secs(), self.out.display())?;
        let failed = run.state.ends.get(name(ProgramEnd::NotCompiled)).copied().unwrap_or_default();
        Ok(if failed == run.state.programs { 2 } else { u8::from(new > 0) })
    }
}

/// The text of a report that shows a cause.
fn report_text(report: &Report) -> Vec<u8> {
    let screen = Screen { colour: false, width: None };
    let mut text = Vec::new();
    // Writing to a vector cannot fail.
    let _ = text::print(report, Outcome::Discrepancy, Detail { info: false, gaps: false, screen }, &mut text);
    text
}

/// Prints the causes, new ones last, and returns the number of new ones.
fn print(run: &Run, out: &mut dyn Write) -> std::io::Result<usize> {
    let state = &run.state;
    let all = || state.causes.iter().flat_map(|(tool, causes)| causes.values().map(move |found| (tool, found)));
    for (tool, found) in all().filter(|(_, found)| found.known.is_some()) {
        let entry = found.known.as_deref().unwrap_or_default();
        writeln!(out, "known {entry}: {tool}: {}: {}", found.cause.title(), counted(found.times, "program"))?;
    }
    let new: Vec<(&String, &FoundCause)> = all().filter(|(_, found)| found.known.is_none()).collect();
    for (tool, found) in &new {
        writeln!(out, "NEW: {tool}: {}: {}", found.cause.title(), counted(found.times, "program"))?;
        let options = found.needs.as_ref().unwrap_or(&found.first.options);
        writeln!(out, "     {} seed {}: {options}: {}", found.first.abi, found.first.seed, found.headline)?;
        writeln!(out, "     {tool}/{}", found.cause.slug())?;
    }
    let ends: Vec<String> = state.ends.iter().map(|(end, count)| format!("{count} {end}")).collect();
    writeln!(
        out,
        "{} ({}), {}, {} new; tools {} s, judge {} s",
        counted(state.programs, "program"),
        ends.join(", "),
        counted(all().count(), "cause"),
        new.len(),
        state.tools / 1000,
        state.judge / 1000
    )?;
    Ok(new.len())
}

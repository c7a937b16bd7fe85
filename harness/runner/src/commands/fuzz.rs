//! `fuzz`: tests assemblers with random CFI text, and prints a table of the bugs of each, with the
//! new ones.

use std::io::Write;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use anyhow::Context as _;
use ledger::class::Classes;
use ledger::class::TOPIC;
use selftest::fuzz::run::Run;
use selftest::fuzz::tally::Tally;
use selftest::fuzz::{self, tool};
use toolchain::producers::Producers;
use types::{Abi, counted};

use super::fuzz_c::FuzzC;
use super::own_build::OwnBuild;
use super::share::jobs;
use crate::home;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance fuzz --count 1000 --seed 7
  sframe-conformance fuzz --assembler gas@2.44 --abi amd64
  sframe-conformance fuzz --as ../build/gas/as-new --assembler gas
  sframe-conformance fuzz c --count 100           # C through compilers

Exit codes: 0 every finding is in a known class; 1 a new finding; 3 bad usage,
or no assembler.";

/// What is random, if not CFI directives.
#[derive(clap::Subcommand)]
enum Inputs {
    C(FuzzC),
}

/// feed random CFI directives to assemblers, compare their tables
#[derive(clap::Args)]
#[command(after_help = EXAMPLES, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
pub(crate) struct Fuzz {
    #[command(subcommand)]
    inputs: Option<Inputs>,
    /// number of files per assembler and ABI
    #[arg(long, value_name = "N", default_value_t = 200, help_heading = "Selection")]
    count: u64,
    /// first seed
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Selection")]
    seed: u64,
    /// use only this ABI (may be repeated)
    #[arg(long, value_name = "ABI", help_heading = "Selection")]
    abi: Vec<Abi>,
    /// use only this assembler; name and the beginning of its version are enough (may be repeated)
    #[arg(long, value_name = "NAME@VERSION", help_heading = "Tools")]
    assembler: Vec<String>,
    #[command(flatten)]
    own: OwnBuild,
    /// use this producers' file [default: SFRAME_CONFORMANCE_PRODUCERS, else the shipped one]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["as_program", "ld_program", "cc_program"], help_heading = "Tools")]
    producers: Option<PathBuf>,
    /// number of threads, up to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = jobs, help_heading = "Execution")]
    jobs: Option<usize>,
    /// keep finished results, do the rest
    #[arg(long, help_heading = "Execution")]
    resume: bool,
    /// write findings.jsonl to this folder as it runs
    #[arg(long, value_name = "DIR", default_value = "target/fuzz", help_heading = "Output")]
    out: PathBuf,
}

impl Fuzz {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if let Some(Inputs::C(programs)) = self.inputs {
            return programs.run(out);
        }
        let began = Instant::now();
        let home = home::find()?.root;
        let producers = self.own.put_in(Producers::new(self.producers.as_deref(), &home)?)?;
        let mut tools = tool::all(&producers, &self.assembler)?;
        if !self.abi.is_empty() {
            tools.retain(|tool| self.abi.contains(&tool.abi));
        }
        anyhow::ensure!(!tools.is_empty(), "no assembler that writes .sframe; `producers` lists why");
        let classes = Classes::read(&home.join("cases").join(TOPIC))?;
        let run = Run::open(&self.out, self.resume)?;
        let stretches = fuzz::stretches(&tools, self.seed, self.count).into_iter();
        let stretches: Vec<_> = stretches.filter_map(|(tool, all)| Some((tool, run.left(&all)?))).collect();
        let run = Mutex::new(run);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).build()?;
        let done = pool.install(|| {
            reduce::random::fuzz(&stretches, |stretch, found| {
                run.lock().unwrap_or_else(PoisonError::into_inner).add(stretch, found)
            })
        });
        done?;
        let run = run.into_inner().unwrap_or_else(PoisonError::into_inner);
        let findings = run.close()?;
        let tally = Tally::new(&findings, &classes);
        let files = run.files();
        tally.write(&files, out).context("cannot write the table")?;
        let (files, new) = (files.values().sum::<u64>(), tally.unclassified().len());
        writeln!(
            out,
            "{}, {}, {new} unclassified, {} s",
            counted(files, "file"),
            counted(findings.len(), "finding"),
            began.elapsed().as_secs()
        )?;
        Ok(u8::from(new > 0))
    }
}

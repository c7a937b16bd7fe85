//! `generate`: writes random programs with correct tables to a folder, or judges them.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context as _;
use rayon::prelude::*;
use reports::escape::line;
use reports::terminal;
use selftest::generate::{Numbered, Totals, files, judge_many};
use types::{Abi, SframeVersion, Unknown, combinations, counted};

use super::share::jobs;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance generate --seed 1 --count 100 --out programs
  sframe-conformance generate --check --count 10000

Exit codes: 0 written, or judged right; 1 a program was judged wrongly; 3 bad
usage, or files cannot be written.";

/// write random programs with their true frames, or judge them
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Generate {
    /// seed: the same seed gives the same programs
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Selection")]
    seed: u64,
    /// number of programs
    #[arg(long, value_name = "N", default_value_t = 15, help_heading = "Selection")]
    count: u64,
    #[arg(long, value_name = "ABI", help = format!("make programs for this target only: {}", Abi::ALL.map(Abi::name).join(", ")), help_heading = "Selection")]
    abi: Option<Abi>,
    #[arg(long, value_name = "VERSION", value_parser = version, help = format!("make programs with this version only: {}", versions()), help_heading = "Selection")]
    sframe_version: Option<SframeVersion>,
    /// judge the programs: any finding is a false alarm or a bug of the generator
    #[arg(long, help_heading = "Action")]
    check: bool,
    /// judge this many programs at once [default: one per core]
    #[arg(long, value_name = "N", value_parser = jobs, requires = "check", help_heading = "Execution")]
    jobs: Option<usize>,
    /// write NAME.elf, NAME.sframe and NAME.json of each program to this folder
    #[arg(long, value_name = "DIR", required_unless_present = "check", help_heading = "Output")]
    out: Option<PathBuf>,
}

/// Number of programs for each target and version with which every kind of code certainly occurs.
const ENOUGH: u64 = 300;

fn versions() -> String {
    SframeVersion::ALL.map(SframeVersion::name).join(", ")
}

fn version(name: &str) -> Result<SframeVersion, Unknown> {
    let unknown = || Unknown::new("version", name, SframeVersion::ALL.map(SframeVersion::name));
    SframeVersion::named(name).ok_or_else(unknown)
}

impl Generate {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let combinations = combinations(self.abi, self.sframe_version);
        anyhow::ensure!(!combinations.is_empty(), "this SFrame version does not have that ABI");
        if let Some(folder) = &self.out {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            let programs = (0..self.count).filter_map(|number| Numbered::new(&combinations, self.seed, number));
            for numbered in programs {
                let made = files(&numbered).with_context(|| numbered.name())?;
                let json = serde_json::to_vec_pretty(&made.expected)?;
                for (extension, bytes) in [("elf", &made.elf), ("sframe", &made.sframe), ("json", &json)] {
                    let path = folder.join(format!("{}.{extension}", made.name));
                    std::fs::write(&path, bytes).with_context(|| path.display().to_string())?;
                }
            }
            writeln!(out, "{} in {}", counted(self.count, "program"), line(&folder.display().to_string()))?;
        }
        if !self.check {
            return Ok(0);
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.jobs.unwrap_or(0)).build()?;
        let begun = Instant::now();
        let numbers = (0..usize::try_from(self.count)?).into_par_iter();
        let programs = numbers.map(|number| Numbered::new(&combinations, self.seed, number as u64));
        let totals = pool.install(|| judge_many(programs.map(|one| one.expect("there are combinations"))));
        writeln!(terminal::stderr(), "{:.1} seconds", begun.elapsed().as_secs_f64())?;
        print(&totals, &combinations, out)
    }
}

fn print(totals: &Totals, combinations: &[(Abi, SframeVersion)], out: &mut dyn Write) -> anyhow::Result<u8> {
    let judged = &totals.judged;
    writeln!(out, "{}", totals.table(combinations))?;
    writeln!(
        out,
        "{} programs: {} steps judged, {} frames walked, {} PCs compared, {} instructions read back",
        totals.programs, judged.steps, judged.frames, judged.compared, judged.instructions
    )?;
    for problem in &judged.problems {
        writeln!(out, "problem: {}", line(problem))?;
    }
    let missed = totals.not_reached(combinations);
    let enough = totals.programs >= ENOUGH * combinations.len() as u64;
    for kind in &missed {
        writeln!(out, "not reached: {kind}")?;
    }
    let (problems, kinds) = (counted(judged.problems.len(), "problem"), counted(missed.len(), "kind"));
    writeln!(out, "{problems}, {kinds} not reached")?;
    Ok(u8::from(!judged.problems.is_empty() || (enough && !missed.is_empty())))
}

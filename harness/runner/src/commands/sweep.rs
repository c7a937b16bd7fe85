//! `sweep`: judges many files in folders, archives and packages.

use std::io::{self, Write};
use std::path::PathBuf;

use check::Include;
use check::supplies::Outside;
use reports::escape::line;
use sweep::{SweepError, SweepOptions, assemble, sweep};
use toolchain::interrupt;
use toolchain::producers::Producers;
use types::counted;

use super::baseline::BaselineOptions;
use super::formats::ResultFormat;
use super::judging::JudgingArgs;
use super::report;
use super::share::Share;
use crate::home;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance sweep /usr/lib               # everything below
  sframe-conformance sweep --only-bad foo.deb libx.a
  sframe-conformance sweep -q --known target/sweep --out target/now /usr/lib
  sframe-conformance sweep --assemble src/crypto  # .S and .s files with CFI

Exit codes: 0 no error found; 1 at least one finding of severity error; 2
undecided, or a file cannot be read; 3 as check, but only for files that were
named: files found in folders that cannot have a table are skipped and
counted.";

/// judge many files in folders, archives and packages; fold findings by cause
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sweep {
    /// files and folders: ELF files, archives (.a, .deb, .tar), compressed files (gzip, xz, zstd),
    /// nested
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// take each PATH for a folder of assembly: assemble its .S and .s files that have CFI
    /// directives with each assembler found, explore the objects
    #[arg(long, conflicts_with_all = ["static_only", "run"], help_heading = "Selection")]
    assemble: bool,
    /// use this producers' file [default: SFRAME_CONFORMANCE_PRODUCERS, else the shipped one]
    #[arg(long, value_name = "FILE", requires = "assemble", help_heading = "Tools")]
    producers: Option<PathBuf>,
    #[command(flatten)]
    share: Share,
    #[command(flatten)]
    judging: JudgingArgs,
    /// execute dynamically linked programs too, without arguments, with the dynamic linker and
    /// libraries of this machine
    #[arg(long, conflicts_with = "static_only", help_heading = "Execution")]
    run: bool,
    #[command(flatten)]
    known: BaselineOptions,
    /// omit the lines of clean files
    #[arg(long, help_heading = "Output")]
    only_bad: bool,
    /// print in this format, all but text once all files are judged
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: ResultFormat,
    /// write results to this folder
    #[arg(long, value_name = "DIR", default_value = "target/sweep", help_heading = "Output")]
    out: PathBuf,
}

impl Sweep {
    pub(crate) fn run(mut self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.assemble {
            self.judging.explore = true;
            self.paths = vec![self.assembled(out)?];
        }
        let mut check = self.judging.options();
        if self.run {
            check.inputs.supplies.outside = Outside::Libraries;
        }
        let baseline = self.known.read()?;
        check.include.extend(baseline.needs_causes().then_some(Include::Causes));
        let options = SweepOptions {
            paths: self.paths,
            check,
            jobs: self.share.jobs,
            shard: self.share.shard.map(|(part, parts)| (part as u64, parts as u64)),
            resume: self.share.resume,
            only_bad: self.only_bad,
            quiet: self.known.quiet,
            baseline,
            baseline_words: self.known.words(),
            out: self.out,
        };
        interrupt::watch()?;
        let (swept, format) = match self.format {
            ResultFormat::Text => (sweep(&options, out), None),
            format => (sweep(&options, &mut io::sink()), Some(format)),
        };
        match swept {
            Ok(totals) => {
                if let Some(format) = format {
                    report::print_sweep(format, &options.out, &totals, out)?;
                }
                Ok(reports::sweep::exit_code(&totals))
            }
            // Separate, so that a closed pipe is recognised.
            Err(SweepError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Assembles the sources, prints what it gave, and returns the folder of objects.
    fn assembled(&self, out: &mut dyn Write) -> anyhow::Result<PathBuf> {
        let producers = Producers::new(self.producers.as_deref(), &home::find()?.root)?;
        let objects = self.out.join("objects");
        let made = assemble(&producers, &self.paths, &objects)?;
        if self.format == ResultFormat::Text {
            for (file, complaint) in &made.refused {
                writeln!(out, "not assembled: {}: {}", line(&file.display().to_string()), line(complaint))?;
            }
            let refused = made.refused.len();
            writeln!(
                out,
                "{} with CFI: {}, {refused} not assembled",
                counted(made.files, "file"),
                counted(made.objects, "object")
            )?;
        }
        if made.objects == 0 {
            anyhow::bail!(
                "no file with CFI directives could be assembled: `sframe-conformance producers` lists assemblers"
            );
        }
        Ok(objects)
    }
}

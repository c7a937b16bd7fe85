//! `sweep`: judges many files in folders, archives and packages.

use std::fs;
use std::io::{self, Write};
use std::path::{self, Path, PathBuf};

use check::Include;
use check::supplies::Outside;
use ledger::baseline_file;
use ledger::run_files::write_file;
use reports::escape::line;
use reports::{page, terminal};
use results::SweepTotals;
use sweep::{PAGE, Refused, Sources, SweepError, SweepOptions, assemble, sweep};
use toolchain::interrupt;
use toolchain::producers::Producers;
use types::{Abi, counted};

use super::baseline::BaselineOptions;
use super::formats::ResultFormat;
use super::judging::JudgingArgs;
use super::report;
use super::share::Share;
use super::sweep_report::{SweepPrinter, SweptLines};
use crate::home;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance sweep /usr/lib               # everything below
  sframe-conformance sweep --only-bad foo.deb libx.a
  sframe-conformance sweep --write-baseline b /usr/lib; later --baseline b
  sframe-conformance sweep --assemble src/crypto  # .S and .s files with CFI
  sframe-conformance sweep --assemble --abi amd64 --cpp -Iinclude crypto

Exit codes: 0 no error found; 1 at least one finding of severity error; 2
undecided, a file cannot be read or assembled, not all files were judged (a
stop, a limit), or none has a table; 3 as check, but only for files that were
named: files found in folders that cannot have a table are skipped and counted.";

/// judge many files in folders, archives and packages; fold findings by cause
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Sweep {
    /// files and folders: ELF files, archives (.a, .deb, .tar), compressed files (gzip, xz, zstd),
    /// kernels (vmlinuz of x86), nested
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// take each PATH for assembly, a file or a folder: assemble .S and .s files that have CFI
    /// directives with each assembler found, explore the objects
    #[arg(long, conflicts_with_all = ["static_only", "run"], help_heading = "Selection")]
    assemble: bool,
    /// preprocess with these words too, such as "-Ibuild/include -DNAME" (may be repeated)
    #[arg(long, value_name = "WORDS", requires = "assemble", allow_hyphen_values = true, help_heading = "Selection")]
    cpp: Vec<String>,
    /// assemble for this ABI only (may be repeated)
    #[arg(long, value_name = "ABI", requires = "assemble", help_heading = "Selection")]
    abi: Vec<Abi>,
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
        if let Some(path) = self.paths.first().filter(|_| self.paths.iter().all(|path| !path.exists())) {
            anyhow::bail!("{}: no such file or folder", path.display());
        }
        let mut is_whole = true;
        if self.assemble {
            self.judging.explore = true;
            let objects = self.out.join("objects");
            is_whole = self.assembled(&objects, out)?;
            self.paths = vec![objects];
        }
        let mut check = self.judging.options();
        if self.run {
            check.inputs.supplies.outside = Outside::Libraries;
        }
        let baseline = self.known.read()?;
        check.include.insert(Include::Causes);
        let options = SweepOptions {
            paths: self.paths,
            check,
            jobs: self.share.jobs,
            shard: self.share.shard.map(|(part, parts)| (part as u64, parts as u64)),
            resume: self.share.resume,
            baseline,
            baseline_words: self.known.words(),
            out: self.out,
        };
        interrupt::watch()?;
        let lines = match (self.known.quiet, self.only_bad) {
            (true, _) => SweptLines::Total,
            (false, true) => SweptLines::Bad,
            (false, false) => SweptLines::All,
        };
        if self.format == ResultFormat::Text && !self.known.quiet {
            let programs = if self.run { "programs" } else { "static programs" };
            writeln!(out, "{}", self.judging.sentence(programs))?;
        }
        let (swept, format) = match self.format {
            ResultFormat::Text => (print_swept(&options, SweepPrinter::new(lines, out)), None),
            format => (print_swept(&options, SweepPrinter::new(lines, &mut io::sink())), Some(format)),
        };
        match swept {
            Ok(totals) => {
                if let Some(file) = &self.known.write_baseline {
                    baseline_file::write(file, &baseline_file::of_sweep(&options.out)?)?;
                }
                if let Some(format) = format {
                    report::print_sweep(format, &options.out, &totals, out)?;
                }
                // A file that is not assembled is not judged.
                Ok(match reports::sweep::exit_code(&totals) {
                    0 if !is_whole => 2,
                    code => code,
                })
            }
            // Separate, so that a closed pipe is recognised.
            Err(SweepError::Io(error)) => Err(error.into()),
            Err(error) => Err(error.into()),
        }
    }

    /// Assembles the sources into `objects` and prints what it gave. Returns true if each
    /// assembler accepts each file.
    fn assembled(&self, objects: &Path, out: &mut dyn Write) -> anyhow::Result<bool> {
        // Objects of an earlier call are not of these sources.
        if objects.is_dir() {
            fs::remove_dir_all(objects)?;
        }
        let producers = Producers::new(self.producers.as_deref(), &home::find()?.root)?;
        let abis = if self.abi.is_empty() { &Abi::ALL[..] } else { &self.abi };
        let words: Vec<String> = self.cpp.iter().flat_map(|words| words.split_whitespace()).map(absolute).collect();
        let sources = Sources { paths: &self.paths, abis, words: &words.join(" ") };
        let made = assemble(&producers, &sources, objects)?;
        let mut errors = terminal::stderr();
        let out: &mut dyn Write = if self.format == ResultFormat::Text { out } else { &mut errors };
        for Refused { file, by, complaint } in &made.refused {
            let by = by.as_ref().map(|by| format!(" by {by}")).unwrap_or_default();
            writeln!(out, "not assembled{by}: {}: {}", line(&file.display().to_string()), line(complaint))?;
        }
        let (files, objects, lost) = (counted(made.files, "file"), counted(made.objects, "object"), made.lost());
        writeln!(out, "{files} with CFI: {objects}, {lost} not assembled")?;
        if made.objects == 0 {
            anyhow::bail!(
                "no file with CFI directives could be assembled: `sframe-conformance producers` lists assemblers"
            );
        }
        Ok(made.refused.is_empty())
    }
}

/// Sweeps, prints a line for each file and the totals, and writes the page.
fn print_swept(options: &SweepOptions, mut printer: SweepPrinter<'_>) -> Result<SweepTotals, SweepError> {
    let totals = sweep(options, &mut printer)?;
    write_page(&options.out, &totals)?;
    printer.write_totals(&totals, &options.out)?;
    Ok(totals)
}

/// Writes the page of a sweep into its folder.
pub(super) fn write_page(folder: &Path, totals: &SweepTotals) -> io::Result<()> {
    write_file(&folder.join(PAGE), |out| out.write_all(page::sweep::render(totals).as_bytes()))
}

/// A word for the preprocessor, which works in a folder of its own.
fn absolute(word: &str) -> String {
    let path = word.strip_prefix("-I").and_then(|path| path::absolute(path).ok());
    path.map_or_else(|| word.to_owned(), |path| format!("-I{}", path.display()))
}

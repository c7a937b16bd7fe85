//! `score`: measures how many known bugs the judge detects.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use check::{Options, check};
use matrix::Matrix;
use reports::terminal;
use results::Report;
use selftest::journal::Journal;
use selftest::score::blind::{self, BlindFile, BlindResult, BlindScore, MutantId, Sources};
use selftest::score::reasons::{self, CauseScore};
use selftest::score::silence::{self, Silence, SilenceFile};
use selftest::score::source::{self, Record, SourceOptions};
use selftest::score::{self, Selection};
use toolchain::interrupt;
use toolchain::producers::Producers;
use types::Bytes;

use super::Format;
use crate::home;
use crate::judged;

/// Damaged files, wrong values, and bugs in a source, unless their number is given.
const DAMAGED: usize = 20_000;
const WRONG_VALUES: usize = 1000;
const IN_SOURCE: usize = 100;
/// Programs that are generated for each target and version.
const GENERATED: u64 = 4;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance score
  sframe-conformance score --blind --seed 7
  sframe-conformance score --reasons
  sframe-conformance score --silence libfoo.so --count 500
  sframe-conformance score --source target/source/binutils

Exit codes: 0 every planted bug was found; 1 one was missed, or a false alarm;
3 bad usage, or files cannot be read.";

/// plant bugs in tables, count those that the judge misses
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Score {
    /// use only operators (with --blind: files, with --reasons: causes) whose name contains TEXT
    #[arg(long, value_name = "TEXT", default_value = "", help_heading = "Selection", hide_default_value = true)]
    filter: String,
    /// make at most this many mutants per operator and file
    #[arg(long, value_name = "N", conflicts_with = "drawn", help_heading = "Selection")]
    most: Option<usize>,
    /// put the bugs of FILE into the source in place of drawn ones: each line
    /// {"file": PATH, "was": TEXT, "by": TEXT}
    #[arg(long, value_name = "FILE", requires = "source", help_heading = "Selection")]
    bugs: Option<PathBuf>,
    /// seed of the random damage
    #[arg(long, value_name = "N", default_value_t = 1, requires = "drawn", help_heading = "Selection")]
    seed: u64,
    /// number of damaged files, of wrong values, or of bugs in the source [default: 20000, 1000,
    /// 100]
    #[arg(long, value_name = "N", requires = "drawn", help_heading = "Selection")]
    count: Option<usize>,
    /// plant bugs in at most this many cases, built with the tools found
    #[arg(long, value_name = "N", default_value_t = 60, requires = "blind", help_heading = "Selection")]
    builds: usize,
    /// try only this mutant, SEED:NUMBER:FILE, as printed with a failure
    #[arg(long, value_name = "ID", requires = "blind", help_heading = "Selection")]
    replay: Option<MutantId>,
    /// damage real files at random, decide from the bytes what changed
    #[arg(long, group = "drawn", help_heading = "Action")]
    blind: bool,
    /// give one field of the tables and headers of these files a wrong value at a time, count
    /// those that `check` is silent about
    #[arg(long, value_name = "FILE", num_args = 1.., group = "drawn", help_heading = "Action")]
    silence: Vec<PathBuf>,
    /// plant wrong rows into code that each cause of undecided answers covers, count those that
    /// it hides
    #[arg(long, conflicts_with_all = ["drawn", "most"], help_heading = "Action")]
    reasons: bool,
    /// put bugs into the source of the assembler and linker in DIR, which ci/source-score
    /// made, one at a time; build and run the matrix with them; with Linux or simple-frame-rs in
    /// DIR/source, ask that reader [default --count: 100]
    #[arg(long, value_name = "DIR", group = "drawn", help_heading = "Action")]
    source: Option<PathBuf>,
    /// keep damaged files in this folder; with --blind, failures only; with --silence and --source,
    /// results that the next run continues [default with --source: DIR/score]
    #[arg(long, value_name = "DIR", requires = "drawn", help_heading = "Output")]
    out: Option<PathBuf>,
    /// print in this format
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: Format,
}

impl Score {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.blind {
            return self.blind(out);
        }
        if !self.silence.is_empty() {
            return self.silence(out);
        }
        if self.reasons {
            return self.reasons(out);
        }
        if let Some(tree) = &self.source {
            return self.source(tree, out);
        }
        let score = score::score(&Selection { filter: self.filter, most: self.most, draws: score::DRAWS }, &report_of);
        anyhow::ensure!(!score.mutants.is_empty(), "--filter: in the name of no operator; `score` lists all");
        match self.format {
            Format::Text => blind::print_operators(&score, out)?,
            Format::Json => writeln!(out, "{}", blind::operators_to_json(&score))?,
        }
        Ok(u8::from(score.failures().next().is_some()))
    }

    fn silence(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let open = |path: &PathBuf| {
            let name = path.display().to_string();
            let bytes = toolchain::input::read(path).with_context(|| format!("cannot read {name}"))?;
            SilenceFile::new(&name, Bytes::from(bytes), judged::defaults()).map_err(anyhow::Error::from)
        };
        let files = self.silence.iter().map(open).collect::<anyhow::Result<Vec<_>>>()?;
        let journal = self.out.as_deref().map(Journal::open).transpose()?;
        let planted = silence::silence(&files, self.seed, self.count.unwrap_or(WRONG_VALUES), journal.as_ref())?;
        match self.format {
            Format::Text => silence::print(&planted, out)?,
            Format::Json => writeln!(out, "{}", silence::to_json(&planted))?,
        }
        Ok(u8::from(!Silence::new(&planted).passes()))
    }

    fn reasons(&self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let producers = Producers::new(None, &home::find()?.root)?;
        let scores = reasons::score(&producers, &self.filter)?;
        anyhow::ensure!(!scores.is_empty(), "--filter: in the name of no cause; `score --reasons` lists all");
        match self.format {
            Format::Text => reasons::print(&scores, out)?,
            Format::Json => writeln!(out, "{}", reasons::to_json(&scores))?,
        }
        Ok(u8::from(!scores.iter().all(CauseScore::passes)))
    }

    fn source(&self, tree: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
        let options = SourceOptions {
            tree: tree.to_owned(),
            filter: self.filter.clone(),
            seed: self.seed,
            count: self.count.unwrap_or(IN_SOURCE),
            bugs: self.bugs.clone(),
            out: self.out.clone().unwrap_or_else(|| source::default_out(tree)),
        };
        interrupt::watch()?;
        let tell = |record: &Record| {
            let fate = format!("{:?}", record.fate).to_lowercase();
            // A closed output is not an error.
            let _ = writeln!(terminal::stderr(), "{fate}, {} s: {}", record.seconds, source::sentence(record));
        };
        let records = source::score(&options, &home::find()?, &tell)?;
        anyhow::ensure!(!records.is_empty(), "--filter: in the path of no file of the source");
        match self.format {
            Format::Text => source::print(&records, out)?,
            Format::Json => writeln!(out, "{}", source::to_json(&records))?,
        }
        Ok(u8::from(!source::passes(&records)))
    }

    fn blind(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let home = home::find()?;
        let frozen = home.root.join("cases/objects");
        let matrix = if self.builds > 0 { Some(Matrix::new(home, None, None)?) } else { None };
        let (seed, filter) = match &self.replay {
            Some(id) => (id.seed, id.file.clone()),
            None => (self.seed, self.filter.clone()),
        };
        let generated = if self.replay.is_some() { score::PROGRAMS } else { GENERATED };
        let sources = Sources { seed, filter, frozen: Some(frozen), generated, built: self.builds };
        let (files, left_out) = blind::files(&sources, matrix.as_ref())?;
        let skipped = left_out.iter().map(ToString::to_string).collect::<Vec<_>>();
        anyhow::ensure!(!files.is_empty(), "in the name of no file; not judged: {}", skipped.join("; "));
        let score = match &self.replay {
            Some(id) => BlindScore { mutants: replay(&files, id), files: files.len(), left_out },
            None => BlindScore { left_out, ..blind::blind(&files, seed, self.count.unwrap_or(DAMAGED), &report_of) },
        };
        match self.format {
            Format::Text if self.replay.is_some() => score.mutants.iter().try_for_each(|one| blind::show(one, out))?,
            Format::Text => blind::print(&score, out)?,
            Format::Json => writeln!(out, "{}", blind::to_json(&score))?,
        }
        if let Some(folder) = &self.out {
            let is_kept = |one: &&BlindResult| self.replay.is_some() || one.fate.is_failure();
            keep(folder, score.mutants.iter().filter(is_kept))?;
        }
        Ok(u8::from(!score.passes()))
    }
}

fn replay(files: &[BlindFile], id: &MutantId) -> Vec<BlindResult> {
    let file = files.iter().filter(|file| file.name == id.file);
    file.filter_map(|file| blind::one(file, id, &report_of)).collect()
}

fn report_of(name: &str, bytes: &[u8], options: &Options) -> Report {
    check(name, &Bytes::copy_from_slice(bytes), options).report
}

/// Writes the files, named by their numbers in the list of mutants.
fn keep<'m>(folder: &Path, mutants: impl Iterator<Item = &'m BlindResult>) -> anyhow::Result<()> {
    let mut index = String::new();
    for (number, mutant) in mutants.enumerate() {
        let name = format!("{number:05}.elf");
        keep_file(folder, &name, &mutant.mutant.bytes)?;
        index.push_str(&format!("{name} {} {}\n", mutant.fate.name(), mutant.id));
    }
    keep_file(folder, "index.txt", index.as_bytes())
}

fn keep_file(folder: &Path, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

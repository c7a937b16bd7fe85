//! `reduce`: from a finding to the least source that still shows it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, bail};
use indicatif::{ProgressBar, ProgressStyle};
use model::Abi;
use sframe_conformance::matrix::{Home, Matrix};
use sframe_conformance::reduce::{self, Bench, Bounds, Chosen, Counts, Others, Reduced, Watch};

/// What is reduced, and with whose tools.
#[derive(clap::Args)]
pub(crate) struct Target {
    /// Name of a trial; with --assembler, an assembly file of your own
    #[arg(value_name = "TRIAL|FILE")]
    pub(crate) subject: String,
    /// The finding's fingerprint (default: the one that says most)
    #[arg(long, value_name = "FINGERPRINT")]
    pub(crate) finding: Option<String>,
    /// For a file: the assembler, of whose version the beginning will do
    #[arg(long, value_name = "NAME@VERSION", requires = "abi")]
    assembler: Option<String>,
    /// For a file: its ABI
    #[arg(long, value_name = "ABI")]
    abi: Option<Abi>,
    /// For a file: more words for the assembler
    #[arg(long, value_name = "WORDS", default_value = "", allow_hyphen_values = true)]
    flags: String,
    /// Another assembler that must not show it (may be repeated): keeps faults of the source out where both tables are wrong alike
    #[arg(long, value_name = "NAME@VERSION")]
    unless: Vec<String>,
    /// Another assembler that must show it too (may be repeated): keeps the source one that several versions take
    #[arg(long, value_name = "NAME@VERSION")]
    with: Vec<String>,
    /// Producers' file (default: the one shipped)
    #[arg(long, value_name = "FILE", env = sframe_conformance::producers::VARIABLE)]
    producers: Option<PathBuf>,
    /// Most seconds
    #[arg(long, value_name = "N", default_value_t = 300)]
    pub(crate) seconds: u64,
    /// Most texts that are judged
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    tries: u64,
}

/// Options of `reduce`.
#[derive(clap::Args)]
pub(crate) struct Reduce {
    #[command(flatten)]
    target: Target,
    /// Where the best text so far is kept: repro.s or repro.c
    #[arg(long, value_name = "DIR", default_value = "target/reduced")]
    out: PathBuf,
}

impl Reduce {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let (chosen, others) = self.target.choose()?;
        for note in &chosen.notes {
            writeln!(out, "shown {note}")?;
        }
        let name = repro_name(&chosen.bench);
        let (reduced, _) = self.target.reduce(chosen, &others, &self.out.join(name))?;
        let Counts { tried, kept, before, now, took, cut_short } = reduced.counts;
        writeln!(out, "{}", reduced.identity)?;
        let end = if cut_short { ", ended by its bound" } else { "" };
        writeln!(out, "{before} lines to {now}: {tried} tried, {kept} kept, {:.1} s{end}", took.as_secs_f64())?;
        writeln!(out, "{}", self.out.join(name).display())?;
        Ok(0)
    }
}

impl Target {
    /// The finding, its bench, and the other producers.
    pub(crate) fn choose(&self) -> anyhow::Result<(Chosen, Others)> {
        let matrix = Matrix::of(Home::find(), self.producers.as_deref())?;
        let (bench, text) = match (&self.assembler, self.abi) {
            (Some(assembler), Some(abi)) => {
                Bench::of_file(&matrix, assembler, abi, Path::new(&self.subject), &self.flags)?
            }
            _ => {
                let trial = matrix.trial_named(&self.subject)?;
                let trial = trial.with_context(|| {
                    format!("{}: no such trial here (for a file, name an --assembler and --abi)", self.subject)
                })?;
                Bench::of_trial(&trial)?
            }
        };
        if self.seconds == 0 && self.tries == 0 {
            bail!("neither time nor tries: nothing would be done");
        }
        let chosen = reduce::choose(bench, text, self.finding.as_deref())?;
        let all =
            |names: &[String]| names.iter().map(|name| chosen.bench.other(&matrix, name)).collect::<Result<_, _>>();
        let others = Others { with: all(&self.with)?, unless: all(&self.unless)? };
        Ok((chosen, others))
    }

    /// Reduces, keeping the best text in a file; gives the bench back.
    pub(crate) fn reduce(&self, chosen: Chosen, others: &Others, keep: &Path) -> anyhow::Result<(Reduced, Bench)> {
        let bounds = Bounds { time: Duration::from_secs(self.seconds), tries: self.tries };
        let bar = ProgressBar::new_spinner();
        bar.set_style(ProgressStyle::with_template("{spinner} {msg}")?);
        let mut watch = Kept { path: keep.to_owned(), bar };
        let reduced = reduce::reduce(&chosen.bench, others, &chosen.text, chosen.identity, bounds, &mut watch);
        watch.bar.finish_and_clear();
        Ok((reduced?, chosen.bench))
    }
}

/// The reproducer's name.
pub(crate) fn repro_name(bench: &Bench) -> &'static str {
    if bench.is_c() { "repro.c" } else { "repro.s" }
}

/// Shows the progress on a terminal and keeps the best text on disk: whenever the program is interrupted, a whole text is there.
struct Kept {
    path: PathBuf,
    bar: ProgressBar,
}

impl Watch for Kept {
    fn tried(&mut self, counts: &Counts) {
        let Counts { tried, kept, before, now, took, .. } = *counts;
        let rate = tried as f64 / took.as_secs_f64().max(0.001);
        self.bar.set_message(format!("{before} lines to {now}: {tried} tried, {kept} kept, {rate:.0}/s"));
        self.bar.tick();
    }

    fn kept(&mut self, text: &str) -> io::Result<()> {
        if let Some(folder) = self.path.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let new = self.path.with_extension("new");
        std::fs::write(&new, text)?;
        std::fs::rename(new, &self.path)
    }
}

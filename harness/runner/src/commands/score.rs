//! `score`: how many known mistakes the judge catches.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use matrix::score::blind::{self, BlindFile, BlindResult, BlindScore, MutantId, Sources};
use matrix::score::{self, Selection};
use matrix::{Home, Matrix, check};
use model::Bytes;

use super::Format;

/// Options of `score`.
#[derive(clap::Args)]
pub(crate) struct Score {
    /// Only operators whose name contains this; with --blind: only files
    #[arg(long, value_name = "S", default_value = "")]
    filter: String,
    /// At most so many mutants of each operator for each target, version and kind of file
    #[arg(long, value_name = "N", conflicts_with = "blind")]
    most: Option<usize>,
    /// Damage real files at random; what that changes is decided from the bytes alone
    #[arg(long)]
    blind: bool,
    /// What the damage is drawn by
    #[arg(long, value_name = "N", default_value_t = 1, requires = "blind")]
    seed: u64,
    /// How many damaged files
    #[arg(long, value_name = "N", default_value_t = 20_000, requires = "blind")]
    count: usize,
    /// At most so many builds of cases by the producers of this machine
    #[arg(long, value_name = "N", default_value_t = 60, requires = "blind")]
    builds: usize,
    /// Only this one, as a failure names it: SEED:NUMBER:FILE
    #[arg(long, value_name = "ID", requires = "blind")]
    replay: Option<MutantId>,
    /// Where damaged files are kept that are failures
    #[arg(long, value_name = "DIR", requires = "blind")]
    out: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "text")]
    pub(super) format: Format,
}

impl Score {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        if self.blind {
            return self.blind(out);
        }
        let score = score::score(&Selection { filter: self.filter, most: self.most })?;
        anyhow::ensure!(!score.mutants.is_empty(), "no operator has such a name");
        match self.format {
            Format::Text => score::print(&score, out)?,
            Format::Json => writeln!(out, "{}", score::to_json(&score))?,
        }
        Ok(u8::from(score.failures().next().is_some()))
    }

    fn blind(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        let home = Home::find();
        let frozen = home.root.join("cases/objects");
        let matrix = if self.builds > 0 { Some(Matrix::of(home, None)?) } else { None };
        let (seed, filter) = match &self.replay {
            Some(id) => (id.seed, id.file.clone()),
            None => (self.seed, self.filter.clone()),
        };
        let sources = Sources { seed, filter, frozen: Some(frozen), generated: 4, built: self.builds };
        let (files, left_out) = blind::files(&sources, matrix.as_ref())?;
        anyhow::ensure!(!files.is_empty(), "no file has such a name: {}", left_out.join("; "));
        let score = match &self.replay {
            Some(id) => BlindScore { mutants: replay(&files, id), files: files.len(), left_out },
            None => BlindScore { left_out, ..blind::blind(&files, seed, self.count) },
        };
        match self.format {
            Format::Text if self.replay.is_some() => score.mutants.iter().try_for_each(|one| blind::show(one, out))?,
            Format::Text => blind::print(&score, out)?,
            Format::Json => writeln!(out, "{}", blind::to_json(&score))?,
        }
        if let Some(folder) = &self.out {
            let wanted = |one: &&BlindResult| self.replay.is_some() || one.fate.is_failure();
            keep(folder, score.mutants.iter().filter(wanted))?;
        }
        Ok(u8::from(!score.passes()))
    }
}

fn replay(files: &[BlindFile], id: &MutantId) -> Vec<BlindResult> {
    let file = files.iter().filter(|file| file.name == id.file);
    file.filter_map(|file| {
        blind::one(file, id, &|name, bytes, options| check::check(name, &Bytes::copy_from_slice(bytes), options).report)
    })
    .collect()
}

/// Writes the files, by their numbers in the list of them.
fn keep<'m>(folder: &Path, mutants: impl Iterator<Item = &'m BlindResult>) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut index = String::new();
    for (number, mutant) in mutants.enumerate() {
        let name = format!("{number:05}.elf");
        fs::write(folder.join(&name), &mutant.mutant.bytes).with_context(|| format!("cannot write {name}"))?;
        index.push_str(&format!("{name} {} {}\n", mutant.fate.name(), mutant.id));
    }
    fs::write(folder.join("index.txt"), index).context("cannot write the list")
}

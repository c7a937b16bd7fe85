//! `corpus`: writes test vectors for readers of `.sframe` to a folder or an archive.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use flate2::{Compression, GzBuilder};
use generators::vectors::Vector;
use readers::corpus::kit::{self, Form};
use readers::corpus::{self, Counts, SEED, VERSION};
use reports::escape::line;
use types::{Unknown, counted};

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance corpus --out corpus
  sframe-conformance corpus --archive corpus.tar.gz --filter v3-amd64
  sframe-conformance corpus --form c --filter v3-amd64 --out vectors
  sframe-conformance corpus --encoded out           # what a writer made

Exit codes: 0 written, or every section right; 1 a section of --encoded is
wrong; 2 no section of --encoded exists; 3 it cannot be
written.";

/// write test vectors for readers: sections with the expected rows
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Corpus {
    /// write only cases whose id contains this
    #[arg(long, value_name = "TEXT", default_value = "", help_heading = "Selection", hide_default_value = true)]
    filter: String,
    /// seed of the random cases: the same seed gives the same bytes
    #[arg(long, value_name = "N", default_value_t = SEED, help_heading = "Selection")]
    seed: u64,
    /// judge the sections NAME.sframe that a writer put beside the rows of --form writer
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "archive", "form"], help_heading = "Action")]
    encoded: Option<PathBuf>,
    /// write sections, cases, index and schemas to this folder
    #[arg(long, value_name = "DIR", required_unless_present_any = ["archive", "encoded"], help_heading = "Output")]
    out: Option<PathBuf>,
    /// write the same as one .tar.gz, the same bytes on any day and machine
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    archive: Option<PathBuf>,
    /// form of the vectors: json; lines, one text file; c and rust, sources with a runner or API;
    /// libfuzzer, seeds and a dictionary; release, these in one; tables, big ones with look-ups;
    /// writer, rows to encode
    #[arg(long, value_name = "FORM", default_value = "json", value_parser = form, help_heading = "Output")]
    form: Form,
}

impl Corpus {
    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        // Their tables are made for them.
        let vectors = if self.form == Form::Tables { Vec::new() } else { corpus::all(self.seed, &self.filter) };
        if let Some(folder) = &self.encoded {
            return judge_encoded(folder, &vectors, out);
        }
        let files = kit::files(self.form, &vectors, self.seed, &self.filter);
        if vectors.is_empty() && (self.form != Form::Tables || files.len() < 2) {
            bail!("--filter {}: in the id of no vector; `corpus --out DIR` writes all", self.filter);
        }
        if let Some(folder) = &self.out {
            corpus::write(folder, &files)?;
        }
        if let Some(file) = &self.archive {
            archive(file, &files).with_context(|| line(&file.display().to_string()).to_string())?;
        }
        if self.form == Form::Tables {
            writeln!(out, "{}", counted(files.len(), "file"))?;
            return Ok(0);
        }
        let counts = Counts::new(&vectors);
        writeln!(out, "{:<24} {:<7} {:<11} cases", "class", "version", "abi")?;
        for ((class, version, abi), cases) in &counts.vectors {
            writeln!(out, "{class:<24} {version:<7} {abi:<11} {cases:>5}")?;
        }
        let total: usize = counts.vectors.values().sum();
        let places =
            [self.out, self.archive].into_iter().flatten().map(|place| line(&place.display().to_string()).to_string());
        let places: Vec<String> = places.collect();
        writeln!(out, "{total} cases, {} answers in {}", counts.answers, places.join(" and "))?;
        Ok(0)
    }
}

/// Reads the name of a form.
fn form(text: &str) -> Result<Form, Unknown> {
    Form::ALL
        .into_iter()
        .find(|form| form.name() == text)
        .ok_or_else(|| Unknown::new("form", text, Form::ALL.iter().map(|form| form.name())))
}

/// Prints what a writer made of the rows.
fn judge_encoded(folder: &Path, vectors: &[Vector], out: &mut dyn Write) -> anyhow::Result<u8> {
    let kit::JudgedTable { right, missing, wrong } = kit::encoded(folder, vectors)?;
    for wrong in &wrong {
        writeln!(out, "{}", line(wrong))?;
    }
    writeln!(out, "{right} right, {} wrong, {missing} missing", wrong.len())?;
    Ok(match (wrong.is_empty(), right) {
        (false, _) => 1,
        (true, 0) => 2,
        (true, _) => 0,
    })
}

/// Writes a .tar.gz with the files sorted by name, below one folder, without owner and time.
fn archive(file: &Path, files: &[(String, Vec<u8>)]) -> std::io::Result<()> {
    let mut files: Vec<&(String, Vec<u8>)> = files.iter().collect();
    files.sort();
    let packed = GzBuilder::new().mtime(0).operating_system(255).write(File::create(file)?, Compression::best());
    let mut archive = tar::Builder::new(packed);
    for (name, bytes) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        header.set_mtime(0);
        header.set_uid(0);
        header.set_gid(0);
        archive.append_data(&mut header, format!("sframe-corpus-{VERSION}/{name}"), bytes.as_slice())?;
    }
    archive.into_inner()?.finish()?.sync_all()
}

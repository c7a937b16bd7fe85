//! `consumers`: tests the readers of `.sframe` and `.eh_frame` on this machine.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, bail};
use generators::vectors::{Vector, has};
use ledger::KNOWN_READERS;
use ledger::run_files::write_file;
use matrix::Matrix;
use readers::corpus::SEED;
use readers::{
    BUILDS, EarlierFindings, ReadersLedger, Scope, ask_again, ask_all, built, choices, findings, reader_lines, real,
    stacks_by_origin, vector_named, vectors, write,
};
use reports::escape::line;
use reports::readers::{exit_code, questions};
use results::{READERS_SCHEMA, ReaderFinding, ReadersRun};
use toolchain::consumer::{self, Consumer, Reader, Reply, SHIPPED};
use toolchain::scratch::Scratch;

use super::formats::ResultFormat;
use super::own_reader::OwnReader;
use super::report::print_readers;
use crate::home;

/// Number of random programs in a complete run.
const PROGRAMS: u64 = 2000;

/// Ends the help.
const EXAMPLES: &str = "\
Examples:
  sframe-conformance consumers --list             # which readers are here
  sframe-conformance consumers --reader own       # own: this project's reader
  sframe-conformance consumers --against before/  # only what is new since then
  sframe-conformance consumers --readelf ../build/binutils

Exit codes: 0 as the ledger expects; 1 a new finding, or a known one that did
not recur; 2 a reader was not judged; 3 bad usage.";

/// test readers of .sframe and .eh_frame: corpus and random programs
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Consumers {
    /// list readers, and why others are missing
    #[arg(long, help_heading = "Selection")]
    list: bool,
    /// use only vectors whose id contains TEXT, from the beginning of a word on
    #[arg(long, value_name = "TEXT", default_value = "", help_heading = "Selection", hide_default_value = true)]
    filter: String,
    /// number of random programs whose tables are tried
    #[arg(long, value_name = "N", default_value_t = PROGRAMS, help_heading = "Selection")]
    programs: u64,
    /// test with the tables of at most this many cases, built with the tools found
    #[arg(long, value_name = "N", default_value_t = BUILDS, help_heading = "Selection")]
    builds: usize,
    /// seed of the random programs
    #[arg(long, value_name = "N", default_value_t = SEED, help_heading = "Selection")]
    seed: u64,
    /// test only this reader (may be repeated)
    #[arg(long, visible_alias = "reader", value_name = "NAME", help_heading = "Tools")]
    consumer: Vec<String>,
    /// use this file of readers [default: the shipped ci/consumers.yaml]
    #[arg(long, visible_alias = "readers", value_name = "FILE", help_heading = "Tools")]
    consumers: Option<PathBuf>,
    // Only these.
    #[command(flatten)]
    own: OwnReader,
    /// folder of known bugs of readers [default: the shipped one]
    #[arg(long, value_name = "DIR", help_heading = "Verdict")]
    known: Option<PathBuf>,
    /// compare with earlier results: findings in them are known, any other fails; none has to
    /// recur
    #[arg(long, value_name = "DIR", help_heading = "Selection")]
    against: Option<PathBuf>,
    /// print in this format
    #[arg(long, value_enum, default_value = "text", help_heading = "Output")]
    pub(super) format: ResultFormat,
    /// write findings, counts, a page and the smallest section of each finding to this folder
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    out: Option<PathBuf>,
}

impl Consumers {
    /// All readers of a file, or one's own builds, with all vectors.
    pub(super) fn whole(consumers: Option<PathBuf>, own: OwnReader, against: Option<PathBuf>, out: PathBuf) -> Self {
        Consumers {
            consumer: Vec::new(),
            consumers,
            own,
            list: false,
            format: ResultFormat::Text,
            out: Some(out),
            known: None,
            against,
            filter: String::new(),
            programs: PROGRAMS,
            builds: BUILDS,
            seed: SEED,
        }
    }

    pub(crate) fn run(self, out: &mut dyn Write) -> anyhow::Result<u8> {
        Ok(self.ask(out)?.1)
    }

    /// Runs the test; returns results and exit code.
    pub(super) fn ask(self, out: &mut dyn Write) -> anyhow::Result<(ReadersRun, u8)> {
        let home = home::find()?;
        let root = std::path::absolute(&home.root)?;
        let file = self.consumers.clone().unwrap_or_else(|| root.join(SHIPPED));
        let entries = self.own.put_in(consumer::read(&file)?)?;
        let ledger = ReadersLedger::read(&self.known.clone().unwrap_or_else(|| root.join(KNOWN_READERS)))?;
        let earlier = self.against.as_deref().map(EarlierFindings::read).transpose().context("--against")?;
        if let Some(name) = self.consumer.iter().find(|name| entries.iter().all(|entry| entry.name != **name)) {
            let names = entries.iter().map(|entry| entry.name.as_str());
            bail!("{}: {}", file.display(), results::unknown("reader", name, names));
        }
        let wanted = |entry: &&Consumer| self.consumer.is_empty() || self.consumer.contains(&entry.name);
        let this_program = std::env::current_exe()?;
        let found: Vec<(&Consumer, Option<Reader>)> =
            entries.iter().filter(wanted).map(|entry| (entry, entry.find(&root, &this_program))).collect();
        for (entry, reader) in &found {
            match reader {
                Some(reader) if self.list => {
                    writeln!(out, "{:<19} {:<16} {}", line(&entry.name), line(&reader.version), line(&entry.about))?;
                }
                Some(_) => {}
                // In other formats it is printed as a test of its own.
                None if self.format != ResultFormat::Text => {}
                None => writeln!(out, "{:<19} {:<16} to get it: {}", line(&entry.name), "-", line(&entry.from))?,
            }
        }
        let missing: BTreeMap<String, String> = found
            .iter()
            .filter(|(_, reader)| reader.is_none())
            .map(|(entry, _)| (entry.name.clone(), entry.from.clone()))
            .collect();
        if self.list {
            return Ok((ReadersRun::default(), 0));
        }
        let readers: Vec<Reader> = found.into_iter().filter_map(|(_, reader)| reader).collect();
        if let (true, Some(name)) = (self.own.is_given(), missing.keys().next()) {
            bail!("{name}: the program does not print a version that the entry expects");
        }
        if readers.is_empty() {
            bail!("none of these readers was found");
        }
        let began = Instant::now();
        // If all readers list their vectors, no others are made.
        let names: BTreeSet<&String> = readers.iter().flat_map(|reader| &reader.consumer.only).collect();
        let vectors = if readers.iter().all(|reader| !reader.consumer.only.is_empty()) {
            let named = names.into_iter().filter(|id| has(id, &self.filter));
            named.filter_map(|id| vector_named(self.seed, id)).collect()
        } else {
            let mut vectors = vectors(self.seed, self.programs, &self.filter);
            vectors.extend(real(&home, &self.filter));
            if self.builds > 0 {
                let cache = home.cache();
                let matrix = Matrix::new(home.clone(), None, Some(cache))?;
                vectors.extend(built(&matrix, self.builds, &self.filter)?);
            }
            vectors
        };
        let folder = Scratch::new().context("a folder for sections")?;
        let (mut outcomes, left_out) = ask_all(&readers, &vectors, folder.path())?;
        if outcomes.iter().all(|outcome| matches!(outcome.reply, Reply::NotAsked(_))) {
            bail!("nothing to ask: these readers claim to read none of the chosen sections");
        }
        let is_whole = self.filter.is_empty() && self.seed == SEED && self.programs >= PROGRAMS;
        let asked = Scope { readers: &readers, vectors: &vectors, is_whole };
        // Repeats answers of readers that were late, or killed, while others were running.
        ask_again(&mut outcomes, &vectors, &ledger, asked, folder.path())?;
        let mut found = findings(&outcomes);
        let mut problems = ledger.hold(&mut found, asked);
        if let Some(earlier) = earlier {
            earlier.hold(&mut found);
            problems.clear();
        }
        let run = ReadersRun {
            schema: READERS_SCHEMA,
            tool_version: concat!("sframe-conformance ", env!("CARGO_PKG_VERSION")).to_owned(),
            day: ledger.today.clone(),
            seconds: began.elapsed().as_secs_f64(),
            seed: self.seed,
            sections: by_class(&vectors),
            stacks: stacks_by_origin(&vectors),
            readers: reader_lines(&readers, &outcomes, &left_out),
            missing,
            choices: choices(&outcomes),
            bugs: ledger.shown_by(&found),
            problems,
        };
        let findings: Vec<ReaderFinding> = found.iter().map(|one| one.finding.clone()).collect();
        print_readers(self.format, &findings, &run, out)?;
        if let Some(folder) = &self.out {
            write(folder, &found, &run)?;
            let page = reports::page::readers::render(&findings, &run);
            write_file(&folder.join("index.html"), |out| out.write_all(page.as_bytes()))?;
            write_file(&folder.join("questions.md"), |out| questions::write(&run, out))?;
        }
        // A reader that was requested by name and is not installed makes the result undecided.
        let undecided = !run.missing.is_empty() && !self.consumer.is_empty();
        let code = match exit_code(&findings, &run) {
            0 if undecided => 2,
            code => code,
        };
        Ok((run, code))
    }
}

fn by_class(vectors: &[Vector]) -> BTreeMap<String, u64> {
    let mut sections = BTreeMap::new();
    for vector in vectors {
        *sections.entry(vector.class.name().to_owned()).or_default() += 1;
    }
    sections
}

//! `reduce` and `bundle` for findings about a reader under test.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use generators::vectors::{Class, Vector};
use ledger::{KNOWN_READERS, KnownFault};
use matrix::Matrix;
use readers::corpus::SEED;
use readers::{
    BUILDS, CauseEvidence, ReadersLedger, WrongAnswer, ask_all, built, findings, real, vector_named, vectors,
};
use reduce::describe::{BundleTexts, describe_section, section_files};
use reduce::{Counts, Reduced, SectionParts, kept_name, reduce_section};
use reports::bundle::reader::{licence, program, report, script, subject};
use reports::escape::line;
use results::ToolVersion;
use results::bundle::ReaderBundle;
use toolchain::consumer::{self, Reader, SHIPPED};
use toolchain::scratch::Scratch;
use toolchain::{interrupt, yaml};

use super::reduce::{Kept, ReducedArgs, summary};
use crate::home;

/// The reader that a target is about, and where readers are named.
#[derive(clap::Args)]
pub(crate) struct ReaderArgs {
    /// test this reader; VECTOR is the id of a vector, e.g. valid/v3-amd64/two-functions
    #[arg(long, visible_alias = "reader", value_name = "NAME", help_heading = "Tools")]
    consumer: Option<String>,
    /// use this file of readers [default: the shipped ci/consumers.yaml]
    #[arg(long, visible_alias = "readers", value_name = "FILE", requires = "consumer", help_heading = "Tools")]
    consumers: Option<PathBuf>,
}

/// A reader and a vector.
pub(crate) struct Subject {
    reader: Reader,
    vector: Vector,
    /// The entry of the ledger that it shows, if it was named.
    shows: Option<ShownEntry>,
}

/// Number of sections that are tried together to find one that shows an entry.
const ASKED: usize = 256;

/// An entry of the ledger of readers.
struct ShownEntry {
    name: String,
    /// The cause of the entry that is shown.
    fingerprint: String,
}

impl ReaderArgs {
    /// The reader and the vector; `None` if no reader is given.
    pub(crate) fn subject(&self, id: &str) -> anyhow::Result<Option<Subject>> {
        let Some(name) = &self.consumer else { return Ok(None) };
        let root = std::path::absolute(home::find()?.root)?;
        let file = self.consumers.clone().unwrap_or_else(|| root.join(SHIPPED));
        let entries = consumer::read(&file)?;
        let entry = entries.iter().find(|entry| entry.name == *name);
        let names = entries.iter().map(|entry| entry.name.as_str());
        let unknown = || format!("{}: {}", file.display(), results::unknown("reader", name, names));
        let entry = entry.with_context(unknown)?;
        let found = entry.find(&root, &std::env::current_exe()?);
        let reader = found.with_context(|| format!("{name} was not found; to get it: {}", entry.from))?;
        let vector = vector(id)?
            .with_context(|| format!("unknown vector `{id}`: `corpus --out DIR` writes them all with their ids"))?;
        Ok(Some(Subject { reader, vector, shows: None }))
    }
}

/// The vector with this id: from the corpus, random, from a frozen file or one built here.
fn vector(id: &str) -> anyhow::Result<Option<Vector>> {
    let is_it = |vector: &Vector| vector.id == id;
    let home = home::find()?;
    if let Some(found) = vector_named(SEED, id).or_else(|| real(&home, id).into_iter().find(is_it)) {
        return Ok(Some(found));
    }
    let cache = home.cache();
    let matrix = Matrix::new(home, None, Some(cache))?;
    Ok(built(&matrix, BUILDS, id)?.into_iter().find(is_it))
}

impl Subject {
    /// What shows an entry of the ledger of readers: a small section of the corpus, with the newest
    /// affected reader here that shows it. `None` if there is no entry of that name.
    pub(crate) fn of_entry(name: &str) -> anyhow::Result<Option<Subject>> {
        let home = home::find()?;
        let root = std::path::absolute(&home.root)?;
        let known = ReadersLedger::read(&root.join(KNOWN_READERS))?;
        let Some(entry) = known.entries.get(&format!("{name}.yaml")) else { return Ok(None) };
        let this_program = std::env::current_exe()?;
        let of_project = consumer::read(&root.join(SHIPPED))?.into_iter().filter(|one| one.project() == entry.project);
        let (mut readers, mut absent) = (Vec::new(), Vec::new());
        for one in of_project {
            match one.find(&root, &this_program) {
                Some(reader) if entry.affects(&ToolVersion::new(&reader.version)) => readers.push(reader),
                Some(_) => {}
                None => absent.push(one.from),
            }
        }
        absent.dedup();
        let of_text = |text: &String| vectors(SEED, 0, text).into_iter().chain(real(&home, text)).collect::<Vec<_>>();
        let mut vectors: Vec<Vector> = in_ids(entry).iter().flat_map(of_text).collect();
        // Most entries without a bundle are about malformed sections.
        vectors.sort_by_key(|vector| !matches!(vector.class, Class::Malformed(_)));
        let folder = Scratch::new().context("a folder for sections")?;
        while let Some(reader) = readers.pop() {
            for asked in vectors.chunks(ASKED) {
                let (outcomes, _) = ask_all(std::slice::from_ref(&reader), asked, folder.path())?;
                let found = findings(&outcomes);
                let covers = |one: &&CauseEvidence<'_, '_>| {
                    one.finding.tables.keys().any(|table| entry.covers(&one.finding, &one.cause, table, &[]))
                };
                let shown = found.iter().filter(covers).min_by_key(|one| one.smallest.vector.bytes.len());
                if let Some(one) = shown {
                    let (vector, fingerprint) = (one.smallest.vector.clone(), one.finding.fingerprint.clone());
                    let shows = Some(ShownEntry { name: name.to_owned(), fingerprint });
                    return Ok(Some(Subject { reader, vector, shows }));
                }
            }
        }
        let from = if absent.is_empty() { String::new() } else { format!("; to get others: {}", absent.join(", ")) };
        bail!("{name}: not shown by the readers of {} found here{from}", entry.project)
    }

    fn wrong_answer(&self, fingerprint: Option<&str>) -> anyhow::Result<WrongAnswer<'_>> {
        let fingerprint = fingerprint.or(self.shows.as_ref().map(|shows| shows.fingerprint.as_str()));
        let wrong = WrongAnswer::new(&self.reader, &self.vector, fingerprint)?;
        wrong.with_context(|| format!("{}: {} answers as expected", self.vector.id, self.reader.consumer.name))
    }

    /// `reduce`.
    pub(crate) fn reduce(&self, target: &ReducedArgs, folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
        let wrong = self.wrong_answer(target.finding.as_deref())?;
        let (_, counts) = least(&wrong, target, folder)?;
        writeln!(out, "{}\n{}", line(&wrong.cause.title()), summary(&counts))?;
        writeln!(out, "{}", line(&folder.join(kept_name(self.vector.format)).display().to_string()))?;
        Ok(interrupt::exit_code().unwrap_or(0))
    }

    /// `bundle`: reduces the section, and writes the bundle; with a name, its data is stored in the
    /// ledger's folder.
    pub(crate) fn bundle(
        &self,
        target: &ReducedArgs,
        folder: &Path,
        texts: BundleTexts,
        entry: Option<&str>,
        out: &mut dyn Write,
    ) -> anyhow::Result<u8> {
        let wrong = self.wrong_answer(target.finding.as_deref())?;
        let (parts, counts) = least(&wrong, target, folder)?;
        writeln!(out, "{}", summary(&counts))?;
        let known = ReadersLedger::read(&home::find()?.root.join(KNOWN_READERS))?;
        let recorded = entry.or(self.shows.as_ref().map(|shows| shows.name.as_str()));
        let bundle = describe_section(&wrong, &parts, &counts, texts, &known, recorded)?;
        if let Some(name) = entry {
            if bundle.tell.is_some() {
                bail!(
                    "a section that crashes a reader is reported to its maintainers first: it is not kept in the repository"
                );
            }
            let kept = home::to_write()?.root.join(KNOWN_READERS).join(name);
            fs::create_dir_all(&kept).with_context(|| kept.display().to_string())?;
            yaml::write(&kept.join(ledger::BUNDLE), &bundle)?;
        }
        put(&bundle, folder, out)?;
        Ok(interrupt::exit_code().unwrap_or(0))
    }
}

/// Texts in the ids of the vectors that can show an entry: its tables, `/v3-amd64/`, or an empty
/// one if it holds for all.
fn in_ids(entry: &KnownFault) -> BTreeSet<String> {
    let tables = || entry.shows.iter().flat_map(|shows| shows.causes.values().flatten());
    if tables().any(|table| table == "*") {
        return BTreeSet::from([String::new()]);
    }
    tables().map(|table| format!("/{table}/")).collect()
}

fn least(wrong: &WrongAnswer<'_>, target: &ReducedArgs, folder: &Path) -> anyhow::Result<(SectionParts, Counts)> {
    let mut watch = Kept::new(folder)?;
    let Reduced { least, counts } = reduce_section(wrong, target.bounds(), &mut watch)?;
    watch.finish();
    Ok((least, counts))
}

pub(crate) fn put(bundle: &ReaderBundle, folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let texts = [Some(("report.md", report(bundle))), Some(("LICENSE-MIT-0", licence().to_owned()))];
    let texts = texts.into_iter().chain([script(bundle).map(|text| ("run.sh", text))]).flatten().chain(program(bundle));
    let texts = texts.map(|(name, text)| (name.to_owned(), text.into_bytes()));
    for (name, bytes) in section_files(bundle)?.into_iter().chain(texts) {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    writeln!(out, "{}\n{}", line(&subject(bundle)), line(&folder.display().to_string()))?;
    Ok(())
}

/// Data of a bundle in the ledger's folder, by name; `None` if it does not exist.
pub(crate) fn kept(name: &str) -> anyhow::Result<Option<ReaderBundle>> {
    let path = home::find()?.root.join(KNOWN_READERS).join(name).join(ledger::BUNDLE);
    Ok(if path.is_file() { Some(yaml::read(&path)?) } else { None })
}

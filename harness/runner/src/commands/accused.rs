//! `reduce` and `bundle` of what a reader under test is wrong about.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use generators::elf::{ElfSpec, FileKind, Section, listing, write as write_elf};
use generators::vectors::Vector;
use ledger::{KNOWN_READERS, KnownFault};
use matrix::Matrix;
use readers::corpus::{SEED, state_words};
use readers::{Accused, BUILDS, ReadersLedger, SectionInput, built, inputs, real, vector_named};
use reduce::{Counts, KEPT, Reduced, SectionParts, reduce_section};
use reports::bundle::reader::{licence, report, subject};
use reports::escape::line;
use results::ToolVersion;
use results::bundle::{Clause, Found, ReaderBundle};
use toolchain::consumer::{self, Reader, SHIPPED};
use toolchain::{interrupt, yaml};

use super::reduce::{Kept, Target, summary};
use crate::home;

/// The reader that a target is about, and where readers are named.
#[derive(clap::Args)]
pub(crate) struct OfReader {
    /// test this reader; the subject is the id of a vector, valid/v3-amd64/two-functions
    #[arg(long, value_name = "NAME", help_heading = "Tools")]
    consumer: Option<String>,
    /// use this consumers' file [default: the shipped one]
    #[arg(long, value_name = "FILE", requires = "consumer", help_heading = "Tools")]
    consumers: Option<PathBuf>,
}

/// The texts of a bundle that a person writes.
pub(crate) struct Said {
    pub(crate) title: Option<String>,
    pub(crate) note: Option<String>,
    pub(crate) clause: Option<Clause>,
}

/// A reader and a vector.
pub(crate) struct Subject {
    reader: Reader,
    vector: Vector,
}

impl OfReader {
    /// The reader and the vector; none if no reader is named.
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
        let reader = found.map_err(|how| anyhow::anyhow!("{name} is not here; to get it: {how}"))?;
        let vector = vector(id)?
            .with_context(|| format!("unknown vector `{id}`: `corpus --out DIR` writes them all with their ids"))?;
        Ok(Some(Subject { reader, vector }))
    }
}

/// The vector of that id: of the corpus, drawn, of a frozen file or of one that is built here.
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
    fn accused(&self, fingerprint: Option<&str>) -> anyhow::Result<Accused<'_>> {
        let accused = Accused::new(&self.reader, &self.vector, fingerprint)?;
        accused.with_context(|| format!("{}: {} is right about it", self.vector.id, self.reader.consumer.name))
    }

    /// `reduce`.
    pub(crate) fn reduce(&self, target: &Target, folder: &Path, out: &mut dyn Write) -> anyhow::Result<u8> {
        let accused = self.accused(target.finding.as_deref())?;
        let (_, counts) = least(&accused, target, folder)?;
        writeln!(out, "{}\n{}", line(&accused.cause.title()), summary(&counts))?;
        writeln!(out, "{}", line(&folder.join(KEPT).display().to_string()))?;
        Ok(interrupt::exit_code().unwrap_or(0))
    }

    /// `bundle`: reduces, and writes what is to be sent; with a name, its data into the ledger's
    /// folder.
    pub(crate) fn bundle(
        &self,
        target: &Target,
        folder: &Path,
        said: Said,
        entry: Option<&str>,
        out: &mut dyn Write,
    ) -> anyhow::Result<u8> {
        let accused = self.accused(target.finding.as_deref())?;
        let (parts, counts) = least(&accused, target, folder)?;
        writeln!(out, "{}", summary(&counts))?;
        let bundle = describe(&accused, &parts, &counts, said, entry)?;
        if let Some(name) = entry {
            if bundle.verdict.is_private() {
                bail!(
                    "a section that crashes a reader is reported to its makers first: it is not kept in the repository"
                );
            }
            let kept = home::to_write()?.root.join(KNOWN_READERS).join(name);
            fs::create_dir_all(&kept).with_context(|| kept.display().to_string())?;
            yaml::write(&kept.join(ledger::bundles::DATA), &bundle)?;
        }
        put(&bundle, folder, out)?;
        Ok(interrupt::exit_code().unwrap_or(0))
    }
}

fn least(accused: &Accused<'_>, target: &Target, folder: &Path) -> anyhow::Result<(SectionParts, Counts)> {
    let mut watch = Kept::new(folder)?;
    let Reduced { least, counts } = reduce_section(accused, target.bounds(), &mut watch)?;
    watch.finish();
    Ok((least, counts))
}

/// What was measured, with the texts that a person gives here or in the entry of that name.
fn describe(
    accused: &Accused<'_>,
    parts: &SectionParts,
    counts: &Counts,
    said: Said,
    entry: Option<&str>,
) -> anyhow::Result<ReaderBundle> {
    let bytes = parts.bytes();
    let shown = accused.shown_by(bytes).context("it does not show the second time")?;
    let (vector, consumer) = (accused.vector, &accused.reader.consumer);
    let known = ReadersLedger::read(&home::find()?.root.join(KNOWN_READERS))?;
    let entry = entry.and_then(|name| known.entries.get(&format!("{name}.yaml")));
    let clause = entry.and_then(|entry| spec::clause_named(entry.clause.as_deref()?));
    let clause = clause.map(|clause| Clause { demand: clause.demand.to_owned(), section: clause.section.to_owned() });
    let of_project = |entry: &&KnownFault| entry.project == consumer.project() && entry.tell.is_some();
    let tell = known.entries.values().find(of_project).and_then(|entry| entry.tell.clone());
    Ok(ReaderBundle {
        title: said.title.or_else(|| Some(entry?.title.clone())).unwrap_or_else(|| accused.cause.title()),
        reader: consumer.project().to_owned(),
        version: ToolVersion::new(&accused.reader.version),
        command: consumer
            .shown_by
            .clone()
            .unwrap_or_else(|| format!("{} (ci/readers.md, the protocol)", consumer.command)),
        verdict: shown.verdict,
        fingerprint: accused.cause.fingerprint(),
        note: said.note.or_else(|| Some(entry?.reason.clone())).unwrap_or_default(),
        clause: said.clause.or(clause),
        abi: vector.abi,
        sframe: vector.version,
        address: vector.address,
        linked: consumer.is_linker().then_some(vector.text),
        section: ReaderBundle::lines(bytes),
        pc: shown.pc,
        stack: shown.stack.iter().flat_map(state_words).collect(),
        got: shown.got,
        want: shown.want,
        tell: shown.verdict.is_private().then(|| tell.unwrap_or_else(|| "the reader's makers".to_owned())),
        found: Found {
            by: format!("vector {}", vector.id),
            before: Some(counts.before.clone()),
            after: Some(counts.now.clone()),
            ..Found::default()
        },
    })
}

/// Writes the folder of a bundle.
pub(crate) fn put(bundle: &ReaderBundle, folder: &Path, out: &mut dyn Write) -> anyhow::Result<()> {
    let bytes = bundle.bytes().context("the section's lines are no hex")?;
    let mut files = vec![
        ("report.md".to_owned(), report(bundle).into_bytes()),
        ("LICENSE-MIT-0".to_owned(), licence().as_bytes().to_vec()),
        (KEPT.to_owned(), bytes.clone()),
        (ledger::bundles::DATA.to_owned(), results::yaml::print(bundle)?.into_bytes()),
    ];
    match bundle.linked {
        None => files.push(("repro.elf".to_owned(), elf(bundle, bytes)?)),
        Some(text) => {
            let asked = SectionInput { bytes, address: bundle.address, text, abi: bundle.abi };
            for (name, spec) in inputs(&asked).map_err(anyhow::Error::msg)? {
                let source = listing(&spec).context("an object that is no assembly")?;
                files.push((Path::new(name).with_extension("s").display().to_string(), source.into_bytes()));
                files.push((name.to_owned(), write_elf(&spec)?));
            }
        }
    }
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| path.display().to_string())?;
    }
    writeln!(out, "{}\n{}", line(&subject(bundle)), line(&folder.display().to_string()))?;
    Ok(())
}

/// An ELF file that has the section alone.
fn elf(bundle: &ReaderBundle, bytes: Vec<u8>) -> anyhow::Result<Vec<u8>> {
    let section = Section {
        name: ".sframe".to_owned(),
        kind: generators::elf::SHT_GNU_SFRAME,
        flags: generators::elf::SHF_ALLOC,
        address: bundle.address,
        align: 8,
        bytes,
        empty_size: 0,
        link: None,
        info: 0,
        entry_size: 0,
        relocations: Vec::new(),
    };
    let spec = ElfSpec {
        abi: bundle.abi,
        kind: FileKind::Executable,
        entry: 0,
        sections: vec![section],
        segments: Vec::new(),
        symbols: Vec::new(),
        groups: Vec::new(),
    };
    Ok(write_elf(&spec)?)
}

/// The data of a bundle in the ledger's folder, by name; `None` if it does not exist.
pub(crate) fn kept(name: &str) -> anyhow::Result<Option<ReaderBundle>> {
    let path = home::find()?.root.join(KNOWN_READERS).join(name).join(ledger::bundles::DATA);
    Ok(if path.is_file() { Some(yaml::read(&path)?) } else { None })
}

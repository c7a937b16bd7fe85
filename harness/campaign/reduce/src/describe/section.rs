//! Makes the bundle about a reader for a reduced section, and the files of the bundle.

use std::path::Path;

use generators::elf::{ElfError, ElfSpec, FileKind, Section, listing, write as write_elf};
use ledger::KnownFault;
use readers::corpus::state_words;
use readers::{ReadersLedger, SectionInput, WrongAnswer, inputs};
use results::ToolVersion;
use results::bundle::{BundledIndex, Clause, Provenance, ReaderBundle};
use results::yaml::{self, SyntaxError};
use types::TableFormat;

use super::core_file::{core, load};
use crate::search::Counts;
use crate::section::{SectionParts, kept_name};

/// Texts that a person gives for a bundle.
pub struct BundleTexts {
    /// Title, one line.
    pub title: Option<String>,
    /// Further explanation for readers of the report.
    pub note: Option<String>,
    /// Requirement of the specification.
    pub clause: Option<Clause>,
}

/// Why there is no bundle.
#[derive(Debug, thiserror::Error)]
pub enum ReaderBundleError {
    #[error("the finding did not recur in a second run")]
    NotShown,
    #[error("the section's lines are not hexadecimal")]
    Hex,
    /// The section is not given to linkers.
    #[error("{0}")]
    NotLinked(&'static str),
    #[error("the object was not made from assembly")]
    NoAssembly,
    #[error(transparent)]
    Elf(#[from] ElfError),
    #[error(transparent)]
    Core(#[from] std::io::Error),
    #[error(transparent)]
    Yaml(#[from] SyntaxError),
}

/// The bundle of a measured bug, with the texts of a person given here or in the entry of the same
/// name.
pub fn describe_section(
    wrong: &WrongAnswer<'_>,
    parts: &SectionParts,
    counts: &Counts,
    texts: BundleTexts,
    known: &ReadersLedger,
    entry: Option<&str>,
) -> Result<ReaderBundle, ReaderBundleError> {
    let bytes = parts.bytes();
    let shown = wrong.shown_by(bytes).ok_or(ReaderBundleError::NotShown)?;
    let (vector, consumer) = (wrong.vector, &wrong.reader.consumer);
    let entry = entry.and_then(|name| known.entries.get(&format!("{name}.yaml")));
    let clause = entry.and_then(|entry| spec::clause_named(entry.clause.as_deref()?));
    let clause = clause.map(|clause| Clause {
        demand: clause.demand.to_owned(),
        section: format!("{}, {}", vector.format.text(), clause.section),
    });
    let of_project = |entry: &&KnownFault| entry.project == consumer.project() && entry.tell.is_some();
    let contact = known.entries.values().find(of_project).and_then(|entry| entry.tell.clone());
    let stack = match &shown.stack {
        Some(stack) => state_words(stack),
        // A reader that answers with the caller got registers and memory too.
        None if shown.got.starts_with("caller ") => wrong.state_of_row(),
        None => Vec::new(),
    };
    let is_private = shown.verdict.is_private() || entry.is_some_and(|entry| known.is_private(entry));
    Ok(ReaderBundle {
        title: texts.title.or_else(|| Some(title(entry?))).unwrap_or_else(|| wrong.cause.title()),
        reader: consumer.project().to_owned(),
        version: ToolVersion::new(&wrong.reader.version),
        called: None,
        command: consumer
            .shown_by
            .clone()
            .unwrap_or_else(|| format!("{} (ci/readers.md, the protocol)", consumer.command)),
        verdict: shown.verdict,
        fingerprint: wrong.cause.fingerprint(),
        note: texts.note.or_else(|| Some(entry?.reason.clone())).unwrap_or_default(),
        clause: texts.clause.or(clause),
        abi: vector.abi,
        register: vector.register,
        sframe: vector.format.sframe(),
        address: vector.address,
        linked: consumer.is_linker().then_some(vector.text),
        code: (!stack.is_empty()).then_some(vector.text),
        section: ReaderBundle::lines(bytes),
        index: wrong
            .own_index()
            .map(|(bytes, address)| BundledIndex { address: *address, bytes: ReaderBundle::lines(bytes) }),
        pc: shown.pc,
        stack,
        got: shown.got,
        want: shown.want,
        prints: None,
        tell: is_private.then(|| contact.unwrap_or_else(|| "the reader's maintainers".to_owned())),
        found: Provenance {
            by: format!("vector {}", vector.id),
            before: Some(counts.before.clone()),
            after: Some(counts.now.clone()),
            ..Provenance::default()
        },
    })
}

/// The title of an entry without the reader, which the subject line of a bundle has.
fn title(entry: &KnownFault) -> String {
    let reader = format!("{}: ", entry.project);
    entry.title.strip_prefix(&reader).unwrap_or(&entry.title).to_owned()
}

/// Files of a bundle's folder that are no texts, and its data, by name.
pub fn section_files(bundle: &ReaderBundle) -> Result<Vec<(String, Vec<u8>)>, ReaderBundleError> {
    let bytes = bundle.bytes().ok_or(ReaderBundleError::Hex)?;
    let mut files = vec![
        (kept_name(bundle.format()), bytes.clone()),
        (ledger::BUNDLE.to_owned(), yaml::print(bundle)?.into_bytes()),
    ];
    match bundle.linked {
        None => {
            let program = elf(bundle, bytes)?;
            if !bundle.stack.is_empty() {
                files.push(("core".to_owned(), core(bundle, &program)?));
            }
            files.push(("repro.elf".to_owned(), program));
        }
        Some(text) => {
            let asked = SectionInput {
                bytes,
                address: bundle.address,
                text,
                abi: bundle.abi,
                format: bundle.format(),
                register: None,
            };
            for (name, spec) in inputs(&asked).map_err(ReaderBundleError::NotLinked)? {
                let source = listing(&spec).ok_or(ReaderBundleError::NoAssembly)?;
                files.push((Path::new(name).with_extension("s").display().to_string(), source.into_bytes()));
                files.push((name.to_owned(), write_elf(&spec)?));
            }
        }
    }
    Ok(files)
}

/// An ELF file that contains only the section, and its index; for a debugger also code.
fn elf(bundle: &ReaderBundle, bytes: Vec<u8>) -> Result<Vec<u8>, ReaderBundleError> {
    let format = bundle.format();
    let kind = match format {
        TableFormat::Sframe(_) => generators::elf::SHT_GNU_SFRAME,
        TableFormat::EhFrame => generators::elf::SHT_PROGBITS,
    };
    let section = |name: &str, kind, address, bytes| Section {
        name: name.to_owned(),
        kind,
        flags: generators::elf::SHF_ALLOC,
        address,
        align: 8,
        bytes,
        empty_size: 0,
        link: None,
        info: 0,
        entry_size: 0,
        relocations: Vec::new(),
    };
    let mut sections = vec![section(format.section(), kind, bundle.address, bytes)];
    if let Some(index) = &bundle.index {
        let bytes = index.bytes().ok_or(ReaderBundleError::Hex)?;
        sections.push(Section { align: 4, ..section(".eh_frame_hdr", kind, index.address, bytes) });
    }
    let segments = if bundle.stack.is_empty() { Vec::new() } else { load(bundle, &mut sections) };
    let spec = ElfSpec {
        abi: bundle.abi,
        kind: FileKind::Executable,
        entry: 0,
        sections,
        segments,
        symbols: Vec::new(),
        groups: Vec::new(),
    };
    Ok(write_elf(&spec)?)
}

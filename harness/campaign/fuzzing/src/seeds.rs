//! Seeds: valid inputs, or ones broken in one known way, from frozen objects, generated files and
//! the project's own data.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use check::{Options, check};
use generators::corpus;
use ledger::{Home, NoCheckout};
use results::{RunFacts, SCHEMA, Status, TrialLine};
use types::{Abi, Bytes, ImageKind};

use crate::bodies::texts::Shape;

/// Why there are no seeds.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    #[error(transparent)]
    Place(#[from] NoCheckout),
    /// A file of the project cannot be read.
    #[error("{}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("no seed input for {0}")]
    None(&'static str),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Maximum size of a seed in bytes: larger files are slow to mutate, and contain nothing that
/// smaller ones do not.
const MOST_BYTES: usize = 8 << 10;

/// Generated files, valid and broken, and the small frozen objects.
pub(crate) fn files() -> Result<Vec<Vec<u8>>, SeedError> {
    let mut files = all_files()?;
    files.retain(|bytes| bytes.len() <= MOST_BYTES);
    Ok(files)
}

fn all_files() -> Result<Vec<Vec<u8>>, SeedError> {
    static FILES: OnceLock<Vec<Vec<u8>>> = OnceLock::new();
    if let Some(files) = FILES.get() {
        return Ok(files.clone());
    }
    let clean = corpus::clean().into_iter().map(|file| file.bytes);
    let broken = corpus::broken().into_iter().map(|file| file.bytes);
    let mut files: BTreeSet<Vec<u8>> = clean.chain(broken).collect();
    for path in below(&Home::checkout()?.root.join("cases/objects"))? {
        let bytes = read(&path)?;
        if bytes.starts_with(b"\x7fELF") {
            files.insert(bytes);
        }
    }
    Ok(FILES.get_or_init(|| files.into_iter().collect()).clone())
}

/// Archives, compressed files, and both nested in each other, with a member that begins like an ELF
/// file.
pub(crate) fn archives() -> Result<Vec<Vec<u8>>, SeedError> {
    const MEMBER: &[u8] = b"\x7fELF and text, and text, and text, and text, and text again";
    /// Headers of members with the name in the header, in the table, and before the contents; with
    /// sizes in bytes.
    const HEADERS: [(&str, &str, usize); 4] =
        [("//", "a-long-name.o/\n", 0), ("m.o/", "", 64), ("/0", "", 64), ("#1/4", "n.o\0", 64)];
    /// `xz -9` of the magic number and a kibibyte of zeros.
    const XZ: &[u8] = include_bytes!("../../../read/unpack/tests/suite/zeros.xz");
    let failed = |error| SeedError::Read { path: PathBuf::from("an archive"), error };
    let mut ar = b"!<arch>\n".to_vec();
    for (name, before, bytes) in HEADERS {
        let bytes = [before.as_bytes(), MEMBER.get(..bytes.min(MEMBER.len())).unwrap_or_default()].concat();
        ar.extend(format!("{name:<16}{:<32}{:<10}`\n", 0, bytes.len()).bytes());
        ar.extend(&bytes);
        ar.resize(ar.len().next_multiple_of(2), b'\n');
    }
    let mut tar = tar::Builder::new(Vec::new());
    for (name, bytes) in [("m.o", MEMBER), ("m.ko.xz", XZ), (&"long/".repeat(30), &ar)] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        tar.append_data(&mut header, name, bytes).map_err(failed)?;
    }
    let tar = tar.into_inner().map_err(failed)?;
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    let gzip = gzip.write_all(&tar).and_then(|()| gzip.finish()).map_err(failed)?;
    let zstd = ruzstd::encoding::compress_to_vec(tar.as_slice(), ruzstd::encoding::CompressionLevel::Fastest);
    Ok(vec![ar, gzip, zstd, XZ.to_vec(), tar])
}

/// Files that can be executed.
pub(crate) fn linked_files() -> Result<Vec<Vec<u8>>, SeedError> {
    let runs = |bytes: &Vec<u8>| {
        elf::load("seed", &bytes.clone().into()).is_ok_and(|image| image.kind != ImageKind::Relocatable)
    };
    Ok(files()?.into_iter().filter(runs).collect())
}

/// Contents of the sections with these names, each after a byte for the target, and the kind of
/// file.
pub(crate) fn sections(names: &[&str]) -> Result<Vec<Vec<u8>>, SeedError> {
    let mut sections = BTreeSet::new();
    for file in all_files()? {
        let Ok(image) = elf::load("seed", &file.into()) else { continue };
        let abi = Abi::ALL.iter().position(|abi| *abi == image.abi).unwrap_or(0) as u8;
        let kind = if image.kind == ImageKind::Relocatable { 4 } else { 0 };
        for section in image.sections.iter().filter(|section| names.contains(&section.name.as_str())) {
            sections.insert([&[abi | kind], &section.bytes[..]].concat());
        }
    }
    sections.retain(|bytes| bytes.len() <= MOST_BYTES);
    Ok(sections.into_iter().collect())
}

/// Entries of the shipped producers' file, each without its partners, which are other entries.
pub(crate) fn producers() -> Result<Vec<Vec<u8>>, SeedError> {
    let text = read(&Home::checkout()?.root.join("ci/producers.yaml"))?;
    let alone = |item: Vec<u8>| {
        let (mut kept, mut partners) = (String::new(), false);
        for line in String::from_utf8_lossy(&item).split_inclusive('\n') {
            partners = line.starts_with("  with:") || partners && line.starts_with("    ");
            if !partners {
                kept.push_str(line);
            }
        }
        kept.into_bytes()
    };
    Ok(items(&text).map(alone).collect())
}

/// Every data file below `cases/`, lists item by item, each after a byte for its [`Shape`].
pub(crate) fn cases() -> Result<Vec<Vec<u8>>, SeedError> {
    let folder = Home::checkout()?.root.join("cases");
    let mut seeds = Vec::new();
    for path in below(&folder)?.into_iter().filter(|path| is_yaml(path)) {
        let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
        let shape = match name.as_str() {
            "objects/objects.yaml" => Shape::Objects,
            "found/found.yaml" => Shape::Found,
            "found/classes.yaml" => Shape::Classes,
            name if name.starts_with("link/") => Shape::Link,
            _ => Shape::Case,
        };
        seeds.extend(items(&read(&path)?).map(|item| [&[shape as u8], item.as_slice()].concat()));
    }
    Ok(seeds)
}

/// The short entries of the ledger.
pub(crate) fn ledger() -> Result<Vec<Vec<u8>>, SeedError> {
    let files = below(&Home::checkout()?.root.join("reports/known"))?;
    let mut entries =
        files.iter().filter(|path| is_yaml(path)).map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    entries.retain(|entry| entry.len() <= MOST_BYTES);
    Ok(entries)
}

/// The results of two trials with findings, and the facts of their run, once for each output
/// format.
pub(crate) fn results() -> Result<Vec<Vec<u8>>, SeedError> {
    let broken = corpus::broken();
    let checked = |bytes: &[u8]| check("seed", &Bytes::copy_from_slice(bytes), &Options::static_only()).report;
    let reports = broken.iter().step_by(40).map(|file| (file.abi, checked(&file.bytes)));
    let mut seeds = Vec::new();
    let mut lines = Vec::new();
    for (number, (abi, report)) in reports.enumerate() {
        let case = format!("case{number}");
        let line = TrialLine {
            schema: SCHEMA,
            key: format!("gas@2.44::{abi}::v2::frames::{case}"),
            status: Status::Fail,
            producer: "gas@2.44".to_owned(),
            abi: abi.to_string(),
            sframe: "v2".to_owned(),
            topic: "frames".to_owned(),
            case,
            tools: BTreeMap::from([("assembler".to_owned(), "gas@2.44".to_owned())]),
            commands: vec!["as -o case.o case.s".to_owned()],
            summary: Some(report.summary),
            sizes: Some(results::Sizes::default()),
            findings: report.discrepancies,
            warnings: BTreeMap::from([("row/redundant".to_owned(), 2)]),
            gaps: Vec::new(),
            problems: vec!["new: something".to_owned()],
            covers: vec!["v2/fre-offsets".to_owned()],
            tables: Vec::new(),
            blamed: None,
            not_made: Vec::new(),
            stopped_early: false,
            host_failure: false,
        };
        lines.push(serde_json::to_string(&line)?);
    }
    let facts = RunFacts { schema: SCHEMA, day: "2026-11-22".to_owned(), seconds: 1.5, ..RunFacts::default() };
    let facts = serde_json::to_string(&facts)?;
    for (format, two) in (0..=7_u8).cycle().zip(lines.windows(2)) {
        let trials = two.join("\n");
        seeds.push([&[format][..], facts.as_bytes(), &[0xff], trials.as_bytes(), b"\n"].concat());
    }
    Ok(seeds)
}

/// Error messages of assemblers and linkers, and the source text that they are about.
pub(crate) fn complaints() -> Vec<Vec<u8>> {
    const PRINTED: [&str; 9] = [
        "GNU assembler version 2.44 (x86_64-linux-gnu) using BFD version 2.44\n",
        "t.s: Assembler messages:\nt.s:12: Warning: no SFrame FDE emitted; CFI with offset not supported: 13\n",
        "t.s:3: Error: bad register expression\nt.s:4: Error: CFI instruction used without previous .cfi_startproc\n",
        "as: BFD (GNU Binutils) 2.44 internal error, aborting at ../../gas/dw2gencfi.c:2049 in cfi_x\nas: Please report this bug.\n",
        "t.o: warning: SFrame version 2 skipped FRE 0x10: .cfi_def_cfa_register 6\n",
        "clang: error: unable to execute command: Segmentation fault (core dumped)\n",
        "ld: error: t.o:(.sframe): unknown relocation (42) against symbol x\nld: input SFrame sections with different format versions prevent .sframe generation\n",
        "f:\n\t.cfi_startproc\n\t.cfi_def_cfa_offset 16\n\tpushq %rbp\n\t.cfi_escape 0x0f,0x03,0x77,0x08,0x06\n\t.cfi_endproc\n",
        "f:\n\t.cfi_startproc\n\t.cfi_offset 30, -8\n\t.cfi_remember_state\n\tstp x29, x30, [sp, #-16]!\n\t.cfi_restore_state\n\t.cfi_endproc\n",
    ];
    let abis = 0..Abi::ALL.len() as u8;
    abis.flat_map(|abi| PRINTED.map(|text| [&[abi], text.as_bytes()].concat())).collect()
}

/// Items of a list; a text that is not a list is one item.
fn items(text: &[u8]) -> impl Iterator<Item = Vec<u8>> + use<> {
    let text = String::from_utf8_lossy(text).into_owned();
    let mut items = vec![String::new()];
    for line in text.split_inclusive('\n').filter(|line| !line.starts_with('#')) {
        match items.last_mut() {
            Some(item) if !line.starts_with("- ") || item.trim().is_empty() => item.push_str(line),
            _ => items.push(line.to_owned()),
        }
    }
    items.into_iter().filter(|item| item.len() <= MOST_BYTES).map(String::into_bytes)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml")
}

/// The files below a folder, sorted.
fn below(folder: &Path) -> Result<Vec<PathBuf>, SeedError> {
    let failed = |error| SeedError::Read { path: folder.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() { files.extend(below(&path)?) } else { files.push(path) }
    }
    files.sort();
    Ok(files)
}

fn read(path: &Path) -> Result<Vec<u8>, SeedError> {
    fs::read(path).map_err(|error| SeedError::Read { path: path.to_owned(), error })
}

//! A table without some of its functions, in the file that it is from.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use check::{Options, check};
use reduce::{Cut, Parts as _, Set, Table};
use sframe::{Placement, Section};
use testing::root;
use types::{Bytes, ImageKind};

/// A described function: its address and rows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Described {
    start: u64,
    end: u64,
    rows: Vec<String>,
}

/// The functions of the first `.sframe` of a file.
fn described(bytes: &[u8]) -> Vec<Described> {
    let image = elf::load("file", &Bytes::copy_from_slice(bytes)).expect("a file");
    let Some(home) = image.sframe_sections().next() else { return Vec::new() };
    let Ok(section) = Section::parse(&home.bytes) else { return Vec::new() };
    let table = sframe::Table::new(&section, Placement::in_file(image.kind, home.address)).expect("a table");
    let functions = table.functions().map(|function| Described {
        start: function.start,
        end: function.end,
        rows: function.rows().map(|row| format!("{} {:?}", row.start, row.rules)).collect(),
    });
    functions.collect()
}

fn errors(bytes: &[u8]) -> BTreeSet<(String, String)> {
    let options = Options::static_only();
    let report = check("file", &Bytes::copy_from_slice(bytes), &options).report;
    assert!(report.error.is_none(), "{:?}", report.error);
    let errors = report.discrepancies.iter().filter(|found| found.severity == spec::Severity::Error);
    errors.map(|found| (found.rule().to_string(), found.blame().to_string())).collect()
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// Every frozen file of every version, byte order and kind, without every second function: the
/// others have the same addresses and rows, each with its relocation if it had one, and no further
/// rule of format or container is broken.
#[test]
fn what_stays_is_where_it_was_in_every_frozen_file() {
    let (mut seen, mut kinds) = (0, BTreeSet::new());
    for path in files(&root().join("cases/objects")) {
        let bytes = fs::read(&path).expect("a file");
        let Ok(table) = Table::new("file", bytes.clone().into()) else { continue };
        let functions = table.sets(Cut::Functions);
        let every_second: Set = functions.iter().skip(1).step_by(2).flatten().copied().collect();
        let Some(less) = (!every_second.is_empty()).then(|| table.without(&every_second).expect("a cut")) else {
            continue;
        };
        let cut = less.bytes().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let (image, after) = (
            elf::load("file", &Bytes::copy_from_slice(&bytes)).expect("a file"),
            elf::load("file", &Bytes::copy_from_slice(&cut)).expect("a file"),
        );
        let home = image.sframe_sections().next().expect("a section");
        let header = Section::parse(&home.bytes).expect("a section").header;
        kinds.insert((header.format, home.bytes[0], format!("{:?}", image.kind)));
        let (whole, left) = (described(&bytes), described(&cut));
        assert!(left.len() < whole.len(), "{}", path.display());
        assert!(left.iter().all(|function| whole.contains(function)), "{}: a function moved", path.display());
        let new: Vec<_> = errors(&cut).difference(&errors(&bytes)).cloned().collect();
        assert!(new.is_empty(), "{}: {new:?}", path.display());
        if image.kind == ImageKind::Relocatable {
            let gone = image.sframe_relocations.len() - after.sframe_relocations.len();
            assert_eq!(gone, whole.len() - left.len(), "{}: relocations", path.display());
        }
        let segment = |image: &types::Image| {
            image.segments.iter().find(|segment| segment.kind == 0x6474_e554).map(|s| (s.file_size, s.memory_size))
        };
        let size = |image: &types::Image| image.sframe_sections().next().map(|section| section.size);
        if segment(&image).is_some_and(|sizes| Some(sizes.0) == size(&image)) {
            assert_eq!(segment(&after), size(&after).map(|size| (size, size)), "{}: the segment", path.display());
        }
        seen += 1;
    }
    assert!(seen > 60 && kinds.len() >= 12, "{seen} files, {kinds:?}");
}

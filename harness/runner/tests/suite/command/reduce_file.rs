//! `reduce` of files: the table becomes small, the rest of the file is unchanged, and the finding
//! is exactly the same.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use check::Options;
use reduce::{Cut, Parts as _, Set, Table};
use serde_json::Value;
use sframe::{Placement, Section};
use types::{Bytes, ImageKind};

use crate::command::support::{CLEAN_EXE, Elf, Folder, check, frozen, objects, run};
use crate::command::transcript::Transcript;

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
    let report = check::check("file", &Bytes::copy_from_slice(bytes), &options).report;
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
    for path in files(&objects()) {
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

/// Reduces a file and returns the result, by name and bytes.
fn reduced(subject: &str, more: &[&str], kept: &str) -> (String, Vec<u8>) {
    let folder = Folder::new();
    let out = folder.path("out");
    let ran = run(&[&["reduce", subject, "--out", &out], more].concat());
    assert_eq!(ran.code, Some(0), "{subject}: {}", ran.stderr);
    let bytes = fs::read(Path::new(&out).join(kept)).expect("the best so far");
    (ran.stdout, bytes)
}

fn fingerprints(bytes: &[u8]) -> BTreeSet<String> {
    let folder = Folder::new();
    let (_, report) = check(&folder.write("file", bytes), &[]);
    let found = report["discrepancies"].as_array().expect("findings").iter();
    found.filter_map(|found| found["fingerprint"].as_str().map(str::to_owned)).collect()
}

/// Findings of each version, of objects, programs and libraries, in both byte orders: one function,
/// few rows, the same fingerprint; and all bytes outside of the table are unchanged.
#[test]
fn a_finding_in_a_frozen_file_comes_down_to_its_function() {
    for (trial, file, kept, rows) in [
        // The row before the wrong one can be removed, since a missing row is not an error; the row
        // after it cannot, since its PCs would then have the wrong one.
        ("gas@2.40::aarch64-be::v1::objects::hand-so", "aarch64_be/gas-2.40--v1--hand--so", "repro.so", 2),
        ("gas@2.40::amd64::v1::objects::hand-o", "x86_64/gas-2.40--v1--hand--o", "repro.o", 1),
        ("gas@2.44::aarch64-be::v2::objects::hand-o", "aarch64_be/gas-2.44--v2--hand--o", "repro.o", 1),
        ("gas@2.47.50::s390x::v3::objects::hand-o", "s390x/gas-2.47.50--v3--hand--o", "repro.o", 1),
        // Without the other row the tables would differ and nothing shows which is right: another
        // finding.
        ("gas@2.47.50::amd64::v3::objects::gcc12-O2-exe", "x86_64/gas-2.47.50--v3--gcc12-O2--exe", "repro.elf", 2),
    ] {
        let (printed, bytes) = reduced(trial, &[], kept);
        let left = described(&bytes);
        assert_eq!((left.len(), left[0].rows.len()), (1, rows), "{trial}: {printed}");
        assert!(printed.contains(&format!("to 1 function, {rows} row")), "{trial}: {printed}");
        let whole = fs::read(frozen(file)).expect("a frozen file");
        let fingerprint =
            printed.lines().next().and_then(|line| line.rsplit(' ').next()).expect("a fingerprint").to_owned();
        assert!(fingerprints(&whole).contains(&fingerprint), "{trial}: {printed}");
        assert!(fingerprints(&bytes).contains(&fingerprint), "{trial}: {printed}");
        assert_eq!(bytes.len(), whole.len());
        let image = elf::load("file", &Bytes::copy_from_slice(&whole)).expect("a file");
        let tables: Vec<(u64, u64)> = image
            .sections
            .iter()
            .filter(|section| section.name == ".sframe" || section.name == ".rela.sframe")
            .map(|section| (section.file_offset, section.file_offset + section.size))
            .collect();
        let changed = whole.iter().zip(&bytes).enumerate().filter(|(at, (old, new))| {
            old != new && !tables.iter().any(|(from, upto)| (*from..*upto).contains(&(*at as u64)))
        });
        // sh_size of the section and of its relocations, or p_filesz and p_memsz: a few bytes of
        // each.
        assert!(changed.count() <= 3 * 3, "{trial}: more of the file changed than its sizes");
    }
}

#[test]
fn a_file_of_ones_own_is_reduced_by_a_fingerprint_of_check() {
    let path = frozen("x86_64/gas-2.44--v2--hand--so");
    let (_, report) = check(&path, &[]);
    let found = report["discrepancies"].as_array().expect("findings").clone();
    let milder: Vec<&Value> = found.iter().filter(|found| found["severity"] == "warning").collect();
    let wanted = milder.last().expect("a warning")["fingerprint"].as_str().expect("text");
    let (printed, bytes) = reduced(&path, &["--finding", wanted], "repro.so");
    assert!(printed.contains(wanted) && fingerprints(&bytes).contains(wanted), "{printed}");
    assert!(described(&bytes).len() < described(&fs::read(&path).expect("a file")).len());
    let folder = Folder::new();
    let (right, out) = (frozen(CLEAN_EXE), folder.path("out"));
    let mut told = Transcript::new(&[(&path, "wrong.so"), (&right, "right"), (&out, "out")]);
    for words in [
        &["reduce", &path, "--finding", "0123456789abcdef"][..],
        &["reduce", &right],
        &["bundle", &path, "--out", &out],
    ] {
        told.refused(&words.join(" "), &run(words));
    }
    told.printed("reduce-refused.txt");
}

/// Unreadable parts are not cut, and this is reported.
#[test]
fn a_header_that_lies_is_told_and_left() {
    let (mut elf, folder) = (Elf::frozen(CLEAN_EXE), Folder::new());
    let section = elf.section(".sframe").offset;
    // sfh_freoff (SFrame V3, "SFrame Header") beyond the end of the section.
    elf.store(section + 24, 4, 0x00ff_ffff);
    let path = folder.write("broken", &elf.bytes);
    let (printed, bytes) = reduced(&path, &[], "repro.elf");
    assert!(printed.contains("header/fre-area-fits") && printed.contains("nothing of it was dropped"), "{printed}");
    assert_eq!(bytes, elf.bytes);
    // An unreadable row: its function can only be removed whole, and the finding is about it.
    let mut elf = Elf::frozen(CLEAN_EXE);
    let image = elf::load("file", &Bytes::copy_from_slice(&elf.bytes)).expect("a file");
    let home = image.sframe_sections().next().expect("a section");
    let parsed = Section::parse(&home.bytes).expect("a section");
    let function = parsed.functions().nth(3).expect("a function").expect("a function");
    let row = parsed.rows(&function).nth(1).expect("a row").expect("a row");
    elf.bytes[section + row.info_at as usize] |= 0x60;
    let (printed, bytes) = reduced(&folder.write("odd", &elf.bytes), &[], "repro.elf");
    assert!(
        printed.contains("row/word-size") && printed.contains("1 function with rows that cannot be read"),
        "{printed}"
    );
    let left = elf::load("file", &Bytes::copy_from_slice(&bytes)).expect("a file");
    let left = Section::parse(&left.sframe_sections().next().expect("a section").bytes).expect("a section").header;
    assert_eq!(left.num_fdes, 1, "{printed}");
}

//! The corpus as a set: the same every time, no name and no file twice, every target, version and kind of file in it.

use std::collections::{BTreeSet, HashSet};

use generators::corpus::{broken, clean};
use generators::elf::FileKind;
use model::{Abi, SframeVersion};

#[test]
fn files_are_the_same_every_time() {
    let (once, twice) = (broken(), broken());
    assert!(once.iter().map(|file| &file.bytes).eq(twice.iter().map(|file| &file.bytes)));
    let (once, twice) = (clean(), clean());
    assert!(once.iter().map(|file| &file.bytes).eq(twice.iter().map(|file| &file.bytes)));
}

#[test]
fn no_file_is_there_twice() {
    let (broken, clean) = (broken(), clean());
    let names: Vec<String> =
        broken.iter().map(|file| file.name()).chain(clean.iter().map(|file| file.name.clone())).collect();
    let distinct: BTreeSet<&String> = names.iter().collect();
    assert_eq!(distinct.len(), names.len());
    // A broken file that equals a clean one breaks nothing; files of old versions break a rule by nature.
    let clean_bytes: HashSet<&[u8]> = clean.iter().map(|file| file.bytes.as_slice()).collect();
    let by_nature = ["header/obsolete-version", "header/pcrel-clear-v2"];
    for file in broken.iter().filter(|file| !by_nature.contains(&file.rule)) {
        assert!(!clean_bytes.contains(file.bytes.as_slice()), "{}", file.name());
    }
}

#[test]
fn every_target_version_and_kind_is_broken_somewhere() {
    let files = broken();
    for abi in Abi::ALL {
        assert!(files.iter().any(|file| file.abi == abi), "{abi}");
    }
    for version in [SframeVersion::V1, SframeVersion::V2, SframeVersion::V2Errata1, SframeVersion::V3] {
        assert!(files.iter().any(|file| file.version == version), "{version}");
    }
    for kind in [FileKind::Executable, FileKind::Shared, FileKind::Relocatable] {
        assert!(files.iter().any(|file| file.kind == kind), "{kind:?}");
    }
}

/// 14 pairs of target and version, 3 kinds of file, and per pair: 4 files of plain functions; AArch64 2 of signed ones;
/// AMD64 from V2 on 1 of stubs; V3 2 of signal and outermost functions, and 1 of flexible rows but on AArch64; s390x V2 1 of
/// registers. AMD64 4+5+5+8, AArch64 twice 6+6+6+8, s390x 5+7.
#[test]
fn clean_files_are_complete() {
    assert_eq!(clean().len(), 3 * ((4 + 5 + 5 + 8) + 2 * (6 + 6 + 6 + 8) + (5 + 7)));
}

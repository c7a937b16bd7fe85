//! The corpus as a set: deterministic, without duplicate names or files, and with every target,
//! version and kind of file.

use std::collections::{BTreeSet, HashSet};

use generators::corpus::{broken, clean};
use generators::elf::FileKind;
use spec::RuleId;
use types::{Abi, SframeVersion};

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
    // A broken file that equals a clean one breaks no rule; but every file of an old version breaks
    // one.
    let clean_bytes: HashSet<&[u8]> = clean.iter().map(|file| file.bytes.as_slice()).collect();
    let by_nature = [RuleId::HeaderObsoleteVersion, RuleId::HeaderPcrelClearV2];
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
    for version in SframeVersion::ALL {
        assert!(files.iter().any(|file| file.version == version), "{version}");
    }
    for kind in [FileKind::Executable, FileKind::Shared, FileKind::Relocatable] {
        assert!(files.iter().any(|file| file.kind == kind), "{kind:?}");
    }
}

/// For each of the 14 pairs of target and version that exist and each kind of file: plain functions
/// and every feature.
#[test]
fn clean_files_cover_each_pair_and_kind() {
    let names: Vec<String> = clean().into_iter().map(|file| file.name).collect();
    let kinds = [FileKind::Executable, FileKind::Shared, FileKind::Relocatable];
    let of = |abi: Abi, version: SframeVersion, kind: FileKind| {
        let prefix = format!("{abi} {version} {kind:?}, ");
        names.iter().filter(|name| name.starts_with(&prefix)).count()
    };
    for kind in kinds {
        // 8 files of plain functions; 1 with a PLT where linkers describe it or know that they do
        // not; objects have 1 with two code sections instead. AArch64: 2 of signed functions. From
        // V2 on: 1 of stubs, except on AArch64. V3: 2 of signal and outermost functions, and 1 of
        // flexible rows, except on AArch64. s390x V2: 1 of registers.
        let amd64_v1 = if kind == FileKind::Relocatable { 9 } else { 8 };
        assert_eq!(of(Abi::Amd64, SframeVersion::V1, kind), amd64_v1);
        assert_eq!(of(Abi::Amd64, SframeVersion::V2, kind), 10);
        assert_eq!(of(Abi::Amd64, SframeVersion::V3, kind), 13);
        assert_eq!(of(Abi::Aarch64, SframeVersion::V1, kind), 11);
        assert_eq!(of(Abi::Aarch64Be, SframeVersion::V2Errata1, kind), 11);
        assert_eq!(of(Abi::Aarch64Be, SframeVersion::V3, kind), 13);
        assert_eq!(of(Abi::S390x, SframeVersion::V2, kind), 0);
        assert_eq!(of(Abi::S390x, SframeVersion::V2Errata1, kind), 11);
        assert_eq!(of(Abi::S390x, SframeVersion::V3, kind), 13);
    }
}

//! The kind of a file, which is found without reading its sections.

use std::fs;

use types::Bytes;

/// Each frozen object.
#[test]
fn the_kind_is_that_of_the_loaded_image() {
    let mut kinds = Vec::new();
    for target in fs::read_dir(testing::root().join("cases/objects")).expect("the frozen objects") {
        let target = target.expect("an entry").path();
        let Ok(files) = fs::read_dir(&target) else { continue };
        for file in files {
            let whole = Bytes::from(fs::read(file.expect("an entry").path()).expect("a file"));
            let loaded = elf::load("file", &whole).map(|image| image.kind);
            assert_eq!(elf::kind(&whole), loaded, "{}", target.display());
            kinds.extend(loaded);
        }
    }
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    assert_eq!(kinds.len(), 3, "{kinds:?}");
}

/// A separate debug file of elfutils keeps the program headers of the program: their contents are
/// not in it.
#[test]
fn a_separate_debug_file_has_no_contents() {
    let program = testing::root().join("cases/objects/x86_64/gas-2.47.50--v3--gcc12-O2--exe");
    let mut bytes = fs::read(program).expect("a file");
    let word = |bytes: &[u8], at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
    let half = |bytes: &[u8], at: usize| usize::from(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
    let (segments, sections) = (word(&bytes, 0x20) as usize, word(&bytes, 0x28) as usize);
    for segment in (0..half(&bytes, 0x38)).map(|index| segments + 0x38 * index) {
        bytes[segment + 0x20..segment + 0x28].copy_from_slice(&(1u64 << 40).to_le_bytes()); // p_filesz
    }
    assert!(elf::load("file", &bytes.clone().into()).is_err(), "it ends before its segments");
    for section in (1..half(&bytes, 0x3c)).map(|index| sections + 0x40 * index) {
        if word(&bytes, section + 8) & 2 != 0 {
            bytes[section + 4] = 8; // SHF_ALLOC: SHT_NOBITS
        }
    }
    let bytes = Bytes::from(bytes);
    let image = elf::load("file", &bytes).expect("loads");
    assert!(image.is_debug_only() && image.segments.iter().all(|segment| segment.bytes.is_empty()));
    assert_eq!(elf::kind(&bytes), Ok(image.kind));
}

/// Code that wasmtime compiled ahead of time is mapped as it is in the file.
#[test]
fn sections_of_wasmtime_are_where_the_file_has_them() {
    let object = testing::root().join("cases/objects/x86_64/gas-2.47.50--v3--gcc12-O2--o");
    let mut bytes = fs::read(object).expect("a file");
    bytes[7] = 200;
    let image = elf::load("file", &bytes.into()).expect("an object");
    let (mapped, other): (Vec<_>, Vec<_>) = image.sections.iter().partition(|section| section.is_alloc());
    assert!(mapped.len() > 2 && mapped.iter().all(|section| section.address == 0x1_0000 + section.file_offset));
    assert!(other.iter().all(|section| section.address == 0));
}

//! Relocations of objects: what GNU as made of each source, laid out and relocated here, has the
//! bytes that GNU ld 2.40 gives it when a linker script puts the sections at the same addresses
//! (`relocations/*.linked`, made with `--no-relax` and stripped).

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use types::Image;

fn load(file: &str) -> Image {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/relocations").join(file);
    elf::load(file, &std::fs::read(path).unwrap().into()).unwrap()
}

/// Compares every section's bytes, and counts the bytes that relocations changed.
fn compare(target: &str) {
    let (object, linked) = (load(&format!("{target}.o")), load(&format!("{target}.linked")));
    let mut changed = Vec::new();
    for theirs in linked.sections.iter().filter(|section| section.is_alloc()) {
        let ours = object.sections.iter().find(|section| section.name == theirs.name).unwrap();
        assert_eq!(ours.address, theirs.address, "{}", ours.name);
        let hex = |bytes: &[u8]| bytes.chunks(4).map(|word| format!("{word:02x?}")).collect::<Vec<_>>();
        assert_eq!(hex(&ours.bytes), hex(&theirs.bytes), "{target} {}", ours.name);
        if ours.original.as_ref().is_some_and(|original| *original != ours.bytes) {
            changed.push(ours.name.as_str());
        }
    }
    assert_eq!(changed, [".text", ".text.unlikely", ".rodata"], "{target}");
}

#[test]
fn amd64() {
    compare("amd64");
}

#[test]
fn aarch64() {
    compare("aarch64-le");
}

#[test]
fn aarch64_big_endian() {
    compare("aarch64-be");
}

#[test]
fn s390x() {
    compare("s390x");
}

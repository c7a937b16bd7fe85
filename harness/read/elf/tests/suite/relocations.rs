//! Relocations of objects: what GNU as made of each source, laid out and relocated here, has the
//! bytes that GNU ld 2.40 gives it when a linker script puts the sections at the same addresses
//! (`relocations/*.linked`, made with `--no-relax` and stripped).

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::Path;

use testing::elf::Elf;
use types::Image;

fn read(file: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/relocations").join(file)).unwrap()
}

/// Compares the sections of an object, and of the same with compact relocations.
fn compare(target: &str) {
    let object = read(&format!("{target}.o"));
    compare_object(target, compact(object.clone()));
    compare_object(target, object);
}

/// Compares every section's bytes, and counts the bytes that relocations changed.
fn compare_object(target: &str, object: Vec<u8>) {
    let load = |bytes: Vec<u8>| -> Image { elf::load(target, &bytes.into()).unwrap() };
    let (object, linked) = (load(object), load(read(&format!("{target}.linked"))));
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

/// The object with its relocations in the form of SHT_CREL (proposed to the generic ABI in 2024): a
/// header with their number, addends included; then of each a byte of flags and the offset's
/// difference, and of symbol, type and addend the differences that are not 0.
fn compact(object: Vec<u8>) -> Vec<u8> {
    const SHT_RELA: u64 = 4;
    const SHT_CREL: u64 = 0x4000_0014;
    let mut elf = Elf::new(object);
    for section in elf.sections().into_values() {
        if elf.number(section.header + 4, 4) != SHT_RELA {
            continue;
        }
        let mut bytes = Vec::new();
        unsigned(&mut bytes, (section.size as u64 / 24) << 3 | 4);
        let mut last = [0_i64; 4];
        for at in (section.offset..section.offset + section.size).step_by(24) {
            let (offset, info, addend) = (elf.number(at, 8), elf.number(at + 8, 8), elf.number(at + 16, 8));
            let now = [offset as i64, (info >> 32) as i64, info as u32 as i64, addend as i64];
            let [offset, rest @ ..]: [i64; 4] = std::array::from_fn(|field| now[field].wrapping_sub(last[field]));
            let flags = (0..3).filter(|field| rest[*field] != 0).map(|field| 1 << field).sum::<u64>();
            // The difference and the flags may have 67 bits together.
            let (low, high) = (offset as u64 & 15, offset as u64 >> 4);
            bytes.push((low << 3 | flags) as u8 | if high > 0 { 0x80 } else { 0 });
            if high > 0 {
                unsigned(&mut bytes, high);
            }
            rest.into_iter().filter(|difference| *difference != 0).for_each(|one| signed(&mut bytes, one));
            last = now;
        }
        elf.store(section.header + 4, 4, SHT_CREL);
        elf.store(section.header + 24, 8, elf.bytes.len() as u64);
        elf.store(section.header + 32, 8, bytes.len() as u64);
        elf.bytes.extend(bytes);
    }
    elf.bytes
}

/// ULEB128 (DWARF 5, 7.6).
fn unsigned(bytes: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

/// SLEB128 (DWARF 5, 7.6).
fn signed(bytes: &mut Vec<u8>, mut value: i64) {
    while !(-0x40..0x40).contains(&value) {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8 & 0x7f);
}

/// Relocations without addends add the number that is in the field.
#[test]
fn addends_in_place() {
    const SHT_REL: u64 = 9;
    let mut elf = Elf::new(read("amd64.o"));
    let sections = elf.sections();
    for (name, section) in sections.iter().filter(|(name, _)| name.starts_with(".rela.")) {
        let home = sections[name.trim_start_matches(".rela")];
        let entries = elf.bytes[section.offset..section.offset + section.size].to_vec();
        for (number, entry) in entries.chunks(24).enumerate() {
            let field = |at: usize| u64::from_le_bytes(entry[at..at + 8].try_into().unwrap());
            // R_X86_64_64 and PC64 have eight bytes, 16 and PC16 two, 8 and PC8 one.
            let size = match field(8) as u32 {
                1 | 24 => 8,
                12 | 13 => 2,
                14 | 15 => 1,
                _ => 4,
            };
            let place = home.offset + field(0) as usize;
            elf.bytes[place..place + size].copy_from_slice(&entry[16..16 + size]);
            let at = section.offset + 16 * number;
            elf.bytes[at..at + 16].copy_from_slice(&entry[..16]);
        }
        elf.store(section.header + 4, 4, SHT_REL);
        elf.store(section.header + 32, 8, section.size as u64 / 24 * 16);
        elf.store(section.header + 56, 8, 16);
    }
    compare_object("amd64", elf.bytes);
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

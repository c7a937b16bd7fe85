//! Handmade files: the results of the ELF and `.sframe` readers, and the effects of damage.

use types::ByteOrder;

use super::effect::effect;
use super::elf::store;
use super::*;
use crate::elf::{
    ElfSpec, FileKind, PF_R, PT_GNU_SFRAME, PT_LOAD, Relocation, SHF_ALLOC, SHF_EXECINSTR, SHT_GNU_SFRAME,
    SHT_PROGBITS, Section, Segment, Symbol, SymbolKind, write,
};
use crate::reader::anatomy::dissect;

/// s390x ELF ABI supplement, "Relocation types".
const R_390_PC32: u32 = 5;

/// SFrame V2 errata 1 on AMD64: 3 rows of a function of 0x30 bytes at 0x1000, for a section at
/// 0x2000.
const SECTION: &[u8] = &[
    0xe2, 0xde, 2, 5, 3, 0, 0xf8, 0, 1, 0, 0, 0, 3, 0, 0, 0, 11, 0, 0, 0, 0, 0, 0, 0, 20, 0, 0, 0,
    // 0x1000 - 0x201c, size, rows at 0, 3 of them, info, block, padding.
    0xe4, 0xef, 0xff, 0xff, 0x30, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0,
    // +0 sp+8; +1 sp+16, fp at c-16; +4 fp+16, fp at c-16.
    0, 3, 8, 1, 5, 0x10, 0xf0, 4, 4, 0x10, 0xf0,
];

/// A program of [`SECTION`]'s function with a section in its place, loaded by a segment.
fn amd64(section: &[u8]) -> Vec<u8> {
    let mut file = ElfSpec::new(Abi::Amd64, FileKind::Executable);
    let text = Section::new(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, vec![0x90; 0x30]);
    file.push_section(text.at(0x1000, 16));
    let table = Section::new(".sframe", SHT_GNU_SFRAME, SHF_ALLOC, section.to_vec());
    let table = file.push_section(table.at(0x2000, 8));
    for kind in [PT_LOAD, PT_GNU_SFRAME] {
        file.segments.push(Segment::new(kind, PF_R, 8, table..table + 1));
    }
    write(&file).unwrap()
}

fn changed(at: usize, byte: u8) -> Vec<u8> {
    let mut section = SECTION.to_vec();
    section[at] = byte;
    section
}

/// The effect of replacing [`SECTION`] by another section.
fn effect_of(section: &[u8]) -> Effect {
    let read = |section: &[u8]| view::view(&amd64(section)).unwrap();
    effect(DamagedPart::Sframe, &read(SECTION), &read(section), &Executed::from([(0x1002, Registers::default())]))
        .unwrap()
}

#[test]
fn the_parts_of_a_section_are_found() {
    let anatomy = dissect(ByteOrder::Little, SECTION).unwrap();
    let function = &anatomy.descriptors[0];
    assert_eq!((anatomy.header.table_at, anatomy.header.rows_at, anatomy.header.version.entry), (28, 48, 20));
    assert_eq!((function.start, function.size, function.row_count, function.end), (0x1000 - 0x201c, 0x30, 3, 59));
    let starts: Vec<(u64, u64, usize)> = function.rows.iter().map(|row| (row.at, row.start, row.words.len())).collect();
    assert_eq!(starts, [(48, 0, 1), (51, 1, 2), (55, 4, 2)]);
    assert_eq!(function.rows[1].words, [(0x10, 0x10), (0xf0, -16)]);
}

#[test]
fn a_right_file_has_no_flaw() {
    let view = view::view(&amd64(SECTION)).unwrap();
    let table = view.sframe.unwrap();
    assert_eq!((table.flaws, table.container), (Vec::new(), Vec::new()));
}

#[test]
fn each_clause_can_be_broken() {
    for (at, byte, flaw) in [
        (0, 0xe3, BrokenClause::Header),
        (2, 9, BrokenClause::Header),
        (3, 0x15, BrokenClause::Flags),
        (3, 4, BrokenClause::SortedUnsaid),
        (4, 2, BrokenClause::Abi),
        (6, 0, BrokenClause::FixedRa),
        (8, 2, BrokenClause::Areas),
        (12, 4, BrokenClause::RowCount),
        (16, 10, BrokenClause::RowsOutside),
        (16, 12, BrokenClause::Areas),
        (29, 0, BrokenClause::Code),
        (32, 0x31, BrokenClause::Code),
        (36, 1, BrokenClause::RowsOutside),
        (44, 3, BrokenClause::Reserved),
        (44, 0x20, BrokenClause::NotSigned),
        (44, 0x10, BrokenClause::Block),
        (46, 1, BrokenClause::Reserved),
        (49, 0x83, BrokenClause::NotSigned),
        (50, 0xf8, BrokenClause::CfaRange),
        (51, 4, BrokenClause::RowStart),
        (55, 0x31, BrokenClause::RowStart),
        (54, 0xf8, BrokenClause::SameSlot),
    ] {
        let Effect::Invalid(flaws) = effect_of(&changed(at, byte)) else { panic!("byte {at} = {byte:#x} is valid") };
        assert!(flaws.iter().any(|(found, _)| *found == flaw), "byte {at} = {byte:#x}: {flaws:?}, not {flaw:?}");
    }
}

#[test]
fn changed_rows_are_told_apart_by_their_witnesses() {
    let Effect::Rows(spans) = effect_of(&changed(53, 0x18)) else { panic!("the row changed") };
    let [span] = spans.as_slice() else { panic!("one row changed: {spans:?}") };
    assert_eq!((span.start, span.end, span.executed, span.covered), (0x1001, 0x1004, true, false));
    assert_eq!(
        (span.was.as_str(), span.is.as_str()),
        ("cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]", "cfa=rsp+24 ra=[cfa-8] fp=[cfa-16]")
    );
    let Effect::Rows(spans) = effect_of(&changed(50, 0x10)) else { panic!("the row changed") };
    assert!(!spans[0].executed);
    // A shorter function does not cover its last bytes.
    let Effect::Lost(spans) = effect_of(&changed(32, 0x20)) else { panic!("bytes are lost") };
    assert_eq!((spans[0].start, spans[0].end), (0x1020, 0x1030));
}

#[test]
fn bytes_that_say_nothing_change_nothing() {
    // The block size of a function without blocks.
    assert_eq!(effect_of(&changed(45, 16)), Effect::Redundant);
    let read = |section: &[u8]| view::view(&amd64(section)).unwrap();
    let padded = |last: u8| [SECTION, &[0, 0, last]].concat();
    let effect = effect(DamagedPart::Sframe, &read(&padded(0)), &read(&padded(7)), &Executed::new()).unwrap();
    assert_eq!(effect, Effect::Nothing);
}

/// s390x: numbers are big-endian, and a start field of an object is relative to itself after
/// relocation.
#[test]
fn an_object_is_relocated() {
    let mut section = vec![0xde, 0xe2, 2, 4, 4, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 20];
    section.extend([0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    section.extend([0, 3, 0]);
    let mut file = ElfSpec::new(Abi::S390x, FileKind::Relocatable);
    let text = file.push_section(Section::new(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, vec![7; 0x10]));
    let kind = SymbolKind::Section;
    let symbol = Symbol { name: String::new(), kind, local: true, section: Some(text), value: 0, size: 0 };
    let symbol = Some(file.push_symbol(symbol));
    let mut table = Section::new(".sframe", SHT_GNU_SFRAME, SHF_ALLOC, section);
    table.relocations.push(Relocation { offset: 28, kind: R_390_PC32, symbol, addend: 4 });
    file.push_section(table);
    let view = view::view(&write(&file).unwrap()).unwrap();
    let text = view.file.sections[1].address;
    let table = view.sframe.unwrap();
    assert_eq!((table.flaws, table.container), (Vec::new(), Vec::new()));
    assert_eq!(table.table.unwrap().extents().collect::<Vec<_>>(), [(text + 4, 8)]);
}

#[test]
fn headers_that_lead_elsewhere_are_flaws() {
    let bytes = amd64(SECTION);
    let original = view::view(&bytes).unwrap();
    let home = original.file.sections[2].header_at;
    let load = original.file.segments[0].header_at;
    let effect_of = |at: u64, value: u64, size| {
        let mut bytes = bytes.clone();
        store(ByteOrder::Little, &mut bytes, at, value, size).unwrap();
        view::view(&bytes).and_then(|view| effect(DamagedPart::Container, &original, &view, &Executed::new()))
    };
    let flaw = |flaw| Some(Effect::Headers(vec![(flaw, home)]));
    assert_eq!(effect_of(home + 4, 1, 4), flaw(BrokenClause::SectionHeader));
    assert_eq!(effect_of(home + 8, 3, 8), flaw(BrokenClause::SectionHeader));
    assert_eq!(effect_of(load + 8, 0, 8), flaw(BrokenClause::Segment));
    assert_eq!(effect_of(load + 56 + 16, 0x2008, 8), flaw(BrokenClause::Segment));
    // No reader uses the entry size and the physical address.
    assert_eq!(effect_of(home + 56, 4, 8), Some(Effect::Headers(Vec::new())));
    assert_eq!(effect_of(load + 24, 4, 8), Some(Effect::Headers(Vec::new())));
    assert_eq!(effect_of(home + 32, 1 << 40, 8), None, "the section leaves the file");
}

#[test]
fn damage_is_drawn_by_its_seed_alone() {
    let original = Original::new(amd64(SECTION), Executed::new(), None).unwrap();
    for seed in 0..200 {
        let (one, again) = (original.mutant(seed).unwrap(), original.mutant(seed).unwrap());
        assert_eq!((&one.bytes, &one.damage, &one.effect), (&again.bytes, &again.damage, &again.effect));
        assert_ne!(one.bytes, original.bytes, "seed {seed} changes nothing");
        assert_eq!(one.bytes.len(), original.bytes.len());
    }
}

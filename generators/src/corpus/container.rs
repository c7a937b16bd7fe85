//! Files that break rules about the file around the section, and that the table cannot express:
//! several sections, segments and symbols.

use spec::RuleId;
use types::{Abi, SframeVersion};

use super::BrokenFile;
use super::bench::{AARCH64_V3, AMD64_V2, AMD64_V3, Bench, FRAMED, LEAF, S390X_V2, exe, object};
use crate::code::Function;
use crate::elf::{
    ElfSpec, FileKind, Group, PF_R, PT_GNU_SFRAME, PT_LOAD, Relocation, SHF_ALLOC, SHF_EXECINSTR, SHT_PROGBITS,
    Section, Segment, SegmentOverrides, Symbol, SymbolKind, pc_relative,
};
use crate::facts;
use crate::sframe::{SectionAddress, encode};

pub(super) fn broken() -> Vec<BrokenFile> {
    let mut files = headers();
    files.extend(segments());
    files.extend(relocations());
    files
}

fn sframe(file: &mut ElfSpec) -> &mut Section {
    file.section_mut(".sframe").expect(".sframe is there")
}

fn headers() -> Vec<BrokenFile> {
    vec![
        two_sections(AMD64_V3, RuleId::ElfOneSectionLinked),
        two_sections(Bench { kind: FileKind::Shared, ..S390X_V2 }, RuleId::ElfOneSectionLinked),
        two_sections(object(Abi::Amd64, SframeVersion::V3), RuleId::ElfOneSectionObject),
        object(Abi::Aarch64, SframeVersion::V3).file(RuleId::ElfOneSectionObject, "in a group", |file| {
            let section = file.section_index(".sframe").expect(".sframe is there");
            let signature = push_signature(file, section);
            file.groups.push(Group { signature, members: vec![section] });
        }),
    ]
}

/// The first section describes the first function, a second section the others.
fn two_sections(bench: Bench, rule: RuleId) -> BrokenFile {
    let sample = bench.sample();
    let mut rest = sample.section.clone();
    rest.functions.remove(FRAMED);
    bench.finish(
        rule,
        "two",
        sample,
        |section| section.functions.truncate(LEAF),
        |file| {
            let end = file.section_index(".eh_frame").map(|last| &file.sections[last]);
            let address = end.map_or(0, |last| last.address + last.size()).next_multiple_of(8);
            let relocatable = bench.kind == FileKind::Relocatable;
            let place =
                if relocatable { SectionAddress::Relocatable } else { SectionAddress::Linked { section: address } };
            let encoded = encode(&rest, place).expect("a correct section");
            let first = sframe(file).clone();
            let mut second = Section { bytes: encoded.bytes, relocations: vec![], ..first.clone() };
            for relocation in encoded.relocations {
                let start = rest.functions[relocation.function].start as i64;
                let like = Relocation { offset: relocation.offset, addend: start, ..first.relocations[0] };
                second.relocations.push(like);
            }
            if relocatable {
                file.push_section(second);
            } else {
                file.insert_section(".eh_frame", second.at(address, 8));
            }
        },
    )
}

fn segments() -> Vec<BrokenFile> {
    let none = SegmentOverrides::default;
    vec![
        AMD64_V3.file(RuleId::ElfSegment, "over .rodata", |file| {
            let rodata = file.section_index(".rodata").expect(".rodata is there");
            let size = sframe(file).size();
            let segment = file.segment_mut(PT_GNU_SFRAME).expect("PT_GNU_SFRAME is there");
            segment.sections = rodata..rodata + 1;
            segment.overrides = SegmentOverrides { file_size: Some(size), memory_size: Some(size), ..none() };
        }),
        AMD64_V2.file(RuleId::ElfSegmentCovers, "no PT_LOAD", |file| {
            let section = file.section_index(".sframe").expect(".sframe is there");
            file.segments.retain(|segment| segment.kind != PT_LOAD || !segment.sections.contains(&section));
        }),
        not_loaded(AMD64_V3, "PT_LOAD ends inside it", |end| SegmentOverrides {
            file_size: Some(end - 1),
            memory_size: Some(end - 1),
            ..none()
        }),
        not_loaded(Bench { kind: FileKind::Shared, ..AARCH64_V3 }, "the PT_LOAD has no bytes in the file", |end| {
            SegmentOverrides { file_size: Some(0), memory_size: Some(end), ..none() }
        }),
        AMD64_V3.file(RuleId::ElfOneSegment, "the same twice", |file| {
            let segment = file.segment_mut(PT_GNU_SFRAME).expect("PT_GNU_SFRAME is there").clone();
            file.segments.push(segment);
        }),
        S390X_V2.file(RuleId::ElfOneSegment, "over .rodata", |file| {
            let rodata = file.section_index(".rodata").expect(".rodata is there");
            file.segments.push(Segment::new(PT_GNU_SFRAME, PF_R, 8, rodata..rodata + 1));
        }),
        Bench { kind: FileKind::Shared, ..AARCH64_V3 }.file(RuleId::ElfOneSegment, "8 bytes off", |file| {
            let section = file.section_index(".sframe").expect(".sframe is there");
            let (offset, address) = (None, Some(file.sections[section].address + 8));
            let overrides = SegmentOverrides { offset, address, ..none() };
            let segment = Segment::new(PT_GNU_SFRAME, PF_R, 8, section..section + 1);
            file.segments.push(Segment { overrides, ..segment });
        }),
        AMD64_V3.file(RuleId::ElfSegmentOfEmpty, "no bytes", |file| sframe(file).bytes.clear()),
        exe(Abi::S390x, SframeVersion::V2Errata1).file(RuleId::ElfSegmentOfEmpty, "no bytes, moved", |file| {
            sframe(file).bytes.clear();
            let section = file.section_index(".sframe").expect(".sframe is there");
            file.segments.retain(|segment| segment.kind != PT_GNU_SFRAME);
            file.segments.push(Segment::new(PT_GNU_SFRAME, PF_R, 8, section..section + 1));
        }),
    ]
}

/// Changes the PT_LOAD segment that holds the section, by the number of its bytes up to the
/// section's end.
fn not_loaded(bench: Bench, note: &'static str, overrides: impl Fn(u64) -> SegmentOverrides) -> BrokenFile {
    bench.file(RuleId::ElfSegmentCovers, note, move |file| {
        let section = file.section_index(".sframe").expect(".sframe is there");
        let end = file.sections[section].address + file.sections[section].size();
        let load = file.segments.iter().position(|s| s.kind == PT_LOAD && s.sections.contains(&section));
        let load = load.expect("a PT_LOAD has the section");
        let start = file.sections[file.segments[load].sections.start].address;
        file.segments[load].overrides = overrides(end - start);
    })
}

fn relocations() -> Vec<BrokenFile> {
    let amd64_v3 = object(Abi::Amd64, SframeVersion::V3);
    let amd64_v2 = object(Abi::Amd64, SframeVersion::V2Errata1);
    let (leaf, leaf_v2) = (start_field(amd64_v3, LEAF), start_field(amd64_v2, LEAF));
    vec![
        BrokenFile {
            offset: Some(leaf_v2),
            ..amd64_v2.file(RuleId::ElfRelocationTarget, "in .rodata", |file| {
                let rodata = file.section_index(".rodata");
                let symbol = file.symbols.iter().position(|symbol| symbol.section == rodata);
                sframe(file).relocations[1].symbol = symbol;
                sframe(file).relocations[1].addend = 0;
            })
        },
        BrokenFile {
            offset: Some(leaf),
            ..amd64_v3.file(RuleId::ElfRelocationTarget, "undefined symbol", |file| {
                let undefined = Symbol {
                    name: "undefined".to_owned(),
                    kind: SymbolKind::Function,
                    local: false,
                    section: None,
                    value: 0,
                    size: 0,
                };
                let symbol = file.push_symbol(undefined);
                sframe(file).relocations[LEAF].symbol = Some(symbol);
            })
        },
        BrokenFile { offset: Some(leaf), ..comdat_by_local_symbol() },
        emitted_relocation(AMD64_V3),
        emitted_relocation(S390X_V2),
    ]
}

/// Offset of a function's start field.
fn start_field(bench: Bench, function: usize) -> u64 {
    28 + (facts::version(bench.version).layout.fde_size() * function) as u64
}

/// A function in a COMDAT group, which a section outside of it references by the group's section
/// symbol.
fn comdat_by_local_symbol() -> BrokenFile {
    let bench = object(Abi::Amd64, SframeVersion::V3);
    bench.file(RuleId::ElfComdatReference, "section symbol of a member", |file| {
        let code = Function::leaf(Abi::Amd64, "inline").code;
        let member = file.push_section(Section::new(".text.inline", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, code));
        let signature = push_signature(file, member);
        file.groups.push(Group { signature, members: vec![member] });
        let local = file.push_symbol(Symbol {
            name: String::new(),
            kind: SymbolKind::Section,
            local: true,
            section: Some(member),
            value: 0,
            size: 0,
        });
        let relocation = &mut sframe(file).relocations[LEAF];
        relocation.symbol = Some(local);
        relocation.addend = 0;
    })
}

fn push_signature(file: &mut ElfSpec, section: usize) -> usize {
    file.push_symbol(Symbol {
        name: "signature".to_owned(),
        kind: SymbolKind::Object,
        local: false,
        section: Some(section),
        value: 0,
        size: 0,
    })
}

/// A linked file with emitted relocations, one of which names another function.
fn emitted_relocation(bench: Bench) -> BrokenFile {
    let sample = bench.sample();
    let width = sample.section.layout.start_size();
    let starts: Vec<u64> = sample.section.functions.iter().map(|function| function.start).collect();
    let file = bench.file(RuleId::ElfEmittedRelocations, "one leads elsewhere", |file| {
        let text = file.section_index(".text").expect(".text is there");
        let text_address = file.sections[text].address;
        let symbol = file.push_symbol(Symbol {
            name: String::new(),
            kind: SymbolKind::Section,
            local: true,
            section: Some(text),
            value: text_address,
            size: 0,
        });
        let section = sframe(file);
        for (index, start) in starts.iter().enumerate() {
            let elsewhere = if index == LEAF { 2 } else { 0 };
            section.relocations.push(Relocation {
                offset: section.address + start_field(bench, index),
                kind: pc_relative(bench.abi, width),
                symbol: Some(symbol),
                addend: (start - text_address) as i64 + elsewhere,
            });
        }
    });
    BrokenFile { offset: Some(start_field(bench, LEAF)), ..file }
}

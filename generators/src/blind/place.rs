//! The fields of a file's tables, and of the headers that lead to them.

use std::collections::BTreeMap;

use types::elf::{PT_GNU_EH_FRAME, PT_GNU_SFRAME, PT_LOAD};

use super::cfi::{Function, Instruction};
use super::elf::Section;
use super::hdr::{ENTRY, HEAD};
use super::view::View;
use crate::reader::anatomy::{Anatomy, Descriptor};

/// A field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// Offset in the file.
    pub(super) at: u64,
    /// Size in bytes.
    pub(super) size: u64,
    /// Number of bytes of code that it is about.
    pub(super) code: u64,
}

/// The fields of a file by name: the fields of a name are those of one kind of entry.
pub(super) type Places = BTreeMap<String, Vec<Place>>;

/// The fields of a file, without padding and without those that no reader uses.
pub(super) fn places(view: &View, file: &[u8]) -> Places {
    let mut places = Places::new();
    let section = |index: Option<usize>| view.file.sections.get(index?);
    let of_sframe = view.sframe.as_ref().and_then(|sframe| Some((section(Some(sframe.section))?, sframe)));
    if let Some((home, anatomy)) = of_sframe.and_then(|(home, sframe)| Some((home, sframe.anatomy.as_ref()?))) {
        sframe(&mut places, home.offset, anatomy);
    }
    if let Some((home, cfi)) = section(view.file.named(b".eh_frame")).zip(view.cfi.as_ref()) {
        let byte = |at: u64| file.get(usize::try_from(home.offset.checked_add(at)?).ok()?).copied();
        cfi.functions.iter().for_each(|function| entry(&mut places, home.offset, function, &byte));
    }
    if let Some((home, hdr)) = section(view.file.named(b".eh_frame_hdr")).zip(view.hdr.as_ref()) {
        let head = [
            ("version", 0, 1),
            ("encoding of eh_frame_ptr", 1, 1),
            ("encoding of fde_count", 2, 1),
            ("encoding of entries", 3, 1),
            ("eh_frame_ptr", 4, 4),
            ("fde_count", 8, 4),
        ];
        for (name, at, size) in head {
            add(&mut places, ".eh_frame_hdr", name, Place { at: home.offset + at, size, code: 1 });
        }
        let count = if hdr.usual { hdr.entries.len() as u64 } else { 0 };
        for (name, offset) in [("start of an entry", 0), ("FDE of an entry", 4)] {
            for index in 0..count {
                let at = home.offset + HEAD + index * ENTRY + offset;
                add(&mut places, ".eh_frame_hdr", name, Place { at, size: 4, code: 1 });
            }
        }
    }
    headers(&mut places, view);
    places
}

fn add(places: &mut Places, part: &str, name: &str, place: Place) {
    places.entry(format!("{part} {name}")).or_default().push(place);
}

fn sframe(places: &mut Places, base: u64, Anatomy { header, descriptors }: &Anatomy) {
    let fields = [
        ("magic", 0, 2),
        ("version", 2, 1),
        ("flags", 3, 1),
        ("ABI", 4, 1),
        ("fixed FP", 5, 1),
        ("fixed RA", 6, 1),
        ("auxiliary length", 7, 1),
        ("number of functions", 8, 4),
        ("number of rows", 12, 4),
        ("size of rows", 16, 4),
        ("offset of functions", 20, 4),
        ("offset of rows", 24, 4),
    ];
    for (name, at, size) in fields {
        add(places, ".sframe header", name, Place { at: base + at, size, code: 1 });
    }
    let start = header.version.start;
    for function in descriptors {
        let code = function.size;
        let mut field = |name, at, size| add(places, "FDE of .sframe", name, Place { at: base + at, size, code });
        let after = function.at + start;
        field("start", function.at, start);
        field("size", after, 4);
        field("offset of rows", after + 4, 4);
        match function.attributes_at {
            Some(at) => {
                field("number of rows", at, 2);
                field("info", at + 2, 1);
                field("second info", at + 3, 1);
                if function.in_blocks() {
                    field("block", at + 4, 1);
                }
            }
            None => {
                field("number of rows", after + 8, 4);
                field("info", after + 12, 1);
                if function.in_blocks() && function.block.is_some() {
                    field("block", after + 13, 1);
                }
            }
        }
        rows(places, base, function);
    }
}

fn rows(places: &mut Places, base: u64, function: &Descriptor) {
    let ends = function.rows.iter().skip(1).map(|row| row.start).chain([function.size]);
    for (row, end) in function.rows.iter().zip(ends) {
        let code = end.saturating_sub(row.start);
        let mut field = |name: &str, at, size| add(places, "row of .sframe", name, Place { at: base + at, size, code });
        field("start", row.at, row.start_size);
        field("info", row.info_at(), 1);
        for index in 0..row.words.len() as u64 {
            field(&format!("word {index}"), row.words_at() + index * row.word_size, row.word_size);
        }
    }
}

/// The fields of an FDE of `.eh_frame`, of its CIE and of their instructions. Those of a CIE are
/// listed once for each function, which makes them as likely as their code is large.
fn entry(places: &mut Places, base: u64, function: &Function, byte: &dyn Fn(u64) -> Option<u8>) {
    let size = function.end.saturating_sub(function.start);
    for (part, fields) in [("CIE", &function.cie.fields), ("FDE of .eh_frame", &function.fields)] {
        for field in fields {
            add(places, part, field.name, Place { at: base + field.at, size: field.size, code: size });
        }
    }
    let starts = function.rows.iter().map(|row| row.start);
    let rows: Vec<(u64, u64)> = starts.clone().zip(starts.skip(1).chain([function.end])).collect();
    let covered = |one: &Instruction| {
        let row = rows.iter().find(|(start, _)| *start == one.pc);
        row.map_or(0, |(start, end)| end.saturating_sub(*start))
    };
    let all = [("CIE", &function.cie.instructions), ("FDE of .eh_frame", &function.instructions)];
    for (part, instructions) in all {
        for one in instructions {
            let Some(name) = byte(one.at).and_then(operation) else { continue };
            let code = if part == "CIE" { size } else { covered(one) };
            add(places, part, &format!("{name}: operation"), Place { at: base + one.at, size: 1, code });
            for at in one.at + 1..one.at + one.size {
                add(places, part, &format!("{name}: operand"), Place { at: base + at, size: 1, code });
            }
        }
    }
}

/// Name of the operation of an instruction; `None` for padding (DWARF 5, 7.24).
fn operation(byte: u8) -> Option<&'static str> {
    Some(match (byte >> 6, byte) {
        (1, _) | (0, 0x01..=0x04) => "advance",
        (2, _) | (0, 0x05 | 0x11 | 0x2f) => "offset",
        (3, _) | (0, 0x06) => "restore",
        (_, 0) => return None,
        (_, 0x0c..=0x0f | 0x12 | 0x13) => "CFA",
        (_, 0x0a | 0x0b) => "state",
        (_, 0x10 | 0x16) => "expression",
        // How much a call pushed is no answer about a caller.
        (_, 0x2e) => return None,
        _ => "other rule",
    })
}

fn headers(places: &mut Places, view: &View) {
    let section: [(&str, u64, u64); 6] = [
        ("sh_name", 0, 4),
        ("sh_type", 4, 4),
        ("sh_flags", 8, 8),
        ("sh_addr", 16, 8),
        ("sh_offset", 24, 8),
        ("sh_size", 32, 8),
    ];
    let sframe = view.sframe.as_ref().map(|sframe| sframe.section);
    let tables = [sframe, view.file.named(b".eh_frame"), view.file.named(b".eh_frame_hdr")];
    let tables: Vec<&Section> =
        tables.into_iter().flatten().filter_map(|index| view.file.sections.get(index)).collect();
    for home in &tables {
        for (name, at, size) in section {
            add(places, "section header", name, Place { at: home.header_at + at, size, code: 1 });
        }
    }
    let program: [(&str, u64, u64); 6] = [
        ("p_type", 0, 4),
        ("p_flags", 4, 4),
        ("p_offset", 8, 8),
        ("p_vaddr", 16, 8),
        ("p_filesz", 32, 8),
        ("p_memsz", 40, 8),
    ];
    for segment in &view.file.segments {
        let holds = |home: &&Section| home.address.wrapping_sub(segment.address) < segment.memory_size;
        let part = match segment.kind {
            PT_GNU_SFRAME => "PT_GNU_SFRAME",
            PT_GNU_EH_FRAME => "PT_GNU_EH_FRAME",
            PT_LOAD if tables.iter().any(holds) => "PT_LOAD",
            _ => continue,
        };
        for (name, at, size) in program {
            add(places, part, name, Place { at: segment.header_at + at, size, code: 1 });
        }
    }
}

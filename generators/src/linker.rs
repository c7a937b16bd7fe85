//! Bugs in data that linkers add: `.eh_frame_hdr`, and the segments by which unwinders find tables.

use spec::RuleId;
use types::ByteOrder;

use crate::bytes::Bytes;
use crate::eh_frame::{ENTRY, Fde, HEAD};
use crate::elf::{ElfSpec, PF_R, PT_GNU_EH_FRAME, PT_GNU_SFRAME, Segment, SegmentOverrides};
use crate::sample::{Sample, SampleError};

/// A planted linker bug.
#[derive(Clone, Copy, Debug)]
pub struct LinkerBug {
    /// A short description.
    pub note: &'static str,
    /// The broken rule.
    pub rule: RuleId,
    part: Part,
}

/// The data that the linker gets wrong.
#[derive(Clone, Copy, Debug)]
enum Part {
    Table(fn(&mut SearchTable)),
    /// The FDEs, and with them the search table.
    Fdes(fn(&mut Sample)),
    File(fn(&mut ElfSpec)),
}

pub fn bugs() -> Vec<LinkerBug> {
    let all = [
        UNSORTED,
        WRONG_FDE,
        START,
        COUNT,
        POINTER,
        ENCODING,
        TRUNCATED,
        EMPTY,
        MISSING,
        HDR_SEGMENT,
        SECOND,
        PLACE,
        SIZE,
    ];
    all.concat()
}

const fn table(rule: RuleId, note: &'static str, edit: fn(&mut SearchTable)) -> LinkerBug {
    LinkerBug { note, rule, part: Part::Table(edit) }
}

const fn file(rule: RuleId, note: &'static str, edit: fn(&mut ElfSpec)) -> LinkerBug {
    LinkerBug { note, rule, part: Part::File(edit) }
}

const UNSORTED: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrSorted, "the first two", |table| table.swap(0, 1)),
    table(RuleId::EhFrameHdrSorted, "first and last", |table| table.swap(0, table.count() - 1)),
    table(RuleId::EhFrameHdrSorted, "the last two", |table| table.swap(table.count() - 2, table.count() - 1)),
];

const WRONG_FDE: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrEntry, "4 bytes into the first", |table| table.add(HEAD + 4, 4)),
    table(RuleId::EhFrameHdrEntry, "4 bytes before the last", |table| {
        table.add(table.entry(table.count() - 1) + 4, -4)
    }),
    table(RuleId::EhFrameHdrEntry, "that of the next", |table| {
        let next = table.word(table.entry(2) + 4);
        table.set(table.entry(1) + 4, next);
    }),
    table(RuleId::EhFrameHdrEntry, "the CIE", |table| {
        let cie = table.word(4).wrapping_add(4);
        table.set(table.entry(1) + 4, cie);
    }),
];

const START: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrEntry, "2 bytes less, the first", |table| table.add(table.entry(0), -2)),
    table(RuleId::EhFrameHdrEntry, "2 bytes more", |table| table.add(table.entry(table.count() / 2), 2)),
    table(RuleId::EhFrameHdrEntry, "8 bytes more, the last", |table| table.add(table.entry(table.count() - 1), 8)),
    table(RuleId::EhFrameHdrEntry, "that of the next", |table| {
        let next = table.word(table.entry(2));
        table.set(table.entry(1), next);
    }),
];

const COUNT: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrCount, "one more", |table| table.add(8, 1)),
    table(RuleId::EhFrameHdrCount, "one fewer", |table| table.add(8, -1)),
    table(RuleId::EhFrameHdrCount, "none", |table| table.set(8, 0)),
    table(RuleId::EhFrameHdrCount, "2^31", |table| table.set(8, 1 << 31)),
];

const POINTER: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrPointer, "8 bytes more", |table| table.add(4, 8)),
    table(RuleId::EhFrameHdrPointer, "the first FDE", |table| {
        let first = table.word(HEAD + 4).wrapping_sub(4);
        table.set(4, first);
    }),
    table(RuleId::EhFrameHdrPointer, "0", |table| table.set(4, 0)),
];

const ENCODING: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrEncoding, "version 0", |table| table.bytes[0] = 0),
    table(RuleId::EhFrameHdrEncoding, "version 2", |table| table.bytes[0] = 2),
    table(RuleId::EhFrameHdrPointer, "eh_frame_ptr absolute", |table| table.bytes[1] = 0x0b),
    table(RuleId::EhFrameHdrPointer, "eh_frame_ptr datarel", |table| table.bytes[1] = 0x3b),
    table(RuleId::EhFrameHdrEncoding, "eh_frame_ptr 0x17", |table| table.bytes[1] = 0x17),
    table(RuleId::EhFrameHdrEncoding, "fde_count 0x0f", |table| table.bytes[2] = 0x0f),
    table(RuleId::EhFrameHdrEntry, "entries pcrel", |table| table.bytes[3] = 0x1b),
    table(RuleId::EhFrameHdrEntry, "entries absolute", |table| table.bytes[3] = 0x0b),
    table(RuleId::EhFrameHdrEntry, "entries unsigned", |table| table.bytes[3] = 0x33),
    table(RuleId::EhFrameHdrEncoding, "entries 0x6b", |table| table.bytes[3] = 0x6b),
];

const TRUNCATED: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrCount, "without its last entry", |table| table.bytes.truncate(table.bytes.len() - ENTRY)),
    table(RuleId::EhFrameHdrCount, "in its last entry", |table| table.bytes.truncate(table.bytes.len() - 4)),
    table(RuleId::EhFrameHdrCount, "without entries", |table| table.bytes.truncate(HEAD)),
    table(RuleId::EhFrameHdrEncoding, "in fde_count", |table| table.bytes.truncate(10)),
    table(RuleId::EhFrameHdrEncoding, "in eh_frame_ptr", |table| table.bytes.truncate(7)),
    table(RuleId::EhFrameHdrEncoding, "in the encodings", |table| table.bytes.truncate(3)),
];

const EMPTY: &[LinkerBug] = &[
    LinkerBug {
        note: "after a function's own",
        rule: RuleId::EhFrameHdrEmpty,
        part: Part::Fdes(|sample| empty(sample, 0)),
    },
    LinkerBug { note: "within a function", rule: RuleId::EhFrameHdrEmpty, part: Part::Fdes(|sample| empty(sample, 4)) },
];

const MISSING: &[LinkerBug] = &[
    table(RuleId::EhFrameHdrCovers, "the first", |table| table.remove(0)),
    table(RuleId::EhFrameHdrCovers, "one between", |table| table.remove(table.count() / 2)),
    table(RuleId::EhFrameHdrCovers, "the last", |table| table.remove(table.count() - 1)),
];

const NONE: SegmentOverrides = SegmentOverrides { offset: None, address: None, file_size: None, memory_size: None };

const HDR_SEGMENT: &[LinkerBug] = &[
    file(RuleId::EhFrameHdrSegment, "8 bytes off", |file| {
        let address = Some(address(file, ".eh_frame_hdr") + 8);
        change(file, PT_GNU_EH_FRAME, SegmentOverrides { address, ..NONE });
    }),
    file(RuleId::EhFrameHdrSegment, "p_filesz", |file| {
        change(file, PT_GNU_EH_FRAME, SegmentOverrides { file_size: Some(12), ..NONE });
    }),
    file(RuleId::EhFrameHdrSegment, "p_memsz", |file| {
        change(file, PT_GNU_EH_FRAME, SegmentOverrides { memory_size: Some(0x1000), ..NONE });
    }),
    file(RuleId::EhFrameHdrSegment, "two", |file| second(file, PT_GNU_EH_FRAME, NONE)),
    file(RuleId::EhFrameHdrSegment, "no header there", |file| {
        let rodata = file.section_index(".rodata").unwrap_or_default();
        if let Some(section) = file.section_mut(".eh_frame_hdr") {
            ".data.rel.ro".clone_into(&mut section.name);
            section.bytes.fill(0);
        }
        if let Some(segment) = file.segment_mut(PT_GNU_EH_FRAME) {
            segment.sections = rodata..rodata + 1;
        }
    }),
];

const SECOND: &[LinkerBug] = &[
    file(RuleId::ElfOneSegment, "the same", |file| second(file, PT_GNU_SFRAME, NONE)),
    file(RuleId::ElfOneSegment, "8 bytes off", |file| {
        let address = Some(address(file, ".sframe") + 8);
        second(file, PT_GNU_SFRAME, SegmentOverrides { address, ..NONE });
    }),
    file(RuleId::ElfOneSegment, "over .eh_frame", |file| {
        let address = Some(address(file, ".eh_frame"));
        second(file, PT_GNU_SFRAME, SegmentOverrides { address, ..NONE });
    }),
];

const PLACE: &[LinkerBug] = &[
    file(RuleId::ElfSegment, "8 bytes off", |file| {
        let address = Some(address(file, ".sframe") + 8);
        change(file, PT_GNU_SFRAME, SegmentOverrides { address, ..NONE });
    }),
    file(RuleId::ElfSegment, "p_offset", |file| {
        change(file, PT_GNU_SFRAME, SegmentOverrides { offset: Some(0), ..NONE });
    }),
    file(RuleId::ElfSegment, "absent", |file| file.segments.retain(|segment| segment.kind != PT_GNU_SFRAME)),
];

const SIZE: &[LinkerBug] = &[
    file(RuleId::ElfSegmentCovers, "p_filesz smaller", |file| {
        change(file, PT_GNU_SFRAME, SegmentOverrides { file_size: Some(28), ..NONE });
    }),
    file(RuleId::ElfSegmentCovers, "p_memsz smaller", |file| {
        change(file, PT_GNU_SFRAME, SegmentOverrides { memory_size: Some(28), ..NONE });
    }),
    file(RuleId::ElfSegmentSize, "p_memsz larger", |file| {
        change(file, PT_GNU_SFRAME, SegmentOverrides { memory_size: Some(0x1000), ..NONE });
    }),
];

/// The bytes of `.eh_frame_hdr`, as words of 4 bytes.
struct SearchTable {
    order: ByteOrder,
    bytes: Vec<u8>,
}

impl SearchTable {
    fn count(&self) -> usize {
        (self.bytes.len() - HEAD) / ENTRY
    }

    fn entry(&self, index: usize) -> usize {
        HEAD + index * ENTRY
    }

    fn word(&self, at: usize) -> u32 {
        let bytes = [self.bytes[at], self.bytes[at + 1], self.bytes[at + 2], self.bytes[at + 3]];
        match self.order {
            ByteOrder::Little => u32::from_le_bytes(bytes),
            ByteOrder::Big => u32::from_be_bytes(bytes),
        }
    }

    fn set(&mut self, at: usize, word: u32) {
        let mut field = Bytes::new(self.order);
        field.u32(word);
        self.bytes[at..at + 4].copy_from_slice(&field.finish());
    }

    fn add(&mut self, at: usize, more: i32) {
        self.set(at, self.word(at).wrapping_add_signed(more));
    }

    fn swap(&mut self, one: usize, other: usize) {
        for byte in 0..ENTRY {
            let (one, other) = (self.entry(one) + byte, self.entry(other) + byte);
            self.bytes.swap(one, other);
        }
    }

    fn remove(&mut self, index: usize) {
        let at = self.entry(index);
        self.bytes.drain(at..at + ENTRY);
        self.add(8, -1);
    }
}

/// Adds an empty FDE, at this offset in the first function.
fn empty(sample: &mut Sample, into: u64) {
    let Some(cie) = sample.eh_frame.cies.first_mut() else { return };
    let Some(first) = cie.fdes.first() else { return };
    cie.fdes.push(Fde { start: first.start + into, size: 0, target: first.target, program: Vec::new() });
}

fn address(file: &ElfSpec, section: &str) -> u64 {
    file.section_index(section).map_or(0, |index| file.sections[index].address)
}

fn change(file: &mut ElfSpec, kind: u32, overrides: SegmentOverrides) {
    if let Some(segment) = file.segment_mut(kind) {
        segment.overrides = overrides;
    }
}

/// Adds a second segment of a type.
fn second(file: &mut ElfSpec, kind: u32, overrides: SegmentOverrides) {
    if let Some(first) = file.segment_mut(kind).map(|segment| segment.sections.clone()) {
        file.segments.push(Segment { overrides, ..Segment::new(kind, PF_R, 8, first) });
    }
}

impl LinkerBug {
    /// A linked file with the bug.
    pub fn file(&self, sample: &Sample) -> Result<ElfSpec, SampleError> {
        let mut sample = sample.clone();
        if let Part::Fdes(edit) = self.part {
            edit(&mut sample);
        }
        let mut file = sample.elf_with_search_table()?;
        match self.part {
            Part::Fdes(_) => {}
            Part::File(edit) => edit(&mut file),
            Part::Table(edit) => {
                if let Some(section) = file.section_mut(".eh_frame_hdr") {
                    let bytes = std::mem::take(&mut section.bytes);
                    let mut table = SearchTable { order: sample.abi.facts().order, bytes };
                    edit(&mut table);
                    section.bytes = table.bytes;
                }
            }
        }
        Ok(file)
    }
}

//! Rules of section and program headers.

use alloc::borrow::ToOwned as _;
use alloc::format;
use spec::{RuleId, Severity};
use types::elf::{PT_GNU_SFRAME, SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHT_GNU_SFRAME, SHT_PROGBITS};
use types::{Image, ImageKind, ImageSection};

use super::report::{BreachAt, Report};
use super::version::VersionRules;
use crate::Header;

/// First address of the upper half of the address space, which no program of a user has.
const UPPER_HALF: u64 = 1 << 63;

/// Checks the file's headers about the section.
pub(crate) fn check(image: &Image, home: &ImageSection, report: &mut Report) {
    section_header(home, report);
    count(image, home, report);
    if image.kind != ImageKind::Relocatable {
        segment(image, home, report);
        loaded(image, home, report);
    }
}

fn section_header(home: &ImageSection, report: &mut Report) {
    if home.kind != SHT_GNU_SFRAME {
        // Errata 1 introduced the section type: older tools, which leave PCREL clear, used
        // PROGBITS. An empty section shows no version.
        let before_errata_1 = home.size == 0
            || Header::parse(&home.bytes)
                .is_ok_and(|header| (VersionRules::for_format(header.format).precedes_section_type)(header.flags));
        // The section is found only by its segment: neither type nor name identifies it.
        let named = home.name == ".sframe";
        let milder = home.kind == SHT_PROGBITS && before_errata_1 && named;
        let severity = if milder { Severity::Warning } else { Severity::Error };
        report.add_as(RuleId::ElfSectionType, severity, BreachAt::default(), || {
            let name = if named { "" } else { ", and the section is not called .sframe" };
            format!("sh_type is {:#x}, expected {SHT_GNU_SFRAME:#x} (SHT_GNU_SFRAME){name}", home.kind)
        });
    }
    if home.flags & (SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR) != SHF_ALLOC {
        report.add(RuleId::ElfSectionFlags, BreachAt::default(), || {
            format!("sh_flags is {:#x}, expected {SHF_ALLOC:#x} (SHF_ALLOC)", home.flags)
        });
    }
    if home.align < 4 {
        report.add(RuleId::ElfSectionAlignment, BreachAt::default(), || {
            format!("sh_addralign is {}, expected at least 4", home.align)
        });
    }
}

fn count(image: &Image, home: &ImageSection, report: &mut Report) {
    let first = image.sframe_sections().next().map(|section| section.index);
    let another = first.is_some_and(|first| first != home.index);
    if image.kind != ImageKind::Relocatable {
        if another {
            report.add(RuleId::ElfOneSectionLinked, BreachAt::default(), || {
                format!("section {} is not the first", home.index)
            });
        }
    } else if another {
        report.add(RuleId::ElfOneSectionObject, BreachAt::default(), || {
            format!("section {} is not the first", home.index)
        });
    } else if home.comdat {
        report.add(RuleId::ElfOneSectionObject, BreachAt::default(), || "the section is in a COMDAT group".to_owned());
    }
}

fn segment(image: &Image, home: &ImageSection, report: &mut Report) {
    let Some(segment) = image.segments.iter().find(|segment| segment.kind == PT_GNU_SFRAME) else {
        if home.size > 0 {
            // A kernel looks for its own table by symbols of its linker script, which names the
            // segments.
            let severity = if home.address >= UPPER_HALF { Severity::Info } else { Severity::Error };
            report.add_as(RuleId::ElfSegment, severity, BreachAt::default(), || {
                "there is no PT_GNU_SFRAME segment".to_owned()
            });
        }
        return;
    };
    if home.size == 0 && segment.file_size > 0 {
        report.add(RuleId::ElfSegment, BreachAt::default(), || {
            format!(
                "PT_GNU_SFRAME covers {:#x} bytes at {:#x}, the section has none",
                segment.file_size, segment.address
            )
        });
        return;
    }
    if home.size == 0 {
        report.add(RuleId::ElfSegmentOfEmpty, BreachAt::default(), || "PT_GNU_SFRAME over an empty section".to_owned());
        return;
    }
    let others = image.segments.iter().filter(|segment| segment.kind == PT_GNU_SFRAME).skip(1);
    for other in others.filter(|_| image.sframe_sections().next().is_some_and(|first| first.index == home.index)) {
        report.add(RuleId::ElfOneSegment, BreachAt::default(), || {
            format!("another PT_GNU_SFRAME at {:#x} (file offset {:#x})", other.address, other.file_offset)
        });
    }
    // A second section is a breach of another rule; the segment belongs to the first.
    if image.sframe_sections().next().is_some_and(|first| first.index != home.index) {
        return;
    }
    if segment.address != home.address || segment.file_offset != home.file_offset {
        report.add(RuleId::ElfSegment, BreachAt::default(), || {
            format!(
                "PT_GNU_SFRAME is at {:#x} (file offset {:#x}), the section at {:#x} (file offset {:#x})",
                segment.address, segment.file_offset, home.address, home.file_offset
            )
        });
    } else if segment.file_size != home.size || segment.memory_size != home.size {
        let short = segment.file_size < home.size || segment.memory_size < home.size;
        let rule = if short { RuleId::ElfSegmentCovers } else { RuleId::ElfSegmentSize };
        report.add(rule, BreachAt::default(), || {
            format!(
                "p_filesz is {:#x}, p_memsz {:#x}, expected {:#x} (sh_size of .sframe)",
                segment.file_size, segment.memory_size, home.size
            )
        });
    }
}

/// Checks that a readable PT_LOAD segment has an allocated section, with matching file offsets.
fn loaded(image: &Image, home: &ImageSection, report: &mut Report) {
    if home.is_alloc() && home.size > 0 && !image.is_loaded(home) {
        report.add(RuleId::ElfSegmentCovers, BreachAt::default(), || {
            format!(
                "no readable PT_LOAD segment holds all of {:#x}..{:#x} (file offset {:#x})",
                home.address,
                home.address.saturating_add(home.size),
                home.file_offset
            )
        });
    }
}

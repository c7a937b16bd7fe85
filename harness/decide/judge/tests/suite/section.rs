//! `.eh_frame` is loaded where readers look for it, and has its name.

use judge::{Options, judge, tables::Tables};
use types::elf::{PF_R, PF_X, PT_LOAD};
use types::{Bytes, Image, ImageKind, ImageSection, Segment};

use crate::eh_frame_hdr::{TEXT, hdr, image};

fn broken(image: &Image) -> Vec<&'static str> {
    let report = judge(image, &Tables::new(image), Options::default(), |_| ());
    report.discrepancies.iter().map(|found| found.rule().name()).collect()
}

/// A PT_LOAD segment over the sections.
fn load(flags: u32, size: u64) -> Segment {
    Segment {
        kind: PT_LOAD,
        flags,
        address: TEXT,
        memory_size: size,
        file_offset: TEXT,
        file_size: size,
        bytes: Bytes::default(),
    }
}

#[test]
fn a_readable_segment_holds_all_of_the_tables() {
    let with = |segment: Segment| {
        let mut image = image(&[(TEXT, 0x10)], hdr(&[(TEXT, 0x2018)]));
        image.segments.push(segment);
        broken(&image)
    };
    let wrong = "eh-frame/loaded";
    assert_eq!(with(load(PF_R, 0x4000)), [""; 0]);
    assert_eq!(with(load(PF_R | PF_X, 0x4000)), [""; 0]);
    assert_eq!(with(load(PF_X, 0x4000)), [wrong, wrong], "not readable");
    assert_eq!(with(load(PF_R, 0x2000)), [wrong], "without the search table");
}

/// A linked file without a search table may keep `.eh_frame` for debuggers alone.
#[test]
fn tables_that_a_header_leads_to_are_allocated() {
    let without = |name: &str, has_header: bool| {
        let mut image = image(&[(TEXT, 0x10)], hdr(&[(TEXT, 0x2018)]));
        image.segments.retain(|_| has_header);
        image.segments.push(load(PF_R, 0x4000));
        image.sections.iter_mut().filter(|section| section.name == name).for_each(|section| section.flags = 0);
        broken(&image).contains(&"eh-frame/loaded")
    };
    assert!(without(".eh_frame", true) && without(".eh_frame_hdr", true));
    assert!(!without(".eh_frame", false) && !without(".text", true));
}

/// Readers of files find the section by its name, those in the running program by the header.
#[test]
fn the_section_with_the_entries_is_named_eh_frame() {
    let other = |name: &str, address: u64, kind: ImageKind| {
        let mut image = image(&[(TEXT, 0x10)], hdr(&[(TEXT, 0x2018)]));
        image.segments.push(load(PF_R, 0x4000));
        image.kind = kind;
        let section = ImageSection { address, name: name.into(), ..image.sections[1].clone() };
        match kind {
            ImageKind::Relocatable => image.sections[1] = section,
            _ => image.sections.push(section),
        }
        broken(&image).contains(&"eh-frame/section-name")
    };
    let (entries, linked) = (0x2000, ImageKind::Shared);
    assert!(other(".ehframe", entries, linked), "what the header leads to");
    assert!(!other(".rodata", entries + 0x80, linked));
    let mut next = image(&[(TEXT, 0x10)], hdr(&[(TEXT, 0x2018)]));
    next.sections[1] = ImageSection { bytes: Bytes::default(), size: 0, ..next.sections[1].clone() };
    next.sections[2].address = entries;
    assert!(!broken(&next).contains(&"eh-frame/section-name"), "the next section");
    assert!(other(".rela.eh_frame", 0, ImageKind::Relocatable), "what is relocated");
    assert!(!other(".eh_frame", entries, ImageKind::Relocatable));
}

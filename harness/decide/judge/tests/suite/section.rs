//! `.eh_frame` is loaded where readers look for it.

use judge::{Options, judge, tables::Tables};
use types::elf::{PF_R, PF_X, PT_LOAD};
use types::{Bytes, Image, Segment};

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

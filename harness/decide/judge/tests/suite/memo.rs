//! Facts about a PC are found again, in every kind of segment.

use judge::memo::{Memo, PcFacts};
use judge::per_table::PerTable;
use judge::slot::Slot;
use types::{Abi, Bytes, Image, ImageKind, Pc, Segment, elf};

/// An executable segment of 8 KiB whose second half is beyond the last address: a file can contain
/// this.
#[test]
fn a_segment_that_wraps_the_address_space_is_found_on_both_sides() {
    let start = 0_u64.wrapping_sub(0x1000);
    let segment = Segment {
        kind: elf::PT_LOAD,
        flags: elf::PF_X,
        address: start,
        memory_size: 0x2000,
        file_offset: 0,
        file_size: 0,
        bytes: Bytes::new(),
    };
    let image = Image {
        name: "wraps".to_owned(),
        abi: Abi::Amd64,
        kind: ImageKind::Executable,
        entry: Pc(start),
        sections: Vec::new(),
        segments: vec![segment],
        symbols: Vec::new(),
        sframe_relocations: Vec::new(),
        unresolved: Vec::new(),
        source_files: 0,
        bias: 0,
    };
    let mut memo = Memo::new(&image);
    let facts = PcFacts {
        slots: PerTable { sframe: Slot::NoRow, eh_frame: Slot::Absent },
        same: false,
        entry: false,
        witness: None,
    };
    for pc in [Pc(start + 8), Pc(8)] {
        assert!(memo.find(pc).is_none());
        let id = memo.insert(pc, facts);
        assert_eq!(memo.find(pc), Some(id));
        assert_eq!(memo.get(id).slots.sframe, Slot::NoRow);
    }
    assert!(memo.find(Pc(0x1000)).is_none());
}

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
    let segment = Segment { memory_size: 0x2000, ..Segment::new(elf::PT_LOAD, elf::PF_X, start, Bytes::new()) };
    let image = Image { segments: vec![segment], ..Image::new("wraps", Abi::Amd64, ImageKind::Executable, Pc(start)) };
    let mut memo = Memo::new(&image);
    let facts = PcFacts {
        slots: PerTable { sframe: Slot::NoRow, eh_frame: Slot::Absent },
        same: false,
        entry: false,
        witness: None,
        right: PerTable::default(),
    };
    for pc in [Pc(start + 8), Pc(8)] {
        assert!(memo.find(pc).is_none());
        let id = memo.insert(pc, facts);
        assert_eq!(memo.find(pc), Some(id));
        assert_eq!(memo.get(id).slots.sframe, Slot::NoRow);
    }
    assert!(memo.find(Pc(0x1000)).is_none());
}

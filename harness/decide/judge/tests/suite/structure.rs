//! Rules of a section whose severity depends on the other table.

use std::time::Instant;

use judge::blame::Table;
use judge::structure::findings;
use judge::tables::Tables;
use results::Blame;
use spec::{RuleId, Severity};
use types::{Bytes, Image, ImageSection, Pc};

use crate::eh_frame_hdr::{TEXT, hdr, image};

/// A function with CFA rsp+8, and from its fifth byte rsp-16: in `.sframe`, and in `.eh_frame` if
/// `both`.
fn below_sp(both: bool) -> Image {
    let mut image = image(&[(TEXT, 0x10)], hdr(&[]));
    if both {
        // The padding of the only FDE: DW_CFA_advance_loc 4, DW_CFA_def_cfa_offset_sf 2 (of -8).
        let mut eh_frame = image.sections[1].bytes.to_vec();
        let end = eh_frame.len() - 4;
        eh_frame[end - 3..end].copy_from_slice(&[0x44, 0x13, 2]);
        image.sections[1].bytes = Bytes::from(eh_frame);
    }
    add_sframe(&mut image, 0x10, 0);
    image
}

/// Adds a `.sframe` section with one function of a size: its CFA is rsp+8, and from its fifth byte
/// rsp-16. The last word of its descriptor is `info`.
fn add_sframe(image: &mut Image, size: u32, info: u32) {
    const AT: u64 = 0x4000;
    // Version 2, sorted, PC-relative; AMD64; RA at CFA-8; 1 FDE, 2 rows of 3 bytes.
    let mut bytes = vec![0xe2, 0xde, 2, 5, 3, 0, 0xf8, 0];
    for word in [1, 2, 6, 0, 20] {
        bytes.extend(u32::to_le_bytes(word));
    }
    let start = TEXT as i64 - (AT as i64 + bytes.len() as i64);
    for word in [start as u32, size, 0, 2, info] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend([0, 3, 8, 4, 3, 0xf0]);
    let section = ImageSection {
        name: ".sframe".to_owned(),
        address: AT,
        size: bytes.len() as u64,
        bytes: Bytes::from(bytes),
        ..image.sections[1].clone()
    };
    image.sections.push(section);
}

/// The CFA of a function that has popped its own arguments is below SP: not an error if both tables
/// have it.
#[test]
fn a_cfa_below_sp_is_an_error_in_one_table_only() {
    for (both, expected) in
        [(false, (Severity::Error, Blame::AssemblerOrLinker)), (true, (Severity::Warning, Blame::Compiler))]
    {
        let image = below_sp(both);
        let found = findings(&image, &Tables::new(&image));
        let found = found.iter().filter(|found| found.rule() == RuleId::RowCfaPlausible);
        let found: Vec<_> = found.map(|found| (found.severity, found.blame())).collect();
        assert_eq!(found, [expected], "{both}");
    }
}

/// A function of 4 GiB that repeats two rows in blocks of 16 bytes: its rows are read once, not in
/// each of 268 million blocks.
#[test]
fn rows_that_repeat_in_blocks_are_searched_once() {
    let mut image = image(&[(TEXT, 0x10)], hdr(&[]));
    // SFRAME_FDE_TYPE_PCMASK in bit 4 of the first byte, the size of a block in the second.
    add_sframe(&mut image, u32::MAX, 0x1010);
    let tables = Tables::new(&image);
    let began = Instant::now();
    assert!(tables.rules(Table::Sframe, Pc(TEXT + 0x2004)).is_some_and(|row| row.start == Pc(TEXT + 0x2004)));
    assert_eq!(tables.first_denial(Table::Sframe, Pc(TEXT)), None);
    assert!(began.elapsed().as_secs() < 2, "{:?}", began.elapsed());
}

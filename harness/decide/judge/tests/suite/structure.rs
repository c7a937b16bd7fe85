//! Rules of a section whose severity depends on the other table.

use judge::structure::findings;
use judge::tables::Tables;
use results::Blame;
use spec::{RuleId, Severity};
use types::{Bytes, Image, ImageSection};

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
    const AT: u64 = 0x4000;
    // Version 2, sorted, PC-relative; AMD64; RA at CFA-8; 1 FDE, 2 rows of 3 bytes.
    let mut bytes = vec![0xe2, 0xde, 2, 5, 3, 0, 0xf8, 0];
    for word in [1, 2, 6, 0, 20] {
        bytes.extend(u32::to_le_bytes(word));
    }
    let start = TEXT as i64 - (AT as i64 + bytes.len() as i64);
    for word in [start as u32, 0x10, 0, 2, 0] {
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
    image
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

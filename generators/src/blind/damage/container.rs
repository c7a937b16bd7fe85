//! Damage to the headers around `.sframe`: its section header, and the program headers over it.

use types::elf::{PT_GNU_SFRAME, PT_LOAD};

use super::{Change, Field, Spot};
use crate::blind::elf::{ElfFile, PROGRAM_HEADER, SECTION_HEADER};
use types::Rng;

/// Damages headers. The spot is the whole file.
pub(super) fn damage(spot: &Spot<'_>, file: &ElfFile, section: usize, rng: &mut Rng) -> Option<Change> {
    let home = file.sections.get(section)?;
    let over = |kind| {
        file.segments.iter().find(move |segment| {
            segment.kind == kind && home.address.wrapping_sub(segment.address) < segment.memory_size
        })
    };
    let (sframe, load) = (over(PT_GNU_SFRAME), over(PT_LOAD));
    let (of, at, size, fields) = match rng.below(4) {
        0 | 1 => ("section header", home.header_at, SECTION_HEADER, section_fields(home.header_at)),
        2 => ("PT_GNU_SFRAME", sframe?.header_at, PROGRAM_HEADER, segment_fields(sframe?.header_at)),
        _ => ("PT_LOAD", load?.header_at, PROGRAM_HEADER, segment_fields(load?.header_at)),
    };
    let change = if rng.one_in(3) {
        spot.byte(rng, at, at + size)?
    } else {
        let field = rng.pick(&fields);
        spot.change(rng, &field, &[])?
    };
    Some(change.of(of, &format!("{of}:")))
}

/// The fields of a section header (gABI 4.1, "Section Header").
fn section_fields(at: u64) -> Vec<Field> {
    let names = [
        ("sh_name", 0, 4),
        ("sh_type", 4, 4),
        ("sh_flags", 8, 8),
        ("sh_addr", 16, 8),
        ("sh_offset", 24, 8),
        ("sh_size", 32, 8),
        ("sh_link", 40, 4),
        ("sh_info", 44, 4),
        ("sh_addralign", 48, 8),
        ("sh_entsize", 56, 8),
    ];
    names.into_iter().map(|(name, offset, size)| Field { name, at: at + offset, size }).collect()
}

/// The fields of a program header (gABI 4.1, "Program Header").
fn segment_fields(at: u64) -> Vec<Field> {
    let names = [
        ("p_type", 0, 4),
        ("p_flags", 4, 4),
        ("p_offset", 8, 8),
        ("p_vaddr", 16, 8),
        ("p_paddr", 24, 8),
        ("p_filesz", 32, 8),
        ("p_memsz", 40, 8),
        ("p_align", 48, 8),
    ];
    names.into_iter().map(|(name, offset, size)| Field { name, at: at + offset, size }).collect()
}

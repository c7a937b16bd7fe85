//! Damage to the data that unwinders search first: `.eh_frame_hdr`, and a second PT_GNU_SFRAME.

use types::elf::PT_GNU_SFRAME;

use super::{Change, Edit, Field, Spot};
use crate::blind::effect::DamagedPart;
use crate::blind::elf::PROGRAM_HEADER;
use crate::blind::hdr::{ENTRY, HEAD, Hdr};
use crate::blind::view::View;
use types::Rng;

/// PT_GNU_STACK, PT_GNU_RELRO, PT_NOTE (gABI, "Program Header"; binutils, elf/common.h): a file can
/// run without these.
const SPARE: [u32; 3] = [0x6474_e551, 0x6474_e552, 4];

/// Damages a file that has `.eh_frame_hdr`. The spot is the whole file.
pub(super) fn damage(spot: &Spot<'_>, view: &View, hdr: &Hdr, rng: &mut Rng) -> Option<(DamagedPart, Change, u64)> {
    let home = view.file.sections.get(hdr.section)?;
    let entry = rng.below(Some(hdr.entries.len() as u64).filter(|count| *count > 0)?);
    let at = |index: u64| home.offset + HEAD + index * ENTRY;
    let field = |rng: &mut Rng, name, at, others: &[u64]| spot.change(rng, &Field { name, at, size: 4 }, others);
    let words = |offset: u64| -> Vec<u64> {
        (0..hdr.entries.len() as u64).filter_map(|index| spot.read(at(index) + offset, 4)).collect()
    };
    let change = match rng.below(8) {
        0 => {
            let other = rng.below(hdr.entries.len() as u64);
            let whole = |index| spot.slice(at(index), at(index) + ENTRY);
            let edits = vec![Edit::new(at(entry), whole(other)?), Edit::new(at(other), whole(entry)?)];
            Change::new("swapped", format!("entries {entry} and {other} swapped"), edits)
        }
        1 => field(rng, "FDE of an entry", at(entry) + 4, &words(4))?,
        2 => field(rng, "start of an entry", at(entry), &words(0))?,
        3 => field(rng, "fde_count", home.offset + 8, &[])?,
        4 => field(rng, "eh_frame_ptr", home.offset + 4, &[])?,
        5 => empty(spot, view, hdr, entry)?,
        6 => {
            // Version and encodings, or any byte.
            let size = if rng.one_in(2) { 4 } else { home.size };
            spot.byte(rng, home.offset, home.offset + size)?
        }
        _ => return second_segment(spot, view, rng).map(|drawn| (DamagedPart::Container, drawn, 0)),
    };
    Some((DamagedPart::EhFrameHdr, change.of("hdr", ".eh_frame_hdr:"), 0))
}

/// Makes the next FDE an empty one at the entry's start: a search finds it first.
fn empty(spot: &Spot<'_>, view: &View, hdr: &Hdr, entry: u64) -> Option<Change> {
    let home = view.file.sections.get(hdr.section)?;
    let eh_frame = view.file.sections.get(view.file.named(b".eh_frame")?)?;
    let index = usize::try_from(entry).ok()?;
    let ((start, _), (next, fde)) = (hdr.entries.get(index)?, hdr.entries.get(index + 1)?);
    let function = view.cfi.as_ref()?.functions.iter().find(|function| function.start == *next)?;
    if eh_frame.address.wrapping_add(function.at) != *fde || start == next {
        return None;
    }
    // Start and size, as pcrel sdata4 after a length of 4 bytes.
    let (address, at) = (fde.wrapping_add(8), eh_frame.offset + function.at + 8);
    let word = |value: u64| {
        let mut bytes = vec![0; 4];
        spot.put(&mut bytes, 0, value, 4)?;
        Some(bytes)
    };
    let is_plain = spot.slice(at, at + 8)?
        == [word(next.wrapping_sub(address))?, word(function.end.wrapping_sub(*next))?].concat();
    if !is_plain {
        return None;
    }
    let moved = [word(start.wrapping_sub(address))?, word(0)?].concat();
    let entry_at = home.offset + HEAD + (entry + 1) * ENTRY;
    let edits = vec![Edit::new(at, moved), Edit::new(entry_at, word(start.wrapping_sub(home.address))?)];
    let what = format!("the FDE of entry {} of no bytes, at the start of entry {entry}", entry + 1);
    Some(Change::new("empty", what, edits))
}

/// Makes another program header a second PT_GNU_SFRAME: equal to the first, or 8 bytes off.
fn second_segment(spot: &Spot<'_>, view: &View, rng: &mut Rng) -> Option<Change> {
    let sframe = view.file.segments.iter().find(|segment| segment.kind == PT_GNU_SFRAME)?;
    let spare = view.file.segments.iter().find(|segment| SPARE.contains(&segment.kind))?;
    let mut header = spot.slice(sframe.header_at, sframe.header_at + PROGRAM_HEADER)?;
    let off = rng.pick(&[0, 8]);
    // p_offset, p_vaddr, p_paddr.
    for (at, value) in [(8, sframe.offset), (16, sframe.address), (24, sframe.address)] {
        spot.put(&mut header, at, value.wrapping_add(off), 8)?;
    }
    let what = format!("a second PT_GNU_SFRAME, {off} bytes off");
    Some(Change::new("segment-second", what, vec![Edit::new(spare.header_at, header)]))
}

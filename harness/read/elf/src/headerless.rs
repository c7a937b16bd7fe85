//! Sections of a file without section headers, derived from its program headers: the code,
//! `.sframe` and `.eh_frame` as unwinders find them at run time (`PT_GNU_SFRAME`;
//! `PT_GNU_EH_FRAME`, whose header has the address of `.eh_frame`).

use types::elf::{PF_X, PT_GNU_EH_FRAME, PT_GNU_SFRAME, PT_LOAD, SHF_ALLOC, SHF_EXECINSTR, SHT_GNU_SFRAME};
use types::{ByteOrder, Bytes, Image, ImageSection, PointerEncoding, Segment};

/// Magic at the start of `.sframe` (SFrame V2 errata 1, The SFrame Preamble).
const SFRAME_MAGIC: u16 = 0xdee2;
/// Size of an `.eh_frame` without entries (LSB 5.0 core, 10.6).
const TERMINATOR: usize = 4;

/// Adds sections derived from the segments of a linked file: all if it has no section headers, else
/// only missing tables. Section headers are not needed at run time, and run-time readers do not
/// notice a missing one.
pub(crate) fn add(image: &mut Image, order: ByteOrder) {
    let mut shown = sections(&image.segments, order);
    if !image.sections.is_empty() {
        let has_sframe = image.sframe_sections().next().is_some();
        let is_absent = |one: &ImageSection| match one.name.as_str() {
            ".sframe" => !has_sframe && one.bytes.first_chunk().is_some_and(|magic| order.u16(*magic) == SFRAME_MAGIC),
            ".eh_frame" => image.section(&one.name).is_none() && one.bytes.len() > TERMINATOR,
            _ => false,
        };
        shown.retain(is_absent);
    }
    let number = image.sections.iter().map(|section| section.index).max().unwrap_or(0);
    image.sections.extend((number + 1..).zip(shown).map(|(index, section)| ImageSection { index, ..section }));
}

/// The sections derived from the segments of a file: of each table only the first, which unwinders
/// use. Their indices are 0.
fn sections(segments: &[Segment], order: ByteOrder) -> Vec<ImageSection> {
    let mut found: Vec<ImageSection> = Vec::new();
    for segment in segments {
        let has = |name| found.iter().any(|one| one.name == name);
        match segment.kind {
            PT_GNU_SFRAME if has(".sframe") => {}
            PT_GNU_EH_FRAME if has(".eh_frame") => {}
            PT_LOAD if segment.flags & PF_X != 0 => {
                let (code, bytes) = (SHF_ALLOC | SHF_EXECINSTR, segment.bytes.clone());
                found.push(derived(".text", code, segment.address, segment.file_offset, bytes));
            }
            PT_GNU_SFRAME => {
                let bytes = loaded(segments, segment.address, segment.file_size);
                found.extend(bytes.map(|bytes| ImageSection {
                    kind: SHT_GNU_SFRAME,
                    ..derived(".sframe", SHF_ALLOC, segment.address, segment.file_offset, bytes)
                }));
            }
            PT_GNU_EH_FRAME => found.extend(eh_frame(segments, segment, order)),
            _ => {}
        }
    }
    found
}

fn derived(name: &str, flags: u64, address: u64, file_offset: u64, bytes: Bytes) -> ImageSection {
    let align = 1 << address.trailing_zeros().min(3);
    ImageSection { file_offset, align, ..ImageSection::new(0, name, flags, address, bytes) }
}

/// The bytes that a `PT_LOAD` segment loads at an address, at most `most`.
fn loaded(segments: &[Segment], address: u64, most: u64) -> Option<Bytes> {
    let loads = segments.iter().filter(|segment| segment.kind == PT_LOAD);
    loads.into_iter().find_map(|segment| {
        let from = usize::try_from(address.checked_sub(segment.address)?).ok()?;
        let rest = segment.bytes.len().checked_sub(from).filter(|rest| *rest > 0)?;
        let length = usize::try_from(most).unwrap_or(usize::MAX).min(rest);
        Some(segment.bytes.slice(from..from + length))
    })
}

/// `.eh_frame`, from the address in its header to the terminator (LSB 5.0 core, 10.6).
fn eh_frame(segments: &[Segment], header: &Segment, order: ByteOrder) -> Option<ImageSection> {
    let bytes = loaded(segments, header.address, header.file_size)?;
    let [1, encoding, _, _, ..] = bytes.as_ref() else { return None };
    let address = PointerEncoding(*encoding).value((header.address, &bytes), 4, order)??;
    let home = segments.iter().find(|segment| {
        segment.kind == PT_LOAD && address.checked_sub(segment.address).is_some_and(|into| into < segment.file_size)
    })?;
    let rest = loaded(segments, address, u64::MAX)?;
    let length = length(&rest, order);
    let file_offset = home.file_offset.checked_add(address.checked_sub(home.address)?)?;
    Some(derived(".eh_frame", SHF_ALLOC, address, file_offset, rest.slice(..length)))
}

/// Size in bytes of the entries at the start of a section, including the terminator; up to the
/// first truncated entry.
fn length(bytes: &[u8], order: ByteOrder) -> usize {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        let next = match rest.first_chunk::<4>().map(|word| order.u32(*word)) {
            None => return at,
            Some(0) => return at + 4,
            Some(u32::MAX) => {
                let long = rest.get(4..).and_then(|rest| rest.first_chunk::<8>()).map(|word| order.u64(*word));
                long.and_then(|long| usize::try_from(long).ok()).and_then(|long| long.checked_add(12))
            }
            Some(short) => usize::try_from(short).ok().and_then(|short| short.checked_add(4)),
        };
        match next.and_then(|next| at.checked_add(next)).filter(|next| *next <= bytes.len()) {
            Some(next) => at = next,
            None => return at,
        }
    }
}

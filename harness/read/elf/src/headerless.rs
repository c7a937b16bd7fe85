//! Sections of a file without section headers, derived from its program headers: the code,
//! `.sframe` and `.eh_frame` as unwinders find them at run time (`PT_GNU_SFRAME`;
//! `PT_GNU_EH_FRAME`, whose header has the address of `.eh_frame`).

use types::elf::{
    PF_X, PT_GNU_EH_FRAME, PT_GNU_SFRAME, PT_LOAD, SHF_ALLOC, SHF_EXECINSTR, SHT_GNU_SFRAME, SHT_PROGBITS,
};
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
        let is_absent = |one: &Found| match one.name {
            ".sframe" => !has_sframe && one.bytes.first_chunk().is_some_and(|magic| order.u16(*magic) == SFRAME_MAGIC),
            ".eh_frame" => image.section(one.name).is_none() && one.bytes.len() > TERMINATOR,
            _ => false,
        };
        shown.retain(is_absent);
    }
    let number = image.sections.iter().map(|section| section.index).max().unwrap_or(0);
    image.sections.extend((number + 1..).zip(shown).map(|(number, found)| found.section(number)));
}

/// The sections derived from the segments of a file: of each table only the first, which unwinders
/// use.
fn sections(segments: &[Segment], order: ByteOrder) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for segment in segments {
        let has = |name| found.iter().any(|one| one.name == name);
        match segment.kind {
            PT_GNU_SFRAME if has(".sframe") => {}
            PT_GNU_EH_FRAME if has(".eh_frame") => {}
            PT_LOAD if segment.flags & PF_X != 0 => found.push(Found {
                name: ".text",
                kind: SHT_PROGBITS,
                flags: SHF_ALLOC | SHF_EXECINSTR,
                address: segment.address,
                file_offset: segment.file_offset,
                bytes: segment.bytes.clone(),
            }),
            PT_GNU_SFRAME => found.extend(loaded(segments, segment.address, segment.file_size).map(|bytes| Found {
                name: ".sframe",
                kind: SHT_GNU_SFRAME,
                flags: SHF_ALLOC,
                address: segment.address,
                file_offset: segment.file_offset,
                bytes,
            })),
            PT_GNU_EH_FRAME => found.extend(eh_frame(segments, segment, order)),
            _ => {}
        }
    }
    found
}

/// A derived section.
struct Found {
    name: &'static str,
    kind: u32,
    flags: u64,
    address: u64,
    file_offset: u64,
    bytes: Bytes,
}

impl Found {
    fn section(self, index: usize) -> ImageSection {
        let align = 1 << self.address.trailing_zeros().min(3);
        ImageSection {
            index,
            name: self.name.to_owned(),
            kind: self.kind,
            flags: self.flags,
            address: self.address,
            file_offset: self.file_offset,
            align,
            size: self.bytes.len() as u64,
            bytes: self.bytes,
            original: None,
            comdat: false,
        }
    }
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
fn eh_frame(segments: &[Segment], header: &Segment, order: ByteOrder) -> Option<Found> {
    let bytes = loaded(segments, header.address, header.file_size)?;
    let [1, encoding, _, _, ..] = bytes.as_ref() else { return None };
    let address = PointerEncoding(*encoding).value((header.address, &bytes), 4, order)??;
    let home = segments.iter().find(|segment| {
        segment.kind == PT_LOAD && address.checked_sub(segment.address).is_some_and(|into| into < segment.file_size)
    })?;
    let rest = loaded(segments, address, u64::MAX)?;
    let length = length(&rest, order);
    Some(Found {
        name: ".eh_frame",
        kind: SHT_PROGBITS,
        flags: SHF_ALLOC,
        address,
        file_offset: home.file_offset.checked_add(address.checked_sub(home.address)?)?,
        bytes: rest.slice(..length),
    })
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

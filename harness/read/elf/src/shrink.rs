//! Shrinks sections of an ELF file in place: references to their bytes are updated to refer to the
//! same bytes. Nothing else moves, so code and addresses do not change; the freed bytes of the file
//! are zero.
//!
//! Updated fields: `sh_size`; the relocations of the section (those of removed bytes are removed);
//! `p_filesz` and `p_memsz` of a PT_GNU_SFRAME segment that begins with the section, by the same
//! difference.

use std::ops::Range;

use object::elf;
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _};
use types::ByteOrder;
use types::elf::{ET_REL, PT_GNU_SFRAME};

use super::error::{LoadError, in_file, malformed};
use super::{Endianness, check_header, check_tables, endianness};

/// Sizes and fields of ELF64 structures (gABI 4.1, chapters 4 and 5).
const RELA_SIZE: usize = 24;
const SH_SIZE: u64 = 0x20;
const P_FILESZ: u64 = 0x20;
const P_MEMSZ: u64 = 0x28;

/// New contents of a section.
#[derive(Clone, Debug)]
pub struct SmallerSection {
    /// Index in the section header table.
    pub section: usize,
    /// The new contents, not longer than the old.
    pub bytes: Vec<u8>,
    /// Removed ranges, ascending and disjoint, as offsets in the old contents.
    pub gone: Vec<Range<u64>>,
}

/// Returns the file with sections shrunk.
///
/// # Errors
/// If [`super::load`] would reject the file, or relocations of the section are not SHT_RELA. A
/// section that the file does not have, or that would grow, is unchanged.
pub fn shrink(data: &[u8], sections: &[SmallerSection]) -> Result<Vec<u8>, LoadError> {
    let (header, order) = check_header(data)?;
    let endian = endianness(order);
    check_tables(data, header, endian)?;
    let (shoff, phoff) = (header.e_shoff(endian), header.e_phoff(endian));
    let table = header.sections(endian, data).map_err(malformed(shoff))?;
    let at = |base: u64, size: u16, index: usize| base.saturating_add(u64::from(size).saturating_mul(index as u64));
    let section_at = |index| at(shoff, header.e_shentsize(endian), index);
    let mut file = File { bytes: data.to_vec(), order };
    for shrunk in sections {
        let found = table.iter().enumerate().find(|(index, _)| *index == shrunk.section);
        let Some((index, home)) = found.filter(|(_, home)| shrunk.bytes.len() as u64 <= home.sh_size(endian)) else {
            continue;
        };
        let (offset, size) = (home.sh_offset(endian), home.sh_size(endian));
        in_file(data, "a section", offset, size)?;
        file.fill(offset, size, &shrunk.bytes);
        file.put(section_at(index).saturating_add(SH_SIZE), shrunk.bytes.len() as u64);
        let base = if header.e_type(endian).0 == ET_REL { 0 } else { home.sh_addr(endian) };
        let about = |(_, other): &(usize, &elf::SectionHeader64<Endianness>)| {
            matches!(other.sh_type(endian), elf::SHT_RELA | elf::SHT_REL | elf::SHT_CREL)
                && other.info_link(endian).0 == index
        };
        for (nth, relocations) in table.iter().enumerate().filter(about) {
            let (offset, size) = (relocations.sh_offset(endian), relocations.sh_size(endian));
            if relocations.sh_type(endian) != elf::SHT_RELA {
                let what = "relocations of another type than SHT_RELA, which are not rewritten".to_owned();
                return Err(LoadError::Malformed { what, offset });
            }
            let left = moved(in_file(data, "relocations", offset, size)?, base, shrunk, order);
            file.fill(offset, size, &left);
            file.put(section_at(nth).saturating_add(SH_SIZE), left.len() as u64);
        }
        let lost = size.saturating_sub(shrunk.bytes.len() as u64);
        for (nth, segment) in header.program_headers(endian, data).map_err(malformed(phoff))?.iter().enumerate() {
            if segment.p_type(endian).0 == PT_GNU_SFRAME && segment.p_offset(endian) == offset {
                let at = at(phoff, header.e_phentsize(endian), nth);
                file.put(at.saturating_add(P_FILESZ), segment.p_filesz(endian).saturating_sub(lost));
                file.put(at.saturating_add(P_MEMSZ), segment.p_memsz(endian).saturating_sub(lost));
            }
        }
    }
    Ok(file.bytes)
}

/// Relocations of the remaining bytes, at their new offsets. A relocation outside the section's
/// bytes is unchanged.
fn moved(entries: &[u8], base: u64, shrunk: &SmallerSection, order: ByteOrder) -> Vec<u8> {
    let mut left = Vec::new();
    for entry in entries.chunks(RELA_SIZE) {
        let Some(place) = entry.first_chunk::<8>().map(|place| order.u64(*place)) else {
            left.extend(entry);
            continue;
        };
        let offset = place.wrapping_sub(base);
        if shrunk.gone.iter().any(|range| range.contains(&offset)) {
            continue;
        }
        let length = |range: &Range<u64>| range.end.saturating_sub(range.start);
        let size = shrunk.gone.iter().map(length).sum::<u64>().saturating_add(shrunk.bytes.len() as u64);
        let before = shrunk.gone.iter().filter(|range| range.end <= offset && offset < size);
        let place = place.wrapping_sub(before.map(length).sum());
        left.extend(order.bytes_of(place));
        left.extend(entry.get(8..).unwrap_or_default());
    }
    left
}

struct File {
    bytes: Vec<u8>,
    order: ByteOrder,
}

impl File {
    /// Writes bytes into a range, and zeros up to its end.
    fn fill(&mut self, offset: u64, size: u64, bytes: &[u8]) {
        let all = bytes.iter().copied().chain(std::iter::repeat(0));
        let from = usize::try_from(offset).unwrap_or(usize::MAX);
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        for (place, byte) in self.bytes.iter_mut().skip(from).take(size).zip(all) {
            *place = byte;
        }
    }

    /// Writes an 8-byte integer in the file's byte order.
    fn put(&mut self, offset: u64, value: u64) {
        self.fill(offset, 8, &self.order.bytes_of(value));
    }
}

#[cfg(test)]
mod tests {
    use types::ByteOrder;

    use super::{SmallerSection, moved};

    /// In a linked file (`--emit-relocs`) relocations have addresses; in an object offsets.
    #[test]
    fn relocations_follow_their_bytes() {
        let shrunk = SmallerSection { section: 1, bytes: vec![0; 0x28], gone: vec![0x10..0x18, 0x20..0x30] };
        for order in [ByteOrder::Little, ByteOrder::Big] {
            for base in [0, 0x40_0000] {
                let entries = |places: &[u64]| -> Vec<u8> {
                    let entry = |place: &u64| [&order.bytes_of(base + place)[..], &[7; 16]].concat();
                    places.iter().flat_map(entry).collect()
                };
                let whole = entries(&[0x1c, 0x08, 0x10, 0x2f, 0x30, 0x3f, 0x40]);
                // Those at 0x10 and 0x2f go with their bytes; the one at 0x40 is past the end of
                // the section.
                let left = entries(&[0x14, 0x08, 0x18, 0x27, 0x40]);
                assert_eq!(moved(&whole, base, &shrunk, order), left, "{order:?} at {base:#x}");
            }
        }
    }
}

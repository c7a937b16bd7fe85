//! Gives sections of an object other contents.

use object::elf;
use object::read::elf::{FileHeader as _, SectionHeader as _};
use types::ByteOrder;

use super::error::{LoadError, in_file, malformed};
use super::{check_header, check_tables, endianness};

/// A relocation of a section (gABI, "Relocation").
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rela {
    /// Offset of the field.
    pub offset: u64,
    /// Symbol in the upper half, type in the lower.
    pub info: u64,
    /// The constant that is added.
    pub addend: i64,
}

/// New contents of a section.
#[derive(Clone, Debug)]
pub struct SectionContents {
    /// Index in the section header table.
    pub section: usize,
    /// The contents.
    pub bytes: Vec<u8>,
    /// All its relocations.
    pub relocations: Vec<Rela>,
}

/// Offsets of fields of a section header.
const SH_OFFSET: usize = 0x18;
const SH_SIZE: usize = 0x20;
/// Sizes of a section header and of a relocation.
const SH: usize = 64;
const RELA: usize = 24;

/// The relocations of a section, in order.
///
/// # Errors
/// If [`super::load`] would reject the headers.
pub fn relocations(data: &[u8], section: usize) -> Result<Vec<Rela>, LoadError> {
    let (_, order) = check_header(data)?;
    let Some((_, offset, size)) = relocating(data, section)? else { return Ok(Vec::new()) };
    let word = |entry: &[u8], at: usize| entry.get(at..at + 8).and_then(|bytes| bytes.first_chunk().copied());
    let rela = |entry: &[u8]| {
        let read = |at| word(entry, at).map_or(0, |bytes| order.u64(bytes));
        Rela { offset: read(0), info: read(8), addend: read(16).cast_signed() }
    };
    Ok(in_file(data, "relocations", offset, size)?.chunks_exact(RELA).map(rela).collect())
}

/// Index, offset and size of the section with the relocations of a section.
fn relocating(data: &[u8], section: usize) -> Result<Option<(usize, u64, u64)>, LoadError> {
    let (header, order) = check_header(data)?;
    let endian = endianness(order);
    check_tables(data, header, endian)?;
    let table = header.sections(endian, data).map_err(malformed(header.e_shoff(endian)))?;
    let is_it =
        |one: &elf::SectionHeader64<_>| one.sh_type(endian) == elf::SHT_RELA && one.info_link(endian).0 == section;
    let found = table.iter().enumerate().find(|(_, one)| is_it(one));
    Ok(found.map(|(index, one)| (index, one.sh_offset(endian), one.sh_size(endian))))
}

/// The file with other contents of sections, which are at its end. Their sizes may differ: for
/// objects, whose sections have no place.
///
/// # Errors
/// If [`super::load`] would reject the headers.
pub fn with_contents(data: &[u8], all: &[SectionContents]) -> Result<Vec<u8>, LoadError> {
    let (header, order) = check_header(data)?;
    let first = usize::try_from(header.e_shoff(endianness(order))).unwrap_or(usize::MAX);
    let mut file = data.to_vec();
    for one in all {
        place(&mut file, order, first.saturating_add(one.section.saturating_mul(SH)), &one.bytes);
        if let Some((index, ..)) = relocating(data, one.section)? {
            let word = |rela: &Rela| [rela.offset, rela.info, rela.addend.cast_unsigned()];
            let words = one.relocations.iter().flat_map(word);
            let bytes: Vec<u8> = words.flat_map(|word| order.bytes_of(word)).collect();
            place(&mut file, order, first.saturating_add(index.saturating_mul(SH)), &bytes);
        }
    }
    Ok(file)
}

/// Appends contents, and names them in a section header.
fn place(file: &mut Vec<u8>, order: ByteOrder, header: usize, bytes: &[u8]) {
    file.resize(file.len().next_multiple_of(8), 0);
    let fields = [(SH_OFFSET, file.len() as u64), (SH_SIZE, bytes.len() as u64)];
    for (field, value) in fields {
        let at = header.saturating_add(field);
        if let Some(slot) = file.get_mut(at..at.saturating_add(8)) {
            slot.copy_from_slice(&order.bytes_of(value));
        }
    }
    file.extend(bytes);
}

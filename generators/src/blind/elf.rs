//! A small reader of ELF64 (gABI 4.1, chapters 4 and 5): the layout of a file, and a section's
//! bytes with relocations applied.
//!
//! It shares nothing with the reader under test. Sections of objects (ET_REL) get assigned
//! addresses, so that every position has an address.

use types::{Abi, ByteOrder, elf};

use crate::arch::arch;
use crate::reader::Form;
use crate::reader::cursor::Cursor;

/// A file's headers.
#[derive(Clone, Debug)]
pub(super) struct ElfFile {
    pub(super) abi: Abi,
    /// The file is an object, ET_REL.
    pub(super) relocatable: bool,
    /// All section headers, the null one first.
    pub(super) sections: Vec<Section>,
    pub(super) segments: Vec<Segment>,
}

/// A section header.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Offset of the header in the file.
    pub(super) header_at: u64,
    pub(super) name: Vec<u8>,
    pub(super) kind: u32,
    pub(super) flags: u64,
    /// `sh_addr`; in objects an assigned address.
    pub(super) address: u64,
    pub(super) offset: u64,
    pub(super) size: u64,
    link: u64,
    info: u64,
}

/// A program header.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Offset of the header in the file.
    pub(super) header_at: u64,
    pub(super) kind: u32,
    pub(super) flags: u32,
    pub(super) offset: u64,
    pub(super) address: u64,
    pub(super) file_size: u64,
    pub(super) memory_size: u64,
}

/// A relocation with its symbol.
#[derive(Clone, Copy, Debug)]
pub(super) struct Relocation {
    /// Offset in the section.
    pub(super) offset: u64,
    pub(super) kind: u64,
    /// Address of the symbol plus addend; `None` for undefined symbols.
    pub(super) target: Option<u64>,
}

/// Size of a section header.
pub(super) const SECTION_HEADER: u64 = 64;
/// Size of a program header.
pub(super) const PROGRAM_HEADER: u64 = 56;
/// Address of the first section in objects, and their alignment.
const APART: u64 = 0x1_0000;

/// Reads the headers. `None` if the file is not ELF64 of a known machine, or is inconsistent.
pub(super) fn read(bytes: &[u8]) -> Option<ElfFile> {
    if bytes.get(..5)? != b"\x7fELF\x02" {
        return None;
    }
    let order = match bytes.get(5)? {
        1 => ByteOrder::Little,
        2 => ByteOrder::Big,
        _ => return None,
    };
    let file = Cursor::new(order, bytes, 0);
    let half = |at| file.to(at).unsigned(2);
    let word = |at| file.to(at).unsigned(8);
    let machine = half(18)?;
    let abi = Abi::ALL.into_iter().find(|abi| {
        let facts = abi.facts();
        u64::from(facts.elf_machine) == machine && facts.order == order
    })?;
    let relocatable = half(16)? == u64::from(elf::ET_REL);
    let (program_headers, section_headers) = (word(32)?, word(40)?);
    let segments = (0..half(56)?).map(|index| segment(file, program_headers.checked_add(index * PROGRAM_HEADER)?));
    let sections = (0..half(60)?).map(|index| section(file, section_headers.checked_add(index * SECTION_HEADER)?));
    let mut sections = sections.collect::<Option<Vec<_>>>()?;
    let names = sections.get(usize::try_from(half(62)?).ok()?).map(|(section, _)| section.offset)?;
    for (section, name) in &mut sections {
        section.name = file.to(names.checked_add(*name)?).string()?.to_vec();
    }
    let mut sections: Vec<Section> = sections.into_iter().map(|(section, _)| section).collect();
    if relocatable {
        let mut next = APART;
        for section in sections.iter_mut().filter(|section| section.flags & elf::SHF_ALLOC != 0) {
            section.address = next;
            next = next.checked_add(section.size)?.checked_add(2 * APART)? & !(APART - 1);
        }
    }
    Some(ElfFile { abi, relocatable, sections, segments: segments.collect::<Option<_>>()? })
}

/// A section header, with the offset of its name.
fn section(file: Cursor<'_>, at: u64) -> Option<(Section, u64)> {
    let field = |offset: u64, size| file.to(at.checked_add(offset)?).unsigned(size);
    let section = Section {
        header_at: at,
        name: Vec::new(),
        kind: u32::try_from(field(4, 4)?).ok()?,
        flags: field(8, 8)?,
        address: field(16, 8)?,
        offset: field(24, 8)?,
        size: field(32, 8)?,
        link: field(40, 4)?,
        info: field(44, 4)?,
    };
    Some((section, field(0, 4)?))
}

fn segment(file: Cursor<'_>, at: u64) -> Option<Segment> {
    let field = |offset: u64, size| file.to(at.checked_add(offset)?).unsigned(size);
    Some(Segment {
        header_at: at,
        kind: u32::try_from(field(0, 4)?).ok()?,
        flags: u32::try_from(field(4, 4)?).ok()?,
        offset: field(8, 8)?,
        address: field(16, 8)?,
        file_size: field(32, 8)?,
        memory_size: field(40, 8)?,
    })
}

impl ElfFile {
    /// Index of the section with SFrame data: by name or by type.
    pub(super) fn sframe(&self) -> Option<usize> {
        self.sections.iter().position(|section| section.name == b".sframe" || section.kind == elf::SHT_GNU_SFRAME)
    }

    /// Index of the section with this name.
    pub(super) fn named(&self, name: &[u8]) -> Option<usize> {
        self.sections.iter().position(|section| section.name == name)
    }

    pub(super) fn raw<'b>(&self, bytes: &'b [u8], section: &Section) -> Option<&'b [u8]> {
        if section.kind == elf::SHT_NOBITS {
            return Some(&[]);
        }
        Cursor::new(self.abi.facts().order, bytes, section.offset).take(section.size)
    }

    /// The relocations of an object's section.
    pub(super) fn relocations(&self, bytes: &[u8], index: usize) -> Option<Vec<Relocation>> {
        let mut found = Vec::new();
        let about = |section: &&Section| section.kind == elf::SHT_RELA && section.info == index as u64;
        for table in self.sections.iter().filter(about) {
            let mut entries = Cursor::new(self.abi.facts().order, self.raw(bytes, table)?, 0);
            let symbols = self.raw(bytes, self.sections.get(usize::try_from(table.link).ok()?)?)?;
            while !entries.is_at_end() {
                let (offset, info, addend) = (entries.unsigned(8)?, entries.unsigned(8)?, entries.signed(8)?);
                let symbol = self.symbol(symbols, info >> 32)?;
                let target = symbol.map(|address| address.wrapping_add_signed(addend));
                found.push(Relocation { offset, kind: info & 0xffff_ffff, target });
            }
        }
        Some(found)
    }

    /// The address of a symbol in the table with these bytes; `Some(None)` if it is undefined.
    fn symbol(&self, table: &[u8], index: u64) -> Option<Option<u64>> {
        // gABI, "Symbol Table": 24 bytes; st_shndx at 6, st_value at 8.
        let at = index.checked_mul(24)?;
        let entry = Cursor::new(self.abi.facts().order, table, at);
        let (home, value) = (entry.to(at + 6).unsigned(2)?, entry.to(at + 8).unsigned(8)?);
        let home = usize::try_from(home).ok().filter(|home| *home > 0).and_then(|home| self.sections.get(home));
        Some(home.map(|home| home.address.wrapping_add(value)))
    }

    /// The bytes of a section as a reader gets them; in objects with relocations applied.
    pub(super) fn contents(&self, bytes: &[u8], index: usize) -> Option<Vec<u8>> {
        let section = self.sections.get(index)?;
        let mut contents = self.raw(bytes, section)?.to_vec();
        if self.relocatable {
            for relocation in self.relocations(bytes, index)? {
                let (Some(form), Some(target)) = (arch(self.abi).reader().form(relocation.kind), relocation.target)
                else {
                    continue;
                };
                let (value, size) = match form {
                    Form::Absolute(size) => (target, size),
                    Form::Relative(size) => {
                        (target.wrapping_sub(section.address.wrapping_add(relocation.offset)), size)
                    }
                };
                // A relocation that does not fit the section has no effect.
                let _ = store(self.abi.facts().order, &mut contents, relocation.offset, value, size);
            }
        }
        Some(contents)
    }

    /// Address ranges of code: start and end.
    pub(super) fn code(&self) -> Vec<(u64, u64)> {
        let code = elf::SHF_ALLOC | elf::SHF_EXECINSTR;
        let sections = self.sections.iter().filter(|section| section.flags & code == code);
        sections.map(|section| (section.address, section.address.saturating_add(section.size))).collect()
    }
}

/// Writes a number of `size` bytes. `None` if it does not fit.
pub(super) fn store(order: ByteOrder, bytes: &mut [u8], at: u64, value: u64, size: usize) -> Option<()> {
    let at = usize::try_from(at).ok()?;
    let place = bytes.get_mut(at..at.checked_add(size)?)?;
    let stored = match order {
        ByteOrder::Little => value.to_le_bytes(),
        ByteOrder::Big => value.rotate_right(u32::try_from(size * 8 % 64).ok()?).to_be_bytes(),
    };
    place.copy_from_slice(stored.get(..size)?);
    Some(())
}

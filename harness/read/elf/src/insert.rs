//! Inserts a `.sframe` section into a copy of a linked file (gABI, "ELF Header", "Sections",
//! "Program Header").

use object::pod::{bytes_of, bytes_of_slice};
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _};
use object::{U16, U32, U64, elf};

use super::error::{LoadError, malformed};
use super::{HEADER_SIZE, check_header, check_tables, endianness};

/// Maximum page size of Linux on the supported machines.
const PAGE: u64 = 0x1_0000;
const SFRAME_ALIGN: u64 = 8;
/// Size of a program header in bytes.
const PROGRAM_HEADER: u64 = 56;

/// Returns a copy of a linked file with a `.sframe` section, which `make` writes for an address,
/// and a PT_GNU_SFRAME segment. An existing `.sframe` section loses its header; its bytes stay.
///
/// # Errors
/// If [`super::load`] would reject the headers, or the file has no loadable segment or no room.
pub fn with_sframe(data: &[u8], make: impl FnOnce(u64) -> Vec<u8>) -> Result<Vec<u8>, LoadError> {
    let (header, order) = check_header(data)?;
    let endian = endianness(order);
    check_tables(data, header, endian)?;
    let (phoff, shoff) = (header.e_phoff(endian), header.e_shoff(endian));
    let failed = |what: &str, offset| LoadError::Malformed { what: what.to_owned(), offset };
    let long = |value| U64::new(endian, value);
    let mut segments = header.program_headers(endian, data).map_err(malformed(phoff))?.to_vec();
    let is_load = |one: &elf::ProgramHeader64<_>| one.p_type(endian) == elf::PT_LOAD;
    let last = segments.iter().rposition(is_load).ok_or_else(|| failed("no loadable segment", phoff))?;
    let end = |one: &elf::ProgramHeader64<_>| one.p_vaddr(endian).saturating_add(one.p_memsz(endian));
    let above = segments.iter().filter(|one| is_load(one)).map(end).max().unwrap_or(0);

    let mut file = data.to_vec();
    align(&mut file);
    let offset = file.len() as u64;
    let size = (segments.len() as u64 + 2) * PROGRAM_HEADER;
    let table = size.next_multiple_of(SFRAME_ALIGN);
    // Address and file offset must be equal modulo the page size.
    let page = above.checked_next_multiple_of(PAGE).and_then(|page| page.checked_add(offset % PAGE));
    let place = page.and_then(|address| Some((address, address.checked_add(table)?)));
    let (address, section_at) = place.ok_or_else(|| failed("no room above its segments", phoff))?;
    let section = make(section_at);
    let load = elf::ProgramHeader64 {
        p_type: U32::new(endian, elf::PT_LOAD),
        p_flags: U32::new(endian, elf::PF_R),
        p_offset: long(offset),
        p_vaddr: long(address),
        p_paddr: long(address),
        p_filesz: long(table + section.len() as u64),
        p_memsz: long(table + section.len() as u64),
        p_align: long(PAGE),
    };
    let marker = elf::ProgramHeader64 {
        p_type: U32::new(endian, elf::PT_GNU_SFRAME),
        p_offset: long(offset + table),
        p_vaddr: long(section_at),
        p_paddr: long(section_at),
        p_filesz: long(section.len() as u64),
        p_memsz: long(section.len() as u64),
        p_align: long(SFRAME_ALIGN),
        ..load
    };
    for segment in &mut segments {
        match segment.p_type(endian) {
            elf::PT_GNU_SFRAME => segment.p_type = U32::new(endian, elf::PT_NULL),
            elf::PT_PHDR => {
                let whole = elf::ProgramHeader64 { p_filesz: long(size), p_memsz: long(size), ..load };
                let elf::ProgramHeader64 { p_type, p_flags, p_align, .. } = *segment;
                *segment = elf::ProgramHeader64 { p_type, p_flags, p_align, ..whole };
            }
            _ => {}
        }
    }
    // PT_LOAD segments are sorted by address.
    segments.insert(last + 1, load);
    segments.push(marker);
    file.extend(bytes_of_slice(&segments));
    align(&mut file);
    let section_offset = file.len() as u64;
    file.extend(&section);
    let mut changed = *header;
    changed.e_phoff = long(offset);
    let count = u16::try_from(segments.len()).ok();
    changed.e_phnum = U16::new(endian, count.ok_or_else(|| failed("too many segments", phoff))?);

    let sections = header.sections(endian, data).map_err(malformed(shoff))?;
    if !sections.is_empty() {
        let names_index = header.shstrndx(endian, data).map_err(malformed(shoff))? as usize;
        let mut headers: Vec<elf::SectionHeader64<_>> = sections.iter().copied().collect();
        let names = headers.get(names_index).ok_or_else(|| failed("no names of sections", shoff))?;
        let mut names = names.data(endian, data).map_err(malformed(names.sh_offset(endian)))?.to_vec();
        for (new, old) in headers.iter_mut().zip(sections.iter()) {
            if old.sh_type(endian) == elf::SHT_GNU_SFRAME || sections.section_name(endian, old) == Ok(b".sframe") {
                new.sh_name = U32::new(endian, 0);
                new.sh_type = U32::new(endian, elf::SHT_NULL);
                new.sh_flags = U64::new(endian, elf::SectionFlags(0));
            }
        }
        headers.push(elf::SectionHeader64 {
            sh_name: U32::new(endian, names.len() as u32),
            sh_type: U32::new(endian, elf::SHT_GNU_SFRAME),
            sh_flags: U64::new(endian, elf::SHF_ALLOC),
            sh_addr: long(section_at),
            sh_offset: long(section_offset),
            sh_size: long(section.len() as u64),
            sh_link: U32::new(endian, 0),
            sh_info: U32::new(endian, 0),
            sh_addralign: long(SFRAME_ALIGN),
            sh_entsize: long(0),
        });
        names.extend(b".sframe\0");
        if let Some(home) = headers.get_mut(names_index) {
            home.sh_offset = long(file.len() as u64);
            home.sh_size = long(names.len() as u64);
        }
        file.extend(names);
        align(&mut file);
        changed.e_shoff = long(file.len() as u64);
        // From this number on the count is in the first header.
        let count = u16::try_from(headers.len()).ok().filter(|count| *count < elf::SHN_LORESERVE);
        changed.e_shnum = U16::new(endian, count.ok_or_else(|| failed("too many sections", shoff))?);
        file.extend(bytes_of_slice(&headers));
    }
    file.splice(..HEADER_SIZE as usize, bytes_of(&changed).iter().copied());
    Ok(file)
}

fn align(file: &mut Vec<u8>) {
    file.resize(file.len().next_multiple_of(SFRAME_ALIGN as usize), 0);
}

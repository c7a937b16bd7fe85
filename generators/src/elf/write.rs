//! Encodes an [`ElfSpec`]. The file has header, program headers, sections in order, relocations,
//! groups, symbols, strings, section headers.

use object::elf;
use object::endian::Endianness;
use object::write::elf::{FileHeader, ProgramHeader, Rel, SectionHeader, SectionIndex, Sym, SymbolIndex, Writer};
use types::ByteOrder;

use super::constants::{PT_LOAD, SHF_GROUP, SHN_ABS, SHT_NOBITS};
use super::spec::{ElfSpec, FileKind, Section, Segment, SymbolKind};

/// File offsets and addresses are congruent modulo this size (psABIs allow more; the emulator and
/// Linux load 4 KiB pages).
const PAGE: u64 = 0x1000;

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ElfError {
    #[error("cannot write ELF: {0}")]
    Writer(#[from] object::write::Error),
    #[error("ELF specification: no {what} {index}")]
    Dangling {
        /// Section or symbol.
        what: &'static str,
        index: usize,
    },
    #[error("ELF specification: section {name} is below the section before it in its segment")]
    Order {
        /// Name of the section.
        name: String,
    },
}

/// The bytes of the file.
pub fn write(spec: &ElfSpec) -> Result<Vec<u8>, ElfError> {
    check_indices(spec)?;
    let mut out = Vec::new();
    let endian = match spec.abi.facts().order {
        ByteOrder::Little => Endianness::Little,
        ByteOrder::Big => Endianness::Big,
    };
    let rela_names: Vec<String> = spec.sections.iter().map(|section| format!(".rela{}", section.name)).collect();
    let mut writer = Writer::new(endian, true, &mut out);

    // All parts are reserved first, then written in the same order.
    writer.reserve_file_header();
    writer.reserve_program_headers(spec.segments.len() as u32);
    let mut offsets = Vec::with_capacity(spec.sections.len());
    for index in 0..spec.sections.len() {
        let offset = section_offset(spec, &offsets, index, writer.reserved_len())?;
        writer.reserve_until(offset);
        let section = &spec.sections[index];
        if section.kind != SHT_NOBITS {
            writer.reserve(section.size(), 1);
        }
        offsets.push(offset);
    }
    let group_offsets: Vec<u64> = spec.groups.iter().map(|group| writer.reserve_comdat(group.members.len())).collect();
    let rela_offsets: Vec<u64> = spec
        .sections
        .iter()
        .map(|section| match section.relocations.len() {
            0 => 0,
            count => writer.reserve_relocations(count, true),
        })
        .collect();

    // A group's header is before those of its members (gABI, "Section Groups").
    let group_name = writer.add_section_name(b".group");
    for _ in &spec.groups {
        writer.reserve_section_index();
    }
    let first_section = spec.groups.len() as u32 + 1;
    let names: Vec<_> = spec
        .sections
        .iter()
        .map(|section| {
            writer.reserve_section_index();
            writer.add_section_name(section.name.as_bytes())
        })
        .collect();
    let relocated = || spec.sections.iter().enumerate().filter(|(_, section)| !section.relocations.is_empty());
    let mut rela_name_ids = Vec::new();
    for (index, _) in relocated() {
        writer.reserve_section_index();
        rela_name_ids.push(writer.add_section_name(rela_names[index].as_bytes()));
    }
    let symtab = writer.reserve_symtab_section_index();
    writer.reserve_strtab_section_index();
    writer.reserve_shstrtab_section_index();

    // Local symbols are first (gABI, "Symbol Table").
    let mut order: Vec<usize> = (0..spec.symbols.len()).collect();
    order.sort_by_key(|index| !spec.symbols[*index].local);
    let mut file_index = vec![0; spec.symbols.len()];
    writer.reserve_null_symbol_index();
    let mut symbol_names = vec![None; spec.symbols.len()];
    for index in &order {
        let symbol = &spec.symbols[*index];
        file_index[*index] = writer.reserve_symbol_index(None).0;
        if !symbol.name.is_empty() {
            symbol_names[*index] = Some(writer.add_string(symbol.name.as_bytes()));
        }
    }
    writer.reserve_symtab();
    writer.reserve_strtab()?;
    writer.reserve_shstrtab()?;
    writer.reserve_section_headers();

    writer.write_file_header(&FileHeader {
        e_type: match spec.kind {
            FileKind::Relocatable => elf::ET_REL,
            FileKind::Executable => elf::ET_EXEC,
            FileKind::Shared => elf::ET_DYN,
        },
        e_machine: elf::Machine(spec.abi.facts().elf_machine),
        e_entry: spec.entry,
        ..FileHeader::default()
    })?;
    writer.write_align_program_headers();
    for segment in &spec.segments {
        writer.write_program_header(&program_header(spec, &offsets, segment));
    }
    for (section, offset) in spec.sections.iter().zip(&offsets) {
        writer.pad_until(*offset);
        if section.kind != SHT_NOBITS {
            writer.write(&section.bytes);
        }
    }
    for (group, offset) in spec.groups.iter().zip(&group_offsets) {
        writer.pad_until(*offset);
        writer.write_comdat_header();
        for member in &group.members {
            writer.write_comdat_entry(SectionIndex(first_section + *member as u32));
        }
    }
    for (_, section) in relocated() {
        writer.write_align_relocation();
        for relocation in &section.relocations {
            writer.write_relocation(
                true,
                &Rel {
                    r_offset: relocation.offset,
                    r_sym: relocation.symbol.map_or(0, |symbol| file_index[symbol]),
                    r_type: elf::RelocationType(relocation.kind),
                    r_addend: relocation.addend,
                },
            );
        }
    }
    writer.write_null_symbol();
    for index in &order {
        let symbol = &spec.symbols[*index];
        let binding = if symbol.local { 0 } else { 1 };
        let kind = match symbol.kind {
            SymbolKind::None => 0,
            SymbolKind::Object => 1,
            SymbolKind::Function => 2,
            SymbolKind::Section => 3,
            SymbolKind::File => 4,
        };
        writer.write_symbol(&Sym {
            section: symbol.section.map(|section| first_section + section as u32),
            st_name: writer.string_offset(symbol_names[*index]),
            st_info: elf::SymbolInfo(binding << 4 | kind),
            st_other: elf::SymbolOther(0),
            st_shndx: elf::SymbolSection(if symbol.kind == SymbolKind::File { SHN_ABS } else { 0 }),
            st_value: symbol.value,
            st_size: symbol.size,
        });
    }
    writer.write_strtab();
    writer.write_shstrtab();

    writer.write_null_section_header();
    for (group, offset) in spec.groups.iter().zip(&group_offsets) {
        let signature = SymbolIndex(file_index[group.signature]);
        writer.write_comdat_section_header(group_name, symtab, signature, *offset, group.members.len());
    }
    for (index, section) in spec.sections.iter().enumerate() {
        writer.write_section_header(&SectionHeader {
            sh_name: writer.section_name_offset(Some(names[index])),
            sh_type: elf::SectionType(section.kind),
            sh_flags: elf::SectionFlags(section_flags(spec, index, section)),
            sh_addr: section.address,
            sh_offset: offsets[index],
            sh_size: section.size(),
            sh_link: section.link.map_or(0, |link| first_section + link as u32),
            sh_info: section.info,
            sh_addralign: section.align,
            sh_entsize: section.entry_size,
        });
    }
    for ((index, section), name) in relocated().zip(rela_name_ids) {
        let target = SectionIndex(first_section + index as u32);
        let count = section.relocations.len();
        writer.write_relocation_section_header(name, target, symtab, rela_offsets[index], count, true);
    }
    let locals = spec.symbols.iter().filter(|symbol| symbol.local).count() as u32;
    writer.write_symtab_section_header(locals + 1);
    writer.write_strtab_section_header();
    writer.write_shstrtab_section_header();
    Ok(out)
}

fn section_flags(spec: &ElfSpec, index: usize, section: &Section) -> u64 {
    let member = spec.groups.iter().any(|group| group.members.contains(&index));
    section.flags | if member { SHF_GROUP } else { 0 }
}

/// Sections of one PT_LOAD keep their distances; the first one's offset is congruent with its
/// address modulo the page size.
fn section_offset(spec: &ElfSpec, offsets: &[u64], index: usize, end: u64) -> Result<u64, ElfError> {
    let section = &spec.sections[index];
    let load = spec.segments.iter().find(|segment| segment.kind == PT_LOAD && segment.sections.contains(&index));
    match load {
        Some(load) if load.sections.start != index => {
            let first = load.sections.start;
            let distance = section.address.checked_sub(spec.sections[first].address);
            let offset = distance.and_then(|distance| offsets[first].checked_add(distance));
            offset.filter(|offset| *offset >= end).ok_or_else(|| ElfError::Order { name: section.name.clone() })
        }
        Some(_) => Ok(end + (section.address.wrapping_sub(end) & (PAGE - 1))),
        None => Ok(end.next_multiple_of(section.align.clamp(1, PAGE))),
    }
}

fn program_header(spec: &ElfSpec, offsets: &[u64], segment: &Segment) -> ProgramHeader {
    let sections = &spec.sections[segment.sections.clone()];
    let (mut offset, mut address, mut file_size, mut memory_size) = (0, 0, 0, 0);
    if let Some(first) = sections.first() {
        (offset, address) = (offsets[segment.sections.start], first.address);
        for section in sections {
            let end = section.address.wrapping_add(section.size()).wrapping_sub(address);
            memory_size = memory_size.max(end);
            if section.kind != SHT_NOBITS {
                file_size = file_size.max(end);
            }
        }
    }
    let over = &segment.overrides;
    let address = over.address.unwrap_or(address);
    ProgramHeader {
        p_type: elf::ProgramType(segment.kind),
        p_flags: elf::ProgramFlags(segment.flags),
        p_offset: over.offset.unwrap_or(offset),
        p_vaddr: address,
        p_paddr: address,
        p_filesz: over.file_size.unwrap_or(file_size),
        p_memsz: over.memory_size.unwrap_or(memory_size),
        p_align: segment.align,
    }
}

fn check_indices(spec: &ElfSpec) -> Result<(), ElfError> {
    let within = |what, index: usize, count: usize| match index < count {
        true => Ok(()),
        false => Err(ElfError::Dangling { what, index }),
    };
    let (sections, symbols) = (spec.sections.len(), spec.symbols.len());
    for section in &spec.sections {
        section.link.map_or(Ok(()), |link| within("section", link, sections))?;
        for relocation in &section.relocations {
            relocation.symbol.map_or(Ok(()), |symbol| within("symbol", symbol, symbols))?;
        }
    }
    for symbol in &spec.symbols {
        symbol.section.map_or(Ok(()), |section| within("section", section, sections))?;
    }
    for group in &spec.groups {
        within("symbol", group.signature, symbols)?;
        group.members.iter().try_for_each(|member| within("section", *member, sections))?;
    }
    for segment in &spec.segments {
        within("section", segment.sections.end, sections + 1)?;
        within("section", segment.sections.start, segment.sections.end + 1)?;
    }
    Ok(())
}

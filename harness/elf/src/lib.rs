//! ELF64 bytes to an [`Image`]: sections and segments with relocations applied, symbols, and the facts that container rules
//! judge. The only reader of ELF. Addresses are the file's own (load bias 0); ET_REL sections are laid out one after another.
//!
//! Sources: gABI 4.1 chapters 4 and 5; relocation numbers from the psABIs of the three machines (see `relocate`).

mod relocate;
mod shrink;

use std::collections::HashSet;

use model::{Abi, ByteOrder, FileErrorKind, Image, ImageKind, ImageSection, Pc, Segment, Symbol};
use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _, SectionTable, Sym as _};
use object::{Endianness, SectionIndex, elf};

pub use shrink::{Shrunk, shrink};

/// Why bytes are no image. Offsets are from the start of the file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// No ELF magic.
    #[error("not an ELF file (offset 0x0)")]
    NotElf,
    /// ELFCLASS32.
    #[error("ELF32 is not judged: SFrame is defined for 64-bit ABIs only (EI_CLASS at offset 0x4)")]
    Elf32,
    /// A machine that SFrame has no ABI for.
    #[error("machine {machine} ({order:?} endian) is not judged (e_machine at offset 0x12)")]
    Machine {
        /// `e_machine`.
        machine: u16,
        /// EI_DATA.
        order: ByteOrder,
    },
    /// A file type that holds no code.
    #[error("ELF type {0} is not an object, executable or shared library (e_type at offset 0x10)")]
    Type(u16),
    /// Something lies outside the file.
    #[error("truncated: {what} at offset {offset:#x} needs {size:#x} bytes, the file has {file_size:#x}")]
    Truncated {
        /// What was looked for.
        what: String,
        /// Where it should start.
        offset: u64,
        /// Its size.
        size: u64,
        /// The file's size.
        file_size: u64,
    },
    /// A structure that contradicts itself.
    #[error("malformed ELF: {what} (offset {offset:#x})")]
    Malformed {
        /// What is wrong.
        what: String,
        /// Where.
        offset: u64,
    },
}

impl LoadError {
    /// A stable word for the kind of error, for machine-readable output.
    pub fn kind(&self) -> FileErrorKind {
        match self {
            LoadError::NotElf => FileErrorKind::NotElf,
            LoadError::Elf32 => FileErrorKind::Elf32,
            LoadError::Machine { .. } => FileErrorKind::Machine,
            LoadError::Type(_) => FileErrorKind::ElfType,
            LoadError::Truncated { .. } => FileErrorKind::Truncated,
            LoadError::Malformed { .. } => FileErrorKind::Malformed,
        }
    }

    /// The file offset the error speaks about.
    pub fn offset(&self) -> u64 {
        match self {
            LoadError::NotElf => 0,
            LoadError::Elf32 => 4,
            LoadError::Machine { .. } => 0x12,
            LoadError::Type(_) => 0x10,
            LoadError::Truncated { offset, .. } | LoadError::Malformed { offset, .. } => *offset,
        }
    }
}

type Header = elf::FileHeader64<Endianness>;
type Table<'data> = SectionTable<'data, Header>;

/// Size of an ELF64 file header.
const HEADER_SIZE: u64 = 64;

/// Loads an object from its bytes.
///
/// # Errors
/// [`LoadError`] for anything but a well-formed ELF64 file of a known machine.
pub fn load(name: &str, data: &[u8]) -> Result<Image, LoadError> {
    let (header, order) = check_header(data)?;
    let endian = match order {
        ByteOrder::Little => Endianness::Little,
        ByteOrder::Big => Endianness::Big,
    };
    let abi = abi_of(header.e_machine(endian).0, order)?;
    check_tables(data, header, endian)?;
    let sections = header.sections(endian, data).map_err(malformed(header.e_shoff(endian)))?;
    let relocatable = header.e_type(endian) == elf::ET_REL;

    let mut image = Image {
        name: name.to_owned(),
        abi,
        kind: ImageKind::Relocatable,
        entry: Pc(header.e_entry(endian)),
        sections: read_sections(data, &sections, endian)?,
        segments: read_segments(data, header, endian)?,
        symbols: Vec::new(),
        sframe_relocations: Vec::new(),
    };
    image.kind = kind_of(header.e_type(endian), &image, order)?;
    if relocatable {
        lay_out(&mut image.sections)?;
    }
    image.symbols = read_symbols(&image, data, &sections, endian)?;
    relocate::apply(&mut image, data, &sections, endian)?;
    Ok(image)
}

fn check_header(data: &[u8]) -> Result<(&Header, ByteOrder), LoadError> {
    if data.get(..4) != Some(b"\x7fELF") {
        return Err(LoadError::NotElf);
    }
    if data.get(4) == Some(&elf::ELFCLASS32.0) {
        return Err(LoadError::Elf32);
    }
    in_file(data, "the ELF header", 0, HEADER_SIZE)?;
    let order = match data.get(5).copied().map(elf::DataEncoding) {
        Some(elf::ELFDATA2LSB) => ByteOrder::Little,
        Some(elf::ELFDATA2MSB) => ByteOrder::Big,
        other => {
            return Err(LoadError::Malformed {
                what: format!("EI_DATA is {}", other.map_or(0, |encoding| encoding.0)),
                offset: 5,
            });
        }
    };
    let header = Header::parse(data).map_err(malformed(0))?;
    Ok((header, order))
}

fn abi_of(machine: u16, order: ByteOrder) -> Result<Abi, LoadError> {
    Abi::ALL
        .into_iter()
        .find(|abi| abi.facts().elf_machine == machine && abi.facts().order == order)
        .ok_or(LoadError::Machine { machine, order })
}

/// Both header tables lie inside the file: `object` would say only that they do not.
fn check_tables(data: &[u8], header: &Header, endian: Endianness) -> Result<(), LoadError> {
    let programs = u64::from(header.e_phnum(endian)) * u64::from(header.e_phentsize(endian));
    let sections = u64::from(header.e_shnum(endian)) * u64::from(header.e_shentsize(endian));
    if programs > 0 {
        in_file(data, "the program header table", header.e_phoff(endian), programs)?;
    }
    if sections > 0 {
        in_file(data, "the section header table", header.e_shoff(endian), sections)?;
    }
    Ok(())
}

fn read_sections(data: &[u8], table: &Table<'_>, endian: Endianness) -> Result<Vec<ImageSection>, LoadError> {
    let comdat = comdat_members(data, table, endian);
    let mut sections = Vec::new();
    for (index, header) in table.iter().enumerate().skip(1) {
        let name = table.section_name(endian, header).map_err(malformed(header.sh_offset(endian)))?;
        let name = String::from_utf8_lossy(name).into_owned();
        let (offset, size) = (header.sh_offset(endian), header.sh_size(endian));
        let kind = header.sh_type(endian);
        let bytes = if kind == elf::SHT_NOBITS || kind == elf::SHT_NULL {
            Vec::new()
        } else {
            in_file(data, &format!("section {name}"), offset, size)?.to_vec()
        };
        sections.push(ImageSection {
            index,
            name,
            kind: kind.0,
            flags: header.sh_flags(endian).0,
            address: header.sh_addr(endian),
            file_offset: offset,
            align: header.sh_addralign(endian),
            size,
            bytes,
            original: None,
            comdat: comdat.contains(&index),
        });
    }
    Ok(sections)
}

/// Sections that belong to a COMDAT group (gABI, "Section Groups": the first word is flags, GRP_COMDAT = 1).
fn comdat_members(data: &[u8], table: &Table<'_>, endian: Endianness) -> HashSet<usize> {
    let groups = table.iter().filter_map(|section| section.group(endian, data).ok().flatten());
    groups
        .filter(|(flags, _)| flags.contains(elf::GRP_COMDAT))
        .flat_map(|(_, members)| members.iter().map(|member| member.get(endian) as usize))
        .collect()
}

fn read_segments(data: &[u8], header: &Header, endian: Endianness) -> Result<Vec<Segment>, LoadError> {
    let table = header.program_headers(endian, data).map_err(malformed(header.e_phoff(endian)))?;
    let mut segments = Vec::new();
    for segment in table {
        let kind = segment.p_type(endian);
        let (offset, size) = (segment.p_offset(endian), segment.p_filesz(endian));
        let bytes = match kind {
            elf::PT_LOAD | elf::PT_DYNAMIC => in_file(data, "a loaded segment", offset, size)?.to_vec(),
            _ => Vec::new(),
        };
        segments.push(Segment {
            kind: kind.0,
            flags: segment.p_flags(endian).0,
            address: segment.p_vaddr(endian),
            memory_size: segment.p_memsz(endian),
            file_offset: offset,
            file_size: size,
            bytes,
        });
    }
    Ok(segments)
}

fn kind_of(e_type: elf::FileType, image: &Image, order: ByteOrder) -> Result<ImageKind, LoadError> {
    let interpreted = image.segments.iter().any(|segment| segment.kind == elf::PT_INTERP.0);
    match e_type {
        elf::ET_REL => Ok(ImageKind::Relocatable),
        elf::ET_EXEC | elf::ET_DYN if interpreted => Ok(ImageKind::Dynamic),
        elf::ET_EXEC => Ok(ImageKind::Executable),
        elf::ET_DYN if claims_pie(image, order) => Ok(ImageKind::Executable),
        elf::ET_DYN => Ok(ImageKind::Shared),
        other => Err(LoadError::Type(other.0)),
    }
}

/// DF_1_PIE in DT_FLAGS_1: what tells a static-PIE from a shared library.
fn claims_pie(image: &Image, order: ByteOrder) -> bool {
    let dynamic = image.segments.iter().filter(|segment| segment.kind == elf::PT_DYNAMIC.0);
    dynamic.flat_map(|segment| segment.bytes.as_chunks::<16>().0).any(|entry| {
        let (tag, value) = entry.split_at(8);
        let word = |bytes: &[u8]| bytes.first_chunk::<8>().map_or(0, |word| order.u64(*word));
        word(tag) == elf::DT_FLAGS_1.0 as u64 && word(value) & elf::DF_1_PIE.0 != 0
    })
}

/// Gives every allocated section of an ET_REL file an address of its own, page-apart so that no address is ambiguous.
fn lay_out(sections: &mut [ImageSection]) -> Result<(), LoadError> {
    const FIRST: u64 = 0x1_0000;
    const GAP: u64 = 0x1000;
    let mut next = FIRST;
    for section in sections.iter_mut().filter(|section| section.is_alloc()) {
        let too_large = || LoadError::Malformed {
            what: format!("section {} is too large or its alignment is no power of two", section.name),
            offset: section.file_offset,
        };
        let align = section.align.max(1);
        if !align.is_power_of_two() || section.size > 1 << 48 {
            return Err(too_large());
        }
        section.address = next.checked_next_multiple_of(align.max(16)).ok_or_else(too_large)?;
        let end = section.address.checked_add(section.size).and_then(|end| end.checked_add(GAP));
        next = end.ok_or_else(too_large)?;
    }
    Ok(())
}

fn read_symbols(
    image: &Image,
    data: &[u8],
    sections: &Table<'_>,
    endian: Endianness,
) -> Result<Vec<Symbol>, LoadError> {
    let mut symbols = Vec::new();
    for kind in [elf::SHT_SYMTAB, elf::SHT_DYNSYM] {
        let table = sections.symbols(endian, data, kind).map_err(malformed(0))?;
        for (index, symbol) in table.enumerate() {
            let wanted = matches!(symbol.st_type(), elf::STT_FUNC | elf::STT_GNU_IFUNC | elf::STT_NOTYPE);
            let home = table.symbol_section(endian, symbol, index).ok().flatten();
            let Some(SectionIndex(home)) = home.filter(|_| wanted) else { continue };
            let name = table.symbol_name(endian, symbol).unwrap_or_default();
            let name = String::from_utf8_lossy(name).into_owned();
            // AArch64 ELF 5.5.4: `$x` and `$d` mark code and data, they name nothing.
            if name.is_empty() || name.starts_with('$') || name.starts_with(".L") {
                continue;
            }
            symbols.push(Symbol {
                name,
                address: symbol_address(image, home, symbol.st_value(endian)),
                size: symbol.st_size(endian),
                function: symbol.st_type() != elf::STT_NOTYPE,
                local: symbol.st_bind() == elf::STB_LOCAL,
                section: Some(home),
            });
        }
        if !symbols.is_empty() {
            break;
        }
    }
    symbols.sort_by(|a, b| (a.address, a.local, &a.name).cmp(&(b.address, b.local, &b.name)));
    Ok(symbols)
}

/// Symbol values are section-relative in ET_REL, addresses elsewhere (gABI, "Symbol Values").
fn symbol_address(image: &Image, section: usize, value: u64) -> u64 {
    let base = match image.kind {
        ImageKind::Relocatable => image.sections.iter().find(|s| s.index == section).map_or(0, |s| s.address),
        _ => 0,
    };
    base.wrapping_add(value)
}

fn in_file<'data>(data: &'data [u8], what: &str, offset: u64, size: u64) -> Result<&'data [u8], LoadError> {
    // What is nowhere in the file may begin behind its end: .bss in a segment of its own does.
    if size == 0 {
        return Ok(&[]);
    }
    let range = usize::try_from(offset).ok().zip(usize::try_from(size).ok());
    range.and_then(|(offset, size)| data.get(offset..offset.checked_add(size)?)).ok_or_else(|| LoadError::Truncated {
        what: what.to_owned(),
        offset,
        size,
        file_size: data.len() as u64,
    })
}

fn malformed(offset: u64) -> impl Fn(object::read::Error) -> LoadError {
    move |error| LoadError::Malformed { what: error.to_string(), offset }
}

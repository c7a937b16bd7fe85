//! The ELF reader: turns ELF64 bytes into an [`Image`] with sections and segments, relocations
//! applied, symbols, and the header fields that container rules check. Addresses are the file's own
//! (load bias 0); ET_REL sections get consecutive addresses.
//!
//! ```
//! let own = std::env::current_exe().and_then(std::fs::read).expect("this program");
//! let image = elf::load("own", &own.into()).expect("an ELF file of a known machine");
//! assert!(image.section(".text").is_some_and(|text| text.size > 0));
//! ```
//!
//! Sources: gABI 4.1 chapters 4 and 5; relocation numbers from the psABIs of the three machines
//! (see `relocate`).

mod aarch64;
mod amd64;
mod arch;
mod compressed;
mod contents;
mod dynamic;
mod error;
mod headerless;
mod insert;
mod relocate;
mod s390x;
mod shrink;
mod symbols;

use std::collections::HashSet;

use object::read::elf::{FileHeader as _, ProgramHeader as _, SectionHeader as _, SectionTable};
use object::{Endianness, elf};
use types::elf::{ET_DYN, ET_EXEC, ET_REL, PT_DYNAMIC, PT_INTERP, PT_LOAD, SHT_NOBITS, SHT_NULL};
use types::{Abi, ByteOrder, Bytes, Image, ImageKind, ImageSection, Pc, Segment};

pub use compressed::plain_lines;
use compressed::{Room, uncompressed, unpack_lines};
pub use dynamic::{Dynamic, dynamic};
use error::{Budget, in_file, malformed};

pub use contents::{Rela, SectionContents, relocations, with_contents};
pub use error::LoadError;
pub use insert::with_sframe;
pub use shrink::{SmallerSection, shrink};

type Header = elf::FileHeader64<Endianness>;
type Table<'data> = SectionTable<'data, Header>;

/// Maximum size of a program header table in bytes: Linux, fs/binfmt_elf.c, `load_elf_phdrs`.
const MOST_PROGRAM_HEADERS: u64 = 64 << 10;

/// The only table of rows that may be compressed, because it is not loaded.
const DEBUG_FRAME: &str = ".debug_frame";

/// Size of an ELF64 file header.
const HEADER_SIZE: u64 = 64;

/// Place of the operating system in `e_ident` (gABI 4.1, "ELF Identification").
const EI_OSABI: usize = 7;
/// Code that wasmtime compiled ahead of time: an ET_REL file without relocations, which is mapped
/// as it is (wasmtime, crates/environ/src/obj.rs).
const ELFOSABI_WASMTIME: u8 = 200;

/// The first address in an ET_REL file.
const FIRST: u64 = 0x1_0000;

/// Loads an object from its bytes. The image shares these bytes: only sections and segments that
/// relocations change are copied.
///
/// # Errors
/// [`LoadError`] for anything but a well-formed ELF64 file of a known machine.
pub fn load(name: &str, file: &Bytes) -> Result<Image, LoadError> {
    let data: &[u8] = file;
    let (header, order) = check_header(data)?;
    let endian = endianness(order);
    let abi = abi_of(header.e_machine(endian).0, order)?;
    check_tables(data, header, endian)?;
    let sections = header.sections(endian, data).map_err(malformed(header.e_shoff(endian)))?;
    let relocatable = header.e_type(endian).0 == ET_REL;

    let mut image = Image {
        sections: read_sections(file, &sections, endian)?,
        segments: read_segments(file, header, endian, Contents::new(&sections, endian))?,
        ..Image::new(name, abi, ImageKind::Relocatable, Pc(header.e_entry(endian)))
    };
    if !relocatable {
        headerless::add(&mut image, order);
    }
    image.kind = kind_of(header.e_type(endian).0, &image.segments, order)?;
    if relocatable {
        // Decompressed first, because relocations apply to the decompressed contents.
        unpack_lines(&mut image.sections, order);
        match data.get(EI_OSABI) {
            Some(&ELFOSABI_WASMTIME) => place_as_in_file(&mut image.sections)?,
            _ => lay_out(&mut image.sections)?,
        }
    }
    image.symbols = symbols::read(&image, file, &sections, endian)?;
    image.source_files = symbols::source_files(data, &sections, endian)?;
    relocate::apply(&mut image, file, &sections, endian)?;
    Ok(image)
}

/// Returns the kind of a file by its ELF header, program headers and dynamic section, without
/// reading sections.
pub fn kind(file: &Bytes) -> Result<ImageKind, LoadError> {
    let (header, order) = check_header(file)?;
    let endian = endianness(order);
    abi_of(header.e_machine(endian).0, order)?;
    check_tables(file, header, endian)?;
    let sections = header.sections(endian, file.as_ref()).map_err(malformed(header.e_shoff(endian)))?;
    let segments = read_segments(file, header, endian, Contents::new(&sections, endian))?;
    kind_of(header.e_type(endian).0, &segments, order)
}

fn endianness(order: ByteOrder) -> Endianness {
    match order {
        ByteOrder::Little => Endianness::Little,
        ByteOrder::Big => Endianness::Big,
    }
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
    Abi::from_elf(machine, order).ok_or(LoadError::Machine { machine, order })
}

/// Checks that both header tables lie inside the file, because `object` would report no offset.
fn check_tables(data: &[u8], header: &Header, endian: Endianness) -> Result<(), LoadError> {
    let programs = u64::from(header.e_phnum(endian)) * u64::from(header.e_phentsize(endian));
    let sections = u64::from(header.e_shnum(endian)) * u64::from(header.e_shentsize(endian));
    if programs > MOST_PROGRAM_HEADERS {
        let what = format!("{programs} bytes of program headers, systems load at most {MOST_PROGRAM_HEADERS}");
        return Err(LoadError::Malformed { what, offset: header.e_phoff(endian) });
    }
    if programs > 0 {
        in_file(data, "the program header table", header.e_phoff(endian), programs)?;
    }
    if sections > 0 {
        in_file(data, "the section header table", header.e_shoff(endian), sections)?;
    }
    Ok(())
}

fn read_sections(data: &Bytes, table: &Table<'_>, endian: Endianness) -> Result<Vec<ImageSection>, LoadError> {
    let comdat = comdat_members(data, table, endian);
    let mut sections = Vec::new();
    let (mut contents, mut names) = (Budget::new("sections", data), Budget::new("names of sections", data));
    let mut room = Room::new();
    for (index, header) in table.iter().enumerate().skip(1) {
        let name = table.section_name(endian, header).map_err(malformed(header.sh_offset(endian)))?;
        names.take(name.len() as u64, header.sh_offset(endian))?;
        let name = String::from_utf8_lossy(name).into_owned();
        let (offset, size) = (header.sh_offset(endian), header.sh_size(endian));
        let kind = header.sh_type(endian).0;
        let bytes = match kind {
            SHT_NOBITS | SHT_NULL => Bytes::new(),
            _ => {
                let bytes = in_file(data, &format!("section {name}"), offset, size)?;
                contents.take(size, offset)?;
                let kept = if name == DEBUG_FRAME { uncompressed(header, endian, data, &mut room)? } else { None };
                kept.unwrap_or_else(|| data.slice_ref(bytes))
            }
        };
        let size = if kind == SHT_NOBITS { size } else { bytes.len() as u64 };
        sections.push(ImageSection {
            index,
            name,
            kind,
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

/// Indices of sections that belong to a COMDAT group (gABI, "Section Groups": the first word is
/// flags, GRP_COMDAT = 1).
fn comdat_members(data: &[u8], table: &Table<'_>, endian: Endianness) -> HashSet<usize> {
    let groups = table.iter().filter_map(|section| section.group(endian, data).ok().flatten());
    groups
        .filter(|(flags, _)| flags.contains(elf::GRP_COMDAT))
        .flat_map(|(_, members)| members.iter().map(|member| member.get(endian) as usize))
        .collect()
}

/// The place of what segments hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Contents {
    InFile,
    /// In another file: a separate debug file has that file's program headers.
    Elsewhere,
}

impl Contents {
    /// By the sections: see [`Image::is_debug_only`].
    fn new(sections: &Table<'_>, endian: Endianness) -> Contents {
        let is_code = |header: &&elf::SectionHeader64<Endianness>| header.sh_flags(endian).contains(elf::SHF_EXECINSTR);
        let mut code = sections.iter().filter(is_code).peekable();
        let is_elsewhere = code.peek().is_some() && code.all(|header| header.sh_type(endian).0 == SHT_NOBITS);
        if is_elsewhere { Contents::Elsewhere } else { Contents::InFile }
    }
}

fn read_segments(
    data: &Bytes,
    header: &Header,
    endian: Endianness,
    contents_are: Contents,
) -> Result<Vec<Segment>, LoadError> {
    let table = header.program_headers(endian, data.as_ref()).map_err(malformed(header.e_phoff(endian)))?;
    let mut segments = Vec::new();
    let mut contents = Budget::new("segments", data);
    for segment in table {
        let kind = segment.p_type(endian).0;
        let (offset, size) = (segment.p_offset(endian), segment.p_filesz(endian));
        let bytes = match kind {
            PT_LOAD | PT_DYNAMIC if contents_are == Contents::InFile => {
                let bytes = in_file(data, "a loaded segment", offset, size)?;
                contents.take(size, offset)?;
                data.slice_ref(bytes)
            }
            _ => Bytes::new(),
        };
        segments.push(Segment {
            kind,
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

fn kind_of(e_type: u16, segments: &[Segment], order: ByteOrder) -> Result<ImageKind, LoadError> {
    let interpreted = segments.iter().any(|segment| segment.kind == PT_INTERP);
    match e_type {
        ET_REL => Ok(ImageKind::Relocatable),
        ET_EXEC | ET_DYN if interpreted => Ok(ImageKind::Dynamic),
        ET_EXEC => Ok(ImageKind::Executable),
        ET_DYN if claims_pie(segments, order) => Ok(ImageKind::Executable),
        ET_DYN => Ok(ImageKind::Shared),
        other => Err(LoadError::Type(other)),
    }
}

/// Returns true if DF_1_PIE is set in DT_FLAGS_1, which distinguishes a static-PIE from a shared
/// library.
fn claims_pie(segments: &[Segment], order: ByteOrder) -> bool {
    let dynamic = segments.iter().filter(|segment| segment.kind == PT_DYNAMIC);
    dynamic.flat_map(|segment| segment.bytes.as_chunks::<16>().0).any(|entry| {
        let (tag, value) = entry.split_at(8);
        let word = |bytes: &[u8]| bytes.first_chunk::<8>().map_or(0, |word| order.u64(*word));
        word(tag) == elf::DT_FLAGS_1.0 as u64 && word(value) & elf::DF_1_PIE.0 != 0
    })
}

/// Gives allocated sections the addresses that they have where the whole file is mapped.
fn place_as_in_file(sections: &mut [ImageSection]) -> Result<(), LoadError> {
    for section in sections.iter_mut().filter(|section| section.is_alloc()) {
        let address = FIRST.checked_add(section.file_offset).filter(|address| *address < 1 << 48);
        section.address = address.ok_or_else(|| LoadError::Malformed {
            what: format!("section {} is too far", section.name),
            offset: section.file_offset,
        })?;
    }
    Ok(())
}

/// Gives every allocated section of an ET_REL file an address on separate pages, so that no address
/// is ambiguous. Large sections follow all others, the smallest first, as linkers place them: the
/// others then reach each other, and the beginning of each large one, with 32 bits.
fn lay_out(sections: &mut [ImageSection]) -> Result<(), LoadError> {
    const GAP: u64 = 0x1000;
    const LARGE: u64 = 16 << 20;
    let mut next = FIRST;
    let mut order: Vec<&mut ImageSection> = sections.iter_mut().filter(|section| section.is_alloc()).collect();
    order.sort_by_key(|section| if section.size < LARGE { 0 } else { section.size });
    for section in order {
        let too_large = || LoadError::Malformed {
            what: format!("section {} is too large or its alignment is not a power of two", section.name),
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

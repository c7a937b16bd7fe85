//! Inserts a section into a copy of an ELF file (gABI, "ELF Header", "Sections", "Program Header").

use types::Abi;

/// Why a section cannot be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The file is not an ELF64 file of a supported machine.
    #[error("not an ELF64 file of a machine with an SFrame ABI")]
    NotElf,
    /// The file is an object, or has no segments.
    #[error("not a linked file: it has no loadable segment")]
    NotLinked,
    /// A table or section lies outside the file.
    #[error("a table of the file is out of bounds")]
    OutOfBounds,
    /// The file has no `.eh_frame`.
    #[error("it has no .eh_frame section")]
    NoCfi,
}

const PT_LOAD: u32 = 1;
const PT_PHDR: u32 = 6;
const PT_NULL: u32 = 0;
/// SFrame V2 errata 1, "Overview".
const PT_GNU_SFRAME: u32 = 0x6474_e554;
const SHT_GNU_SFRAME: u32 = 0x6fff_fff4;
const SHT_NULL: u32 = 0;
const SHF_ALLOC: u64 = 2;
const PF_R: u32 = 4;
const SFRAME_ALIGN: u64 = 8;

/// Sizes of a program header and of a section header in bytes.
const PROGRAM_HEADER: usize = 56;
const SECTION_HEADER: usize = 64;
/// Maximum page size of Linux on these machines.
const PAGE: u64 = 0x1_0000;

/// Bytes of a file, with access to integers in its byte order.
struct Elf {
    big_endian: bool,
    bytes: Vec<u8>,
}

/// A program header.
#[derive(Clone, Copy, Debug)]
struct Segment {
    kind: u32,
    flags: u32,
    offset: u64,
    address: u64,
    file_size: u64,
    memory_size: u64,
    align: u64,
}

impl Elf {
    fn new(bytes: &[u8]) -> Result<(Elf, Abi), FileError> {
        let ident = bytes.get(..20).ok_or(FileError::NotElf)?;
        let [0x7f, b'E', b'L', b'F', 2, order, ..] = *ident else { return Err(FileError::NotElf) };
        let elf = Elf { big_endian: order == 2, bytes: bytes.to_vec() };
        // System V AMD64 psABI; ELF for the Arm 64-bit Architecture; ELF ABI s390x Supplement.
        let abi = match (elf.half(18)?, order) {
            (62, 1) => Abi::Amd64,
            (183, 1) => Abi::Aarch64,
            (183, 2) => Abi::Aarch64Be,
            (22, 2) => Abi::S390x,
            _ => return Err(FileError::NotElf),
        };
        Ok((elf, abi))
    }

    fn get<const N: usize>(&self, at: usize) -> Result<[u8; N], FileError> {
        let found = self.bytes.get(at..).and_then(<[u8]>::first_chunk::<N>);
        let mut bytes = *found.ok_or(FileError::OutOfBounds)?;
        if self.big_endian {
            bytes.reverse();
        }
        Ok(bytes)
    }

    fn put<const N: usize>(&mut self, at: usize, little: [u8; N]) -> Result<(), FileError> {
        let mut bytes = little;
        if self.big_endian {
            bytes.reverse();
        }
        let place = self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut::<N>);
        *place.ok_or(FileError::OutOfBounds)? = bytes;
        Ok(())
    }

    fn half(&self, at: usize) -> Result<u16, FileError> {
        self.get(at).map(u16::from_le_bytes)
    }

    fn word(&self, at: usize) -> Result<u32, FileError> {
        self.get(at).map(u32::from_le_bytes)
    }

    fn long(&self, at: usize) -> Result<u64, FileError> {
        self.get(at).map(u64::from_le_bytes)
    }

    /// An offset field, checked to be inside the file.
    fn offset(&self, at: usize) -> Result<usize, FileError> {
        usize::try_from(self.long(at)?).map_err(|_| FileError::OutOfBounds)
    }

    fn segments(&self) -> Result<Vec<Segment>, FileError> {
        let (table, count) = (self.offset(0x20)?, usize::from(self.half(0x38)?));
        (0..count)
            .map(|index| {
                let at = entry(table, index, PROGRAM_HEADER)?;
                let field = |offset: usize| self.long(at.saturating_add(offset));
                Ok(Segment {
                    kind: self.word(at)?,
                    flags: self.word(at.saturating_add(4))?,
                    offset: field(8)?,
                    address: field(16)?,
                    file_size: field(32)?,
                    memory_size: field(40)?,
                    align: field(48)?,
                })
            })
            .collect()
    }

    fn append<const N: usize>(&mut self, little: [u8; N]) {
        let mut bytes = little;
        if self.big_endian {
            bytes.reverse();
        }
        self.bytes.extend(bytes);
    }

    fn append_segment(&mut self, segment: Segment) {
        self.append(segment.kind.to_le_bytes());
        self.append(segment.flags.to_le_bytes());
        let Segment { offset, address, file_size, memory_size, align, .. } = segment;
        for field in [offset, address, address, file_size, memory_size, align] {
            self.append(field.to_le_bytes());
        }
    }

    fn align(&mut self, to: u64) {
        let length = self.bytes.len() as u64;
        let padded = usize::try_from(length.next_multiple_of(to)).unwrap_or(usize::MAX);
        self.bytes.resize(padded.min(self.bytes.len().saturating_add(PAGE as usize)), 0);
    }
}

/// Offset of an entry of a table.
fn entry(table: usize, index: usize, size: usize) -> Result<usize, FileError> {
    index.checked_mul(size).and_then(|at| table.checked_add(at)).ok_or(FileError::OutOfBounds)
}

/// A section header: its offset in the file, and its fields.
struct Header {
    at: usize,
    name: u32,
    kind: u32,
    address: u64,
    offset: usize,
    size: usize,
}

impl Elf {
    fn headers(&self) -> Result<Vec<Header>, FileError> {
        let table = self.offset(0x28)?;
        if table == 0 {
            return Ok(Vec::new());
        }
        // A count of 0 means that the first section header has the count.
        let count = match self.half(0x3c)? {
            0 => self.offset(table.saturating_add(32))?,
            count => usize::from(count),
        };
        let fits = count <= self.bytes.len().checked_div(SECTION_HEADER).unwrap_or(0);
        (0..if fits { count } else { 0 })
            .map(|index| {
                let at = entry(table, index, SECTION_HEADER)?;
                Ok(Header {
                    at,
                    name: self.word(at)?,
                    kind: self.word(at.saturating_add(4))?,
                    address: self.long(at.saturating_add(16))?,
                    offset: self.offset(at.saturating_add(24))?,
                    size: self.offset(at.saturating_add(32))?,
                })
            })
            .collect()
    }

    fn names<'e>(&'e self, headers: &[Header]) -> Result<&'e [u8], FileError> {
        let Some(header) = headers.get(usize::from(self.half(0x3e)?)) else { return Ok(&[]) };
        self.contents(header)
    }

    fn contents(&self, header: &Header) -> Result<&[u8], FileError> {
        let end = header.offset.checked_add(header.size).ok_or(FileError::OutOfBounds)?;
        self.bytes.get(header.offset..end).ok_or(FileError::OutOfBounds)
    }
}

fn is_named(names: &[u8], header: &Header, name: &str) -> bool {
    let from = usize::try_from(header.name).ok().and_then(|at| names.get(at..)).unwrap_or_default();
    from.strip_prefix(name.as_bytes()).is_some_and(|rest| rest.first() == Some(&0))
}

/// ABI of a linked file, and address and bytes of its `.eh_frame`.
pub fn cfi(file: &[u8]) -> Result<(Abi, u64, Vec<u8>), FileError> {
    let (elf, abi) = Elf::new(file)?;
    if !elf.segments()?.iter().any(|segment| segment.kind == PT_LOAD) {
        return Err(FileError::NotLinked);
    }
    let headers = elf.headers()?;
    let names = elf.names(&headers)?;
    let found = headers.iter().find(|header| is_named(names, header, ".eh_frame") && header.size > 0);
    let header = found.ok_or(FileError::NoCfi)?;
    Ok((abi, header.address, elf.contents(header)?.to_vec()))
}

/// Returns a copy of a linked file with a `.sframe` section, which `make` writes for an address,
/// and a PT_GNU_SFRAME segment. An existing `.sframe` section loses its header; its bytes stay.
pub fn with_section(file: &[u8], make: impl FnOnce(u64) -> Vec<u8>) -> Result<Vec<u8>, FileError> {
    let (mut elf, _) = Elf::new(file)?;
    let mut segments = elf.segments()?;
    let last = segments.iter().rposition(|segment| segment.kind == PT_LOAD).ok_or(FileError::NotLinked)?;
    let headers = elf.headers()?;
    let mut names = elf.names(&headers)?.to_vec();
    let stale = |header: &Header| header.kind == SHT_GNU_SFRAME || is_named(&names, header, ".sframe");
    let replaced: Vec<usize> = headers.iter().filter(|header| stale(header)).map(|header| header.at).collect();
    let end = |segment: &Segment| segment.address.saturating_add(segment.memory_size);
    let above = segments.iter().filter(|segment| segment.kind == PT_LOAD).map(end).max().unwrap_or(0);

    elf.align(SFRAME_ALIGN);
    let offset = elf.bytes.len() as u64;
    // Address and file offset must be equal modulo the page size.
    let page = above.checked_next_multiple_of(PAGE).ok_or(FileError::OutOfBounds)?;
    let address = page.checked_add(offset % PAGE).ok_or(FileError::OutOfBounds)?;
    segments.iter_mut().filter(|segment| segment.kind == PT_GNU_SFRAME).for_each(|segment| segment.kind = PT_NULL);
    let count = segments.len().saturating_add(2);
    let table = (count.saturating_mul(PROGRAM_HEADER) as u64).next_multiple_of(SFRAME_ALIGN);
    let section_at = address.checked_add(table).ok_or(FileError::OutOfBounds)?;
    let section = make(section_at);
    let section_size = section.len() as u64;
    let size = table.saturating_add(section_size);
    let load = Segment { kind: PT_LOAD, flags: PF_R, offset, address, file_size: size, memory_size: size, align: PAGE };
    let marker = Segment {
        kind: PT_GNU_SFRAME,
        offset: offset.saturating_add(table),
        address: section_at,
        file_size: section_size,
        memory_size: section_size,
        align: SFRAME_ALIGN,
        ..load
    };
    for segment in segments.iter_mut().filter(|segment| segment.kind == PT_PHDR) {
        let size = count.saturating_mul(PROGRAM_HEADER) as u64;
        *segment = Segment { offset, address, file_size: size, memory_size: size, ..*segment };
    }
    for (index, segment) in segments.iter().enumerate() {
        elf.append_segment(*segment);
        // PT_LOAD segments are sorted by address.
        if index == last {
            elf.append_segment(load);
        }
    }
    elf.append_segment(marker);
    elf.align(SFRAME_ALIGN);
    let section_offset = elf.bytes.len() as u64;
    elf.bytes.extend(section);
    elf.put(0x20, offset.to_le_bytes())?;
    elf.put(0x38, u16::try_from(count).map_err(|_| FileError::OutOfBounds)?.to_le_bytes())?;
    if headers.is_empty() {
        return Ok(elf.bytes);
    }

    let name = u32::try_from(names.len()).map_err(|_| FileError::OutOfBounds)?;
    names.extend(b".sframe\0");
    let names_offset = elf.bytes.len() as u64;
    elf.bytes.extend(&names);
    elf.align(SFRAME_ALIGN);
    let table = elf.bytes.len();
    for header in &headers {
        let end = header.at.saturating_add(SECTION_HEADER);
        elf.bytes.extend_from_within(header.at..end);
    }
    for field in [name, SHT_GNU_SFRAME] {
        elf.append(field.to_le_bytes());
    }
    for field in [SHF_ALLOC, section_at, section_offset, section_size] {
        elf.append(field.to_le_bytes());
    }
    elf.append(0_u64.to_le_bytes());
    elf.append(SFRAME_ALIGN.to_le_bytes());
    elf.append(0_u64.to_le_bytes());
    for (index, header) in headers.iter().enumerate() {
        let at = entry(table, index, SECTION_HEADER)?;
        if replaced.contains(&header.at) {
            elf.put(at.saturating_add(4), SHT_NULL.to_le_bytes())?;
            elf.put(at, 0_u32.to_le_bytes())?;
            elf.put(at.saturating_add(8), 0_u64.to_le_bytes())?;
        }
    }
    let names_at = entry(table, usize::from(elf.half(0x3e)?), SECTION_HEADER)?;
    elf.put(names_at.saturating_add(24), names_offset.to_le_bytes())?;
    elf.put(names_at.saturating_add(32), (names.len() as u64).to_le_bytes())?;
    elf.put(0x28, (table as u64).to_le_bytes())?;
    let sections = u16::try_from(headers.len().saturating_add(1)).map_err(|_| FileError::OutOfBounds)?;
    elf.put(0x3c, sections.to_le_bytes())?;
    Ok(elf.bytes)
}

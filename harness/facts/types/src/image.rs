//! A loaded object: its sections and segments with addresses assigned and relocations applied, its
//! symbols, and the ELF header fields that container rules check.

use crate::{Abi, Bytes, Name, Pc, elf};
use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// The kind of an ELF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageKind {
    /// ET_EXEC, or ET_DYN with an entry point and no interpreter (static-PIE).
    Executable,
    /// An executable that names an interpreter: it needs a dynamic linker to run.
    Dynamic,
    /// ET_DYN without an entry point of its own.
    Shared,
    /// ET_REL. Addresses are the harness's own layout; reports name section and offset.
    Relocatable,
}

/// An ELF object loaded for judging.
#[derive(Clone, Debug)]
pub struct Image {
    /// File name, for reports.
    pub name: String,
    /// Target: machine and byte order.
    pub abi: Abi,
    /// Kind of the ELF file.
    pub kind: ImageKind,
    /// Entry point; 0 if the file has none.
    pub entry: Pc,
    /// All sections except the null section, in header order.
    pub sections: Vec<ImageSection>,
    /// Program headers, in file order; empty in ET_REL.
    pub segments: Vec<Segment>,
    /// Symbols that name code or data, sorted by address.
    pub symbols: Vec<Symbol>,
    /// Relocations that apply to `.sframe` sections (from `.rela.sframe`), in file order.
    pub sframe_relocations: Vec<Relocation>,
    /// ET_REL: addresses of fields whose relocation could not be applied, since its symbol is in
    /// another file; sorted.
    pub unresolved: Vec<u64>,
    /// ET_REL: addresses of code that relocations of data refer to, sorted.
    pub referenced: Vec<u64>,
    /// Data words that hold addresses of other files, sorted by address.
    pub imports: Vec<Import>,
    /// Number of source files that the symbol table names (STT_FILE). An assembler names at most
    /// one.
    pub source_files: usize,
    /// Load bias: image addresses minus file addresses ([`Image::moved`]). Debug information uses
    /// file addresses.
    pub bias: u64,
}

/// A section of an image.
#[derive(Clone, Debug)]
pub struct ImageSection {
    /// Index in the section header table.
    pub index: usize,
    /// Name of the section.
    pub name: String,
    /// `sh_type`.
    pub kind: u32,
    /// `sh_flags`.
    pub flags: u64,
    /// Address in the image (`sh_addr`, plus the load bias; the harness's layout in ET_REL).
    pub address: u64,
    /// `sh_offset`.
    pub file_offset: u64,
    /// `sh_addralign`.
    pub align: u64,
    /// `sh_size`, also of SHT_NOBITS sections.
    pub size: u64,
    /// Contents with relocations applied; empty for SHT_NOBITS.
    pub bytes: Bytes,
    /// Contents as in the file, if relocation changed them.
    pub original: Option<Bytes>,
    /// True if the section is a member of a COMDAT group.
    pub comdat: bool,
}

/// A program header and its bytes.
#[derive(Clone, Debug)]
pub struct Segment {
    /// `p_type`.
    pub kind: u32,
    /// `p_flags`.
    pub flags: u32,
    /// `p_vaddr` plus the load bias.
    pub address: u64,
    /// `p_memsz`.
    pub memory_size: u64,
    /// `p_offset`.
    pub file_offset: u64,
    /// `p_filesz`.
    pub file_size: u64,
    /// File bytes with dynamic relocations applied; kept for PT_LOAD and PT_DYNAMIC only.
    pub bytes: Bytes,
}

/// A named symbol that is defined in a section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Name in the symbol table.
    pub name: Name,
    /// Address in the image.
    pub address: u64,
    /// `st_size`.
    pub size: u64,
    /// True for `STT_FUNC` and `STT_GNU_IFUNC`.
    pub function: bool,
    /// True for `STB_LOCAL`.
    pub local: bool,
    /// Index of the section that defines the symbol.
    pub section: Option<u32>,
}

/// A field whose value is the address of a symbol of another file: the linker or the loader writes
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Import {
    /// Address of the field in the image.
    pub address: u64,
    /// Name of the symbol.
    pub symbol: Name,
    /// The constant added to the symbol.
    pub addend: i64,
}

/// A relocation of a `.sframe` section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// Index of the section that the relocation applies to.
    pub section: u32,
    /// `r_offset` relative to that section.
    pub offset: u64,
    /// Relocation type; its meaning depends on the machine.
    pub kind: u32,
    /// Addend: the constant added to the symbol.
    pub addend: i64,
    /// Name of the symbol, empty for section symbols without one.
    pub symbol: Name,
    /// Address of the symbol in the image; `None` if undefined.
    pub symbol_address: Option<u64>,
    /// Index of the section that defines the symbol.
    pub symbol_section: Option<u32>,
    /// True if the symbol is STB_LOCAL.
    pub symbol_local: bool,
}

impl Image {
    /// Creates an image without contents.
    pub fn new(name: impl Into<String>, abi: Abi, kind: ImageKind, entry: Pc) -> Image {
        Image {
            name: name.into(),
            abi,
            kind,
            entry,
            sections: Vec::new(),
            segments: Vec::new(),
            symbols: Vec::new(),
            sframe_relocations: Vec::new(),
            unresolved: Vec::new(),
            referenced: Vec::new(),
            imports: Vec::new(),
            source_files: 0,
            bias: 0,
        }
    }

    /// Returns true if the file has code sections but no bytes for them: a separate debug file, as
    /// `objcopy --only-keep-debug` makes it.
    pub fn is_debug_only(&self) -> bool {
        let is_code = |section: &&ImageSection| section.flags & elf::SHF_EXECINSTR != 0;
        let mut code = self.sections.iter().filter(is_code).peekable();
        code.peek().is_some() && code.all(|section| section.kind == elf::SHT_NOBITS)
    }

    /// Returns true if the object names several source files: `ld -r` made it. An object made by
    /// `ld -r` from one source, or from sources without STT_FILE symbols, looks like an
    /// assembler's.
    pub fn is_product_of_link(&self) -> bool {
        self.kind == ImageKind::Relocatable && self.source_files > 1
    }

    /// Returns true if BOLT moved the code of a linked file: it leaves a note.
    pub fn is_rewritten(&self) -> bool {
        self.section(".note.bolt_info").is_some()
    }

    /// Adds a load bias to the addresses of allocated sections, segments, symbols and the entry.
    #[must_use]
    pub fn moved(mut self, bias: u64) -> Image {
        let up = |address: &mut u64| *address = address.wrapping_add(bias);
        self.sections.iter_mut().filter(|section| section.is_alloc()).for_each(|section| up(&mut section.address));
        self.segments.iter_mut().for_each(|segment| up(&mut segment.address));
        self.symbols.iter_mut().for_each(|symbol| up(&mut symbol.address));
        self.imports.iter_mut().for_each(|import| up(&mut import.address));
        self.sframe_relocations.iter_mut().filter_map(|one| one.symbol_address.as_mut()).for_each(up);
        up(&mut self.entry.0);
        up(&mut self.bias);
        self
    }

    /// Sections named `.sframe` or of type SHT_GNU_SFRAME (SFrame V2 errata 1, "Overview").
    pub fn sframe_sections(&self) -> impl Iterator<Item = &ImageSection> {
        let is_named = |section: &ImageSection| section.name == ".sframe" || section.kind == elf::SHT_GNU_SFRAME;
        let any_named = self.sections.iter().any(is_named);
        let by_segment = |section: &ImageSection| {
            let mut segments = self.segments.iter().filter(|segment| segment.kind == elf::PT_GNU_SFRAME);
            section.is_alloc() && section.size > 0 && segments.any(|segment| section.address == segment.address)
        };
        self.sections.iter().filter(move |section| if any_named { is_named(section) } else { by_segment(section) })
    }

    /// Returns true if a readable PT_LOAD segment contains a section, with matching file offsets.
    pub fn is_loaded(&self, section: &ImageSection) -> bool {
        let holds = |segment: &Segment| {
            let into = section.address.checked_sub(segment.address);
            let end = into.and_then(|into| into.checked_add(section.size));
            let same_bytes = section.file_offset.checked_sub(segment.file_offset) == into;
            segment.kind == elf::PT_LOAD
                && segment.flags & elf::PF_R != 0
                && same_bytes
                && end.is_some_and(|end| end <= segment.file_size.min(segment.memory_size))
        };
        self.segments.iter().any(holds)
    }

    /// The first section with this name.
    pub fn section(&self, name: &str) -> Option<&ImageSection> {
        self.sections.iter().find(|section| section.name == name)
    }

    /// The allocated section that contains an address.
    pub fn section_at(&self, address: u64) -> Option<&ImageSection> {
        self.sections.iter().find(|section| section.is_alloc() && section.contains(address))
    }

    /// The function symbol that covers an address. A symbol of size 0 extends to the next symbol of
    /// its section.
    pub fn function_at(&self, pc: Pc) -> Option<&Symbol> {
        let upto = self.symbols.partition_point(|symbol| symbol.address <= pc.0);
        let before = self.symbols.get(..upto)?;
        let sized = before.iter().rev().take(64).find(|s| s.function && pc.0 - s.address < s.size);
        sized.or_else(|| {
            let home = u32::try_from(self.section_at(pc.0)?.index).ok()?;
            before.iter().rev().find(|s| s.section == Some(home) && s.size == 0 && (s.function || !s.local))
        })
    }

    /// The address here of an instruction in a linked file: by the name of its function, if one
    /// here has that name.
    pub fn counterpart(&self, pc: Pc, linked: &Image) -> Option<Pc> {
        let function = linked.function_at(pc)?;
        let mut same = self.symbols.iter().filter(|symbol| symbol.name == function.name && symbol.function);
        match (same.next(), same.next()) {
            (Some(symbol), None) => Some(Pc(symbol.address.checked_add(pc.0 - function.address)?)),
            _ => None,
        }
    }

    /// The symbols at or after an address, ascending.
    pub fn symbols_from(&self, start: Pc) -> impl Iterator<Item = &Symbol> {
        let from = self.symbols.partition_point(|symbol| symbol.address < start.0);
        self.symbols.iter().skip(from)
    }

    /// The symbols at an address.
    pub fn symbols_at(&self, pc: Pc) -> impl Iterator<Item = &Symbol> {
        self.symbols_from(pc).take_while(move |symbol| symbol.address == pc.0)
    }

    /// Bytes of code or data at an address, up to the end of its section.
    pub fn bytes_at(&self, address: u64) -> Option<&[u8]> {
        let section = self.section_at(address)?;
        section.bytes.get(usize::try_from(address - section.address).ok()?..)
    }

    /// Bytes at an address as a process has them, with dynamic relocations applied, up to the end
    /// of their segment; in ET_REL as [`Image::bytes_at`].
    pub fn loaded_at(&self, address: u64) -> Option<&[u8]> {
        if self.kind == ImageKind::Relocatable {
            return self.bytes_at(address);
        }
        let loaded = self.segments.iter().filter(|segment| segment.kind == elf::PT_LOAD);
        let mut bytes = loaded
            .filter_map(|segment| segment.bytes.get(usize::try_from(address.checked_sub(segment.address)?).ok()?..));
        bytes.find(|bytes| !bytes.is_empty())
    }

    /// The import at an address.
    pub fn import_at(&self, address: u64) -> Option<&Import> {
        let at = self.imports.partition_point(|import| import.address < address);
        self.imports.get(at).filter(|import| import.address == address)
    }

    /// A range of code as text: addresses of the file, or in ET_REL section and offsets
    /// (`.text+0x1f..0x22`).
    pub fn span(&self, start: u64, end: u64) -> String {
        match self.section_at(start).filter(|_| self.kind == ImageKind::Relocatable) {
            Some(home) => format!("{}+{:#x}..{:#x}", home.name, start - home.address, end.wrapping_sub(home.address)),
            None => format!("{:#x}..{:#x}", start.wrapping_sub(self.bias), end.wrapping_sub(self.bias)),
        }
    }

    /// An address as text: `function+0x12`, or `.text+0x40` if no symbol covers it.
    pub fn place(&self, address: u64) -> String {
        let (name, start) = match (self.function_at(Pc(address)), self.section_at(address)) {
            (Some(symbol), _) => (symbol.name.as_str(), symbol.address),
            (None, Some(section)) => (section.name.as_str(), section.address),
            (None, None) => return format!("{address:#x}"),
        };
        if address == start { name.to_owned() } else { format!("{name}+{:#x}", address - start) }
    }
}

impl Segment {
    /// Creates a segment of these bytes, at offset 0 of the file.
    pub fn new(kind: u32, flags: u32, address: u64, bytes: impl Into<Bytes>) -> Segment {
        let bytes = bytes.into();
        let size = bytes.len() as u64;
        Segment { kind, flags, address, memory_size: size, file_offset: 0, file_size: size, bytes }
    }
}

impl ImageSection {
    /// Creates an unaligned SHT_PROGBITS section of these bytes, at offset 0 of the file.
    pub fn new(
        index: usize,
        name: impl Into<String>,
        flags: u64,
        address: u64,
        bytes: impl Into<Bytes>,
    ) -> ImageSection {
        let bytes = bytes.into();
        ImageSection {
            index,
            name: name.into(),
            kind: elf::SHT_PROGBITS,
            flags,
            address,
            file_offset: 0,
            align: 1,
            size: bytes.len() as u64,
            bytes,
            original: None,
            comdat: false,
        }
    }

    /// Returns true for a procedure linkage table: code that the linker makes to call through a
    /// table of addresses (psABIs, "Procedure Linkage Table").
    pub fn is_plt(&self) -> bool {
        self.name.starts_with(".plt") || self.name.starts_with(".iplt")
    }

    /// Returns true if SHF_ALLOC is set: the section is in memory when the program runs.
    pub fn is_alloc(&self) -> bool {
        self.flags & 2 != 0
    }

    /// Returns true if SHF_EXECINSTR is set: the section holds instructions.
    pub fn is_code(&self) -> bool {
        self.flags & 4 != 0
    }

    /// Returns true if the section contains the address.
    pub fn contains(&self, address: u64) -> bool {
        address >= self.address && address - self.address < self.size
    }
}

//! An ELF64 file as data (gABI, "Object Files"). Sizes and offsets are in bytes; `.symtab`, string
//! tables, `.rela*` and group sections are generated.

use std::ops::Range;

use types::Abi;

use super::PT_LOAD;

/// File header, sections, segments and symbols.
#[derive(Clone, Debug)]
pub struct ElfSpec {
    /// Machine and byte order.
    pub abi: Abi,
    /// `e_type`.
    pub kind: FileKind,
    /// `e_entry`.
    pub entry: u64,
    /// Sections in file order.
    pub sections: Vec<Section>,
    /// Program headers.
    pub segments: Vec<Segment>,
    /// Symbols; local ones are moved to the front.
    pub symbols: Vec<Symbol>,
    /// COMDAT groups.
    pub groups: Vec<Group>,
}

/// `e_type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FileKind {
    /// ET_REL.
    Relocatable,
    /// ET_EXEC.
    Executable,
    /// ET_DYN.
    Shared,
}

/// A section header and its contents.
#[derive(Clone, Debug)]
pub struct Section {
    pub name: String,
    /// `sh_type`.
    pub kind: u32,
    /// `sh_flags`.
    pub flags: u64,
    /// `sh_addr`.
    pub address: u64,
    /// `sh_addralign`.
    pub align: u64,
    pub bytes: Vec<u8>,
    /// `sh_size` where there are no contents (SHT_NOBITS).
    pub empty_size: u64,
    /// `sh_link`: index into [`ElfSpec::sections`].
    pub link: Option<usize>,
    /// `sh_info`.
    pub info: u32,
    /// `sh_entsize`.
    pub entry_size: u64,
    /// Relocations that apply to the section.
    pub relocations: Vec<Relocation>,
}

/// A program header.
#[derive(Clone, Debug)]
pub struct Segment {
    /// `p_type`.
    pub kind: u32,
    /// `p_flags`.
    pub flags: u32,
    /// `p_align`.
    pub align: u64,
    /// Sections it covers, as indices into [`ElfSpec::sections`].
    pub sections: Range<usize>,
    /// Fields to write in place of the computed ones.
    pub overrides: SegmentOverrides,
}

/// Program header fields to write in place of the computed ones.
#[derive(Clone, Debug, Default)]
pub struct SegmentOverrides {
    /// `p_offset`.
    pub offset: Option<u64>,
    /// `p_vaddr`.
    pub address: Option<u64>,
    /// `p_filesz`.
    pub file_size: Option<u64>,
    /// `p_memsz`.
    pub memory_size: Option<u64>,
}

/// An entry of `.symtab`.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Name; empty for section symbols.
    pub name: String,
    /// Type of the symbol, in `st_info`.
    pub kind: SymbolKind,
    /// STB_LOCAL; else STB_GLOBAL.
    pub local: bool,
    /// Index into [`ElfSpec::sections`]; `None` for an undefined symbol.
    pub section: Option<usize>,
    /// Address; in a relocatable object the offset in the section.
    pub value: u64,
    /// `st_size`.
    pub size: u64,
}

/// `st_info`'s type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    /// STT_NOTYPE.
    None,
    /// STT_OBJECT.
    Object,
    /// STT_FUNC.
    Function,
    /// STT_SECTION.
    Section,
    /// STT_FILE: names the source; absolute.
    File,
}

/// A relocation with addend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Relocation {
    /// `r_offset`.
    pub offset: u64,
    /// `ELF64_R_TYPE(r_info)`.
    pub kind: u32,
    /// Index into [`ElfSpec::symbols`]; `None` for symbol 0.
    pub symbol: Option<usize>,
    /// `r_addend`.
    pub addend: i64,
}

/// A COMDAT group.
#[derive(Clone, Debug)]
pub struct Group {
    /// Symbol that names the group, as an index into [`ElfSpec::symbols`].
    pub signature: usize,
    /// Members, as indices into [`ElfSpec::sections`].
    pub members: Vec<usize>,
}

impl ElfSpec {
    /// A file without contents.
    pub fn new(abi: Abi, kind: FileKind) -> Self {
        ElfSpec { abi, kind, entry: 0, sections: vec![], segments: vec![], symbols: vec![], groups: vec![] }
    }

    /// Appends a section and returns its index.
    pub fn push_section(&mut self, section: Section) -> usize {
        self.sections.push(section);
        self.sections.len() - 1
    }

    /// Appends a symbol and returns its index.
    pub fn push_symbol(&mut self, symbol: Symbol) -> usize {
        self.symbols.push(symbol);
        self.symbols.len() - 1
    }

    /// Inserts a section after another into its segment, adjusts all later indices, and returns the
    /// new section's index.
    ///
    /// # Panics
    /// There is no section of that name.
    pub fn insert_section(&mut self, after: &str, section: Section) -> usize {
        let at = self.section_index(after).expect("the section is there") + 1;
        let moved = |index: usize| if index >= at { index + 1 } else { index };
        self.sections.insert(at, section);
        for segment in &mut self.segments {
            let grows = segment.kind == PT_LOAD && segment.sections.contains(&(at - 1));
            if segment.sections.start >= at {
                segment.sections.start += 1;
            }
            if grows || segment.sections.end > at {
                segment.sections.end += 1;
            }
        }
        for symbol in &mut self.symbols {
            symbol.section = symbol.section.map(moved);
        }
        for section in &mut self.sections {
            section.link = section.link.map(moved);
        }
        at
    }

    /// Index of the first section with this name.
    pub fn section_index(&self, name: &str) -> Option<usize> {
        self.sections.iter().position(|section| section.name == name)
    }

    /// The first section with this name.
    pub fn section_mut(&mut self, name: &str) -> Option<&mut Section> {
        self.sections.iter_mut().find(|section| section.name == name)
    }

    /// The first program header of this type.
    pub fn segment_mut(&mut self, kind: u32) -> Option<&mut Segment> {
        self.segments.iter_mut().find(|segment| segment.kind == kind)
    }
}

impl Section {
    /// A section with contents, aligned to one byte, at address 0.
    pub fn new(name: &str, kind: u32, flags: u64, bytes: Vec<u8>) -> Self {
        Section {
            name: name.to_owned(),
            kind,
            flags,
            address: 0,
            align: 1,
            bytes,
            empty_size: 0,
            link: None,
            info: 0,
            entry_size: 0,
            relocations: Vec::new(),
        }
    }

    /// The section at an address, with an alignment.
    pub fn at(self, address: u64, align: u64) -> Self {
        Section { address, align, ..self }
    }

    /// `sh_size`.
    pub fn size(&self) -> u64 {
        if self.kind == super::SHT_NOBITS { self.empty_size } else { self.bytes.len() as u64 }
    }
}

impl Segment {
    /// A program header over sections.
    pub fn new(kind: u32, flags: u32, align: u64, sections: Range<usize>) -> Self {
        Segment { kind, flags, align, sections, overrides: SegmentOverrides::default() }
    }
}

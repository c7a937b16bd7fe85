//! A whole file from functions: lays out the code, makes both tables, and builds an ELF file.
//! Tables and file can be edited between the steps: [`Sample::new`] creates a correct section as
//! data, [`Sample::elf`] the file as data, [`elf::write`] its bytes.

use types::{Abi, PacKey, SframeVersion};

use crate::arch::{arch, target};
use crate::code::{Address, Function, NotExpressible, cfi_program, function_rows, nops};
use crate::eh_frame::{self, Cie, EhFrameError, EhFrameSpec, Fde};
use crate::elf::{
    self, ElfError, ElfSpec, FileKind, PF_R, PF_W, PF_X, PT_DYNAMIC, PT_GNU_EH_FRAME, PT_GNU_SFRAME, PT_LOAD,
    Relocation, SHF_ALLOC, SHF_EXECINSTR, SHF_WRITE, SHT_DYNAMIC, SHT_DYNSYM, SHT_GNU_SFRAME, SHT_HASH, SHT_PROGBITS,
    SHT_STRTAB, Section, Segment, Symbol, SymbolKind, pc_relative,
};
use crate::sframe::{self, EncodeError, FLAG_SORTED, SectionAddress, SectionSpec};

const PAGE: u64 = 0x1000;
/// Base address of executables.
const BASE: u64 = 0x40_0000;
/// Size in bytes of the room for tables before the code. Addresses must be known before tables are
/// encoded.
const TABLE_ROOM: u64 = 0x10_0000;
/// Alignment of functions, bytes.
const FUNCTION_ALIGN: usize = 16;

/// Code and tables of a file, each of which can still be edited.
#[derive(Clone, Debug)]
pub struct Sample {
    pub abi: Abi,
    /// Version of the `.sframe` section.
    pub version: SframeVersion,
    pub kind: FileKind,
    /// Position of the tables in a linked file.
    pub tables: TablePlace,
    /// Functions in address order.
    pub functions: Vec<PlacedFunction>,
    /// Instructions of all functions.
    pub text: Vec<u8>,
    /// `.sframe`.
    pub section: SectionSpec,
    /// Functions that the version cannot describe. They have no FDE, as assemblers omit them.
    pub left_out: Vec<NotExpressible>,
    pub eh_frame: EhFrameSpec,
}

/// Position of the tables in a linked file: start fields are negative for the first, positive for
/// the second.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TablePlace {
    /// At higher addresses than the code.
    #[default]
    AfterText,
    /// At lower addresses than the code.
    BeforeText,
}

/// A function and its position.
#[derive(Clone, Debug)]
pub struct PlacedFunction {
    pub offset: u64,
    /// The function at this offset.
    pub function: Function,
}

/// Sections of constants and tables, as indices.
struct Tables {
    all: std::ops::Range<usize>,
    sframe: usize,
    /// Address after the sections.
    end: u64,
}

/// An error that prevents a sample.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    #[error("{caller} calls {callee}, which does not exist")]
    Callee {
        /// Name of the function that calls.
        caller: String,
        /// Name of the callee in the call.
        callee: String,
    },
    #[error("{0} has a frame without CFI")]
    Cfi(String),
    #[error(transparent)]
    Sframe(#[from] EncodeError),
    #[error(transparent)]
    EhFrame(#[from] EhFrameError),
    #[error(transparent)]
    Elf(#[from] ElfError),
}

impl Sample {
    /// Lays out the functions in the given order, fills in the targets of their calls, and
    /// describes them in both tables.
    pub fn new(
        abi: Abi,
        version: SframeVersion,
        kind: FileKind,
        functions: Vec<Function>,
    ) -> Result<Self, SampleError> {
        Sample::with_tables(abi, version, kind, TablePlace::AfterText, functions)
    }

    /// Creates a sample as [`Sample::new`] does, with a choice of the tables' position.
    pub fn with_tables(
        abi: Abi,
        version: SframeVersion,
        kind: FileKind,
        tables: TablePlace,
        functions: Vec<Function>,
    ) -> Result<Self, SampleError> {
        let text_address = if kind == FileKind::Relocatable { 0 } else { text_address(kind, tables) };
        let (text, functions) = lay_out(abi, functions, text_address)?;
        let mut section = SectionSpec::new(abi, version);
        if kind == FileKind::Relocatable {
            // The sorted flag is set by linkers; an assembler does not know the order.
            section.flags &= !FLAG_SORTED;
        }
        let mut left_out = Vec::new();
        for PlacedFunction { offset, function } in &functions {
            match function_rows(abi, version, function, text_address + offset) {
                Ok(spec) => section.functions.push(spec),
                Err(refusal) => left_out.push(refusal),
            }
        }
        let terminated = kind != FileKind::Relocatable;
        let eh_frame =
            EhFrameSpec { abi, cies: cies(abi, &functions, text_address)?, trailing: Vec::new(), terminated };
        Ok(Sample { abi, version, kind, tables, functions, text, section, left_out, eh_frame })
    }

    /// Address of the first instruction in a linked file.
    pub fn text_address(&self) -> u64 {
        text_address(self.kind, self.tables)
    }

    /// The file as data.
    pub fn elf(&self) -> Result<ElfSpec, SampleError> {
        match self.kind {
            FileKind::Relocatable => self.object(),
            FileKind::Executable | FileKind::Shared => self.linked(),
        }
    }

    /// The bytes of the ELF file.
    pub fn bytes(&self) -> Result<Vec<u8>, SampleError> {
        Ok(elf::write(&self.elf()?)?)
    }

    /// The linked file with `.eh_frame_hdr` and its segment, which linkers make by default.
    pub fn elf_with_search_table(&self) -> Result<ElfSpec, SampleError> {
        let mut file = self.linked()?;
        let eh_frame = file.sections.iter().find(|section| section.name == ".eh_frame");
        let (place, end) = eh_frame.map_or((0, 0), |section| (section.address, section.address + section.size()));
        let address = end.next_multiple_of(4);
        let cfi = eh_frame::encode(&self.eh_frame, SectionAddress::Linked { section: place })?;
        let table = eh_frame::search_table(self.abi.facts().order, address, place, &cfi.fdes);
        let section = Section::new(".eh_frame_hdr", SHT_PROGBITS, SHF_ALLOC, table).at(address, 4);
        let at = file.insert_section(".eh_frame", section);
        file.segments.push(Segment::new(PT_GNU_EH_FRAME, PF_R, 4, at..at + 1));
        Ok(file)
    }

    fn object(&self) -> Result<ElfSpec, SampleError> {
        let mut file = ElfSpec::new(self.abi, self.kind);
        let text = file.push_section(self.text_section());
        let data = file.push_section(rodata());
        let text_symbol = file.push_symbol(section_symbol(text, 0));
        file.push_symbol(section_symbol(data, 0));
        self.push_function_symbols(&mut file, text, 0);

        let tables = sframe::encode(&self.section, SectionAddress::Relocatable)?;
        let mut sframe = sframe_section(tables.bytes);
        let start_kind = pc_relative(self.abi, self.section.layout.start_size());
        sframe.relocations = tables
            .relocations
            .iter()
            .map(|relocation| Relocation {
                offset: relocation.offset,
                kind: start_kind,
                symbol: Some(text_symbol),
                addend: self.section.functions[relocation.function].start as i64,
            })
            .collect();
        file.push_section(sframe);

        let cfi = eh_frame::encode(&self.eh_frame, SectionAddress::Relocatable)?;
        let mut eh_frame = self.eh_frame_section(cfi.bytes);
        eh_frame.relocations = cfi
            .relocations
            .iter()
            .map(|relocation| Relocation {
                offset: relocation.offset,
                kind: pc_relative(self.abi, 4),
                symbol: Some(text_symbol),
                addend: relocation.addend as i64,
            })
            .collect();
        file.push_section(eh_frame);
        Ok(file)
    }

    /// `.text` in one segment; constants and tables in another, after it in the order of GNU ld, or
    /// before it.
    fn linked(&self) -> Result<ElfSpec, SampleError> {
        let mut file = ElfSpec::new(self.abi, self.kind);
        let text_address = self.text_address();
        if self.kind == FileKind::Executable {
            let start = self.functions.iter().find(|placed| placed.function.name == "_start");
            file.entry = text_address + start.map_or(0, |placed| placed.offset);
        }
        let text_section = self.text_section().at(text_address, FUNCTION_ALIGN as u64);
        let text_end = (text_address + self.text.len() as u64).next_multiple_of(PAGE);
        let (text, tables) = match self.tables {
            TablePlace::AfterText => {
                let text = file.push_section(text_section);
                (text, self.push_tables(&mut file, text_end)?)
            }
            TablePlace::BeforeText => {
                let tables = self.push_tables(&mut file, text_address - TABLE_ROOM)?;
                (file.push_section(text_section), tables)
            }
        };
        self.push_function_symbols(&mut file, text, text_address);
        let mut loads = [
            Segment::new(PT_LOAD, PF_R | PF_X, PAGE, text..text + 1),
            Segment::new(PT_LOAD, PF_R, PAGE, tables.all.clone()),
        ];
        loads.sort_by_key(|segment| segment.sections.start);
        file.segments.extend(loads);
        file.segments.push(Segment::new(PT_GNU_SFRAME, PF_R, 8, tables.sframe..tables.sframe + 1));
        if self.kind == FileKind::Shared {
            let end = tables.end.max(text_end);
            push_dynamic(&mut file, self.abi, end.next_multiple_of(PAGE));
        }
        Ok(file)
    }

    /// Adds constants and both tables at an address.
    fn push_tables(&self, file: &mut ElfSpec, address: u64) -> Result<Tables, SampleError> {
        let data = file.push_section(rodata().at(address, 8));
        let sframe_address = address + file.sections[data].size();
        let tables = sframe::encode(&self.section, SectionAddress::Linked { section: sframe_address })?;
        let sframe = file.push_section(sframe_section(tables.bytes).at(sframe_address, 8));
        let eh_address = (sframe_address + file.sections[sframe].size()).next_multiple_of(8);
        let cfi = eh_frame::encode(&self.eh_frame, SectionAddress::Linked { section: eh_address })?;
        let eh_frame = file.push_section(self.eh_frame_section(cfi.bytes).at(eh_address, 8));
        Ok(Tables { all: data..eh_frame + 1, sframe, end: eh_address + file.sections[eh_frame].size() })
    }

    fn text_section(&self) -> Section {
        Section::new(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, self.text.clone()).at(0, FUNCTION_ALIGN as u64)
    }

    fn eh_frame_section(&self, bytes: Vec<u8>) -> Section {
        Section::new(".eh_frame", target(self.abi).eh_frame_type, SHF_ALLOC, bytes).at(0, 8)
    }

    fn push_function_symbols(&self, file: &mut ElfSpec, text: usize, base: u64) {
        for PlacedFunction { offset, function } in &self.functions {
            file.push_symbol(Symbol {
                name: function.name.clone(),
                kind: SymbolKind::Function,
                local: false,
                section: Some(text),
                value: base + offset,
                size: function.code.len() as u64,
            });
        }
    }
}

fn text_address(kind: FileKind, tables: TablePlace) -> u64 {
    let first = if kind == FileKind::Executable { BASE + PAGE } else { PAGE };
    match tables {
        TablePlace::AfterText => first,
        TablePlace::BeforeText => first + TABLE_ROOM,
    }
}

/// The text with gaps filled by nops, and each function with its offset.
fn lay_out(abi: Abi, functions: Vec<Function>, base: u64) -> Result<(Vec<u8>, Vec<PlacedFunction>), SampleError> {
    let mut text = Vec::new();
    let mut placed: Vec<PlacedFunction> = Vec::with_capacity(functions.len());
    for function in functions {
        text.extend(nops(abi, text.len().next_multiple_of(FUNCTION_ALIGN) - text.len()));
        let offset = text.len() as u64;
        text.extend_from_slice(&function.code);
        placed.push(PlacedFunction { offset, function });
    }
    for PlacedFunction { offset, function } in &placed {
        let find = |callee: &String| {
            let found = placed.iter().find(|other| other.function.name == *callee);
            found.ok_or_else(|| SampleError::Callee { caller: function.name.clone(), callee: callee.clone() })
        };
        for Address { at, callee, into } in &function.addresses {
            let mut bytes = crate::bytes::Bytes::new(abi.facts().order);
            bytes.low_bytes(base + find(callee)?.offset + u64::from(*into), 8);
            let at = *offset as usize + at;
            text[at..at + 8].copy_from_slice(&bytes.finish());
        }
        for fixup in &function.calls {
            let target = find(&fixup.callee)?;
            let at = *offset as usize + fixup.at;
            let distance = (target.offset as i64 + i64::from(fixup.into) - at as i64) as i32;
            let instruction = arch(abi).transfer(fixup.transfer, distance);
            text[at..at + instruction.len()].copy_from_slice(&instruction);
        }
    }
    Ok((text, placed))
}

/// One CIE for each key and kind of frame.
fn cies(abi: Abi, functions: &[PlacedFunction], base: u64) -> Result<Vec<Cie>, SampleError> {
    let mut cies: Vec<Cie> = Vec::new();
    for PlacedFunction { offset, function } in functions {
        let program = cfi_program(abi, function).ok_or_else(|| SampleError::Cfi(function.name.clone()))?;
        let fde = Fde { start: base + offset, target: 0, size: function.code.len() as u32, program };
        let return_column = function.cfi.as_ref().map_or(abi.facts().ra, |own| own.return_column);
        let kind = (function.key, function.signal, return_column);
        let same = |cie: &&mut Cie| (cie.key, cie.signal, cie.return_column) == kind;
        match cies.iter_mut().find(same) {
            Some(cie) => cie.fdes.push(fde),
            None => {
                let key: PacKey = function.key;
                cies.push(Cie { key, signal: function.signal, return_column, fdes: vec![fde], ..Cie::plain(abi) });
            }
        }
    }
    Ok(cies)
}

fn sframe_section(bytes: Vec<u8>) -> Section {
    Section::new(".sframe", SHT_GNU_SFRAME, SHF_ALLOC, bytes).at(0, 8)
}

fn rodata() -> Section {
    Section::new(".rodata", SHT_PROGBITS, SHF_ALLOC, vec![0; 64]).at(0, 8)
}

fn section_symbol(section: usize, value: u64) -> Symbol {
    let kind = SymbolKind::Section;
    Symbol { name: String::new(), kind, local: true, section: Some(section), value, size: 0 }
}

/// Adds the minimum for a shared object (gABI, "Dynamic Section"): empty tables and the entries
/// that point to them.
fn push_dynamic(file: &mut ElfSpec, abi: Abi, address: u64) {
    const DT_HASH: u64 = 4;
    const DT_STRTAB: u64 = 5;
    const DT_SYMTAB: u64 = 6;
    const DT_STRSZ: u64 = 10;
    const DT_SYMENT: u64 = 11;
    const DT_NULL: u64 = 0;
    const SYMBOL_SIZE: u64 = 24;
    let hash_word = target(abi).hash_word;
    let mut hash = crate::bytes::Bytes::new(abi.facts().order);
    for value in [1, 1, 0, 0] {
        hash.low_bytes(value, hash_word);
    }
    let mut end = address;
    let mut push = |file: &mut ElfSpec, section: Section| {
        let placed = section.at(end, 8);
        let at = end;
        end = (end + placed.size()).next_multiple_of(8);
        (file.push_section(placed), at)
    };
    let strings_section = Section::new(".dynstr", SHT_STRTAB, SHF_ALLOC, vec![0]);
    let (strings, strings_at) = push(file, strings_section);
    let mut symbols_section = Section::new(".dynsym", SHT_DYNSYM, SHF_ALLOC, vec![0; SYMBOL_SIZE as usize]);
    symbols_section.link = Some(strings);
    symbols_section.info = 1;
    symbols_section.entry_size = SYMBOL_SIZE;
    let (symbols, symbols_at) = push(file, symbols_section);
    let mut hash_section = Section::new(".hash", SHT_HASH, SHF_ALLOC, hash.finish());
    hash_section.link = Some(symbols);
    hash_section.entry_size = hash_word as u64;
    let (_, hash_at) = push(file, hash_section);
    let mut entries = crate::bytes::Bytes::new(abi.facts().order);
    for (tag, value) in [
        (DT_HASH, hash_at),
        (DT_STRTAB, strings_at),
        (DT_SYMTAB, symbols_at),
        (DT_STRSZ, 1),
        (DT_SYMENT, SYMBOL_SIZE),
        (DT_NULL, 0),
    ] {
        entries.low_bytes(tag, 8);
        entries.low_bytes(value, 8);
    }
    let mut dynamic_section = Section::new(".dynamic", SHT_DYNAMIC, SHF_ALLOC | SHF_WRITE, entries.finish());
    dynamic_section.link = Some(strings);
    dynamic_section.entry_size = 16;
    let (dynamic, _) = push(file, dynamic_section);
    file.segments.push(Segment::new(PT_LOAD, PF_R | PF_W, PAGE, strings..dynamic + 1));
    file.segments.push(Segment::new(PT_DYNAMIC, PF_R | PF_W, 8, dynamic..dynamic + 1));
}

//! The data of an input or output file that the judge of linking needs.

use std::collections::{BTreeMap, BTreeSet};

use types::{PacKey, SframeVersion, UnwindRow};

/// An object, or an output of a linker or post-processor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkFile {
    /// Name of the file in the case.
    pub name: String,
    /// True for ET_REL: an object, or the output of `ld -r`.
    pub relocatable: bool,
    /// Symbols of code defined in the file.
    pub symbols: Vec<CodeSymbol>,
    /// Code that `.eh_frame` describes, named or not: first address and first address after it of
    /// each function.
    pub cfi: Vec<(u64, u64)>,
    /// Sections of code that the linker makes.
    pub made: Vec<MadeCode>,
    /// True if the file has a section named `.sframe` or of type SHT_GNU_SFRAME.
    pub has_section: bool,
    /// True if the file has a PT_GNU_SFRAME segment.
    pub has_segment: bool,
    /// True if the section is allocated (SHF_ALLOC).
    pub allocated: bool,
    /// Address of the section.
    pub address: u64,
    /// The section's bytes as in the file.
    pub bytes: Vec<u8>,
    /// The table that readers find: the first SFrame element of the first non-empty section.
    pub table: Option<TableFacts>,
}

/// A section of code that the linker makes (PLT).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeCode {
    /// Name of the section: `.plt`, `.plt.got`, `.plt.sec`, `.iplt`.
    pub section: String,
    /// First address and first address after it.
    pub code: (u64, u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSymbol {
    /// Name in the symbol table.
    pub name: String,
    /// Address in the image.
    pub address: u64,
}

/// The first SFrame element of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFacts {
    /// Version of the element's preamble and flags.
    pub version: SframeVersion,
    /// `sfp_flags`.
    pub flags: u8,
    /// `sfh_abi_arch`.
    pub abi_arch: u8,
    /// `sfh_cfa_fixed_fp_offset`: bytes from the CFA, 0 if rows track FP.
    pub fixed_fp: i8,
    /// `sfh_cfa_fixed_ra_offset`: bytes from the CFA, 0 if rows track RA.
    pub fixed_ra: i8,
    /// Number of SFrame elements (headers) concatenated in the section, including this one.
    pub elements: usize,
    /// Size of these elements in bytes.
    pub length: usize,
    /// Number of start fields with exactly one relocation, which an object's start fields need.
    pub relocated: usize,
    /// In a linked file with a clear PCREL flag: the starts of functions if start fields were
    /// relative to themselves.
    pub by_field: Vec<u64>,
    /// Number of functions that cannot be read.
    pub broken: usize,
    /// Readable functions, by address.
    pub functions: Vec<LinkedFunction>,
}

/// A function as a table describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedFunction {
    /// Address of its first instruction.
    pub start: u64,
    /// Size of its code in bytes.
    pub size: u64,
    /// PCMASK: size of the repeating block.
    pub block: Option<u8>,
    /// True if it is marked as a signal frame (SFrame V3, "The SFrame FDE Info Word").
    pub signal: bool,
    /// Key that signs return addresses.
    pub key: PacKey,
    /// Rows with addresses relative to the function's start (or the block's); in PCMASK functions
    /// the rows of one block.
    pub rows: Vec<UnwindRow>,
}

/// Extent to which a table describes some code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Coverage {
    None,
    Part,
    Whole,
}

impl Coverage {
    /// Coverage of two pieces of code together.
    fn with(self, other: Coverage) -> Coverage {
        if self == other { self } else { Coverage::Part }
    }
}

/// Why readers find less than a file contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shortcoming {
    /// `.sframe` is empty, or describes no function.
    Empty,
    /// `.sframe` consists of zero bytes.
    Blank,
    /// `.sframe` cannot be read.
    Unreadable,
    /// There is no `.sframe`.
    NoSection,
    /// Starts are relative to their fields although the flag makes them relative to the section.
    StartBase,
    /// Several concatenated tables, of which readers find the first.
    LaterElements,
    /// ET_REL: start fields have no relocation.
    Relocations,
}

impl Shortcoming {
    /// Words for it in a shape.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Shortcoming::Empty => "empty",
            Shortcoming::Blank => "zero bytes",
            Shortcoming::Unreadable => "unreadable",
            Shortcoming::NoSection => "no section",
            Shortcoming::StartBase => "start base",
            Shortcoming::LaterElements => "later elements",
            Shortcoming::Relocations => "relocations",
        }
    }
}

impl Shortcoming {
    /// Returns true if readers get wrong data, rather than none or less.
    pub(super) const fn is_corrupt(self) -> bool {
        match self {
            Shortcoming::Blank | Shortcoming::Unreadable | Shortcoming::StartBase | Shortcoming::Relocations => true,
            Shortcoming::Empty | Shortcoming::NoSection | Shortcoming::LaterElements => false,
        }
    }
}

/// SFRAME_F_FRAME_POINTER of the flags byte (SFrame V2, "SFrame Flags").
pub(super) const FRAME_POINTER: u8 = 2;

impl LinkedFunction {
    /// Returns true if two descriptions have the same meaning, wherever the functions are.
    pub(super) fn same(&self, other: &LinkedFunction) -> bool {
        self.difference(other).is_none()
    }

    /// Name of the first property in which two descriptions differ.
    pub(super) fn difference(&self, other: &LinkedFunction) -> Option<&'static str> {
        let checks = [
            ("size", self.size == other.size),
            ("block size", self.block == other.block),
            ("signal mark", self.signal == other.signal),
            ("key", self.key == other.key),
            ("rows", meaning(&self.rows) == meaning(&other.rows)),
        ];
        checks.into_iter().find(|(_, same)| !same).map(|(what, _)| what)
    }
}

/// The rules at each address, normalised: equal adjacent rows are merged, empty rows dropped.
fn meaning(rows: &[UnwindRow]) -> Vec<UnwindRow> {
    let mut merged: Vec<UnwindRow> = Vec::new();
    for row in rows.iter().filter(|row| row.start < row.end) {
        match merged.last_mut() {
            Some(last)
                if last.end == row.start
                    && UnwindRow { start: last.start, end: row.end, ..*row }
                        == UnwindRow { end: row.end, ..last.clone() } =>
            {
                last.end = row.end;
            }
            _ => merged.push(row.clone()),
        }
    }
    merged
}

impl LinkFile {
    /// The functions of the table; empty if there is no table.
    pub(super) fn functions(&self) -> &[LinkedFunction] {
        self.table.as_ref().map_or(&[], |table| &table.functions)
    }

    /// The descriptions that begin at an address.
    pub(super) fn at(&self, address: u64) -> impl Iterator<Item = &LinkedFunction> {
        self.functions().iter().filter(move |function| function.start == address)
    }

    /// Returns true if a symbol with this name is defined.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.symbols.iter().any(|symbol| symbol.name == name)
    }

    /// FDEs by function name. A name of several functions (local to their objects) has all of their
    /// FDEs.
    pub(super) fn by_name(&self) -> BTreeMap<&str, Vec<&LinkedFunction>> {
        let mut named: BTreeMap<&str, Vec<&LinkedFunction>> = BTreeMap::new();
        for symbol in &self.symbols {
            let described = named.entry(&symbol.name).or_default();
            described.extend(self.at(symbol.address));
        }
        named
    }

    /// Returns true for code that the linker makes, which no input describes.
    pub fn is_made(&self, address: u64) -> bool {
        self.made.iter().any(|made| (made.code.0..made.code.1).contains(&address))
    }

    /// Coverage of the code that the linker made, by section; several sections of one name count as
    /// one.
    pub(super) fn made_coverage(&self) -> BTreeMap<&str, Coverage> {
        let mut sections: BTreeMap<&str, Coverage> = BTreeMap::new();
        for made in self.made.iter().filter(|made| made.code.0 < made.code.1) {
            let coverage = self.coverage(made.code);
            sections.entry(&made.section).and_modify(|before| *before = before.with(coverage)).or_insert(coverage);
        }
        sections
    }

    /// Coverage of a range of code by descriptors.
    fn coverage(&self, (start, end): (u64, u64)) -> Coverage {
        let mut within: Vec<(u64, u64)> = self
            .functions()
            .iter()
            .map(|function| (function.start.max(start), function.start.saturating_add(function.size).min(end)))
            .filter(|(start, end)| start < end)
            .collect();
        within.sort_unstable();
        let reached = within.iter().fold(start, |at, (from, to)| if *from <= at { at.max(*to) } else { at });
        match within.is_empty() {
            true => Coverage::None,
            false if reached >= end => Coverage::Whole,
            false => Coverage::Part,
        }
    }

    /// Number of zero bytes where a table is expected: the whole section, or enough after its last
    /// element for a header.
    pub(super) fn blank(&self) -> Option<usize> {
        /// `sizeof (sframe_header)` (SFrame V2, "SFrame Header").
        const HEADER: usize = 28;
        let rest = self.bytes.get(self.table.as_ref().map_or(0, |table| table.length)..)?;
        (rest.len() >= HEADER && rest.iter().all(|byte| *byte == 0)).then_some(rest.len())
    }

    /// Returns true if a descriptor covers an address.
    pub(super) fn describes(&self, address: u64) -> bool {
        let covers =
            |f: &LinkedFunction| (f.start..f.start.saturating_add(f.size)).contains(&address) || f.start == address;
        self.functions().iter().any(covers)
    }

    /// Ranges of code without a name that the linker did not make, as `.eh_frame` shows it.
    pub(super) fn unnamed(&self) -> impl Iterator<Item = (u64, u64)> {
        let named: BTreeSet<u64> = self.symbols.iter().map(|symbol| symbol.address).collect();
        let own = move |(start, end): &(u64, u64)| start < end && !named.contains(start) && !self.is_made(*start);
        self.cfi.iter().copied().filter(own)
    }

    /// Returns true if the flag makes starts relative to the section, but they refer to functions
    /// only if they are relative to their fields: the linker left them as the assembler's
    /// relocations made them.
    pub fn has_skewed_starts(&self) -> bool {
        let Some(table) = self.table.as_ref().filter(|table| !table.by_field.is_empty()) else { return false };
        let code: BTreeSet<u64> = self.symbols.iter().map(|symbol| symbol.address).collect();
        let reached = |starts: BTreeSet<u64>| starts.intersection(&code).count();
        let by_field = table.by_field.iter().copied().collect();
        reached(by_field) > reached(table.functions.iter().map(|function| function.start).collect())
    }

    /// Why readers find less than the file holds.
    pub(super) fn shortcoming(&self) -> Option<Shortcoming> {
        match &self.table {
            None if self.has_section && self.bytes.is_empty() => Some(Shortcoming::Empty),
            None if self.blank().is_some() => Some(Shortcoming::Blank),
            None if self.has_section => Some(Shortcoming::Unreadable),
            None => Some(Shortcoming::NoSection),
            Some(_) if self.has_skewed_starts() => Some(Shortcoming::StartBase),
            Some(table) if table.elements > 1 => Some(Shortcoming::LaterElements),
            Some(table) if self.relocatable && table.relocated < table.functions.len() + table.broken => {
                Some(Shortcoming::Relocations)
            }
            Some(table) if table.functions.is_empty() => Some(Shortcoming::Empty),
            Some(_) => None,
        }
    }

    /// A sentence about a shortcoming of this file, with the numbers.
    pub(super) fn sentence(&self, shortcoming: Shortcoming) -> String {
        let (elements, relocated, starts) = self
            .table
            .as_ref()
            .map_or((0, 0, 0), |table| (table.elements, table.relocated, table.functions.len() + table.broken));
        match shortcoming {
            Shortcoming::Empty if self.table.is_some() => "its .sframe describes no function".to_owned(),
            Shortcoming::Empty => "its .sframe has no bytes".to_owned(),
            Shortcoming::Blank => format!("its .sframe is {} bytes of zero", self.bytes.len()),
            Shortcoming::Unreadable => "its .sframe cannot be read".to_owned(),
            Shortcoming::NoSection => "it has no .sframe".to_owned(),
            Shortcoming::StartBase => {
                "its starts lead to functions only if they count from their fields, and PCREL is clear".to_owned()
            }
            Shortcoming::LaterElements => {
                format!("its .sframe has {elements} elements one after another, of which readers find the first")
            }
            Shortcoming::Relocations => format!("{relocated} of its {starts} start fields have a relocation"),
        }
    }
}

//! A file of a link, as far as the judge of linking needs it.

use std::collections::{BTreeMap, BTreeSet};

use types::{PacKey, SframeVersion, UnwindRow};

/// An object, or what a linker or post-processor made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkFile {
    /// Its name in the case.
    pub name: String,
    /// `e_type` is ET_REL: an object, or the output of `ld -r`.
    pub relocatable: bool,
    /// Symbols that name code defined in the file.
    pub symbols: Vec<CodeSymbol>,
    /// Code that `.eh_frame` describes, named or not: first address and first address after it of
    /// each function.
    pub cfi: Vec<(u64, u64)>,
    /// Code that linkers make by themselves.
    pub made: Vec<MadeCode>,
    /// The file has a section named `.sframe` or of its type.
    pub has_section: bool,
    /// The file has a PT_GNU_SFRAME segment.
    pub has_segment: bool,
    /// The section is allocated (SHF_ALLOC).
    pub allocated: bool,
    /// Address of the section.
    pub address: u64,
    /// The section's bytes as in the file.
    pub bytes: Vec<u8>,
    /// The table that readers find: the first SFrame element of the first non-empty section.
    pub table: Option<TableFacts>,
}

/// A section of code that linkers make by themselves (PLT).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MadeCode {
    /// Its name: `.plt`, `.plt.got`, `.plt.sec`, `.iplt`.
    pub section: String,
    /// First address and first address after it.
    pub code: (u64, u64),
}

/// A symbol that names code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeSymbol {
    /// As it is in the symbol table.
    pub name: String,
    /// Its address in the file as it was laid out for judging.
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
    /// `sfh_cfa_fixed_fp_offset`: bytes from the CFA, 0 where rows track FP.
    pub fixed_fp: i8,
    /// `sfh_cfa_fixed_ra_offset`: bytes from the CFA, 0 where rows track RA.
    pub fixed_ra: i8,
    /// SFrame elements (headers) that lie one after another in the section, this one included.
    pub elements: usize,
    /// Bytes of the section that these elements take.
    pub length: usize,
    /// Start fields that have exactly one relocation; what an object's start fields mean depends on
    /// it.
    pub relocated: usize,
    /// In a linked file whose PCREL flag is clear: where functions would begin if their starts
    /// counted from the fields that hold them.
    pub by_field: Vec<u64>,
    /// Functions that cannot be read.
    pub broken: usize,
    /// Functions that can be read, in order of addresses.
    pub functions: Vec<LinkedFunction>,
}

/// A function as a table describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedFunction {
    /// Address of its first instruction.
    pub start: u64,
    /// Bytes of code that it covers.
    pub size: u64,
    /// PCMASK: size of the repeating block.
    pub block: Option<u8>,
    /// Marked as a signal frame (SFrame V3, "The SFrame FDE Info Word").
    pub signal: bool,
    /// Key that signs return addresses.
    pub key: PacKey,
    /// Rows with addresses that count from the function's start (or the block's); one block's rows
    /// in PCMASK functions.
    pub rows: Vec<UnwindRow>,
}

/// How much of some code a table describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Coverage {
    None,
    Part,
    Whole,
}

impl Coverage {
    /// Of two pieces of code together.
    fn with(self, other: Coverage) -> Coverage {
        if self == other { self } else { Coverage::Part }
    }
}

/// Why readers find less than a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shortcoming {
    /// `.sframe` has no bytes, or describes no function.
    Empty,
    /// `.sframe` is bytes of zero.
    Blank,
    /// `.sframe` cannot be read.
    Unreadable,
    /// There is no `.sframe`.
    NoSection,
    /// Starts are relative to their fields although the flag makes them relative to the section.
    StartBase,
    /// Several tables one after another, of which readers find the first.
    LaterElements,
    /// ET_REL: start fields without a relocation.
    Relocations,
}

impl Shortcoming {
    /// The words in a shape.
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
    /// Readers are led astray, or find what is no table, rather than nothing or less.
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
    /// Returns true if two descriptions say the same, wherever the functions lie.
    pub(super) fn same(&self, other: &LinkedFunction) -> bool {
        self.difference(other).is_none()
    }

    /// The first thing in which another description differs, named.
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

/// Rows by what they say at each address: equal neighbours are one, and rows that cover nothing are
/// none.
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
    /// The functions of the table, none if there is no table.
    pub(super) fn functions(&self) -> &[LinkedFunction] {
        self.table.as_ref().map_or(&[], |table| &table.functions)
    }

    /// The descriptions that begin at an address.
    pub(super) fn at(&self, address: u64) -> impl Iterator<Item = &LinkedFunction> {
        self.functions().iter().filter(move |function| function.start == address)
    }

    /// Returns true if a symbol of that name is defined.
    pub(super) fn defines(&self, name: &str) -> bool {
        self.symbols.iter().any(|symbol| symbol.name == name)
    }

    /// FDEs by the names of their functions. A name that several functions have
    /// (local to their objects) has them all.
    pub(super) fn by_name(&self) -> BTreeMap<&str, Vec<&LinkedFunction>> {
        let mut named: BTreeMap<&str, Vec<&LinkedFunction>> = BTreeMap::new();
        for symbol in &self.symbols {
            let described = named.entry(&symbol.name).or_default();
            described.extend(self.at(symbol.address));
        }
        named
    }

    /// Code that linkers make: no input describes it.
    pub fn is_made(&self, address: u64) -> bool {
        self.made.iter().any(|made| (made.code.0..made.code.1).contains(&address))
    }

    /// Whether the table describes the code that the linker made, by section; several sections of
    /// one name count as one.
    pub(super) fn made_coverage(&self) -> BTreeMap<&str, Coverage> {
        let mut sections: BTreeMap<&str, Coverage> = BTreeMap::new();
        for made in self.made.iter().filter(|made| made.code.0 < made.code.1) {
            let coverage = self.coverage(made.code);
            sections.entry(&made.section).and_modify(|before| *before = before.with(coverage)).or_insert(coverage);
        }
        sections
    }

    /// How much of a range of code the descriptors cover.
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

    /// Bytes of zero where a table should be: the whole section, or enough after its last element
    /// for a header.
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

    /// Code that has no name and that linkers did not make, as far as `.eh_frame` shows it:
    /// extents.
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

    /// A shortcoming of this file in a sentence with the numbers.
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

//! What is asked about: a section with its place in a file, and its functions.

use std::collections::BTreeMap;

use generators::vectors::Vector;
use results::AcceptanceFunction;
use sframe::{FuncDesc, ParseError, Placement, Section, StartBase, Table};
use types::{CfaRule, Image, ImageKind, Reg, ValueRule, elf};

/// A section, and what readers see of the file around it.
#[derive(Clone, Debug)]
pub struct Subject<'a> {
    /// Name of the file or vector.
    pub name: String,
    /// Bytes of the section; `None` if the file has none.
    pub bytes: Option<&'a [u8]>,
    /// Address of the section.
    pub address: u64,
    /// What function starts count from.
    starts: StartBase,
    /// Ranges of code, each of which the kernel registers with the table; `None`: any code.
    text: Option<Vec<(u64, u64)>>,
    /// The file; `None` for a section alone.
    pub(super) file: Option<FileFacts>,
    image: Option<&'a Image>,
}

/// What readers see of a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct FileFacts {
    pub(super) is_object: bool,
    pub(super) is_library: bool,
    pub(super) is_kernel: bool,
    pub(super) has_segment: bool,
}

impl<'a> Subject<'a> {
    /// The first `.sframe` of a file.
    pub fn from_image(image: &'a Image) -> Subject<'a> {
        let section = image.sframe_sections().next();
        let has = |name: &str| image.section(name).is_some();
        let symbol = |name: &str| image.symbols.iter().any(|symbol| symbol.name == *name);
        // The kernel registers the table of its vDSO itself.
        let is_vdso = symbol("__vdso_clock_gettime") || symbol("__kernel_clock_gettime");
        let is_object = image.kind == ImageKind::Relocatable;
        let code = image.segments.iter().filter(|one| one.kind == elf::PT_LOAD && one.flags & elf::PF_X != 0);
        Subject {
            name: image.name.clone(),
            bytes: section.map(|section| &*section.bytes),
            address: section.map_or(0, |section| section.address),
            starts: Placement::in_file(image.kind, 0).starts,
            text: (!is_object).then(|| code.map(|one| (one.address, one.address + one.memory_size)).collect()),
            file: Some(FileFacts {
                is_object,
                is_library: image.kind == ImageKind::Shared && !is_vdso,
                is_kernel: has(".modinfo") || has("__ksymtab") || symbol("__start___ksymtab"),
                has_segment: image.segments.iter().any(|one| one.kind == elf::PT_GNU_SFRAME),
            }),
            image: Some(image),
        }
    }

    /// The section without its file, as readers under test are given it.
    #[must_use]
    pub fn alone(mut self) -> Subject<'a> {
        self.file = None;
        self
    }

    /// The section of a vector, alone.
    pub fn from_vector(vector: &'a Vector) -> Subject<'a> {
        Subject {
            name: vector.id.clone(),
            bytes: Some(&vector.bytes),
            address: vector.address,
            starts: StartBase::Header,
            text: Some(vec![vector.text]),
            file: None,
            image: None,
        }
    }

    /// The range of code that the table is registered for: the first one.
    pub(super) fn registered(&self) -> (u64, u64) {
        self.text.as_deref().and_then(<[_]>::first).copied().unwrap_or((0, u64::MAX))
    }

    pub(super) fn place(&self) -> Placement {
        Placement { section_address: self.address, starts: self.starts }
    }

    pub(super) fn in_text(&self, address: u64) -> bool {
        let of = |ranges: &Vec<(u64, u64)>| ranges.iter().any(|(start, end)| (*start..*end).contains(&address));
        self.text.as_ref().is_none_or(of)
    }

    /// A function as it is reported.
    pub(super) fn function(&self, function: &FunctionFacts) -> AcceptanceFunction {
        let symbol = self.image.and_then(|image| image.function_at(types::Pc(function.start)));
        let name = symbol.map(|symbol| symbol.name.to_string());
        AcceptanceFunction { start: function.start, end: function.end, name }
    }
}

/// The functions of a section, in the order of their descriptors.
pub(super) struct Facts {
    pub(super) table: Table,
    pub(super) functions: Vec<FunctionFacts>,
    /// The functions are sorted by address.
    pub(super) is_sorted: bool,
    /// The header has another number of rows than the functions.
    pub(super) counts_differ: bool,
    pub(super) unread: Unread,
}

/// What follows the last row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unread {
    pub(super) bytes: bool,
    /// One of them is not zero.
    pub(super) data: bool,
}

/// Facts of a function, but for those that depend on others.
fn facts_of(section: &Section<'_>, described: &FuncDesc, start: u64) -> Result<FunctionFacts, ParseError> {
    let (header, attributes) = (&section.header, described.attributes);
    let abi = header.abi();
    let is_flexible = attributes.info2.flex();
    let block = attributes.block();
    let size = described.entry.size;
    let limit = block.map_or(size, u32::from);
    let words_before_fp = if header.fixed_ra == 0 { 2 } else { 1 };
    let mut facts = FunctionFacts {
        start,
        end: start.saturating_add(u64::from(size)),
        shares_start: false,
        has_inner: false,
        block,
        reachable: 0,
        is_unordered: false,
        has_late_row: false,
        has_outermost: false,
        has_filler: false,
        has_fp_word: false,
        lacks_fp_word: false,
        has_lone_padding: false,
        has_ra_at_cfa: false,
        has_high_register: false,
    };
    let mut before = None;
    for row in section.rows(described) {
        let row = row?;
        let count = row.info.word_count();
        facts.is_unordered |= before.is_some_and(|before| row.start <= before);
        before = Some(row.start);
        facts.reachable += u32::from(row.start < limit);
        facts.has_late_row |= block.is_none() && row.start > size;
        facts.has_outermost |= count == 0;
        facts.has_fp_word |= !is_flexible && count > words_before_fp;
        facts.lacks_fp_word |= !is_flexible && count > 0 && count <= words_before_fp;
        facts.has_lone_padding |= is_flexible && count == 3;
        facts.has_filler |= is_flexible && count > 3 && row.control_word(2) == Some(0);
        let Some(abi) = abi else { continue };
        let rules = section.meaning(abi, described, &row)?;
        facts.has_ra_at_cfa |= rules.ra == ValueRule::AtCfa(0);
        let is_high = |reg: Reg| is_flexible && row.word_size() == 1 && reg.0 >= 16;
        facts.has_high_register |= match rules.cfa {
            CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => is_high(reg),
            CfaRule::Expression(_) | CfaRule::Unspecified => false,
        };
        facts.has_high_register |= [rules.ra, rules.fp].into_iter().any(|rule| match rule {
            ValueRule::Register { reg, .. } | ValueRule::Memory { reg, .. } => is_high(reg),
            _ => false,
        });
    }
    Ok(facts)
}

/// A function of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct FunctionFacts {
    pub(super) start: u64,
    pub(super) end: u64,
    /// Another function begins at the same address.
    pub(super) shares_start: bool,
    /// Another function begins and ends inside it.
    pub(super) has_inner: bool,
    /// Size of the blocks in which its rows repeat.
    pub(super) block: Option<u8>,
    /// Number of rows that begin in a block, or in the function.
    pub(super) reachable: u32,
    /// A row does not begin after the one before.
    pub(super) is_unordered: bool,
    /// A row begins after the function.
    pub(super) has_late_row: bool,
    /// A row has no words.
    pub(super) has_outermost: bool,
    /// A row has a word for FP.
    pub(super) has_fp_word: bool,
    /// A default row has no word for FP.
    pub(super) lacks_fp_word: bool,
    /// A flexible row has padding in place of the return address, and nothing after it.
    pub(super) has_lone_padding: bool,
    /// A flexible row has padding in place of the return address, and words for FP.
    pub(super) has_filler: bool,
    /// The return address is at CFA+0.
    pub(super) has_ra_at_cfa: bool,
    /// A flexible row names a register from 16 on in a control word of one byte.
    pub(super) has_high_register: bool,
}

impl Facts {
    /// Reads every function.
    pub(super) fn new(bytes: &[u8], place: Placement) -> Result<Facts, ParseError> {
        let section = Section::parse(bytes)?;
        let table = Table::new(&section, place)?;
        if let Some((_, error)) = table.broken().first() {
            return Err(*error);
        }
        let mut functions = Vec::with_capacity(section.header.num_fdes as usize);
        let mut last = section.header.fdes_end();
        for described in section.functions() {
            let described = described?;
            let end = section.rows(&described).flatten().map(|row| row.end).last();
            last = last.max(end.unwrap_or(described.attributes.rows_at));
            // A table that was read has no start out of the address space.
            let start = place.start_of(&section.header, &described.entry).unwrap_or_default();
            functions.push(facts_of(&section, &described, start)?);
        }
        let ranges: Vec<(u64, u64)> = functions.iter().map(|function| (function.start, function.end)).collect();
        let mut starts: BTreeMap<u64, u32> = BTreeMap::new();
        ranges.iter().for_each(|(start, _)| *starts.entry(*start).or_default() += 1);
        let mut sorted = ranges.clone();
        sorted.sort_unstable();
        for function in &mut functions {
            function.shares_start = starts.get(&function.start).is_some_and(|count| *count > 1);
            let next = sorted.partition_point(|(start, _)| *start <= function.start);
            function.has_inner = sorted.get(next).is_some_and(|(_, end)| *end < function.end);
        }
        let is_sorted = ranges.is_sorted_by_key(|(start, _)| *start);
        let rows: u64 = section.functions().flatten().map(|function| u64::from(function.attributes.num_fres)).sum();
        let after = usize::try_from(last).ok().and_then(|last| bytes.get(last..)).unwrap_or_default();
        let unread = Unread { bytes: !after.is_empty(), data: after.iter().any(|byte| *byte != 0) };
        let counts_differ = rows != u64::from(section.header.num_fres);
        Ok(Facts { table, functions, is_sorted, counts_differ, unread })
    }
}

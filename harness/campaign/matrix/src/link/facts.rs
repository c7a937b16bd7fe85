//! Extracts from a file the data that the judge of linking needs.

use std::collections::{BTreeMap, BTreeSet};

use elf::{self, LoadError};
use judge::link::{CodeSymbol, LinkFile, LinkedFunction, MadeCode, TableFacts};
use judge::tables::read_cfi;
use sframe::{Function, Placement, Section, StartBase, Table};
use types::{Bytes, Image, ImageKind, ImageSection, Pc, UnwindRow};
use unwind::Unwinder as _;

/// Reads a file.
///
/// # Errors
/// It is not an ELF64 file of a known machine. An unreadable table is not an error: the file counts
/// as having none.
pub fn facts(name: &str, bytes: &Bytes) -> Result<LinkFile, LoadError> {
    let image = elf::load(name, bytes)?;
    let section = image.sframe_sections().find(|section| !section.bytes.is_empty());
    let table = section.and_then(|section| table(&image, section));
    Ok(LinkFile {
        name: name.to_owned(),
        relocatable: image.kind == ImageKind::Relocatable,
        symbols: symbols(&image),
        made: image.sections.iter().filter(|section| is_made(section)).map(made).collect(),
        has_section: image.sframe_sections().next().is_some(),
        has_segment: image.segments.iter().any(|segment| segment.kind == types::elf::PT_GNU_SFRAME),
        allocated: section.is_some_and(ImageSection::is_alloc),
        address: section.map_or(0, |section| section.address),
        bytes: section.map(|section| section.original.as_ref().unwrap_or(&section.bytes).to_vec()).unwrap_or_default(),
        cfi: directed(&image),
        table,
    })
}

/// Code that `.eh_frame` describes. An FDE outside of code has lost its relocation: its function
/// was discarded.
fn directed(image: &Image) -> Vec<(u64, u64)> {
    let Some(cfi) = read_cfi(image) else { return Vec::new() };
    let in_code = |start: u64| image.section_at(start).is_some_and(ImageSection::is_code);
    let extents = cfi.functions().map(|function| (function.start.0, function.end.0));
    extents.filter(|(start, _)| in_code(*start)).collect()
}

/// Symbols of code, each name and address once.
fn symbols(image: &Image) -> Vec<CodeSymbol> {
    let code: BTreeSet<usize> = image.sections.iter().filter(|s| s.is_code()).map(|section| section.index).collect();
    let in_code =
        image.symbols.iter().filter(|symbol| symbol.section.is_some_and(|home| code.contains(&(home as usize))));
    let named: BTreeSet<(u64, &str)> = in_code.map(|symbol| (symbol.address, symbol.name.as_str())).collect();
    named.into_iter().map(|(address, name)| CodeSymbol { name: name.to_owned(), address }).collect()
}

fn is_made(section: &ImageSection) -> bool {
    section.is_code() && section.is_plt()
}

fn made(section: &ImageSection) -> MadeCode {
    MadeCode { section: section.name.clone(), code: (section.address, section.address.saturating_add(section.size)) }
}

fn table(image: &Image, section: &ImageSection) -> Option<TableFacts> {
    let parsed = Section::parse(&section.bytes).ok()?;
    let table = Table::new(&parsed, Placement::in_file(image.kind, section.address)).ok()?;
    let header = &parsed.header;
    Some(TableFacts {
        version: table.version(),
        flags: header.flags.0,
        abi_arch: header.abi_arch,
        fixed_fp: header.fixed_fp,
        fixed_ra: header.fixed_ra,
        elements: image.sframe_sections().map(|section| elements(&section.bytes).0).sum(),
        length: elements(&section.bytes).1,
        relocated: relocated(image, section, &parsed),
        by_field: by_field(image, section, &parsed),
        broken: table.broken().len(),
        functions: table.functions().map(|function| described(&function)).collect(),
    })
}

/// Number of start fields with exactly one effective relocation.
fn relocated(image: &Image, section: &ImageSection, parsed: &Section<'_>) -> usize {
    let mut times: BTreeMap<u64, usize> = BTreeMap::new();
    let own = image.sframe_relocations.iter().filter(|relocation| relocation.section as usize == section.index);
    for relocation in own.filter(|relocation| relocation.symbol_address.is_some()) {
        *times.entry(relocation.offset).or_default() += 1;
    }
    parsed.entries().filter(|entry| times.get(&entry.offset) == Some(&1)).count()
}

/// Starts of functions if start fields were relative to themselves; empty if they are.
fn by_field(image: &Image, section: &ImageSection, parsed: &Section<'_>) -> Vec<u64> {
    if image.kind == ImageKind::Relocatable || parsed.header.flags.pcrel() {
        return Vec::new();
    }
    let place = Placement { section_address: section.address, starts: StartBase::FieldRelative };
    parsed.entries().filter_map(|entry| place.start_of(&parsed.header, &entry)).collect()
}

/// Number of concatenated SFrame elements, each at the end of the previous one or at the next
/// multiple of 8, as linkers align them; and the number of bytes from the first to the end of the
/// last.
fn elements(bytes: &[u8]) -> (usize, usize) {
    const ALIGNMENT: usize = 8;
    let (mut count, mut at, mut length) = (0, 0, 0);
    while let Some(section) = bytes.get(at..).and_then(|rest| Section::parse(rest).ok()) {
        count += 1;
        let end = usize::try_from(section.header.fres_end()).ok().and_then(|length| at.checked_add(length));
        let Some(end) = end else { break };
        length = end;
        let begins = |at: &usize| bytes.get(*at..).is_some_and(|rest| Section::parse(rest).is_ok());
        let Some(next) = [Some(end), end.checked_next_multiple_of(ALIGNMENT)].into_iter().flatten().find(begins) else {
            break;
        };
        at = next;
    }
    (count, length)
}

fn described(function: &Function<'_>) -> LinkedFunction {
    let rows = function.rows().map(|row| {
        let row = function.instantiate(&row, function.start);
        let from_start = |pc: Pc| Pc(pc.0.saturating_sub(function.start));
        UnwindRow { start: from_start(row.start), end: from_start(row.end), ..row }
    });
    LinkedFunction {
        start: function.start,
        size: function.end.saturating_sub(function.start),
        block: function.mask.map(|block| block.get()),
        signal: function.signal,
        key: function.key,
        rows: rows.collect(),
    }
}

//! Executable bytes outside every FDE: for a crash, a profiler's sample or an exception there no
//! table has a caller.

use std::collections::BTreeMap;

use results::{Outside, OutsideFunction};
use types::elf::SHT_NOBITS;
use types::ranges::joined;
use types::{Image, ImageSection};
use unwind::{FunctionRange, Unwinder as _};

use crate::tables::Tables;

/// Size in bytes below which a gap between two functions is padding, if it contains no symbol: the
/// largest alignment that compilers give functions.
const FILLER: u64 = 64;

/// Code sections, each with the code that is outside every FDE of `.sframe` and of `.eh_frame`.
/// Empty if there is no table.
pub fn outside(image: &Image, tables: &Tables) -> Vec<Outside> {
    let described = described(tables);
    if described.is_empty() {
        return Vec::new();
    }
    let symbols = Symbols::new(image);
    let is_code = |section: &&ImageSection| section.is_code() && section.kind != SHT_NOBITS && section.size > 0;
    let sections = image.sections.iter().filter(is_code);
    sections.map(|section| of_section(image, section, &described, &symbols)).collect()
}

/// Ranges that either table describes: disjoint, ascending.
fn described(tables: &Tables) -> Vec<(u64, u64)> {
    let range = |function: FunctionRange| (function.start.0, function.end.0);
    let sframe = tables.sframe.iter().flat_map(|table| table.functions()).map(range);
    let cfi = tables.cfi.iter().flat_map(|table| table.functions()).map(range);
    joined(sframe.chain(cfi))
}

/// Function symbols by address, each with its end.
struct Symbols<'a>(BTreeMap<u64, (&'a str, u64)>);

impl<'a> Symbols<'a> {
    fn new(image: &'a Image) -> Symbols<'a> {
        let functions = image.symbols.iter().filter(|symbol| symbol.function);
        let named = functions
            .map(|symbol| (symbol.address, (symbol.name.as_ref(), symbol.address.saturating_add(symbol.size))));
        Symbols(named.collect())
    }

    /// Symbols that begin in a range.
    fn within(&self, start: u64, end: u64) -> impl Iterator<Item = (u64, &'a str, u64)> {
        self.0.range(start..end).map(|(address, (name, end))| (*address, *name, *end))
    }
}

fn of_section(image: &Image, section: &ImageSection, described: &[(u64, u64)], symbols: &Symbols<'_>) -> Outside {
    let (first, last) = (section.address, section.address.saturating_add(section.size));
    let mut found = Outside { section: section.name.clone(), bytes: 0, of: section.size, functions: Vec::new() };
    let from = described.partition_point(|(_, end)| *end <= first);
    let inside = described.get(from..).unwrap_or_default().iter().take_while(|(start, _)| *start < last);
    let mut at = first;
    for (start, end) in inside.copied().chain([(last, last)]) {
        if at < start {
            stretch(image, (first, last), (at, start), symbols, &mut found);
        }
        at = at.max(end);
    }
    found
}

/// A range that no table describes, with the symbols in it.
fn stretch(
    image: &Image,
    (first, last): (u64, u64),
    (start, end): (u64, u64),
    symbols: &Symbols<'_>,
    found: &mut Outside,
) {
    // A gap that is the whole section is not padding.
    let is_whole = start == first && end == last;
    if end - start < FILLER && !is_whole && symbols.within(start, end).next().is_none() {
        return;
    }
    let mut add = |function: &str, start: u64, end: u64| {
        found.bytes = found.bytes.saturating_add(end - start);
        let place = image.span(start, end);
        found.functions.push(OutsideFunction { function: function.to_owned(), code: (start, end), place });
    };
    let mut at = start;
    for (address, name, symbol_end) in symbols.within(start, end) {
        if address < at {
            continue;
        }
        if address - at >= FILLER {
            add("", at, address);
        }
        // Symbols in assembly code need not have a size.
        let next = symbols.within(address + 1, end).next().map_or(end, |(next, ..)| next);
        let until = if symbol_end > address { symbol_end.min(end) } else { next };
        add(name, address, until);
        at = until;
    }
    if end - at >= FILLER || is_whole && at == start {
        add("", at, end);
    }
}

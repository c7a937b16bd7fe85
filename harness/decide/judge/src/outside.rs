//! Executable bytes outside every FDE: for a crash, a profiler's sample or an exception there no
//! table has a caller.

use std::collections::BTreeMap;
use std::ops::Range;

use isa::padding;
use results::{Outside, OutsideFunction};
use types::elf::SHT_NOBITS;
use types::ranges::joined;
use types::{Image, ImageSection, Symbol};
use unwind::{FunctionRange, Unwinder as _};

use crate::tables::Tables;

/// Code that a kernel copies over other code, and never executes where it is.
const REPLACEMENTS: &str = ".altinstr_replacement";

/// Code sections, each with the code that is outside every FDE of `.sframe` and of `.eh_frame`.
/// Empty if there is no table.
pub fn outside(image: &Image, tables: &Tables) -> Vec<Outside> {
    let described = described(tables);
    if described.is_empty() {
        return Vec::new();
    }
    let symbols = Symbols::new(image);
    let is_code = |section: &&ImageSection| {
        section.is_code() && section.kind != SHT_NOBITS && section.size > 0 && section.name != REPLACEMENTS
    };
    let sections = image.sections.iter().filter(is_code);
    sections.map(|section| Gaps { image, section, symbols: &symbols }.outside(&described)).collect()
}

/// Ranges that either table describes: disjoint, ascending.
fn described(tables: &Tables) -> Vec<(u64, u64)> {
    let range = |function: FunctionRange| (function.start.0, function.end.0);
    let sframe = tables.sframe.iter().flat_map(|table| table.functions()).map(range);
    let cfi = tables.cfi.iter().flat_map(|table| table.functions()).map(range);
    joined(sframe.chain(cfi))
}

/// Function symbols and other labels by address.
struct Symbols<'a>(BTreeMap<u64, &'a Symbol>);

impl<'a> Symbols<'a> {
    fn new(image: &'a Image) -> Symbols<'a> {
        let mut symbols = BTreeMap::new();
        for symbol in &image.symbols {
            let kept = symbols.entry(symbol.address).or_insert(symbol);
            if symbol.function && !kept.function {
                *kept = symbol;
            }
        }
        Symbols(symbols)
    }

    /// Symbols at which code in a range begins. A local label after another symbol may be the
    /// target of a branch.
    fn within(&self, range: Range<u64>) -> Vec<&'a Symbol> {
        let mut found: Vec<&Symbol> = Vec::new();
        for symbol in self.0.range(range).map(|(_, symbol)| *symbol) {
            if symbol.function || !symbol.local || found.is_empty() {
                found.push(symbol);
            }
        }
        found
    }
}

/// A section in which no table describes some ranges.
struct Gaps<'a> {
    image: &'a Image,
    section: &'a ImageSection,
    symbols: &'a Symbols<'a>,
}

impl Gaps<'_> {
    fn outside(&self, described: &[(u64, u64)]) -> Outside {
        let section = self.section;
        let (first, last) = (section.address, section.address.saturating_add(section.size));
        let from = described.partition_point(|(_, end)| *end <= first);
        let inside = described.get(from..).unwrap_or_default().iter().take_while(|(start, _)| *start < last);
        let (mut at, mut functions) = (first, Vec::new());
        for (start, end) in inside.copied().chain([(last, last)]) {
            if at < start {
                self.of_gap(at..start, &mut functions);
            }
            at = at.max(end);
        }
        let bytes = functions.iter().map(|function| function.code.1 - function.code.0).sum();
        Outside { section: section.name.clone(), bytes, of: section.size, functions }
    }

    /// Adds the code in a range that no table describes: by symbol, and what is before and after
    /// them.
    fn of_gap(&self, gap: Range<u64>, functions: &mut Vec<OutsideFunction>) {
        let symbols = self.symbols.within(gap.clone());
        let mut at = gap.start;
        for (index, symbol) in symbols.iter().enumerate() {
            if symbol.address < at {
                continue;
            }
            functions.extend(self.code_in("", at..symbol.address));
            // Symbols in assembly code need not have a size.
            let sized = symbol.address.saturating_add(symbol.size).min(gap.end);
            if sized > symbol.address {
                functions.push(self.function(&symbol.name, symbol.address..sized));
                at = sized;
            } else {
                at = symbols.get(index + 1).map_or(gap.end, |next| next.address);
                functions.extend(self.code_in(&symbol.name, symbol.address..at));
            }
        }
        functions.extend(self.code_in("", at..gap.end));
    }

    /// The code in a range, without padding.
    fn code_in(&self, name: &str, range: Range<u64>) -> Option<OutsideFunction> {
        let bytes = self.section.bytes.get(usize::try_from(range.start - self.section.address).ok()?..)?;
        padding::code(self.image.abi, bytes, range).map(|code| self.function(name, code))
    }

    fn function(&self, name: &str, code: Range<u64>) -> OutsideFunction {
        let place = self.image.span(code.start, code.end);
        OutsideFunction { function: name.to_owned(), code: (code.start, code.end), place }
    }
}

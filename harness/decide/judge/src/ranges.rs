//! Checks the ranges of FDEs: that they cover code, all of their function, and nothing of another.
//! A wrong pointer encoding, start or size leaves code without the rows that its producer wrote.

mod early;
mod empty;
mod overlap;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use isa::padding;

use results::{Blame, Finding, Shape};
use spec::RuleId;
use types::elf::{PF_X, PT_LOAD};
use types::ranges::joined;
use types::{Aspect, Image, ImageKind, ImageSection, Pc};
use unwind::{CfiUnwinder, FunctionRange, Unwinder};

use crate::blame::Table;
use crate::gaps::undescribed;
use crate::memo::Memo;
use crate::tables::{Tables, origin};

/// The findings about an image.
pub(crate) fn findings(image: &Image, tables: &Tables, memo: &mut Memo) -> Vec<Finding> {
    let mut findings = lost(image, tables, memo);
    findings.extend(empty_plts(image, tables));
    if let Some(cfi) = tables.cfi.as_ref().filter(|cfi| cfi.section() == ".eh_frame" && !image.is_debug_only()) {
        let live = live(image, cfi);
        findings.extend(outside_code(image, &live));
        findings.extend(overlap::findings(image, cfi, &live));
        let mut add = |others: Vec<Finding>| {
            let known: BTreeSet<Option<u64>> =
                findings.iter().filter(is_lost).map(|found| found.shown.offset).collect();
            findings.extend(others.into_iter().filter(|found| !known.contains(&found.shown.offset)));
        };
        add(early::findings(image, tables, cfi, &live));
        add(empty::findings(image, tables, cfi, &live));
    }
    findings
}

/// Returns true if a finding reports an FDE of `.eh_frame` that lost code of its function.
fn is_lost(found: &&Finding) -> bool {
    found.rule() == RuleId::EhFrameRangeLost
}

/// The functions of `.eh_frame` without those that a linker discarded. An FDE of address 0
/// describes discarded code (libgcc skips it, unwind-dw2-fde.c).
pub(crate) fn live(image: &Image, cfi: &CfiUnwinder) -> Vec<FunctionRange> {
    // `ld -r` keeps FDEs of code that it discarded, with R_*_NONE in place of the start's
    // relocation; the start is then the address of its own field, 8 bytes into the entry.
    let at = image.section(".eh_frame").filter(|_| image.kind == ImageKind::Relocatable).map(|home| home.address);
    let is_discarded = |range: &FunctionRange| {
        range.start.0 == 0 || at.is_some_and(|at| range.start.0 == at.wrapping_add(range.offset).wrapping_add(8))
    };
    cfi.functions().filter(|range| !is_discarded(range)).collect()
}

/// A finding about the FDE of a function and the code in a range.
fn of_fde(
    image: &Image,
    rule: RuleId,
    blame: Blame,
    fde: &FunctionRange,
    code: (u64, u64),
    message: String,
) -> Finding {
    let mut found = Finding::new(rule, blame, image.place(fde.start.0), Shape::Rule);
    found.shown.message = message;
    Table::EhFrame.section().clone_into(&mut found.shown.section);
    found.shown.offset = Some(fde.offset);
    found.evidence.field = Aspect::Coverage;
    found.evidence.ranges = vec![code];
    found
}

/// The code from an address on, up to the next function that a table or a symbol names, if no table
/// describes it: without padding at its ends.
fn undescribed_code(image: &Image, tables: &Tables, from: Pc) -> Option<Range<u64>> {
    let section = image.section_at(from.0).filter(|section| section.is_code() && !section.is_plt())?;
    let bytes = image.bytes_at(from.0).filter(|_| tables.function_at(from).is_none())?;
    let end = section.address.saturating_add(section.size);
    let end = tables.next_start(from).map_or(end, |next| next.0.min(end));
    let mut after = image.symbols_from(Pc(from.0.saturating_add(1))).take_while(|symbol| symbol.address < end);
    let end = after.find(|symbol| symbol.function).map_or(end, |next| next.address);
    padding::code(image.abi, bytes, from.0..end)
}

/// Reports FDEs of `.eh_frame` outside code, as one finding.
fn outside_code(image: &Image, live: &[FunctionRange]) -> Option<Finding> {
    let code = code(image);
    let is_code = |range: &FunctionRange| {
        let from = code.partition_point(|(_, end)| *end <= range.start.0);
        code.get(from).is_some_and(|(start, end)| *start <= range.start.0 && range.end.0 <= *end)
    };
    let mut outside = live.iter().filter(|range| range.start < range.end && !is_code(range));
    let first = outside.next()?;
    let mut found = Finding::new(RuleId::EhFrameRangeInCode, Blame::EhFrame, ".eh_frame", Shape::Rule);
    let span = image.span(first.start.0, first.end.0);
    found.shown.message = format!(".eh_frame entry at {:#x} covers {span}, which is not code", first.offset);
    let more = outside.count();
    if more > 0 {
        found.shown.message.push_str(&format!(" (and {more} others like it)"));
    }
    Table::EhFrame.section().clone_into(&mut found.shown.section);
    found.shown.offset = Some(first.offset);
    found.evidence.field = Aspect::Coverage;
    found.evidence.ranges = vec![(first.start.0, first.end.0)];
    Some(found)
}

/// Executable ranges, ascending and merged: from sections, or from segments if there are no
/// sections.
fn code(image: &Image) -> Vec<(u64, u64)> {
    let range = |start: u64, size: u64| (start, start.saturating_add(size));
    let sections = image.sections.iter().filter(|section| section.is_alloc() && section.is_code());
    let mut code: Vec<(u64, u64)> = sections.map(|section| range(section.address, section.size)).collect();
    if code.is_empty() {
        let segments = image.segments.iter().filter(|segment| segment.kind == PT_LOAD && segment.flags & PF_X != 0);
        code = segments.map(|segment| range(segment.address, segment.memory_size)).collect();
    }
    joined(code)
}

/// Reports functions with executed code that no table describes although a descriptor begins at
/// their start: it is empty, or ends before that code, and no other descriptor covers the rest of
/// the symbol.
fn lost(image: &Image, tables: &Tables, memo: &mut Memo) -> Vec<Finding> {
    let mut all: BTreeMap<(u64, u64), Finding> = BTreeMap::new();
    for pc in undescribed(tables, memo) {
        let symbol = image.function_at(pc).filter(|symbol| symbol.size > 0);
        let (start, end) = symbol.map_or((pc.0, pc.0.saturating_add(1)), |symbol| {
            (symbol.address, symbol.address.saturating_add(symbol.size))
        });
        let Some((table, range)) = descriptor(tables, Pc(start)) else { continue };
        // Assembly code may omit a part on purpose, as glibc's clone does, and continue after it.
        // It may also have directives around no code: only `.eh_frame` loses those in a link by GNU
        // ld, so that an empty FDE there was made empty later.
        let is_of_source = range.start == range.end && (symbol.is_none() || table == Table::Sframe);
        if range.end > pc || is_of_source || goes_on(tables, pc, Pc(end)) {
            continue;
        }
        all.entry((range.start.0, range.offset)).or_insert_with(|| finding(image, tables, table, &range, pc, end));
    }
    all.into_values().collect()
}

/// Reports sections of linkage code at whose start `.eh_frame` has an FDE without bytes, and no
/// other one: linkers describe the whole section. Elsewhere an empty FDE may be that of an empty
/// function.
fn empty_plts(image: &Image, tables: &Tables) -> Vec<Finding> {
    let Some(cfi) = &tables.cfi else { return Vec::new() };
    let plts = image.sections.iter().filter(|section| section.is_plt() && section.is_code() && section.size > 0);
    let one = |section: &ImageSection| {
        let (start, end) = (Pc(section.address), section.address.saturating_add(section.size));
        let empty = cfi.starting_at(start).max_by_key(|range| range.end).filter(|range| range.start == range.end)?;
        let mut found = Finding::new(RuleId::EhFrameRangeLost, Blame::Linker, &section.name, Shape::Rule);
        found.shown.message = format!("the FDE at the start of {} covers no bytes", section.name);
        Table::EhFrame.section().clone_into(&mut found.shown.section);
        found.shown.offset = Some(empty.offset);
        found.evidence.field = Aspect::Coverage;
        found.evidence.ranges = vec![(start.0, end)];
        cfi.function_at(start).is_none().then_some(found)
    };
    plts.filter_map(one).collect()
}

/// The descriptor that begins at an address, including an empty one.
fn descriptor(tables: &Tables, start: Pc) -> Option<(Table, FunctionRange)> {
    let of_cfi = tables.cfi.as_ref().and_then(|cfi| cfi.starting_at(start).max_by_key(|range| range.end));
    let of_sframe = || {
        let found = tables.sframe.as_ref()?.first_from(start);
        found.filter(|range| range.start == start)
    };
    of_cfi.map(|range| (Table::EhFrame, range)).or_else(|| of_sframe().map(|range| (Table::Sframe, range)))
}

/// Returns true if a table describes code between two addresses.
fn goes_on(tables: &Tables, from: Pc, end: Pc) -> bool {
    let begins = |range: Option<FunctionRange>| range.is_some_and(|range| range.start < end && range.start < range.end);
    begins(tables.cfi.as_ref().and_then(|table| table.first_from(from)))
        || begins(tables.sframe.as_ref().and_then(|table| table.first_from(from)))
}

fn finding(image: &Image, tables: &Tables, table: Table, range: &FunctionRange, pc: Pc, end: u64) -> Finding {
    let name = image.place(range.start.0);
    let (rule, blame) = match table {
        Table::EhFrame => (RuleId::EhFrameRangeLost, Blame::EhFrame),
        Table::Sframe => (RuleId::RowMissing, origin(image, range.start.0).blame()),
    };
    let mut found = Finding::new(rule, blame, name, Shape::Rule);
    found.shown.message = format!(
        "{} covers {} of a function that was also executed at {}, which no table describes",
        table.section(),
        image.span(range.start.0, range.end.0),
        image.place(pc.0)
    );
    found.shown.section = tables.section_name(table, image);
    found.shown.offset = Some(range.offset);
    found.evidence.field = Aspect::Coverage;
    found.evidence.ranges = vec![(range.end.0, end.max(pc.0.saturating_add(1)))];
    found.evidence.executed = true;
    found
}

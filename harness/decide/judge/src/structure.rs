//! Findings about broken structural rules: one for each rule and function, however many rows break
//! it.

use std::collections::BTreeMap;

use results::{Blame, Finding, Shape, Source, WrongRow};
use spec::{Breach, RuleGroup, RuleId, Severity};
use types::{CodePoint, Image, ImageKind, ImageSection, Pc};
use unwind::Unwinder as _;

use crate::blame::{Origin, Table};
use crate::compare::differences;
use crate::tables::{Tables, origin};
use crate::wrong_row::WrongAt;

/// The findings about an image's `.sframe` sections.
pub fn findings(image: &Image, tables: &Tables) -> Vec<Finding> {
    let mut folded: BTreeMap<(RuleId, u64), (Finding, u64)> = BTreeMap::new();
    for breach in &tables.breaches {
        let start = breach.code.map(|(start, _)| tables.function_start(image, start));
        let identity = (breach.rule.id, start.unwrap_or(0));
        let (found, times) = folded.entry(identity).or_insert_with(|| {
            let function = start.map_or_else(|| tables.sframe_name(image), |start| image.place(start));
            (finding(image, tables, breach, function), 0)
        });
        *times += 1;
        if let Some(row) = row(image, tables, breach) {
            let range = row.ranges.clone();
            match row.add_to(&mut found.evidence.rows).and_then(|index| found.evidence.rows.get_mut(index)) {
                Some(kept) => kept.extend(range),
                None => found.evidence.rows_cut = true,
            }
        }
    }
    folded.into_values().map(counted).collect()
}

/// The finding for a file that must have a `.sframe` section describing its live code, and has
/// none.
pub fn absent(image: &Image, tables: &Tables) -> Finding {
    let blame = if image.kind == ImageKind::Relocatable { Blame::Assembler } else { Blame::AssemblerOrLinker };
    let mut found = Finding::new(RuleId::CoverageSectionPresent, blame, ".sframe", Shape::Rule);
    let functions = tables.sframe.as_ref().map_or(0, |table| table.functions().len());
    found.shown.message = match (tables.has_sframe, functions) {
        (false, _) => "the file has no .sframe section".to_owned(),
        (true, 0) => "the .sframe section describes no function".to_owned(),
        (true, _) => ".sframe describes nothing that was executed or that .eh_frame describes".to_owned(),
    };
    found
}

/// Findings about entries of `.eh_frame` that cannot be read, so that `.sframe` cannot be compared
/// with them. One finding for each function and kind of error; FDEs that are lost with their CIE
/// are counted with it.
pub fn refused(image: &Image, tables: &Tables) -> Vec<Finding> {
    let mut folded: BTreeMap<(String, String), (Finding, u64)> = BTreeMap::new();
    for (cfi, entry) in tables.cfi.iter().flat_map(|cfi| cfi.broken().iter().map(move |entry| (cfi, entry))) {
        let function = entry.function.map_or_else(|| entry.section.to_owned(), |start| image.place(start.0));
        let kind = entry.error.kind();
        let (_, times) = folded.entry((function, kind)).or_insert_with_key(|(function, kind)| {
            let shape = Shape::from(kind.as_str());
            // The other table is made from the same directives.
            let is_in_sframe = |start| tables.sframe.as_ref().is_some_and(|sframe| sframe.function_at(start).is_some());
            let blame = match entry.error.is_of_directives() && !entry.function.is_some_and(is_in_sframe) {
                true => Blame::Compiler,
                false => Blame::EhFrame,
            };
            let mut found = Finding::new(RuleId::CfiRefused, blame, function.as_str(), shape);
            found.shown.message =
                format!("{} entry at {:#x} cannot be read: {}", entry.section, entry.offset, entry.error);
            entry.section.clone_into(&mut found.shown.section);
            found.shown.offset = Some(entry.offset);
            let range = entry.function.and_then(|start| cfi.function_at(start));
            found.evidence.ranges = range.map(|range| (range.start.0, range.end.0)).into_iter().collect();
            (found, 0)
        });
        *times += 1;
    }
    folded.into_values().map(counted).collect()
}

/// A finding with its number of occurrences.
fn counted((mut found, times): (Finding, u64)) -> Finding {
    if times > 1 {
        found.shown.message.push_str(&format!(" (and {} others like it)", times - 1));
    }
    found
}

fn finding(image: &Image, tables: &Tables, breach: &Breach, function: String) -> Finding {
    let address = breach.code.map(|(start, _)| start);
    let id = breach.rule.id;
    let is_directed = match address {
        Some(pc) if id == RuleId::RowUnreachable => ends_with_directive(tables, Pc(pc)),
        Some(pc) => IMPLAUSIBLE.contains(&id) && as_directed(image, tables, Pc(pc), breach.offset),
        None => false,
    };
    let blame = if is_directed { Blame::Compiler } else { blame(image, id, address) };
    let mut found = Finding::new(id, blame, function, Shape::Rule);
    // A function that has popped its own arguments has a CFA below SP (swiftasynccall on AArch64).
    let may_be_right = is_directed && id == RuleId::RowCfaPlausible;
    found.severity = if may_be_right { breach.severity.min(Severity::Warning) } else { breach.severity };
    found.evidence.ranges = breach.code.into_iter().collect();
    found.shown.message.clone_from(&breach.message);
    found.shown.section = tables.sframe_name(image);
    found.shown.offset = breach.offset;
    found
}

/// The row that a breach is about, if look-ups find it.
fn row(image: &Image, tables: &Tables, breach: &Breach) -> Option<WrongRow> {
    let code = breach.code?;
    let pc = Pc(code.0);
    if breach.offset.is_none() || tables.sframe_row_offset(pc) != breach.offset {
        return None;
    }
    let slots = tables.slots(CodePoint::Exact(pc));
    let mut row = WrongAt { pc, slots, wrong: Source::Sframe, right: None, truth: None }.describe(tables, image);
    row.extend([code]);
    Some(row)
}

/// Rules about the meaning of a row, not its encoding: directives with that meaning break them.
const IMPLAUSIBLE: [RuleId; 3] = [RuleId::RowSameSlot, RuleId::RowFpOnRaSlot, RuleId::RowCfaPlausible];

/// Returns true if `.sframe` and `.eh_frame` have the same row at this offset: both were made from
/// the same directives.
fn as_directed(image: &Image, tables: &Tables, pc: Pc, row: Option<u64>) -> bool {
    if row.is_none() || tables.sframe_row_offset(pc) != row {
        return false;
    }
    match (tables.rules(Table::Sframe, pc), tables.rules(Table::EhFrame, pc)) {
        (Some(a), Some(b)) => differences(image.abi.facts(), &a, &b).is_empty(),
        _ => false,
    }
}

/// Returns true if the FDE of `.eh_frame` for a function has instructions at its end, as directives
/// after the last instruction make.
fn ends_with_directive(tables: &Tables, start: Pc) -> bool {
    let cfi = tables.cfi.as_ref();
    let function = cfi.and_then(|cfi| cfi.function_at(start)).filter(|function| function.start == start);
    function.is_some_and(|function| cfi.is_some_and(|cfi| cfi.last_advance(&function) == Some(function.end)))
}

/// Rules about the order of functions, which the linker defines.
const SORTING: [RuleId; 3] = [RuleId::FdeSortedClaim, RuleId::HeaderSortedInLinked, RuleId::HeaderSortedInObject];

/// The tool to blame: for an object its maker; for a linked file the tool that writes the broken
/// part. In an object made from several sources the linker wrote the relocations and the order, but
/// the relocated fields may be unchanged from the assembler.
fn blame(image: &Image, id: RuleId, address: Option<u64>) -> Blame {
    let linked = image.kind != ImageKind::Relocatable;
    match origin(image, address.unwrap_or(u64::MAX)) {
        // The start is in code, so the size may be wrong: linkers copy it from the object.
        Origin::Linked if id == RuleId::ElfFunctionInCode && starts_in_code(image, address) => Blame::AssemblerOrLinker,
        Origin::Linked if linked && (id.group() == RuleGroup::Elf || SORTING.contains(&id)) => Blame::Linker,
        other => other.blame(),
    }
}

fn starts_in_code(image: &Image, address: Option<u64>) -> bool {
    address.and_then(|start| image.section_at(start)).is_some_and(ImageSection::is_code)
}

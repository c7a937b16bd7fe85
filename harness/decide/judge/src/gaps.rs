//! Functions that `.sframe` omits: those that `.eh_frame` describes, and those that were executed
//! although no table describes them.

use std::collections::BTreeMap;

use results::Gap;
use types::{CodePoint, Fault, Image, Pc, SframeVersion};
use unwind::{CfiUnwinder, FunctionRange, Unwinder as _};

use crate::coverage::inexpressible;
use crate::memo::Memo;
use crate::statics::{end_of_code, most_rows};
use crate::tables::Tables;

/// The gaps of a file that has a `.sframe` section, by address. A section without bytes omits every
/// function, which is one gap.
pub(crate) fn gaps(image: &Image, tables: &Tables, memo: &mut Memo) -> Vec<Gap> {
    if !tables.has_sframe {
        return Vec::new();
    }
    // Number of rows that may be examined for reasons; later functions get none.
    let mut budget = most_rows(image);
    let mut gaps: Vec<Gap> = Vec::new();
    if let Some(cfi) = &tables.cfi {
        let missing = cfi.functions().filter(|function| is_left_out(tables, function));
        gaps.extend(missing.map(|function| described(image, tables, memo, cfi, &function, &mut budget)));
    }
    gaps.extend(executed(image, tables, memo));
    gaps.sort_by_key(|gap| gap.code);
    gaps
}

/// Returns true if `.sframe` has no descriptor for the start of a function. An unreadable
/// descriptor is not a gap: its bytes break a rule.
fn is_left_out(tables: &Tables, function: &FunctionRange) -> bool {
    let (start, end) = (function.start, function.end);
    if start == end {
        return false;
    }
    match &tables.sframe {
        Some(sframe) => {
            sframe.row(CodePoint::Exact(start)) == Err(Fault::NoFunction) && !is_unread(tables, sframe, start, end)
        }
        None => tables.sframe_is_empty,
    }
}

/// Returns true if `.sframe` has an unreadable descriptor for this code, as the rules of the
/// section report it.
fn is_unread(tables: &Tables, sframe: &unwind::SframeUnwinder, start: Pc, end: Pc) -> bool {
    let unreadable = || tables.breaches.iter().filter_map(|finding| finding.code);
    // An unreadable row is reported at its start, and need not be the first row.
    !sframe.table().broken().is_empty() && unreadable().any(|(from, to)| (start.0..end.0).contains(&from) && from < to)
}

fn described(
    image: &Image,
    tables: &Tables,
    memo: &Memo,
    cfi: &CfiUnwinder,
    function: &FunctionRange,
    budget: &mut usize,
) -> Gap {
    let (start, end) = (function.start, function.end);
    let version = tables.version.unwrap_or(SframeVersion::LATEST);
    let pcs = cfi.boundaries(start, end_of_code(image, start, end)).take(*budget);
    let rows: Vec<_> = pcs.filter_map(|pc| Some(cfi.rules(cfi.row(CodePoint::Exact(pc)).ok()?, pc))).collect();
    *budget = budget.saturating_sub(rows.len());
    Gap {
        function: image.place(start.0),
        code: (start.0, end.0),
        place: image.span(start.0, end.0),
        reason: inexpressible(image.abi, version, &rows),
        executed: memo.executed(start, end),
    }
}

/// Executed PCs that no table describes, ascending.
pub(crate) fn undescribed(tables: &Tables, memo: &mut Memo) -> Vec<Pc> {
    memo.uncovered().into_iter().filter(|pc| tables.function_at(*pc).is_none()).collect()
}

/// Executed code that no table describes: one gap for each function, or for each section without
/// symbols.
fn executed(image: &Image, tables: &Tables, memo: &mut Memo) -> Vec<Gap> {
    let mut homes: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for pc in undescribed(tables, memo) {
        let Some(section) = image.section_at(pc.0) else { continue };
        let (name, code) = match image.function_at(pc) {
            Some(symbol) => (symbol.name.to_string(), (symbol.address, symbol.address.saturating_add(symbol.size))),
            None => (section.name.clone(), (pc.0, pc.0)),
        };
        let code = (code.0, code.1.max(pc.0.saturating_add(1)));
        let span = homes.entry(name).or_insert(code);
        *span = (span.0.min(code.0), span.1.max(code.1));
    }
    let gap = |(function, code): (String, (u64, u64))| Gap {
        function,
        code,
        place: image.span(code.0, code.1),
        reason: Some("no table describes it".to_owned()),
        executed: true,
    };
    homes.into_iter().map(gap).collect()
}

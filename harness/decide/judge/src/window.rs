//! The disassembly around a finding, with the rows of each table and of the machine for every
//! instruction.

use isa::Disassembler;
use results::{Finding, WindowLine};
use types::{CodePoint, Image, Pc};

use crate::memo::Memo;
use crate::per_table::PerTable;
use crate::tables::Tables;

/// Number of instructions shown before and after the wrong one.
const BEFORE: usize = 3;
const AFTER: usize = 2;

/// The window of a finding; empty if no code can be shown.
pub(crate) fn around(
    image: &Image,
    tables: &Tables,
    memo: &mut Memo,
    disassembler: &Disassembler<'_>,
    found: &Finding,
) -> Vec<WindowLine> {
    let Some(pc) = first_pc(found) else { return Vec::new() };
    let start = tables.function_start(image, pc);
    // A finding of a chain walk is looked up one byte before the return address, inside the call:
    // the window begins at the call.
    let lines = disassembler.around(start, pc, BEFORE, AFTER);
    let wrong = |at: u64, end: u64| found.evidence.ranges.iter().any(|(from, to)| at < *to && *from < end);
    lines
        .into_iter()
        .map(|instruction| {
            let at = Pc(instruction.pc);
            let claim = |table| tables.claim(table, tables.slot(table, CodePoint::Exact(at)), at, image).to_string();
            let claims = PerTable::from_fn(claim);
            WindowLine {
                pc: at.0,
                place: image.place(at.0),
                text: instruction.text,
                sframe: claims.sframe,
                eh_frame: claims.eh_frame,
                truth: memo.truth_at(at).map(|witness| witness.claim(image.abi).to_string()).unwrap_or_default(),
                wrong: wrong(at.0, at.0 + instruction.length),
            }
        })
        .collect()
}

/// PC at which the finding's values were taken, which need not be the lowest of its addresses.
pub(crate) fn first_pc(found: &Finding) -> Option<u64> {
    found.evidence.at.or(found.evidence.ranges.first().map(|(start, _)| *start))
}

//! The disassembly around a finding, with the rows of each table and of the machine for every
//! instruction.

use isa::Disassembler;
use results::{Finding, WindowLine};
use types::{CodePoint, Image, Pc};

use crate::blame::Table;
use crate::execution::Exploration;
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
    exploration: &Exploration,
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
            let claim = |table| tables.claim(table, tables.slot(table, CodePoint::Exact(at)), at, image);
            let claims = PerTable::from_fn(claim);
            let witness = memo.truth_at(at).map(|witness| witness.claim(image.abi).to_string());
            // The values of the finding are those of its first PC.
            let found_there =
                || found.evidence.truth.as_ref().filter(|_| at.0 == pc).map(|truth| truth.row.to_string());
            let is_wrong = wrong(at.0, at.0 + instruction.length);
            // In a state that shows neither a right row nor this finding nothing is sure.
            let explored = || {
                let (held, is_right) = exploration.held(at)?;
                if !found.evidence.executed || !(is_right || is_wrong) {
                    return None;
                }
                let right = Table::ALL.into_iter().filter(|_| is_right).find_map(|of| claims.get(of).equations());
                Some(held.text(image.abi, right))
            };
            WindowLine {
                pc: at.0,
                place: image.place(at.0),
                text: instruction.text,
                sframe: claims.sframe.to_string(),
                eh_frame: claims.eh_frame.to_string(),
                truth: witness.or_else(found_there).or_else(explored).unwrap_or_default(),
                wrong: is_wrong,
            }
        })
        .collect()
}

/// PC at which the finding's values were taken, which need not be the lowest of its addresses.
pub(crate) fn first_pc(found: &Finding) -> Option<u64> {
    found.evidence.at.or(found.evidence.ranges.first().map(|(start, _)| *start))
}

//! Rule about calls inside rows with RA in the link register: the call overwrites that register, so
//! the row cannot be right in the caller. Checked only on ABIs with a link register whose
//! instructions can be decoded.

use alloc::format;
use spec::RuleId;
use types::ValueRule;

use super::arch::{self, Kind, Scan};
use super::report::{BreachAt, Report};
use super::view::View;
use crate::{Function, Row, Table};

/// Searches the code of every such row for calls.
pub(crate) fn check(view: &View<'_>, table: &Table, scan: &mut Scan, report: &mut Report) {
    if !view.image.abi.facts().link_register || view.abi != Some(view.image.abi) {
        return;
    }
    for function in table.functions().filter(|function| function.mask.is_none()) {
        for (index, row) in function.rows().enumerate() {
            if matches!(row.rules.ra, ValueRule::SameValue | ValueRule::Register { .. }) {
                row_without_saved_ra(view, &function, index, &row, scan, report);
            }
        }
    }
}

fn row_without_saved_ra(
    view: &View<'_>,
    function: &Function<'_>,
    index: usize,
    row: &Row,
    scan: &mut Scan,
    report: &mut Report,
) {
    let abi = view.image.abi;
    let at = function.start.saturating_add(u64::from(row.start));
    let range = function.instantiate(row, at);
    let Some(bytes) = scan.code(view, range.start.0, range.end.0) else { return };
    let call = arch::instructions(abi, bytes).find(|(_, instruction)| instruction.kind == Kind::Call);
    if let Some((offset, instruction)) = call {
        let pc = range.start.0.saturating_add(offset);
        let after = pc.saturating_add(u64::from(instruction.length));
        report.add(RuleId::RowCallWithoutSavedRa, BreachAt::byte(row.offset).about(Some((pc, after))), || {
            let ra = row.rules.ra.describe(abi);
            format!("{} is a call, and FRE {index} of FDE {} has ra={ra}", view.image.place(pc), function.fde_index)
        });
    }
}

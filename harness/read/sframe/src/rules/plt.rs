//! Rules about PLT sections: they are described, and their rows match what their instructions push.
//! AArch64 linkers describe no PLT.

use alloc::format;
use alloc::string::String;
use spec::RuleId;
use types::{Abi, CfaRule, ImageSection, ValueRule};

use super::arch::{self, Kind, Scan, arch};
use super::report::{BreachAt, Report};
use super::view::{View, is_plt};
use crate::{Function, Rules, Table};

/// Checks every PLT section of a linked file.
pub(crate) fn check(view: &View<'_>, table: &Table, scan: &mut Scan, report: &mut Report) {
    if !view.linked() || !arch(view.image.abi).describes_plt || view.abi != Some(view.image.abi) {
        return;
    }
    for plt in view.code.sections(view.image).filter(|section| is_plt(&section.name)) {
        covered(view, table, plt, report);
        for function in table.functions_from(plt.address).take_while(|function| plt.contains(function.start)) {
            rows_match(view, plt, &function, scan, report);
        }
    }
}

/// Checks that a PLT is described. Linkers describe PLTs in `.eh_frame`; if a file has no
/// `.eh_frame`, no SFrame description is expected either.
fn covered(view: &View<'_>, table: &Table, plt: &ImageSection, report: &mut Report) {
    if view.image.section(".eh_frame").is_none() {
        return;
    }
    let end = plt.address.saturating_add(plt.size);
    let mut at = plt.address;
    while at < end {
        match table.find(at) {
            // A function covers at least the address for which it was found.
            Some(function) => at = function.end,
            None => {
                report.add(RuleId::PltCovered, BreachAt::default().about(Some((at, end))), || {
                    format!("{} is not described from {at:#x} on", plt.name)
                });
                return;
            }
        }
    }
}

fn rows_match(view: &View<'_>, plt: &ImageSection, function: &Function<'_>, scan: &mut Scan, report: &mut Report) {
    let abi = view.image.abi;
    let Some(bytes) = scan.code(view, function.start, function.end) else { return };
    let block = function.mask.map_or(bytes.len(), |size| usize::from(size.get())).max(1);
    for (index, entry) in bytes.chunks(block).enumerate() {
        let start = function.start.saturating_add((index as u64).saturating_mul(block as u64));
        let mut depth = abi.facts().cfa_minus_sp_at_entry;
        let first = arch::instructions(abi, entry).next().map(|(_, first)| first.opcode);
        if let Some((_, pushed)) = arch(abi).plt_resolver.filter(|(opcode, _)| Some(*opcode) == first)
            && start == plt.address
        {
            depth = depth.saturating_add(pushed);
        }
        let mut left = false;
        for (offset, instruction) in arch::instructions(abi, entry) {
            // Only a lazy slot continues after a jump: with its push.
            if left && !matches!(instruction.kind, Kind::Push(_)) {
                break;
            }
            let pc = start.saturating_add(offset);
            if let Some(message) = mismatch(abi, function, pc, depth) {
                let row = function.row_at(pc).map_or(function.offset(), |row| row.offset);
                let after = pc.saturating_add(u64::from(instruction.length));
                report.add(RuleId::PltRowsMatchCode, BreachAt::byte(row).about(Some((pc, after))), || {
                    format!("{} at {pc:#x}: {message}", plt.name)
                });
                return;
            }
            match instruction.kind {
                Kind::Push(size) => {
                    depth = depth.saturating_add(i64::from(size));
                    left = false;
                }
                Kind::IndirectJump => left = true,
                Kind::Jump | Kind::Call | Kind::StackPointer => break,
                Kind::Other => (),
            }
        }
    }
}

/// Difference of the row at an address from CFA = SP + depth with RA and FP where a call leaves
/// them.
fn mismatch(abi: Abi, function: &Function<'_>, pc: u64, depth: i64) -> Option<String> {
    let facts = abi.facts();
    let want_cfa = CfaRule::Register { reg: facts.sp, offset: depth };
    let Rules { cfa, ra, fp, .. } = function.row_at(pc)?.rules;
    let want_ra = facts.fixed_ra.map_or(ValueRule::SameValue, |offset| ValueRule::AtCfa(offset.into()));
    if cfa != want_cfa {
        return Some(format!("cfa={}, expected {}", cfa.describe(abi), want_cfa.describe(abi)));
    }
    if ra != want_ra || fp != ValueRule::SameValue {
        let (ra, fp) = (ra.describe(abi), fp.describe(abi));
        return Some(format!("ra={ra} fp={fp}, the code changes neither"));
    }
    None
}

//! Rule that all blocks of a PCMASK function are alike: the same kinds of instructions at the same
//! offsets, up to a jump that no code follows. Data may follow that jump, as in s390x PLT entries.

use super::arch::{self, Kind, Scan};
use super::report::{BreachAt, Report};
use super::view::View;
use crate::{Function, Table};
use alloc::format;
use spec::RuleId;

/// Compares every block with the first, up to the first unknown instruction.
pub(crate) fn check(view: &View<'_>, table: &Table, scan: &mut Scan, report: &mut Report) {
    for function in table.functions() {
        if let Some((block, at)) =
            function.mask.and_then(|size| odd_block(view, &function, usize::from(size.get()), scan))
        {
            let place = BreachAt::byte(function.offset()).about(Some((function.start, function.end)));
            report.add(RuleId::FdeBlocksAlike, place, || {
                format!("block {block} of FDE {} differs from the first at byte {at:#x}", function.fde_index)
            });
        }
    }
}

/// The first block that differs, and the offset of the difference in it.
fn odd_block(view: &View<'_>, function: &Function<'_>, size: usize, scan: &mut Scan) -> Option<(usize, u64)> {
    let bytes = scan.code(view, function.start, function.end)?;
    let mut blocks = bytes.chunks_exact(size).enumerate();
    let (_, first) = blocks.next()?;
    blocks.find_map(|(index, block)| {
        for ((at, a), (_, b)) in
            arch::instructions(view.image.abi, first).zip(arch::instructions(view.image.abi, block))
        {
            if (a.length, a.opcode) != (b.length, b.opcode) {
                return Some((index, at));
            }
            if a.kind == Kind::Jump {
                break;
            }
        }
        None
    })
}

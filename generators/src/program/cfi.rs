//! Call frame instructions that differ from a state-by-state description.

use crate::eh_frame::Cfi;

/// Encodes the return to an earlier frame as compilers do: DW_CFA_remember_state before the first
/// epilogue, DW_CFA_restore_state after its return. `from` is the offset of that epilogue, `again`
/// the offset at which the earlier frame applies again.
pub(super) fn remember(program: &mut Vec<(u64, Cfi)>, from: u32, again: u32) {
    let (from, again) = (u64::from(from), u64::from(again));
    let first = program.partition_point(|(offset, _)| *offset < from);
    // Without a change in between nothing must be restored; a change at `from` itself belongs to
    // the epilogue.
    if !program[first..].iter().any(|(offset, _)| *offset == again) {
        return;
    }
    program.retain(|(offset, _)| *offset != again);
    let behind = program.partition_point(|(offset, _)| *offset < again);
    program.insert(behind, (again, Cfi::RestoreState));
    program.insert(first, (from, Cfi::RememberState));
}

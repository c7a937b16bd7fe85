//! Call frame instructions that a program writes in another way than state by state.

use crate::eh_frame::Cfi;

/// Writes the return to an earlier frame as compilers do: remembered before the first epilogue,
/// restored after its return. `from` is the offset where that epilogue begins, `again` where the
/// frame is again as it was there.
pub(super) fn remember(program: &mut Vec<(u64, Cfi)>, from: u32, again: u32) {
    let (from, again) = (u64::from(from), u64::from(again));
    let first = program.partition_point(|(offset, _)| *offset < from);
    // Without a change in between nothing has to come back; a change at `from` itself belongs to
    // the epilogue.
    if !program[first..].iter().any(|(offset, _)| *offset == again) {
        return;
    }
    program.retain(|(offset, _)| *offset != again);
    let behind = program.partition_point(|(offset, _)| *offset < again);
    program.insert(behind, (again, Cfi::RestoreState));
    program.insert(first, (from, Cfi::RememberState));
}

//! Padding between functions: no-ops, traps that linkers fill gaps with, and zero bytes.

use std::ops::Range;

use types::Abi;

use crate::Code;
use crate::flow::{Flow, Insn, Marks};

/// The code in a range: from its first instruction that is not padding to the end of its last.
/// `None` if all of it is padding. Bytes that cannot be decoded count as code, if not zero. `bytes`
/// are those from the start of the range, also after its end: an FDE may begin inside a no-op, as
/// that of a signal trampoline does.
pub fn code(abi: Abi, bytes: &[u8], range: Range<u64>) -> Option<Range<u64>> {
    let Range { start, end } = range;
    let mut code = Code::new(abi, bytes, start);
    let (mut pc, mut found) = (start, None::<Range<u64>>);
    while pc < end {
        let offset = usize::try_from(pc - start).ok()?;
        if offset >= bytes.len() {
            break;
        }
        let insn = code.flow(offset);
        let length = insn.map_or(abi.facts().instruction_alignment, |insn| u64::from(insn.length)).max(1);
        let rest = code.from(offset);
        let own = rest.get(..usize::try_from(length).ok()?).unwrap_or(rest);
        let next = pc.saturating_add(length).min(end);
        if !(own.iter().all(|byte| *byte == 0) || is_fill(abi, own) || insn.is_some_and(|insn| is_no_op(insn, end))) {
            found = Some(found.map_or(pc, |found| found.start)..next);
        }
        pc = next;
    }
    found
}

/// Returns true for a no-op, and for a jump over the rest of the padding, which assemblers put
/// before many no-ops.
fn is_no_op(insn: Insn, end: u64) -> bool {
    insn.marks.any(Marks::NOP) || insn.flow == Flow::Jump(end)
}

/// Returns true for the trap that linkers fill gaps of code with: `int3`, and lld's `brk #1`.
fn is_fill(abi: Abi, insn: &[u8]) -> bool {
    match abi {
        Abi::Amd64 => insn == [0xcc],
        // Instructions are little-endian in both byte orders of data.
        Abi::Aarch64 | Abi::Aarch64Be => insn == 0xd420_0020_u32.to_le_bytes(),
        Abi::S390x => false,
    }
}

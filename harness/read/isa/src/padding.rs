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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(abi: Abi, bytes: &[u8]) -> Option<Range<u64>> {
        code(abi, bytes, 0x1000..0x1000 + bytes.len() as u64)
    }

    #[test]
    fn no_ops_fill_and_zero_bytes_are_padding() {
        // nopw; int3; 00 00 (add %al,(%rax)); a last zero byte.
        let amd64: &[u8] = &[0x66, 0x0f, 0x1f, 0x44, 0, 0, 0xcc, 0, 0, 0];
        // jmp over two no-ops.
        let jump: &[u8] = &[0xeb, 2, 0x90, 0x90];
        // nop; brk #1; udf #0.
        let arm: &[u8] = &[0x1f, 0x20, 3, 0xd5, 0x20, 0, 0x20, 0xd4, 0, 0, 0, 0];
        // bcr 0,%r7; brcl 0; zero bytes.
        let s390x: &[u8] = &[7, 7, 0xc0, 4, 0, 0, 0, 0, 0, 0];
        for (abi, bytes) in
            [(Abi::Amd64, amd64), (Abi::Amd64, jump), (Abi::Aarch64, arm), (Abi::Aarch64Be, arm), (Abi::S390x, s390x)]
        {
            assert_eq!(found(abi, bytes), None, "{abi:?} {bytes:x?}");
        }
    }

    #[test]
    fn code_between_padding_is_found() {
        // nop; ret; nop; mov %eax,%eax; nop.
        assert_eq!(found(Abi::Amd64, &[0x90, 0xc3, 0x90, 0x89, 0xc0, 0x90]), Some(0x1001..0x1005));
        // A jump that leaves the gap, and ud2, which compilers emit for unreachable code.
        assert_eq!(found(Abi::Amd64, &[0xeb, 3, 0x90, 0x90]), Some(0x1000..0x1002));
        assert_eq!(found(Abi::Amd64, &[0xf, 0xb]), Some(0x1000..0x1002));
        // nop; ret.
        assert_eq!(found(Abi::Aarch64, &[0x1f, 0x20, 3, 0xd5, 0xc0, 3, 0x5f, 0xd6]), Some(0x1004..0x1008));
        // bcr 0,%r7; br %r14; a byte that is no whole instruction.
        assert_eq!(found(Abi::S390x, &[7, 7, 7, 0xfe, 7]), Some(0x1002..0x1005));
        // The range ends inside the nopl, and inside the jump.
        assert_eq!(code(Abi::Amd64, &[0x90, 0xf, 0x1f, 0x40, 0], 0x1000..0x1004), None);
        assert_eq!(code(Abi::Amd64, &[0x90, 0xeb, 0x40], 0x1000..0x1002), Some(0x1001..0x1002));
        // Not an instruction of AMD64 (06 is PUSH ES on IA-32 only).
        assert_eq!(found(Abi::Amd64, &[0x90, 6]), Some(0x1001..0x1002));
    }
}

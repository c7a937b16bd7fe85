//! Stubs inside a function that take the place of an indirect call.

use types::{Abi, Answer, Caller, Image, Pc};

use super::Answers;

/// Most instructions of a stub before its jump: BTI and MOV.
const MOST_BEFORE: u64 = 2;

/// Returns true if an answer takes a stub for a function that the code around it called. `pc` is in
/// the frame of that code, and rows for that frame are right too: the stub has no frame, and its
/// return address is in the link register. gcc emits stubs after the function's last instruction
/// (`-mharden-sls=blr`), with the rows that happen to hold there.
pub(super) fn is_called(image: &Image, answers: &Answers<'_>, answer: &Answer, pc: Pc) -> bool {
    let (Answer::Caller(Caller { cfa, ra, fp, .. }), regs) = (answer, &answers.step.regs) else { return false };
    let facts = image.abi.facts();
    let entered = regs.sp.wrapping_add_signed(facts.cfa_minus_sp_at_entry);
    is_stub(image, pc.0, regs.ra) && (*cfa, *ra) == (entered, regs.ra) && *fp == Ok(Some(regs.fp))
}

/// Returns true if the call before `link` leads to `pc` or shortly before it, where an indirect
/// jump follows.
fn is_stub(image: &Image, pc: u64, link: u64) -> bool {
    // Arm ARM DDI 0487, C6.2 BL, BR. Instructions are little-endian in both byte orders of data.
    let word = |at: u64| Some(u32::from_le_bytes(*image.bytes_at(at)?.first_chunk()?));
    let jumps = |at: u64| word(at).is_some_and(|word| word & 0xffff_fc1f == 0xd61f_0000);
    match image.abi {
        Abi::Aarch64 | Abi::Aarch64Be => {
            let call = link.wrapping_sub(4);
            let Some(insn) = word(call).filter(|word| word & 0xfc00_0000 == 0x9400_0000) else { return false };
            let words = i64::from((insn << 6).cast_signed() >> 6);
            let target = call.wrapping_add_signed(words * 4);
            let last = (0..=MOST_BEFORE).map(|before| target.wrapping_add(4 * before)).find(|at| jumps(*at));
            last.is_some_and(|last| (target..=last).contains(&pc))
        }
        // A call leaves the return address on the stack, or the stub is a function of its own.
        Abi::Amd64 | Abi::S390x => false,
    }
}

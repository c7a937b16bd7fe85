//! What the judge asks of instructions.

use isa::effects;
use isa::flow::{self, Flow, Insn};
use isa::preserved;
use types::{Image, Pc, Reg, SavedAt};

/// The place to which the instruction at a PC copies a general register; `None` if it does not.
pub fn saves(image: &Image, pc: Pc, reg: Reg) -> Option<SavedAt> {
    effects::saves(image.abi, instruction_at(image, pc)?, pc.0, reg)
}

/// The general registers that the instruction at a PC copies, with their places.
pub fn all_saves(image: &Image, pc: Pc) -> Vec<(Reg, SavedAt)> {
    instruction_at(image, pc).map(|bytes| effects::all_saves(image.abi, bytes, pc.0)).unwrap_or_default()
}

/// Returns true if neither a call nor a signal for an access of memory can happen at a PC.
pub fn is_in_registers(image: &Image, pc: Pc) -> bool {
    let next = |bytes| flow::decode(image.abi, bytes, pc.0).is_some_and(|insn| insn.flow == Flow::Next);
    instruction_at(image, pc).is_some_and(|bytes| next(bytes) && preserved::is_in_registers(image.abi, bytes))
}

/// The bytes at a PC, at least as many as its instruction has.
fn instruction_at(image: &Image, pc: Pc) -> Option<&[u8]> {
    /// No instruction of any ABI is longer.
    const LONGEST: usize = 15;
    let bytes = image.bytes_at(pc.0)?;
    Some(bytes.get(..LONGEST).unwrap_or(bytes))
}

/// Returns true in a stub that jumps to the address in a register, without a frame, if the call
/// that returns to `ra` leads to that stub.
pub fn is_in_stub(image: &Image, pc: Pc, ra: Pc) -> bool {
    /// Most instructions of a stub before its jump: BTI and MOV on AArch64.
    const MOST_BEFORE: usize = 2;
    let decode = |at: u64| flow::decode(image.abi, image.bytes_at(at)?, at);
    let called = |length: u64| match decode(ra.0.wrapping_sub(length))? {
        Insn { flow: Flow::Call(target), length: own, .. } if u64::from(own) == length => Some(target),
        _ => None,
    };
    let Some(mut at) = [4, 6, 2].into_iter().find_map(called) else { return false };
    let mut passes = false;
    for _ in 0..=MOST_BEFORE {
        passes |= at == pc.0;
        match decode(at) {
            Some(insn) if insn.flow == Flow::Next => at = at.wrapping_add(u64::from(insn.length)),
            Some(insn) => return passes && insn.flow == Flow::IndirectJump,
            None => return false,
        }
    }
    false
}

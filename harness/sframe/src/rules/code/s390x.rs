//! s390x (z/Architecture Principles of Operation, chapter 5): the first two bits of an instruction tell its length.

use super::{Instruction, Kind};

/// The link register, and the stack pointer.
const R14: u8 = 14;
const R15: u8 = 15;

pub(super) fn decode(bytes: &[u8]) -> Option<Instruction> {
    let &[first, second] = bytes.first_chunk::<2>()?;
    let length = match first >> 6 {
        0 => 2,
        1 | 2 => 4,
        _ => 6,
    };
    if bytes.len() < usize::from(length) {
        return None;
    }
    let (r1, r2, low) = (second >> 4, second & 0x0f, second & 0x0f);
    let extended = bytes.get(5).copied().unwrap_or(0);
    let kind = match first {
        // BASR and BALR r1,0 do not branch.
        0x0d | 0x05 if r2 != 0 && r1 == R14 => Kind::Call,
        // BAS, BAL
        0x4d | 0x45 if r1 == R14 => Kind::Call,
        // BRAS, BRASL
        0xa7 | 0xc0 if low == 5 && r1 == R14 => Kind::Call,
        // BCR 15,r; BRC 15 and BRCL 15
        0x07 if r1 == 15 && r2 != 0 => Kind::IndirectJump,
        0xa7 | 0xc0 if low == 4 && r1 == 15 => Kind::Jump,
        // Conditional branches and nops hold a mask where others hold a register.
        0x07 | 0x47 => Kind::Other,
        0xa7 | 0xc0 if low == 4 => Kind::Other,
        // Stores name the register that they read: ST, STM, STG, STY, STMG. MVC has a length there.
        0x50 | 0x90 | 0xd2 => Kind::Other,
        0xe3 if matches!(extended, 0x24 | 0x50) => Kind::Other,
        0xeb if matches!(extended, 0x24 | 0x90) => Kind::Other,
        _ if r1 == R15 => Kind::StackPointer,
        _ => Kind::Other,
    };
    let opcode = match first {
        0xa7 | 0xc0..=0xcf => u16::from_be_bytes([first, low]),
        0xe3 | 0xeb => u16::from_be_bytes([first, extended]),
        0x07 => u16::from_be_bytes([first, r1]),
        _ => u16::from(first),
    };
    Some(Instruction { length, kind, opcode })
}

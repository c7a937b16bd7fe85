//! AArch64 (Arm ARM, C4.1 and C6.2): every instruction has four bytes and is little-endian on both byte orders.

use super::{Instruction, Kind};

pub(super) fn decode(bytes: &[u8]) -> Option<Instruction> {
    let word = u32::from_le_bytes(*bytes.first_chunk::<4>()?);
    // BL: 100101 imm26. BLR: 1101011 0001 11111 000000 Rn 00000. BLRAA, BLRAB: 1101011 1001 11111 00001M Rn Rm.
    // BLRAAZ, BLRABZ: 1101011 0001 11111 00001M Rn 11111.
    let call =
        word & 0xfc00_0000 == 0x9400_0000 || word & 0xffff_fc1f == 0xd63f_0000 || word & 0xfeff_f800 == 0xd63f_0800;
    // B: 000101 imm26. BR: 1101011 0000 11111 000000 Rn 00000.
    let kind = match word {
        _ if call => Kind::Call,
        _ if word & 0xfc00_0000 == 0x1400_0000 => Kind::Jump,
        _ if word & 0xffff_fc1f == 0xd61f_0000 => Kind::IndirectJump,
        _ => Kind::Other,
    };
    // Bits 24 to 28 tell the class of instruction and hold no operand.
    Some(Instruction { length: 4, kind, opcode: (word >> 24 & 0x1f) as u16 })
}

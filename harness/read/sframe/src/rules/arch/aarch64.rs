//! AArch64, both byte orders. Instructions (Arm ARM, C4.1 and C6.2) have four bytes and are
//! little-endian on both.

use super::{Arch, Instruction, Kind};
use crate::rules::report::Report;
use crate::rules::row::RowView;
use alloc::format;
use spec::RuleId;

pub(super) const ARCH: Arch = Arch {
    decode,
    // ELF for the Arm 64-bit Architecture 2023Q3, 5.7: R_AARCH64_PREL32, R_AARCH64_PREL64,
    // R_AARCH64_NONE (two numbers).
    pc_relative: (261, 260),
    none: &[0, 256],
    describes_plt: false,
    plt_resolver: None,
    default_row,
    flex_row: |_, _| (),
};

/// Checks the number of words: the specification allows one and three; GNU as emits two if only LR
/// is saved.
fn default_row(row: &RowView<'_, '_>, report: &mut Report) {
    if row.row.info.word_count() == 2 {
        report.add(RuleId::RowTwoWords, row.place(row.row.info_at), || {
            format!("{}: two words, RA is saved and FP is not", row.name())
        });
    }
}

fn decode(bytes: &[u8]) -> Option<Instruction> {
    let word = u32::from_le_bytes(*bytes.first_chunk::<4>()?);
    // BL: 100101 imm26. BLR: 1101011 0001 11111 000000 Rn 00000. BLRAA, BLRAB: 1101011 1001 11111
    // 00001M Rn Rm. BLRAAZ, BLRABZ: 1101011 0001 11111 00001M Rn 11111.
    let call =
        word & 0xfc00_0000 == 0x9400_0000 || word & 0xffff_fc1f == 0xd63f_0000 || word & 0xfeff_f800 == 0xd63f_0800;
    // B: 000101 imm26. BR: 1101011 0000 11111 000000 Rn 00000.
    let kind = match word {
        _ if call => Kind::Call,
        _ if word & 0xfc00_0000 == 0x1400_0000 => Kind::Jump,
        _ if word & 0xffff_fc1f == 0xd61f_0000 => Kind::IndirectJump,
        _ => Kind::Other,
    };
    // Bits 24 to 28 are the instruction class and contain no operand.
    Some(Instruction { length: 4, kind, opcode: (word >> 24 & 0x1f) as u16 })
}

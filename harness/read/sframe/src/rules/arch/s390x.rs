//! s390x: words that name registers, scaled CFA offsets. The first two bits of an instruction
//! encode its length (z/Architecture Principles of Operation, chapter 5).

use alloc::format;
use spec::{RuleId, Severity};
use types::{Abi, CfaRule};

use super::{Arch, Instruction, Kind};
use crate::ErrorKind;
use crate::meaning::{FlexRow, default_positions};
use crate::rules::report::Report;
use crate::rules::row::RowView;

pub(super) const ARCH: Arch = Arch {
    decode,
    // s390x ELF ABI 1.6, table 2.4: R_390_PC32, R_390_PC64, R_390_NONE.
    pc_relative: (5, 23),
    none: &[0],
    describes_plt: true,
    // PLT entries do not change the stack.
    plt_resolver: None,
    default_row,
    flex_row,
};

fn default_row(row: &RowView<'_, '_>, report: &mut Report) {
    let header = &row.view.section.header;
    if let Some(error) = row.error().filter(|error| matches!(error.kind, ErrorKind::Register(_))) {
        report.add(RuleId::RowRegisterWord, row.place(error.offset), || format!("{}: {}", row.name(), error.kind));
    }
    if let Some(CfaRule::Register { offset, .. }) = row.meaning().map(|rules| rules.cfa)
        && i32::try_from(offset).is_err()
    {
        report.add(RuleId::RowCfaOffsetRange, row.place(row.row.word_at(0)), || {
            format!("{}: the CFA offset decodes to {offset}", row.name())
        });
    }
    let (ra, fp) = default_positions(header);
    for index in ra.into_iter().chain([fp]) {
        let Some(word) = row.row.offset_word(index) else { continue };
        let place = row.place(row.row.word_at(index));
        let odd = word & 1 != 0;
        if odd && !header.version().has_register_words() {
            report.add(RuleId::RowOddWord, place, || format!("{}: odd word {word}", row.name()));
        } else if !odd && word.checked_rem(8) != Some(0) {
            report.add(RuleId::RowEvenWordAlignment, place, || format!("{}: word {word}", row.name()));
        }
    }
    if ra == Some(1) && row.row.info.word_count() == 2 && row.row.offset_word(1) == Some(0) {
        report.add(RuleId::RowTrailingFiller, row.place(row.row.word_at(1)), || {
            format!("{}: RA word 0 without FP", row.name())
        });
    }
}

/// Reports an unscaled CFA offset: an encoder that does not scale writes 160, the CFA offset at
/// function entry, unchanged.
fn flex_row(row: &RowView<'_, '_>, report: &mut Report) {
    let Ok(FlexRow { cfa, .. }) = FlexRow::split(&row.row) else { return };
    let facts = Abi::S390x.facts();
    let unscaled = row.index == 0
        && row.row.start == 0
        && cfa.register() == u32::from(facts.sp.0)
        && !cfa.loads()
        && cfa.offset == facts.cfa_minus_sp_at_entry;
    if unscaled {
        let place = row.place(row.row.word_at(cfa.index.saturating_add(1)));
        report.add_as(RuleId::FlexCfaScaled, Severity::Warning, place, || {
            format!("{}: CFA offset word {} at function entry looks unscaled", row.name(), cfa.offset)
        });
    }
}

/// The link register, and the stack pointer.
const R14: u8 = 14;
const R15: u8 = 15;

fn decode(bytes: &[u8]) -> Option<Instruction> {
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
        // Conditional branches and nops have a mask in the register field.
        0x07 | 0x47 => Kind::Other,
        0xa7 | 0xc0 if low == 4 => Kind::Other,
        // Stores read this register: ST, STM, STG, STY, STMG. In MVC the field is a length.
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

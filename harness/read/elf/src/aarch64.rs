//! AArch64, both byte orders: relocations (ELF for the Arm 64-bit Architecture 2023Q3, 5.7; fields
//! of instructions: Arm Architecture Reference Manual DDI 0487, C6.2) and the return instruction.

use object::elf;

use crate::arch::{Arch, Field, FieldValue, Form};

pub(crate) const ARCH: Arch = Arch {
    form,
    // ret
    return_instruction: &[0xc0, 0x03, 0x5f, 0xd6],
};

fn form(kind: elf::RelocationType) -> Option<Form> {
    Some(match kind {
        elf::R_AARCH64_ABS64 => Form::Absolute(8),
        elf::R_AARCH64_ABS32 => Form::Absolute(4),
        elf::R_AARCH64_ABS16 => Form::Absolute(2),
        elf::R_AARCH64_PREL64 => Form::Relative(8),
        elf::R_AARCH64_PREL32 => Form::Relative(4),
        elf::R_AARCH64_PREL16 => Form::Relative(2),
        elf::R_AARCH64_JUMP26 | elf::R_AARCH64_CALL26 => distance(26, 0),
        elf::R_AARCH64_CONDBR19 | elf::R_AARCH64_LD_PREL_LO19 => distance(19, 5),
        elf::R_AARCH64_TSTBR14 => distance(14, 5),
        elf::R_AARCH64_ADR_PREL_LO21 => Form::Instruction(FieldValue::Distance, Field::Adr),
        elf::R_AARCH64_ADR_PREL_PG_HI21 | elf::R_AARCH64_ADR_PREL_PG_HI21_NC => {
            Form::Instruction(FieldValue::Pages, Field::Adr)
        }
        elf::R_AARCH64_ADD_ABS_LO12_NC | elf::R_AARCH64_LDST8_ABS_LO12_NC => in_page(0),
        elf::R_AARCH64_LDST16_ABS_LO12_NC => in_page(1),
        elf::R_AARCH64_LDST32_ABS_LO12_NC => in_page(2),
        elf::R_AARCH64_LDST64_ABS_LO12_NC => in_page(3),
        elf::R_AARCH64_LDST128_ABS_LO12_NC => in_page(4),
        elf::R_AARCH64_MOVW_UABS_G0 | elf::R_AARCH64_MOVW_UABS_G0_NC => part(0),
        elf::R_AARCH64_MOVW_UABS_G1 | elf::R_AARCH64_MOVW_UABS_G1_NC => part(16),
        elf::R_AARCH64_MOVW_UABS_G2 | elf::R_AARCH64_MOVW_UABS_G2_NC => part(32),
        elf::R_AARCH64_MOVW_UABS_G3 => part(48),
        elf::R_AARCH64_RELATIVE => Form::Base,
        elf::R_AARCH64_GLOB_DAT | elf::R_AARCH64_JUMP_SLOT => Form::Slot,
        elf::R_AARCH64_IRELATIVE => Form::Resolver,
        _ => return None,
    })
}

const fn distance(count: u32, low: u32) -> Form {
    Form::Instruction(FieldValue::Words, Field::Signed { count, low })
}

const fn in_page(unit: u32) -> Form {
    Form::Instruction(FieldValue::InPage(unit), Field::Unsigned { count: 12, low: 10 })
}

const fn part(low: u32) -> Form {
    Form::Instruction(FieldValue::Part(low), Field::Unsigned { count: 16, low: 5 })
}

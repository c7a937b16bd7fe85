//! AArch64, both byte orders: relocations (ELF for the Arm 64-bit Architecture 2023Q3, 5.7) and the return instruction.

use object::elf;

use crate::arch::{Arch, Form};

pub(crate) const ARCH: Arch = Arch {
    form,
    // ret
    return_instruction: &[0xc0, 0x03, 0x5f, 0xd6],
};

fn form(kind: elf::RelocationType) -> Option<Form> {
    Some(match kind {
        elf::R_AARCH64_ABS64 => Form::Absolute(8),
        elf::R_AARCH64_ABS32 => Form::Absolute(4),
        elf::R_AARCH64_PREL64 => Form::Relative(8),
        elf::R_AARCH64_PREL32 => Form::Relative(4),
        elf::R_AARCH64_RELATIVE => Form::Base,
        elf::R_AARCH64_GLOB_DAT | elf::R_AARCH64_JUMP_SLOT => Form::Slot,
        elf::R_AARCH64_IRELATIVE => Form::Resolver,
        _ => return None,
    })
}

//! AMD64: relocations (System V AMD64 psABI 1.0, table 4.9) and the return instruction.

use object::elf;

use crate::arch::{Arch, Form};

pub(crate) const ARCH: Arch = Arch {
    form,
    // ret
    return_instruction: &[0xc3],
};

fn form(kind: elf::RelocationType) -> Option<Form> {
    Some(match kind {
        elf::R_X86_64_64 => Form::Absolute(8),
        elf::R_X86_64_32 | elf::R_X86_64_32S => Form::Absolute(4),
        elf::R_X86_64_PC32 | elf::R_X86_64_PLT32 => Form::Relative(4),
        elf::R_X86_64_16 => Form::Absolute(2),
        elf::R_X86_64_8 => Form::Absolute(1),
        elf::R_X86_64_PC16 => Form::Relative(2),
        elf::R_X86_64_PC8 => Form::Relative(1),
        elf::R_X86_64_PC64 => Form::Relative(8),
        elf::R_X86_64_RELATIVE => Form::Base,
        elf::R_X86_64_GLOB_DAT | elf::R_X86_64_JUMP_SLOT => Form::Slot,
        elf::R_X86_64_IRELATIVE => Form::Resolver,
        _ => return None,
    })
}

//! s390x: relocations (s390x ELF ABI 1.6, 2.4) and the return instruction.

use object::elf;

use crate::arch::{Arch, Form};

pub(crate) const ARCH: Arch = Arch {
    form,
    // br %r14
    return_instruction: &[0x07, 0xfe],
};

fn form(kind: elf::RelocationType) -> Option<Form> {
    Some(match kind {
        elf::R_390_64 => Form::Absolute(8),
        elf::R_390_32 => Form::Absolute(4),
        elf::R_390_PC32 => Form::Relative(4),
        elf::R_390_PC64 => Form::Relative(8),
        elf::R_390_PC32DBL | elf::R_390_PLT32DBL => Form::RelativeHalved,
        elf::R_390_RELATIVE => Form::Base,
        elf::R_390_GLOB_DAT | elf::R_390_JMP_SLOT => Form::Slot,
        elf::R_390_IRELATIVE => Form::Resolver,
        _ => return None,
    })
}

//! s390x: relocations (s390x ELF ABI 1.6, 2.4) and the return instruction.

use object::elf;

use crate::arch::{Arch, Form};

pub(crate) const ARCH: Arch = Arch {
    form,
    // br %r14
    return_instruction: &[0x07, 0xfe],
};

/// Branch prediction preload (s390x ELF ABI 1.6, table 2.10); the crate `object` has no name for
/// it.
const R_390_PC12DBL: elf::RelocationType = elf::RelocationType(62);
const R_390_PLT12DBL: elf::RelocationType = elf::RelocationType(63);
const R_390_PC24DBL: elf::RelocationType = elf::RelocationType(64);
const R_390_PLT24DBL: elf::RelocationType = elf::RelocationType(65);

fn form(kind: elf::RelocationType) -> Option<Form> {
    Some(match kind {
        elf::R_390_64 => Form::Absolute(8),
        elf::R_390_32 => Form::Absolute(4),
        elf::R_390_16 => Form::Absolute(2),
        elf::R_390_8 => Form::Absolute(1),
        elf::R_390_PC16 => Form::Relative(2),
        elf::R_390_PC32 | elf::R_390_PLT32 => Form::Relative(4),
        elf::R_390_PC64 | elf::R_390_PLT64 => Form::Relative(8),
        elf::R_390_PC32DBL | elf::R_390_PLT32DBL => Form::RelativeHalved(32),
        R_390_PC24DBL | R_390_PLT24DBL => Form::RelativeHalved(24),
        elf::R_390_PC16DBL | elf::R_390_PLT16DBL => Form::RelativeHalved(16),
        R_390_PC12DBL | R_390_PLT12DBL => Form::RelativeHalved(12),
        elf::R_390_RELATIVE => Form::Base,
        elf::R_390_GLOB_DAT | elf::R_390_JMP_SLOT => Form::Slot,
        elf::R_390_IRELATIVE => Form::Resolver,
        _ => return None,
    })
}

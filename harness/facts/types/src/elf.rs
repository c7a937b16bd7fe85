//! ELF64 constants (System V gABI 4.1 and the psABIs) that more than one crate uses.

/// `e_machine` of s390x (gABI 4.1, "ELF Header").
pub const EM_S390: u16 = 22;
/// `e_machine` of AMD64 (gABI 4.1, "ELF Header").
pub const EM_X86_64: u16 = 62;
/// `e_machine` of AArch64 (ELF for the Arm 64-bit Architecture, "ELF header").
pub const EM_AARCH64: u16 = 183;

/// `e_type` of an object file (gABI 4.1, "ELF Header").
pub const ET_REL: u16 = 1;
/// `e_type` of an executable.
pub const ET_EXEC: u16 = 2;
/// `e_type` of a shared object, or of a position-independent executable.
pub const ET_DYN: u16 = 3;

/// `p_type` of a loaded segment (gABI 4.1, "Program Header").
pub const PT_LOAD: u32 = 1;
/// `p_type` of the dynamic section.
pub const PT_DYNAMIC: u32 = 2;
/// `p_type` of the dynamic linker's path.
pub const PT_INTERP: u32 = 3;
/// `p_type` of the program headers themselves.
pub const PT_PHDR: u32 = 6;
/// `p_type` of the segment over `.eh_frame_hdr` (LSB 5.0 core, 12.2).
pub const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
/// `p_type` of the segment whose flags are the permissions of the stack (LSB 5.0 core, 12.2).
pub const PT_GNU_STACK: u32 = 0x6474_e551;
/// `p_type` of the segment over `.sframe` (SFrame V2 errata 1, "Overview"; value from binutils
/// elf/common.h).
pub const PT_GNU_SFRAME: u32 = 0x6474_e554;

/// `p_flags`: executable (gABI 4.1, "Program Header").
pub const PF_X: u32 = 1;
/// `p_flags`: writable.
pub const PF_W: u32 = 2;
/// `p_flags`: readable.
pub const PF_R: u32 = 4;

/// `sh_type` of an unused section header (gABI 4.1, "Sections").
pub const SHT_NULL: u32 = 0;
/// `sh_type` of contents that the program defines.
pub const SHT_PROGBITS: u32 = 1;
/// `sh_type` of a symbol table.
pub const SHT_SYMTAB: u32 = 2;
/// `sh_type` of relocations with addends.
pub const SHT_RELA: u32 = 4;
/// `sh_type` of a section without bytes in the file.
pub const SHT_NOBITS: u32 = 8;
/// `sh_type` of the dynamic linker's symbol table.
pub const SHT_DYNSYM: u32 = 11;
/// `sh_type` of `.sframe` from V2 errata 1 on (SFrame V2 errata 1, "Overview"; value from binutils
/// elf/common.h).
pub const SHT_GNU_SFRAME: u32 = 0x6fff_fff4;

/// `sh_flags`: writable (gABI 4.1, "Sections").
pub const SHF_WRITE: u64 = 1;
/// `sh_flags`: occupies memory at run time.
pub const SHF_ALLOC: u64 = 2;
/// `sh_flags`: compressed, with a compression header.
pub const SHF_COMPRESSED: u64 = 0x800;
/// `sh_flags`: executable instructions.
pub const SHF_EXECINSTR: u64 = 4;

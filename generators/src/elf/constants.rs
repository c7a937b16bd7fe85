//! Constants of the gABI and the processor supplements for ELF files.

/// Program data (gABI, "Sections").
pub const SHT_PROGBITS: u32 = 1;
/// Hash table of dynamic symbols.
pub const SHT_HASH: u32 = 5;
/// Strings.
pub const SHT_STRTAB: u32 = 3;
/// Dynamic linking information.
pub const SHT_DYNAMIC: u32 = 6;
/// No bytes in the file.
pub const SHT_NOBITS: u32 = 8;
/// Dynamic symbols.
pub const SHT_DYNSYM: u32 = 11;
/// `.eh_frame` on AMD64 (psABI, "Special Sections").
pub const SHT_X86_64_UNWIND: u32 = 0x7000_0001;
/// `.sframe` (SFrame V2 errata 1, "Overview").
pub const SHT_GNU_SFRAME: u32 = 0x6fff_fff4;

/// Writable at run time.
pub const SHF_WRITE: u64 = 1;
/// In memory at run time.
pub const SHF_ALLOC: u64 = 2;
/// Instructions.
pub const SHF_EXECINSTR: u64 = 4;
/// Member of a group.
pub const SHF_GROUP: u64 = 0x200;

/// gABI, "Special Section Indexes": an absolute symbol's section.
pub const SHN_ABS: u16 = 0xfff1;
/// Loaded segment (gABI, "Program Header").
pub const PT_LOAD: u32 = 1;
/// Dynamic linking information.
pub const PT_DYNAMIC: u32 = 2;
/// `.eh_frame_hdr` (LSB 5.0 core, 12.2).
pub const PT_GNU_EH_FRAME: u32 = 0x6474_e550;
/// `.sframe` (binutils `elf/common.h`, used by GNU ld since 2.40).
pub const PT_GNU_SFRAME: u32 = 0x6474_e554;

/// Executable.
pub const PF_X: u32 = 1;
/// Writable.
pub const PF_W: u32 = 2;
/// Readable.
pub const PF_R: u32 = 4;

/// AMD64 psABI, "Relocation Types": S + A - P in 32 bits.
pub const R_X86_64_PC32: u32 = 2;
/// The same in 64 bits.
pub const R_X86_64_PC64: u32 = 24;
/// AAELF64, "Static data relocations": S + A in 64 bits.
pub const R_AARCH64_ABS64: u32 = 257;
/// AAELF64, "Static data relocations": S + A - P in 64 bits.
pub const R_AARCH64_PREL64: u32 = 260;
/// The same in 32 bits.
pub const R_AARCH64_PREL32: u32 = 261;
/// s390x ELF ABI, "Relocation Types": S + A - P in 32 bits.
pub const R_390_PC32: u32 = 5;
/// The same in 64 bits.
pub const R_390_PC64: u32 = 23;

/// The relocation type for a place-relative address of this many bytes (4 or 8).
pub fn pc_relative(abi: types::Abi, bytes: usize) -> u32 {
    crate::arch::target(abi).pc_relative[usize::from(bytes == 8)].0
}

//! Properties of each ABI as data: registers, byte orders, the stack at a call, and SFrame's
//! encoding.
//!
//! Code reads a property here and does not compare ABI names, so a new ABI has to define each of
//! them.

use crate::{Abi, ByteOrder, Reg, SframeVersion, elf};

/// The properties of an ABI. Registers are DWARF numbers; offsets and sizes are in bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct AbiFacts {
    /// Name of the architecture, shared by its byte orders: in file names (`start.aarch64.s`) and
    /// in lists of targets.
    pub family: &'static str,
    /// True if the architecture has a little-endian and a big-endian ABI, so that tools need an
    /// option for the byte order.
    pub both_orders: bool,
    /// GNU triplet of the binutils for this ABI (config.guess; AArch64's binutils serve both byte
    /// orders).
    pub gnu_triplet: &'static str,
    /// `utsname.machine` as Linux sets it (uname(2); UTS_MACHINE and ELF_PLATFORM in the kernel).
    pub uname_machine: &'static str,
    /// ELF `e_machine`.
    pub elf_machine: u16,
    /// The `sfh_abi_arch` byte (SFrame V2 errata 1, "SFrame ABI/arch Identifier").
    pub sframe_id: u8,
    /// First SFrame version that defines [`Self::sframe_id`].
    pub first_sframe: SframeVersion,

    /// Order of bytes in data and tables.
    pub order: ByteOrder,
    /// Order of bytes in instructions.
    pub instruction_order: ByteOrder,
    /// Alignment of instructions in bytes; the size of each instruction is a multiple of it.
    pub instruction_alignment: u64,
    /// Marker of an end-of-line comment in GNU as ("Machine Dependencies", Syntax, Characters).
    pub line_comment: &'static str,
    /// A no-op instruction that every assembler of the ABI accepts.
    pub nop: &'static str,

    /// Stack pointer, the base register of the CFA at function entry.
    pub sp: Reg,
    /// Frame pointer, the register SFrame tracks as FP.
    pub fp: Reg,
    /// Return-address column of CFI: the link register, or the virtual column 16 on AMD64.
    pub ra: Reg,
    /// Registers in which a function returns an integer or a pointer, or a structure of two.
    pub results: &'static [u16],
    /// Number of general registers: their DWARF numbers are 0 up to this, exclusive.
    pub general_registers: u16,
    /// Number of registers that can hold the saved value of another: their DWARF numbers are 0 up
    /// to this, exclusive.
    pub keeping_registers: u16,
    /// Registers whose value a call preserves, including the stack pointer. Ascending.
    pub callee_saved: &'static [u16],
    /// Registers that a call preserves and an unwinder sets at a landing pad.
    pub set_by_unwinder: &'static [u16],
    /// True if a call leaves the return address in a register ([`Self::ra`]) and not on the
    /// stack.
    pub link_register: bool,
    /// True if return addresses may be signed: row info bit 7, function info bit 5, and in CFI the
    /// pseudo register RA_SIGN_STATE, the operation `DW_CFA_AARCH64_negate_ra_state` and the
    /// augmentation letters `B` and `G` have a meaning.
    pub pointer_authentication: bool,
    /// Mask of the bits of a signed return address that hold the address; pointer authentication
    /// uses the others.
    pub address_mask: u64,
    /// CFA minus SP at the first instruction of a called function.
    pub cfa_minus_sp_at_entry: i64,
    /// The caller's SP after the return, minus the CFA.
    pub caller_sp_minus_cfa: i64,
    /// True if functions save the caller's SP with their other registers, so that CFI has a rule
    /// for it.
    pub sp_is_saved: bool,
    /// Size of the red zone: bytes below SP that a signal handler leaves alone.
    pub red_zone: u64,

    /// Offset of the return address from the CFA in every frame: `sfh_cfa_fixed_ra_offset`. `None`
    /// if rows track it and the header holds 0.
    pub fixed_ra: Option<i8>,
    /// Encoding of CFA offsets as words of a row.
    pub cfa_word: CfaWord,
    /// True if a default row can save FP without RA: RA word 0 (SFRAME_FRE_RA_OFFSET_INVALID) is a
    /// filler for the RA that is not saved.
    pub ra_filler: bool,
    /// True if default rows before V3 can save RA and FP in registers: an odd word is a register
    /// number (SFrame V2 errata 1, "s390x").
    pub register_words: bool,
    /// True if flexible function descriptors are defined for the ABI (SFrame V3, "Flexible FDE").
    pub flex: bool,
}

impl AbiFacts {
    /// The registers whose value a call preserves, other than SP, FP and link register. Ascending.
    pub fn preserved(&self) -> impl Iterator<Item = Reg> {
        let all = self.callee_saved.iter().map(|number| Reg(*number));
        all.filter(|reg| ![self.sp, self.fp, self.ra].contains(reg))
    }
}

/// The encoding of CFA offsets: word = (offset - [`Self::base`]) / [`Self::scale`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfaWord {
    /// CFA offset that word 0 encodes.
    pub base: i64,
    /// Bytes per unit of a word.
    pub scale: i64,
}

impl CfaWord {
    const BYTES: CfaWord = CfaWord { base: 0, scale: 1 };

    /// Decodes a word to a CFA offset. Words have at most 32 bits, so this does not overflow.
    pub const fn decode(self, word: i64) -> i64 {
        word.wrapping_mul(self.scale).wrapping_add(self.base)
    }

    /// Returns true if a word of some width can encode the offset.
    pub const fn has(self, offset: i64) -> bool {
        offset.wrapping_sub(self.base) % self.scale == 0
    }
}

impl Abi {
    /// Properties of this ABI.
    pub const fn facts(self) -> &'static AbiFacts {
        match self {
            Abi::Amd64 => &AMD64,
            Abi::Aarch64 => &AARCH64,
            Abi::Aarch64Be => &AARCH64_BE,
            Abi::S390x => &S390X,
        }
    }

    /// Returns true if the ABI's tables can hold flexible function descriptors in this version.
    pub const fn has_flex(self, version: SframeVersion) -> bool {
        self.facts().flex && version.has_flex()
    }
}

// System V AMD64 psABI 1.0, 3.2.2 (stack frame, red zone of 128 bytes) and figure 3.36 (DWARF
// numbers). SFrame V2 errata 1, "AMD64": RA at CFA-8, offsets in bytes; SFrame V3, "Flexible FDE".
const AMD64: AbiFacts = AbiFacts {
    family: "amd64",
    both_orders: false,
    gnu_triplet: "x86_64-linux-gnu",
    uname_machine: "x86_64",
    elf_machine: elf::EM_X86_64,
    sframe_id: 3,
    first_sframe: SframeVersion::V1,
    order: ByteOrder::Little,
    instruction_order: ByteOrder::Little,
    instruction_alignment: 1,
    line_comment: "#",
    nop: "nop",
    sp: Reg(7),
    fp: Reg(6),
    ra: Reg(16),
    // rax and rdx (psABI 1.0, 3.2.3, "Returning of Values").
    results: &[0, 1],
    general_registers: 16,
    keeping_registers: 32,
    // rbx, rbp, rsp, r12-r15 (psABI 1.0, figure 3.4, "callee saved").
    callee_saved: &[3, 6, 7, 12, 13, 14, 15],
    set_by_unwinder: &[],
    link_register: false,
    pointer_authentication: false,
    address_mask: u64::MAX,
    cfa_minus_sp_at_entry: 8,
    caller_sp_minus_cfa: 0,
    sp_is_saved: false,
    red_zone: 128,
    fixed_ra: Some(-8),
    cfa_word: CfaWord::BYTES,
    ra_filler: false,
    register_words: false,
    flex: true,
};

// AAPCS64 6.2.3 (no red zone); DWARF for the Arm 64-bit Architecture 4.1 (numbers, CFA = SP at
// entry) and 4.3 (RA_SIGN_STATE); Arm ARM, B2.6.2 (instructions are little-endian always). SFrame
// V2 errata 1, "AArch64".
const AARCH64: AbiFacts = AbiFacts {
    family: "aarch64",
    both_orders: true,
    gnu_triplet: "aarch64-linux-gnu",
    uname_machine: "aarch64",
    elf_machine: elf::EM_AARCH64,
    sframe_id: 2,
    first_sframe: SframeVersion::V1,
    order: ByteOrder::Little,
    instruction_order: ByteOrder::Little,
    instruction_alignment: 4,
    line_comment: "//",
    nop: "nop",
    sp: Reg(31),
    fp: Reg(29),
    ra: Reg(30),
    // AAPCS64, 6.9 "Result return".
    results: &[0, 1],
    general_registers: 31,
    keeping_registers: 32,
    // x19-x29 and sp (AAPCS64 6.1.1); VG, the vector length, is the same in all frames; the low
    // halves of v8-v15 (6.1.2) are DWARF 72-79.
    callee_saved: &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 46, 72, 73, 74, 75, 76, 77, 78, 79],
    set_by_unwinder: &[],
    link_register: true,
    pointer_authentication: true,
    address_mask: 0x0000_ffff_ffff_ffff,
    cfa_minus_sp_at_entry: 0,
    caller_sp_minus_cfa: 0,
    sp_is_saved: false,
    red_zone: 0,
    fixed_ra: None,
    cfa_word: CfaWord::BYTES,
    ra_filler: false,
    register_words: false,
    flex: false,
};

const AARCH64_BE: AbiFacts = AbiFacts { order: ByteOrder::Big, sframe_id: 1, uname_machine: "aarch64_be", ..AARCH64 };

// s390x ELF ABI 1.6, 1.2.2 (160-byte register save area, CFA = SP at entry + 160) and table 1.17
// (DWARF numbers). SFrame V2 errata 1, "s390x": SFRAME_S390X_CFA_OFFSET_ADJUSTMENT -160,
// SFRAME_S390X_CFA_OFFSET_ALIGNMENT_FACTOR 8.
const S390X: AbiFacts = AbiFacts {
    family: "s390x",
    both_orders: false,
    gnu_triplet: "s390x-linux-gnu",
    uname_machine: "s390x",
    elf_machine: elf::EM_S390,
    sframe_id: 4,
    first_sframe: SframeVersion::V2Errata1,
    order: ByteOrder::Big,
    instruction_order: ByteOrder::Big,
    instruction_alignment: 2,
    line_comment: "#",
    nop: "nopr 0",
    sp: Reg(15),
    fp: Reg(11),
    ra: Reg(14),
    // s390x ELF ABI 1.6, 1.2.5 "Return values".
    results: &[2],
    general_registers: 16,
    keeping_registers: 32,
    // r6-r13 and r15 (s390x ELF ABI 1.6, 1.2.1), and f8-f15, which are DWARF 24-31 in the order of
    // table 1.17.
    callee_saved: &[6, 7, 8, 9, 10, 11, 12, 13, 15, 24, 25, 26, 27, 28, 29, 30, 31],
    // GCC 16, config/s390/s390.h, EH_RETURN_DATA_REGNO: the exception and its selector.
    set_by_unwinder: &[6, 7],
    link_register: true,
    pointer_authentication: false,
    address_mask: u64::MAX,
    cfa_minus_sp_at_entry: 160,
    caller_sp_minus_cfa: -160,
    // s390x ELF ABI 1.2, register save area: `stmg %r6,%r15` has a slot for %r15.
    sp_is_saved: true,
    red_zone: 0,
    fixed_ra: None,
    cfa_word: CfaWord { base: 160, scale: 8 },
    ra_filler: true,
    register_words: true,
    flex: true,
};

#[cfg(test)]
mod tests {
    use alloc::collections::BTreeSet;

    use super::*;

    /// Facts may begin as a copy of another ABI's; the fields that must differ have to differ.
    #[test]
    fn an_abi_is_found_by_what_files_say_of_it() {
        for abi in Abi::ALL {
            let facts = abi.facts();
            assert_eq!(Abi::from_elf(facts.elf_machine, facts.order), Some(abi));
            assert_eq!(Abi::from_sframe_id(facts.sframe_id), Some(abi));
            assert_eq!(abi.name().parse(), Ok(abi));
        }
        let machines: BTreeSet<&str> = Abi::ALL.into_iter().map(|abi| abi.facts().uname_machine).collect();
        assert_eq!(machines.len(), Abi::ALL.len(), "{machines:?}");
    }
}

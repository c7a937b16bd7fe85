//! ABI-specific parts of reading an ELF file that are not in [`types::AbiFacts`]: relocations, and
//! the return instruction.

use object::elf::RelocationType;
use types::Abi;

use crate::{aarch64, amd64, s390x};

/// ABI-specific functions and data.
pub(crate) struct Arch {
    /// The effect of a relocation type; `None` for those that are ignored.
    pub(crate) form: fn(RelocationType) -> Option<Form>,
    /// Encoding of an instruction that returns to the caller.
    pub(crate) return_instruction: &'static [u8],
}

/// How a relocation's value is computed and stored. S is the symbol's address, A the addend, P the
/// address of the relocated field, B the load bias.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// S + A, stored in this many bytes.
    Absolute(usize),
    /// S + A - P, stored in this many bytes.
    Relative(usize),
    /// (S + A - P) / 2, stored in this many bits: a multiple of eight, or the last twelve of two
    /// bytes (s390x `PC32DBL`, `PC12DBL`).
    RelativeHalved(u32),
    /// A value in a field of an instruction, which is little-endian whatever the byte order of data
    /// (AArch64).
    Instruction(FieldValue, Field),
    /// B + A in eight bytes, B = 0 here.
    Base,
    /// S in eight bytes: a GOT slot that a dynamic linker fills.
    Slot,
    /// The address that a resolver function returns.
    Resolver,
}

/// The value in an AArch64 instruction's field. Page(x) is x with its last twelve bits cleared.
#[derive(Clone, Copy)]
pub(crate) enum FieldValue {
    /// (S + A - P) / 4.
    Words,
    /// S + A - P.
    Distance,
    /// (Page(S + A) - Page(P)) / 4096.
    Pages,
    /// The last twelve bits of S + A, in units of 2 to this power.
    InPage(u32),
    /// Sixteen bits of S + A, starting at this bit.
    Part(u32),
}

/// Position of a value in an AArch64 instruction.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    /// A signed distance in `count` bits at `low`.
    Signed {
        /// Number of bits.
        count: u32,
        /// Number of the lowest bit.
        low: u32,
    },
    /// An unsigned address in `count` bits at `low`.
    Unsigned {
        /// Number of bits.
        count: u32,
        /// Number of the lowest bit.
        low: u32,
    },
    /// The 21 bits of ADR and ADRP: two at bit 29, the others at bit 5.
    Adr,
}

pub(crate) const fn arch(abi: Abi) -> &'static Arch {
    match abi {
        Abi::Amd64 => &amd64::ARCH,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::ARCH,
        Abi::S390x => &s390x::ARCH,
    }
}

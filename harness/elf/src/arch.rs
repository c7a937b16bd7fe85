//! The parts of reading an ELF file that depend on the ABI and are not in [`types::AbiFacts`]: its
//! relocations, and its return instruction.

use object::elf::RelocationType;
use types::Abi;

use crate::{aarch64, amd64, s390x};

/// One ABI's part.
pub(crate) struct Arch {
    /// The effect of a relocation type; `None` for those that are ignored.
    pub(crate) form: fn(RelocationType) -> Option<Form>,
    /// An instruction that returns to the caller.
    pub(crate) return_instruction: &'static [u8],
}

/// How a relocation's value is formed and stored. S is the symbol's address, A the addend, P the
/// place, B the load bias.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// S + A, this many bytes.
    Absolute(usize),
    /// S + A - P, this many bytes.
    Relative(usize),
    /// (S + A - P) / 2 in this many bits: a multiple of eight, or the last twelve of two bytes
    /// (s390x `PC32DBL`, `PC12DBL`).
    RelativeHalved(u32),
    /// A value in a field of an instruction, which is little-endian whatever the order of data
    /// (AArch64).
    Instruction(Value, Field),
    /// B + A in eight bytes, B = 0 here.
    Base,
    /// S in eight bytes: a slot that a dynamic linker fills.
    Slot,
    /// The address that a resolver function returns.
    Resolver,
}

/// The value in an AArch64 instruction's field. Page(x) is x without its last twelve bits.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    /// (S + A - P) / 4.
    Words,
    /// S + A - P.
    Distance,
    /// (Page(S + A) - Page(P)) / 4096.
    Pages,
    /// The last twelve bits of S + A, in units of 2 to the power of this.
    InPage(u32),
    /// Sixteen bits of S + A, from this one.
    Part(u32),
}

/// The place of a value in an AArch64 instruction.
#[derive(Clone, Copy)]
pub(crate) enum Field {
    /// That many bits of a distance, the lowest at a place.
    Signed {
        /// Number of bits.
        count: u32,
        /// Bit number of the lowest.
        low: u32,
    },
    /// That many bits of an address, the lowest at a place.
    Unsigned {
        /// Number of bits.
        count: u32,
        /// Bit number of the lowest.
        low: u32,
    },
    /// The 21 bits of ADR and ADRP: two at 29, the others at 5.
    Adr,
}

pub(crate) const fn arch(abi: Abi) -> &'static Arch {
    match abi {
        Abi::Amd64 => &amd64::ARCH,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::ARCH,
        Abi::S390x => &s390x::ARCH,
    }
}

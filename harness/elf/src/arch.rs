//! What reading a file needs to know of an ABI beyond [`model::AbiFacts`]: its relocations, and its return instruction.

use model::Abi;
use object::elf::RelocationType;

use crate::{aarch64, amd64, s390x};

/// One ABI's part.
pub(crate) struct Arch {
    /// What a relocation type does; none for those that are left alone.
    pub(crate) form: fn(RelocationType) -> Option<Form>,
    /// An instruction that returns to the caller.
    pub(crate) return_instruction: &'static [u8],
}

/// How a relocation's value is formed and stored. S is the symbol's address, A the addend, P the place, B the load bias.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// S + A, this many bytes.
    Absolute(usize),
    /// S + A - P, this many bytes.
    Relative(usize),
    /// (S + A - P) / 2 in four bytes (s390x `PC32DBL`).
    RelativeHalved,
    /// B + A in eight bytes, B = 0 here.
    Base,
    /// S in eight bytes: a slot that a dynamic linker fills.
    Slot,
    /// The address that a resolver function returns.
    Resolver,
}

pub(crate) const fn arch(abi: Abi) -> &'static Arch {
    match abi {
        Abi::Amd64 => &amd64::ARCH,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::ARCH,
        Abi::S390x => &s390x::ARCH,
    }
}

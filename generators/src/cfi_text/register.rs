//! Registers as directives name them, with their DWARF numbers and what SFrame sees in them.

use types::Abi;

use crate::arch::arch;

/// What a register is to SFrame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The stack pointer.
    Sp,
    /// The frame pointer that rows track.
    Fp,
    /// The return-address column.
    Ra,
    /// Any other.
    Other,
}

/// A register of generated text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Register {
    /// Its name in directives.
    pub name: &'static str,
    /// Its DWARF number.
    pub number: u8,
    /// What it is to SFrame.
    pub role: Role,
}

impl Role {
    /// Its word in kinds.
    pub const fn word(self) -> &'static str {
        match self {
            Role::Sp => "sp",
            Role::Fp => "fp",
            Role::Ra => "ra",
            Role::Other => "other",
        }
    }
}

pub(crate) const fn reg(name: &'static str, number: u8, role: Role) -> Register {
    Register { name, number, role }
}

/// The registers that generated text uses: SP, FP, RA, then others.
pub fn registers(abi: Abi) -> &'static [Register] {
    arch(abi).text().registers
}

/// The register of a role; of the others, the first.
pub(super) fn by_role(abi: Abi, role: Role) -> Register {
    let all = registers(abi);
    all.iter().copied().find(|register| register.role == role).unwrap_or(all[0])
}

//! Registers in directives, with their DWARF numbers and their role in SFrame.

use types::Abi;

use crate::arch::arch;

/// The role of a register in SFrame.
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
    /// Name in directives.
    pub name: &'static str,
    /// DWARF number.
    pub number: u8,
    /// Role in SFrame.
    pub role: Role,
}

impl Role {
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

/// The register of a role; for others, the first one.
pub(super) fn by_role(abi: Abi, role: Role) -> Register {
    let all = registers(abi);
    all.iter().copied().find(|register| register.role == role).unwrap_or(all[0])
}

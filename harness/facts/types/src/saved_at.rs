//! Where an instruction saves a register.

use crate::Reg;

/// The place to which an instruction copies a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SavedAt {
    /// The 8-byte word at a distance from a register's value before the instruction.
    Slot {
        /// The register.
        base: Reg,
        /// The distance in bytes.
        offset: i64,
    },
    /// Another register.
    Register(Reg),
}

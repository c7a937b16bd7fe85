//! AArch64, both byte orders: the program counter's DWARF number.

use types::Reg;

/// DWARF for the Arm 64-bit Architecture 2025Q4, 4.1: 32 is the program counter.
pub(crate) const PC: Reg = Reg(32);

/// Pseudo-register RA_SIGN_STATE (same table): bit 0 set while the return address is signed.
pub(crate) const RA_SIGN_STATE: Reg = Reg(34);

/// DWARF for the Arm 64-bit Architecture 2025Q4, 4.1, "DWARF register names".
pub(crate) const fn exists(reg: Reg) -> bool {
    matches!(reg.0, 0..=39 | 46..=127)
}

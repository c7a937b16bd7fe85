//! AArch64, both byte orders: the program counter's DWARF number and the registers that a call
//! preserves.

use types::Reg;

/// DWARF for the Arm 64-bit Architecture 2025Q4, 4.1: 32 is the program counter.
pub(crate) const PC: Reg = Reg(32);

/// Pseudo-register RA_SIGN_STATE (same table): bit 0 set while the return address is signed.
pub(crate) const RA_SIGN_STATE: Reg = Reg(34);

/// x19-x29 and sp (AAPCS64 6.1.1); VG, the vector length, is the same in all frames; the low halves
/// of v8-v15 (6.1.2) are DWARF 72-79.
pub(crate) const CALLEE_SAVED: &[u16] =
    &[19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 31, 46, 72, 73, 74, 75, 76, 77, 78, 79];

/// DWARF for the Arm 64-bit Architecture 2025Q4, 4.1, "DWARF register names".
pub(crate) const fn exists(reg: Reg) -> bool {
    matches!(reg.0, 0..=39 | 46..=127)
}

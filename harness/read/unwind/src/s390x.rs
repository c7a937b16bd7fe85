//! s390x: the program counter's DWARF number and the registers that a call preserves.

use types::Reg;

/// The address part of the PSW (s390x ELF ABI 1.6, table 1.17).
pub(crate) const PC: Reg = Reg(65);

/// r6-r13 and r15 (s390x ELF ABI 1.6, 1.2.1), and f8-f15, which are DWARF 24-31 in the order of
/// table 1.17.
pub(crate) const CALLEE_SAVED: &[u16] = &[6, 7, 8, 9, 10, 11, 12, 13, 15, 24, 25, 26, 27, 28, 29, 30, 31];

/// Table 1.17, "DWARF register number mapping".
pub(crate) const fn exists(reg: Reg) -> bool {
    matches!(reg.0, 0..=83)
}

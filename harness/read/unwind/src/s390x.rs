//! s390x: the program counter's DWARF number.

use types::Reg;

/// The address part of the PSW (s390x ELF ABI 1.6, table 1.17).
pub(crate) const PC: Reg = Reg(65);

/// Table 1.17, "DWARF register number mapping".
pub(crate) const fn exists(reg: Reg) -> bool {
    matches!(reg.0, 0..=83)
}

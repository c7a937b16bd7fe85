//! AMD64: the program counter's DWARF number.

use types::Reg;

/// Column 16 is the return address of a frame and reads as its program counter in expressions
/// (psABI 1.0, figure 3.36).
pub(crate) const PC: Reg = Reg(16);

/// Figure 3.36, "DWARF Register Number Mapping", with APX's r16-r31.
pub(crate) const fn exists(reg: Reg) -> bool {
    matches!(reg.0, 0..=55 | 58 | 59 | 62..=82 | 118..=145)
}

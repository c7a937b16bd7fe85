//! Registers by the names that directives use.

use types::{Abi, Reg};

/// Largest DWARF number of a register with a name: APX's r31 on AMD64.
const LAST: u16 = 145;

/// The DWARF number of a register in a directive: a number, or a name with or without `%`.
pub fn number(text: &str, abi: Abi) -> Option<Reg> {
    let text = text.trim();
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return unsigned(text).and_then(|number| u16::try_from(number).ok()).map(Reg);
    }
    let name = text.strip_prefix('%').unwrap_or(text).to_ascii_lowercase();
    (0..=LAST)
        .map(Reg)
        .find(|reg| abi.register_name(*reg).is_some_and(|known| known == name))
        .or_else(|| {
            let (letters, digits) = name.split_at(name.find(|c: char| c.is_ascii_digit())?);
            let index: u16 = digits.parse().ok()?;
            match (abi, letters, index) {
                // System V psABI, figure 3.36.
                (Abi::Amd64, "xmm", 0..=15) => Some(Reg(17 + index)),
                (Abi::Amd64, "xmm", 16..=31) => Some(Reg(67 + index - 16)),
                // DWARF for the Arm 64-bit Architecture, 4.1.
                (Abi::Aarch64 | Abi::Aarch64Be, "w", 0..=30) => Some(Reg(index)),
                (Abi::Aarch64 | Abi::Aarch64Be, "b" | "h" | "s" | "d" | "q", 0..=31) => Some(Reg(64 + index)),
                (Abi::Aarch64 | Abi::Aarch64Be, "p", 0..=15) => Some(Reg(48 + index)),
                (Abi::Aarch64 | Abi::Aarch64Be, "z", 0..=31) => Some(Reg(96 + index)),
                // s390x ELF ABI, table 1.17.
                (Abi::S390x, "c", 0..=15) => Some(Reg(32 + index)),
                (Abi::S390x, "a", 0..=15) => Some(Reg(48 + index)),
                _ => None,
            }
        })
        .or(match (abi, name.as_str()) {
            (Abi::Aarch64 | Abi::Aarch64Be, "fp") => Some(Reg(29)),
            (Abi::Aarch64 | Abi::Aarch64Be, "lr") => Some(Reg(30)),
            (Abi::Aarch64 | Abi::Aarch64Be, "wsp") => Some(Reg(31)),
            _ => None,
        })
}

/// A number without sign, in C's notation.
pub(crate) fn unsigned(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(text, 8).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_registers() {
        let of = |abi, texts: &[&str]| texts.iter().map(|text| number(text, abi).map(|reg| reg.0)).collect::<Vec<_>>();
        assert_eq!(
            of(Abi::Amd64, &["%rbp", "6", "rip", "xmm17", "%r31", "0x10", "foo"]),
            [Some(6), Some(6), Some(16), Some(68), Some(145), Some(16), None]
        );
        assert_eq!(of(Abi::Aarch64, &["x29", "w30", "d8", "v9", "sp", "lr"]), [29, 30, 72, 73, 31, 30].map(Some));
        assert_eq!(of(Abi::S390x, &["%r15", "%f4", "f9", "%a0"]), [15, 18, 28, 48].map(Some));
    }
}

//! The part of a table that a finding is about.

use core::fmt;

/// The part of a table that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Aspect {
    /// The canonical frame address.
    Cfa,
    /// The return address, including its signing.
    Ra,
    /// The caller's frame pointer.
    Fp,
    /// Registers that a call preserves, other than FP and SP.
    Registers,
    /// The encoding of the table, not the meaning of a row.
    Structure,
    /// The range of code that has rows.
    Coverage,
}

impl Aspect {
    /// Name of the variant in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Aspect::Cfa => "cfa",
            Aspect::Ra => "ra",
            Aspect::Fp => "fp",
            Aspect::Registers => "registers",
            Aspect::Structure => "structure",
            Aspect::Coverage => "coverage",
        }
    }
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

//! Code that no table describes: executable bytes outside every FDE.

use crate::code_range::{self, CodeRange};
use crate::sums::add_each;

/// Sum of the executable bytes outside every FDE.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct OutsideShare {
    /// Number of bytes outside every FDE of both tables; the sum if there are several files.
    #[schemars(range(min = 1))]
    pub bytes: u64,
    /// Number of bytes in the executable sections of these files.
    pub of: u64,
}

/// Code of a section that is outside every FDE.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Outside {
    /// Its name.
    pub section: String,
    /// Number of bytes outside every FDE, without padding between functions.
    pub bytes: u64,
    /// Size of the section in bytes.
    pub of: u64,
    /// The code, by address: functions by symbols, or ranges without a symbol.
    pub functions: Vec<OutsideFunction>,
}

/// A function, or code without a symbol, outside every FDE.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct OutsideFunction {
    /// Name of the symbol; empty if there is none.
    pub function: String,
    /// First address and first address after it.
    #[serde(flatten, with = "code_range")]
    #[schemars(with = "CodeRange")]
    pub code: (u64, u64),
    /// The same as text: in ET_REL by section and offset.
    pub place: String,
}

impl OutsideShare {
    /// The share for the sections of a file; `None` if all code is inside FDEs.
    pub fn new(sections: &[Outside]) -> Option<OutsideShare> {
        let mut share = OutsideShare::default();
        for section in sections {
            share.add(&OutsideShare { bytes: section.bytes, of: section.of });
        }
        (share.bytes > 0).then_some(share)
    }

    /// Adds the share of another file.
    pub fn add(&mut self, other: &OutsideShare) {
        add_each([(&mut self.bytes, other.bytes), (&mut self.of, other.of)]);
    }

    /// The share as text with one decimal: `12.0 %`; `under 0.1 %` if it is smaller.
    pub fn percent(&self) -> String {
        let permille = u128::from(self.bytes).saturating_mul(1000).checked_div(self.of.into()).unwrap_or(0);
        match permille {
            0 => "under 0.1 %".to_owned(),
            _ => format!("{}.{} %", permille / 10, permille % 10),
        }
    }
}

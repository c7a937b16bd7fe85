//! Code that no table describes: executable bytes outside every FDE.

use crate::sums::add_each;

/// Executable bytes outside every FDE, of all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct OutsideShare {
    /// Bytes outside every FDE of both tables; of several files their sum.
    #[schemars(range(min = 1))]
    pub bytes: u64,
    /// Bytes of the executable sections of these files.
    pub of: u64,
}

/// The code of a section outside every FDE.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Outside {
    /// Its name.
    pub section: String,
    /// Bytes outside every FDE, without filler between functions.
    pub bytes: u64,
    /// Bytes of the section.
    pub of: u64,
    /// The code, by address: a symbol's, or a stretch without any.
    pub functions: Vec<OutsideFunction>,
}

/// A function, or code without a symbol, outside every FDE.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct OutsideFunction {
    /// Name of its symbol; empty without any.
    pub function: String,
    /// First address and first address after it.
    pub code: (u64, u64),
    /// The same as text: in ET_REL by section and offset.
    pub place: String,
}

impl OutsideShare {
    /// The share of the sections of a file; none where no code is outside every FDE.
    pub fn new(sections: &[Outside]) -> Option<OutsideShare> {
        let mut share = OutsideShare::default();
        for section in sections {
            share.add(&OutsideShare { bytes: section.bytes, of: section.of });
        }
        (share.bytes > 0).then_some(share)
    }

    /// Adds that of another file.
    pub fn add(&mut self, other: &OutsideShare) {
        add_each([(&mut self.bytes, other.bytes), (&mut self.of, other.of)]);
    }

    /// In tenths of a percent: `12.0 %`; `under 0.1 %` of what is less.
    pub fn percent(&self) -> String {
        let permille = u128::from(self.bytes).saturating_mul(1000).checked_div(self.of.into()).unwrap_or(0);
        match permille {
            0 => "under 0.1 %".to_owned(),
            _ => format!("{}.{} %", permille / 10, permille % 10),
        }
    }
}

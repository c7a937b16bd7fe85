//! Values that a table, or the machine, gives for one frame, with the row that they come from.

use types::Claim;

/// Values that a table, or the machine, gives at one step.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Values {
    /// CFA: an address.
    pub cfa: Option<u64>,
    /// Return address, without pointer authentication.
    pub ra: Option<u64>,
    /// The caller's FP.
    pub fp: Option<u64>,
    /// The row, or why there is no answer.
    #[serde(flatten)]
    pub row: Claim,
}

impl Values {
    /// A row without values, since nothing was executed.
    pub fn from_row(row: Claim) -> Values {
        Values { cfa: None, ra: None, fp: None, row }
    }
}

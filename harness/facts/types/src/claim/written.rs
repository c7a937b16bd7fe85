//! A claim in JSON: as text for people, and a row in parts for programs.

use alloc::string::{String, ToString as _};

use crate::{Claim, Equations, RowFault};

/// The form of a claim in JSON.
#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[schemars(rename = "Claim")]
pub(super) struct Written {
    /// The row as text, or why there is none.
    row: String,
    /// The row in parts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Equations")]
    equations: Option<Equations>,
    /// Why the row gives no caller, or no FP of the caller.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RowFault")]
    flaw: Option<RowFault>,
}

impl From<Written> for Claim {
    fn from(Written { row, equations, flaw }: Written) -> Claim {
        match equations {
            Some(equations) => Claim::Row(equations, flaw),
            None => Claim::without_row(&row).unwrap_or(Claim::Printed(row)),
        }
    }
}

impl From<Claim> for Written {
    fn from(claim: Claim) -> Written {
        let row = claim.to_string();
        let (equations, flaw) = match claim {
            Claim::Row(equations, flaw) => (Some(equations), flaw),
            _ => (None, None),
        };
        Written { row, equations, flaw }
    }
}

//! A function that `.eh_frame` describes and `.sframe` does not.

use crate::code_range::{self, CodeRange};

/// A function without an SFrame function descriptor.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct Gap {
    /// Function name.
    pub function: String,
    /// First address and first address after it.
    #[serde(flatten, with = "code_range")]
    #[schemars(with = "CodeRange")]
    pub code: (u64, u64),
    /// The range as text: in ET_REL by section and offset.
    pub place: String,
    /// Why the format cannot describe it; `None` if it could: a silent gap.
    pub reason: Option<String>,
    /// True if the function was executed.
    pub executed: bool,
}

//! A function that `.eh_frame` describes and `.sframe` does not.

/// A function without an SFrame function descriptor.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Gap {
    /// Function name.
    pub function: String,
    /// First address and first address after it.
    pub code: (u64, u64),
    /// The range as text: in ET_REL by section and offset.
    pub place: String,
    /// Why the format cannot describe it; `None` if it could: a silent gap.
    pub reason: Option<String>,
    /// True if the function was executed.
    pub executed: bool,
}

//! A line of a source, as debug information names it.

use alloc::string::String;

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct SourceLine {
    /// The file, as debug information names it.
    pub file: String,
    /// From 1.
    pub line: u64,
}

//! A line of source code, as debug information names it.

use alloc::string::String;

/// A line of a source.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct SourceLine {
    /// File name, as in the debug information.
    pub file: String,
    /// Line number, from 1.
    pub line: u64,
}

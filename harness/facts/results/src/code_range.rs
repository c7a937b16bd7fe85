//! A range of code in JSON: the keys `pc_start` and `pc_end`.

use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};

/// The form of a range in JSON.
#[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub(crate) struct CodeRange {
    /// First address.
    pc_start: u64,
    /// First address after it.
    pc_end: u64,
}

pub(crate) fn serialize<S: Serializer>(code: &(u64, u64), serializer: S) -> Result<S::Ok, S::Error> {
    let (pc_start, pc_end) = *code;
    CodeRange { pc_start, pc_end }.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(u64, u64), D::Error> {
    CodeRange::deserialize(deserializer).map(|CodeRange { pc_start, pc_end }| (pc_start, pc_end))
}

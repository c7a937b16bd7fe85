//! Hexadecimal addresses in files, for human readers: `0x7ffe0010`.

use serde::de::Error as _;
use serde::{Deserialize as _, Deserializer, Serializer};

#[allow(clippy::ref_option, reason = "serde gives a reference to the field")]
pub(super) fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => serializer.serialize_str(&format!("{value:#x}")),
        None => serializer.serialize_none(),
    }
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    let Some(text) = Option::<String>::deserialize(deserializer)? else { return Ok(None) };
    let digits = text.strip_prefix("0x").filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
    let value = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
    value
        .map(Some)
        .ok_or_else(|| D::Error::custom(format!("{text}: expected a hexadecimal address, 0x and at most 16 digits")))
}

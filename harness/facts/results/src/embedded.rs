//! Values of this crate inside the JSON of another one: `#[serde(with = "results::embedded")]`.
//!
//! Code that reads and writes JSON is generic: each crate that embeds a report would compile it
//! anew, with its own optimization, as half of its code. Here it is compiled once.

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize as _, Deserializer, Serialize as _, Serializer};
use serde_json::value::{RawValue, to_raw_value};

use crate::{Accuracy, Report};

/// A value that is read and written here.
pub trait Embedded: Sized {
    /// The value as JSON.
    fn to_json(&self) -> serde_json::Result<Box<RawValue>>;

    /// Parses a value.
    fn from_json(json: &RawValue) -> serde_json::Result<Self>;
}

macro_rules! embedded {
    ($($type:ty),*) => {$(
        impl Embedded for $type {
            fn to_json(&self) -> serde_json::Result<Box<RawValue>> {
                to_raw_value(self)
            }

            fn from_json(json: &RawValue) -> serde_json::Result<Self> {
                serde_json::from_slice(json.get().as_bytes())
            }
        }
    )*};
}

embedded!(Report, Vec<Report>, Accuracy);

/// Writes a value as a part of JSON.
pub fn serialize<T: Embedded, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    value.to_json().map_err(S::Error::custom)?.serialize(serializer)
}

/// Reads a value that is a part of JSON.
pub fn deserialize<'de, T: Embedded, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::from_json(&Box::<RawValue>::deserialize(deserializer)?).map_err(D::Error::custom)
}

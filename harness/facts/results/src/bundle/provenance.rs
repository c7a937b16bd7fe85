//! The origin of a reproducer, and how far it was reduced.

use std::fmt;
use std::str::FromStr;

use types::named;

/// The origin of a reproducer.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provenance {
    /// What showed it first, and in which case: `execution, cfi/cold-first`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub by: String,
    /// The trial it was reduced from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<String>,
    /// Its size in the trial.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Size>,
    /// The size of the reproducer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<Size>,
    /// A person edited the reproducer.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
    /// Why, if that is not obvious.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

named! {
    /// A unit of sizes.
    pub enum Unit {
        /// Functions of a table.
        Functions = "functions",
        /// Rows of a table.
        Rows = "rows",
        /// Steps of a link.
        Steps = "steps",
        /// Files that a link starts from.
        Sources = "sources",
        /// Lines of all sources.
        Lines = "lines",
        /// Bytes of a section.
        Bytes = "bytes",
    }
}

/// Sizes with their units: `12 functions, 40 rows`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Size(pub Vec<(usize, Unit)>);

impl Size {
    /// Number of a unit.
    pub fn count(&self, wanted: Unit) -> Option<usize> {
        self.0.iter().find(|(_, unit)| *unit == wanted).map(|(count, _)| *count)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (count, unit)) in self.0.iter().enumerate() {
            let unit = if *count == 1 { unit.name().trim_end_matches('s') } else { unit.name() };
            write!(out, "{}{count} {unit}", if nth > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// The error for a text that is not a [`Size`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}: expected sizes as in '1 step, 2 sources, 6 lines'")]
pub struct BadSize(String);

impl FromStr for Size {
    type Err = BadSize;

    fn from_str(text: &str) -> Result<Size, BadSize> {
        let part = |part: &str| {
            let (count, name) = part.split_once(' ')?;
            let is_it = |unit: &Unit| unit.name().trim_end_matches('s') == name.trim_end_matches('s');
            Some((count.parse().ok()?, Unit::ALL.into_iter().find(is_it)?))
        };
        let parts: Option<Vec<_>> = text.split(", ").map(part).collect();
        parts.map(Size).ok_or_else(|| BadSize(text.to_owned()))
    }
}

impl serde::Serialize for Size {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Size {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

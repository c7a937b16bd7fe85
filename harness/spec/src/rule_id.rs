//! Ids of rules as text: compared, printed and read by their names.

use alloc::borrow::ToOwned as _;
use alloc::string::String;

#[cfg(feature = "serde")]
use alloc::borrow::Cow;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use crate::{RuleGroup, RuleId};

impl RuleId {
    /// The form of its name, as a regular expression.
    pub const PATTERN: &str = "^[a-z0-9-]+/[a-z0-9-]+$";

    /// What the rule is about.
    pub fn group(self) -> RuleGroup {
        self.facts().group
    }
}

/// By name, so that lists have an order that readers expect.
impl Ord for RuleId {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name().cmp(other.name())
    }
}

impl PartialOrd for RuleId {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq<&str> for RuleId {
    fn eq(&self, other: &&str) -> bool {
        self.name() == *other
    }
}

impl PartialEq<str> for RuleId {
    fn eq(&self, other: &str) -> bool {
        self.name() == other
    }
}

impl fmt::Display for RuleId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a text that is not a [`RuleId`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown rule '{0}'")]
pub struct UnknownRule(pub String);

impl FromStr for RuleId {
    type Err = UnknownRule;

    fn from_str(name: &str) -> Result<Self, UnknownRule> {
        RuleId::ALL.iter().copied().find(|id| id.name() == name).ok_or_else(|| UnknownRule(name.to_owned()))
    }
}

#[cfg(feature = "serde")]
impl schemars::JsonSchema for RuleId {
    fn schema_name() -> Cow<'static, str> {
        "RuleId".into()
    }

    /// Rules may be added, so that the schema names none.
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "Id of a rule; `explain` says what it means.", "type": "string", "pattern": RuleId::PATTERN })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for RuleId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for RuleId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(serde::de::Error::custom)
    }
}

//! Rule ids as text: they are compared, printed and parsed by name.

#[cfg(feature = "serde")]
use alloc::borrow::Cow;
#[cfg(feature = "serde")]
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::str::FromStr;

use types::Unknown;

use crate::{RuleGroup, RuleId};

impl RuleId {
    /// Regular expression of a rule's name.
    pub const PATTERN: &str = "^[a-z0-9-]+/[a-z0-9-]+$";

    /// Subject of the rule.
    pub fn group(self) -> RuleGroup {
        self.facts().group
    }
}

/// Ordered by name, as readers expect in lists.
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

impl FromStr for RuleId {
    type Err = Unknown;

    fn from_str(name: &str) -> Result<Self, Unknown> {
        RuleId::ALL
            .iter()
            .copied()
            .find(|id| id.name() == name)
            .ok_or_else(|| Unknown::new("rule", name, RuleId::ALL.iter().map(|id| id.name())))
    }
}

#[cfg(feature = "serde")]
impl schemars::JsonSchema for RuleId {
    fn schema_name() -> Cow<'static, str> {
        "RuleId".into()
    }

    /// The schema lists no ids, because rules may be added.
    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "description": "Id of a rule; `explain` describes it.", "type": "string", "pattern": RuleId::PATTERN })
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

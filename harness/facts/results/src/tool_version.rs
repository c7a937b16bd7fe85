//! Tools by name and version, `gas@2.47.50.20261021`: order and prefixes of versions.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// A version as the tool prints it: usually dotted numbers, then the date of a snapshot
/// (`2.47.50.20261021`).
///
/// Different texts are different versions. Texts are not ordered: [`ToolVersion::cmp_numbers`]
/// compares the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct ToolVersion(String);

impl ToolVersion {
    /// A version from any text.
    pub fn new(text: impl Into<String>) -> ToolVersion {
        ToolVersion(text.into())
    }

    /// The version as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true if the first parts equal those of `beginning`: 2.47.50 begins with 2.47 and
    /// with 2, but not with 2.4. No version begins with an empty text.
    pub fn begins_with(&self, beginning: &str) -> bool {
        let rest = self.0.strip_prefix(beginning).filter(|_| !beginning.is_empty());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }

    /// Compares number by number: 2.9 precedes 2.40, and 2.45 precedes 2.45.1. A part that is not a
    /// number counts as 0.
    pub fn cmp_numbers(&self, other: &ToolVersion) -> Ordering {
        self.numbers().cmp(other.numbers())
    }

    /// Returns true if the version is `least` or later; every version is at least the empty one.
    pub fn at_least(&self, least: &ToolVersion) -> bool {
        self.cmp_numbers(least) != Ordering::Less
    }

    /// The version without the date of a snapshot: 2.47.50 for 2.47.50.20261021. A date is a last
    /// part, not the only one, of eight digits that begin with 20.
    pub fn without_day(&self) -> &str {
        let is_day =
            |part: &str| part.len() == 8 && part.starts_with("20") && part.bytes().all(|byte| byte.is_ascii_digit());
        self.0.rsplit_once('.').filter(|(_, last)| is_day(last)).map_or(&self.0, |(version, _)| version)
    }

    /// Returns true for a snapshot, false for a release.
    pub fn is_snapshot(&self) -> bool {
        self.without_day().len() < self.0.len()
    }

    /// Pattern that matches every date of a snapshot, `2.47.50*`; for other versions the version
    /// itself.
    pub fn any_day(&self) -> String {
        let without = self.without_day();
        if without.len() == self.0.len() { self.0.clone() } else { format!("{without}*") }
    }

    fn numbers(&self) -> impl Iterator<Item = u64> {
        self.0.split('.').map(|part| part.parse().unwrap_or(0))
    }
}

impl fmt::Display for ToolVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// A tool as in trial names, ledgers and options: `gas@2.40`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct ToolName {
    /// Name in the producers' file: `gas`.
    pub name: String,
    /// Version that it prints, or a prefix of it.
    pub version: ToolVersion,
}

impl ToolName {
    /// Returns true if the names are equal and the version begins with that of `recorded`:
    /// `gas@2.47.50` is a `gas@2.47`, but not a `gas@2.4`.
    pub fn is_a(&self, recorded: &ToolName) -> bool {
        self.name == recorded.name && self.version.begins_with(recorded.version.as_str())
    }

    /// [`ToolName::is_a`] for texts; false if one of them has no `@`.
    pub fn is_text_a(name: &str, recorded: &str) -> bool {
        let parsed = name.parse::<ToolName>().ok().zip(recorded.parse::<ToolName>().ok());
        parsed.is_some_and(|(name, recorded)| name.is_a(&recorded))
    }

    /// The tool name without the date of a snapshot.
    #[must_use]
    pub fn without_day(&self) -> ToolName {
        ToolName { name: self.name.clone(), version: ToolVersion::new(self.version.without_day()) }
    }

    /// Pattern that matches every date of a snapshot: `gas@2.47.50*`.
    pub fn any_day(&self) -> String {
        format!("{}@{}", self.name, self.version.any_day())
    }
}

impl fmt::Display for ToolName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.version)
    }
}

/// The error for a text that is not a [`ToolName`]: it has no `@`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a tool of the form name@version")]
pub struct NoToolName(pub String);

impl FromStr for ToolName {
    type Err = NoToolName;

    fn from_str(text: &str) -> Result<ToolName, NoToolName> {
        let (name, version) = text.split_once('@').ok_or_else(|| NoToolName(text.to_owned()))?;
        Ok(ToolName { name: name.to_owned(), version: ToolVersion::new(version) })
    }
}

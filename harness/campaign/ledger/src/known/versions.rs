//! The versions of a tool that show a bug.

use std::fmt;

use results::ToolVersion;

/// Affected versions: from the first to the last that was seen, all of which must show the bug;
/// later ones may, until a fixed version is known. Dates of snapshots are ignored; `22` means all
/// of `22.x`.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Versions {
    /// First version that was seen to show the bug.
    pub first: ToolVersion,
    /// Last affected version that was seen.
    pub last: ToolVersion,
    /// First version that was seen to be fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<ToolVersion>,
}

/// The position of a version in a range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Within {
    /// It must show the bug.
    Due,
    /// It is later than every affected version that was seen: it may show the bug.
    Later,
    /// It lies between the first version that was seen and the last before it whose trials are
    /// recorded: it may show the bug.
    Before,
    /// It is older, or right.
    Outside,
}

impl Versions {
    /// The position of a version.
    pub fn place(&self, version: &ToolVersion) -> Within {
        let plain = ToolVersion::new(version.without_day());
        let is_of = |bound: &ToolVersion| plain.begins_with(bound.as_str());
        if self.fixed.as_ref().is_some_and(|fixed| is_of(fixed) || plain.at_least(fixed)) {
            Within::Outside
        } else if is_of(&self.last) || (is_of(&self.first) || plain.at_least(&self.first)) && self.last.at_least(&plain)
        {
            Within::Due
        } else if plain.at_least(&self.last) {
            Within::Later
        } else {
            Within::Outside
        }
    }

    /// The same, given the versions of the project whose trials are `recorded`.
    pub fn place_among(&self, version: &ToolVersion, recorded: &[ToolVersion]) -> Within {
        let plain = ToolVersion::new(version.without_day());
        let before_first = !plain.at_least(&self.first);
        // A recorded version from this one up to the first that showed it did not show it.
        let is_right = |other: &ToolVersion| other.at_least(&plain) && !other.at_least(&self.first);
        match self.place(version) {
            Within::Outside
                if before_first
                    && recorded.iter().any(|older| plain.at_least(older))
                    && !recorded.iter().any(is_right) =>
            {
                Within::Before
            }
            place => place,
        }
    }

    /// Returns true if the range includes at least a part of what `version` means: `22` in that
    /// from 22.1.8 on.
    pub fn reaches(&self, version: &ToolVersion) -> bool {
        let is_of = |bound: &ToolVersion| bound.begins_with(version.as_str());
        self.place(version) == Within::Due || is_of(&self.first) || is_of(&self.last)
    }

    /// Widens the range to an affected version.
    pub fn widen(&mut self, version: &ToolVersion) {
        let plain = ToolVersion::new(version.without_day());
        match self.place(&plain) {
            Within::Due => return,
            _ if !plain.at_least(&self.first) => self.first = plain.clone(),
            _ => self.last = plain.clone(),
        }
        if self.fixed.as_ref().is_some_and(|fixed| self.last.at_least(fixed)) {
            self.fixed = None;
        }
    }
}

impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first == self.last {
            true => self.first.fmt(f),
            false => write!(f, "{} to {}", self.first, self.last),
        }
    }
}

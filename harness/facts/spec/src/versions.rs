//! Sets of SFrame versions that a rule or clause applies to.

use core::fmt;

use types::SframeVersion::{self, V1, V2, V2Errata1, V3};

/// A set of versions. [`Self::contains`] matches every version explicitly, so that a new version
/// has to be added to the sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions {
    /// Every version.
    All,
    /// Version 1 alone.
    V1Only,
    /// Up to version 2 with its errata.
    UpToV2,
    /// From version 2 on.
    FromV2,
    /// From version 2 errata 1 on.
    FromErrata1,
    /// Version 2 and its errata.
    V2Only,
    /// Version 2 errata 1 alone.
    Errata1Only,
    /// Version 3 alone.
    V3Only,
}

impl Versions {
    /// Returns true if the version is in the set.
    pub const fn contains(self, version: SframeVersion) -> bool {
        use Versions::{All, Errata1Only, FromErrata1, FromV2, UpToV2, V1Only, V2Only, V3Only};
        match version {
            V1 => matches!(self, All | V1Only | UpToV2),
            V2 => matches!(self, All | UpToV2 | FromV2 | V2Only),
            V2Errata1 => matches!(self, All | UpToV2 | FromV2 | FromErrata1 | V2Only | Errata1Only),
            V3 => matches!(self, All | FromV2 | FromErrata1 | V3Only),
        }
    }

    /// The versions of the set, oldest first.
    pub fn iter(self) -> impl Iterator<Item = SframeVersion> {
        SframeVersion::ALL.into_iter().filter(move |version| self.contains(*version))
    }
}

/// The set as text: `all`, `V2, V3`. Errata are listed if the set does not contain the version that
/// they correct.
impl fmt::Display for Versions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Versions::All {
            return f.write_str("all");
        }
        let mut before = None;
        for version in self.iter().filter(|version| *version != V2Errata1 || !self.contains(V2)) {
            let comma = if before.replace(version).is_some() { ", " } else { "" };
            write!(f, "{comma}{}", version.text().trim_start_matches("SFrame "))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Versions;
    use alloc::string::ToString as _;

    #[test]
    fn sets_are_printed_as_people_name_them() {
        let printed = [Versions::All, Versions::UpToV2, Versions::FromV2, Versions::V2Only, Versions::FromErrata1];
        let expected = ["all", "V1, V2", "V2, V3", "V2", "V2 errata 1, V3"];
        assert_eq!(printed.map(|versions| versions.to_string()), expected);
    }
}

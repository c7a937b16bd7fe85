//! In which versions a clause stands.

use types::SframeVersion::{self, V1, V2, V2Errata1, V3};

/// A set of versions. [`Self::contains`] says of each version in which sets it is, so that a new one has to be put into them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the variants say which versions they are")]
pub enum ClauseVersions {
    All,
    V1Only,
    /// Up to version 2 with its errata.
    UpToV2,
    FromV2,
    FromErrata1,
    /// Version 2 and its errata.
    V2Only,
    Errata1Only,
    V3Only,
}

impl ClauseVersions {
    /// Whether the version is in the set.
    pub const fn contains(self, version: SframeVersion) -> bool {
        use ClauseVersions::{All, Errata1Only, FromErrata1, FromV2, UpToV2, V1Only, V2Only, V3Only};
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

//! SFrame versions as producers and tests name them.

use std::fmt;

/// A version of the SFrame format. Errata share the version byte; errata 1 is told by the PCREL flag or the s390x ABI byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SframeVersion {
    /// Version 1 (2022), 17-byte function descriptors.
    V1,
    /// Version 2 (2023), 20-byte function descriptors.
    V2,
    /// Version 2 errata 1 (2025): PCREL flag, s390x.
    V2Errata1,
    /// Version 3 (2026): index and attributes, flexible function descriptors.
    V3,
}

impl SframeVersion {
    /// Every version, oldest first.
    pub const ALL: [SframeVersion; 4] =
        [SframeVersion::V1, SframeVersion::V2, SframeVersion::V2Errata1, SframeVersion::V3];

    /// The name used in keys: `v1`, `v2`, `v2e1`, `v3`.
    pub const fn name(self) -> &'static str {
        match self {
            SframeVersion::V1 => "v1",
            SframeVersion::V2 => "v2",
            SframeVersion::V2Errata1 => "v2e1",
            SframeVersion::V3 => "v3",
        }
    }
}

impl fmt::Display for SframeVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

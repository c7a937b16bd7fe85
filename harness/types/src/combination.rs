//! Which versions of SFrame there are for which ABI.

use alloc::vec::Vec;

use crate::{Abi, SframeVersion};

/// Targets and versions that go together: of one target or version, where one is given, else all.
pub fn combinations(abi: Option<Abi>, version: Option<SframeVersion>) -> Vec<(Abi, SframeVersion)> {
    Abi::ALL
        .into_iter()
        .filter(|one| abi.is_none_or(|wanted| wanted == *one))
        .flat_map(|abi| SframeVersion::ALL.map(|version| (abi, version)))
        .filter(|(abi, one)| *one >= abi.facts().first_sframe && version.is_none_or(|wanted| wanted == *one))
        .collect()
}

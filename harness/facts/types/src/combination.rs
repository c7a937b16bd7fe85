//! The SFrame versions of each ABI.

use alloc::vec::Vec;

use crate::{Abi, SframeVersion};

/// All pairs of an ABI and a version that supports it, or those of one ABI or version.
pub fn combinations(abi: Option<Abi>, version: Option<SframeVersion>) -> Vec<(Abi, SframeVersion)> {
    Abi::ALL
        .into_iter()
        .filter(|one| abi.is_none_or(|wanted| wanted == *one))
        .flat_map(|abi| SframeVersion::ALL.map(|version| (abi, version)))
        .filter(|(abi, one)| *one >= abi.facts().first_sframe && version.is_none_or(|wanted| wanted == *one))
        .collect()
}

//! The writers' facts about a version, each written once. A new version compiles only if every fact
//! about it is given.

use spec::RuleId;
use types::SframeVersion;

use crate::sframe::Layout;

/// The writers' data of a version, besides the layout of its structures.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) layout: Layout,
    /// Current producers of the version write starts relative to their own field, and set the flag
    /// for it.
    pub(crate) starts_from_field: bool,
    pub(crate) outermost: Outermost,
    /// Rules that every section of the version breaks.
    pub(crate) breaks: &'static [RuleId],
    /// The anchor of start fields.
    pub(crate) starts: Starts,
    /// Number of the version in the seeds of programs: never change an existing one.
    pub(crate) seed: u8,
}

/// The anchor of start fields in linked files of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Starts {
    Section,
    /// The field, or the section, which breaks this rule.
    Choice(RuleId),
    /// As `Choice`, except for targets that the older version lacks; a section without the flag is
    /// of the older version.
    ChoiceUnless(SframeVersion, RuleId),
}

/// Whether a row without words is defined to mean an undefined return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outermost {
    /// Rows without words do not exist.
    Never,
    /// Since errata 2 of V2, which the version byte does not show.
    Errata2,
    Always,
}

const V1: Version = Version {
    layout: Layout::V1,
    starts_from_field: false,
    outermost: Outermost::Never,
    breaks: &[RuleId::HeaderObsoleteVersion],
    starts: Starts::Section,
    seed: 0,
};

const V2: Version = Version {
    layout: Layout::V2,
    starts_from_field: false,
    outermost: Outermost::Errata2,
    breaks: &[RuleId::HeaderPcrelClearV2],
    starts: Starts::Section,
    seed: 1,
};

const V2_ERRATA_1: Version = Version {
    starts_from_field: true,
    breaks: &[],
    starts: Starts::ChoiceUnless(SframeVersion::V2, RuleId::HeaderPcrelClearV2),
    seed: 2,
    ..V2
};

const V3: Version = Version {
    layout: Layout::V3,
    starts_from_field: true,
    outermost: Outermost::Always,
    breaks: &[],
    starts: Starts::Choice(RuleId::HeaderPcrelClear),
    seed: 3,
};

pub(crate) const fn version(version: SframeVersion) -> &'static Version {
    match version {
        SframeVersion::V1 => &V1,
        SframeVersion::V2 => &V2,
        SframeVersion::V2Errata1 => &V2_ERRATA_1,
        SframeVersion::V3 => &V3,
    }
}

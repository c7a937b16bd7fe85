//! Requirements of the rules that depend on the version byte. The features of a version are
//! properties of [`types::SframeVersion`].

use spec::RuleId;

use crate::{Flags, Format};

/// Parameters of the rules for one version byte.
pub(crate) struct VersionRules {
    /// Flag bits that are defined. Errata 1 added PCREL to V2 without changing the version byte.
    pub(crate) defined_flags: u8,
    /// Rule that a set SFRAME_F_FRAME_POINTER breaks.
    pub(crate) frame_pointer_flag: RuleId,
    /// Rule that a clear PCREL flag breaks.
    pub(crate) pcrel_clear: Option<RuleId>,
    /// Reserved bits of a function's info byte, which are zero.
    pub(crate) reserved_info: u8,
    /// True if rows without words exist; in V2 from errata 2 on.
    pub(crate) rows_without_words: bool,
    /// Returns true if a section with these flags may be older than SHT_GNU_SFRAME, which errata 1
    /// introduced.
    pub(crate) precedes_section_type: fn(Flags) -> bool,
}

impl VersionRules {
    pub(crate) fn for_format(format: Format) -> &'static VersionRules {
        match format {
            Format::V1 => &V1,
            Format::V2 => &V2,
            Format::V3 => &V3,
        }
    }

    pub(crate) fn has_pcrel_flag(&self) -> bool {
        Flags(self.defined_flags).pcrel()
    }
}

// SFrame V1 (binutils 2.40 sframe.h).
static V1: VersionRules = VersionRules {
    defined_flags: Flags::SORTED | Flags::FRAME_POINTER,
    frame_pointer_flag: RuleId::HeaderFramePointerFlag,
    pcrel_clear: None,
    reserved_info: 0xc0,
    rows_without_words: false,
    precedes_section_type: |_| true,
};

// SFrame V2 errata 1, "SFrame Flags" and "The SFrame FDE Info Word"; errata 2, "The SFrame FRE Info
// Word".
static V2: VersionRules = VersionRules {
    defined_flags: Flags::SORTED | Flags::FRAME_POINTER | Flags::PCREL,
    frame_pointer_flag: RuleId::HeaderFramePointerFlag,
    pcrel_clear: Some(RuleId::HeaderPcrelClearV2),
    reserved_info: 0xc0,
    rows_without_words: true,
    precedes_section_type: |flags| !flags.pcrel(),
};

// SFrame V3, "SFrame Flags" and "The SFrame FDE Info Bytes".
static V3: VersionRules = VersionRules {
    defined_flags: Flags::SORTED | Flags::PCREL,
    frame_pointer_flag: RuleId::HeaderRemovedFlag,
    pcrel_clear: Some(RuleId::HeaderPcrelClear),
    reserved_info: 0x40,
    rows_without_words: true,
    precedes_section_type: |_| false,
};

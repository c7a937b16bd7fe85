//! Facts about a version from the format's text.

use types::SframeVersion;

/// The sizes and fields of a version's structures.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) name: SframeVersion,
    /// "SFrame Preamble".
    pub(crate) number: u64,
    /// For versions of one number, whether starts are relative to their own field.
    told_by_pcrel: Option<bool>,
    /// Size in bytes of an FDE.
    pub(crate) entry: u64,
    /// Size in bytes of a function's start field.
    pub(crate) start: u64,
    /// "SFrame Flags".
    pub(crate) flags: u64,
    /// The attributes of a function are before its rows, with a second info byte and a bit for
    /// signal frames; a function without rows is outermost.
    pub(crate) attributes: bool,
    /// There is a field for the block size; otherwise consumers assume 16.
    pub(crate) block_size: bool,
    /// "SFrame FDE Info Word": reserved bits.
    pub(crate) reserved_info: u64,
    /// "s390x": an odd word names a register.
    pub(crate) odd_words: bool,
    /// "SFrame FRE Info Word": bit 7 marks a signed return address.
    pub(crate) signed_bit: bool,
    /// Producers of the version are older than the section type: they write SHT_PROGBITS.
    pub(crate) precedes_type: bool,
}

/// SFRAME_F_FDE_FUNC_START_PCREL.
pub(crate) const PCREL: u64 = 4;

const V1: Version = Version {
    name: SframeVersion::V1,
    number: 1,
    told_by_pcrel: None,
    entry: 17,
    start: 4,
    flags: 0x03,
    attributes: false,
    block_size: false,
    reserved_info: 0xc0,
    odd_words: true,
    signed_bit: true,
    precedes_type: true,
};

// The flag is from errata 1, which the version byte does not show.
const V2: Version = Version {
    name: SframeVersion::V2,
    number: 2,
    told_by_pcrel: Some(false),
    entry: 20,
    flags: 0x07,
    block_size: true,
    ..V1
};

const V2_ERRATA_1: Version =
    Version { name: SframeVersion::V2Errata1, told_by_pcrel: Some(true), precedes_type: false, ..V2 };

const V3: Version = Version {
    name: SframeVersion::V3,
    number: 3,
    told_by_pcrel: None,
    entry: 16,
    start: 8,
    flags: 0x05,
    attributes: true,
    reserved_info: 0x40,
    odd_words: false,
    ..V2_ERRATA_1
};

impl Version {
    /// The version for a header's number and flags.
    pub(crate) fn from_header(number: u64, flags: u64) -> Option<&'static Version> {
        let versions = SframeVersion::ALL.map(|version| match version {
            SframeVersion::V1 => &V1,
            SframeVersion::V2 => &V2,
            SframeVersion::V2Errata1 => &V2_ERRATA_1,
            SframeVersion::V3 => &V3,
        });
        let pcrel = flags & PCREL != 0;
        versions
            .into_iter()
            .find(|version| version.number == number && version.told_by_pcrel.is_none_or(|set| set == pcrel))
    }

    /// Returns true if starts are relative to their own field.
    pub(crate) fn counts_from_field(&self, flags: u64) -> bool {
        self.flags & flags & PCREL != 0
    }
}

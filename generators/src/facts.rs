//! What the writers know of a target and of a version, each fact once. A fifth target or another version does not compile
//! before every fact about it is given.
//!
//! `types` and the readers know some of the same: the facts of the formats are written here a second time on purpose.

use spec::RuleId;
use types::{Abi, SframeVersion};

use crate::elf::{SHT_PROGBITS, SHT_X86_64_UNWIND};
use crate::sframe::Layout;

/// How the tables of a target are written.
#[derive(Debug)]
pub(crate) struct Target {
    /// `sfh_abi_arch` (SFrame, "SFrame ABI/arch Identifier").
    pub(crate) sframe_id: u8,
    /// The first version of SFrame that has the target.
    pub(crate) since: SframeVersion,
    /// `sfh_cfa_fixed_ra_offset`; 0 where rows give the return address (SFrame, "SFrame ABI/arch-specific Definition").
    pub(crate) fixed_ra: i8,
    /// Index of the return address among the words of a default row.
    pub(crate) ra_word: Option<usize>,
    /// Index of FP among the words of a default row: the last that there can be.
    pub(crate) fp_word: usize,
    /// A CFA offset is the stored word times the scale plus the bias.
    pub(crate) cfa_scale: i64,
    /// Bytes.
    pub(crate) cfa_bias: i64,
    /// A word of 0 means that the register is not saved.
    pub(crate) zero_is_unsaved: bool,
    /// Default rows name registers by odd words, where the version does.
    pub(crate) odd_words: bool,
    /// It has flexible rows, where the version does.
    pub(crate) flex: bool,
    /// Return addresses can be signed.
    pub(crate) signs: bool,
    /// Functions can align SP and find the CFA in memory.
    pub(crate) realigns: bool,
    /// Functions that make no call can keep return address and FP in other registers.
    pub(crate) parks_in_registers: bool,
    /// Bytes of a slot of a procedure linkage table, where linkers describe those tables.
    pub(crate) plt_slot: Option<u8>,
    /// Code alignment factor of CIEs.
    pub(crate) code_alignment: u64,
    /// `sh_type` of `.eh_frame`.
    pub(crate) eh_frame_type: u32,
    /// Bytes of a word of `.hash`.
    pub(crate) hash_word: usize,
}

const AMD64: Target = Target {
    sframe_id: 3,
    since: SframeVersion::V1,
    fixed_ra: -8,
    ra_word: None,
    fp_word: 1,
    cfa_scale: 1,
    cfa_bias: 0,
    zero_is_unsaved: false,
    odd_words: false,
    flex: true,
    signs: false,
    realigns: true,
    parks_in_registers: true,
    plt_slot: Some(16),
    code_alignment: 1,
    // AMD64 psABI, "Special Sections".
    eh_frame_type: SHT_X86_64_UNWIND,
    hash_word: 4,
};

const AARCH64: Target = Target {
    sframe_id: 2,
    since: SframeVersion::V1,
    fixed_ra: 0,
    ra_word: Some(1),
    fp_word: 2,
    cfa_scale: 1,
    cfa_bias: 0,
    zero_is_unsaved: false,
    odd_words: false,
    flex: false,
    signs: true,
    realigns: false,
    parks_in_registers: false,
    plt_slot: None,
    code_alignment: 4,
    eh_frame_type: SHT_PROGBITS,
    hash_word: 4,
};

const AARCH64_BE: Target = Target { sframe_id: 1, ..AARCH64 };

const S390X: Target = Target {
    sframe_id: 4,
    since: SframeVersion::V2Errata1,
    fixed_ra: 0,
    ra_word: Some(1),
    fp_word: 2,
    // SFrame V2 errata 1, "s390x": (offset - 160) / 8 is stored.
    cfa_scale: 8,
    cfa_bias: 160,
    zero_is_unsaved: true,
    odd_words: true,
    flex: true,
    signs: false,
    realigns: false,
    parks_in_registers: true,
    // s390x ELF ABI 1.6, "Procedure Linkage Table".
    plt_slot: Some(32),
    // Instructions are 2-byte aligned, but compilers make no use of it.
    code_alignment: 1,
    eh_frame_type: SHT_PROGBITS,
    // s390x ELF ABI 1.6, "Hash Table".
    hash_word: 8,
};

/// What a version adds to the layout of its structures.
#[derive(Debug)]
pub(crate) struct Version {
    pub(crate) layout: Layout,
    /// Current producers of the version write starts relative to their own field, and set the flag for it.
    pub(crate) starts_from_field: bool,
    pub(crate) outermost: Outermost,
    /// Rules that every section of the version breaks.
    pub(crate) breaks: &'static [RuleId],
}

/// Whether a row without words means an undefined return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outermost {
    /// There are no such rows.
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
};

const V2: Version = Version {
    layout: Layout::V2,
    starts_from_field: false,
    outermost: Outermost::Errata2,
    breaks: &[RuleId::HeaderPcrelClearV2],
};

const V2_ERRATA_1: Version = Version { starts_from_field: true, breaks: &[], ..V2 };

const V3: Version = Version { layout: Layout::V3, starts_from_field: true, outermost: Outermost::Always, breaks: &[] };

pub(crate) const fn target(abi: Abi) -> &'static Target {
    match abi {
        Abi::Amd64 => &AMD64,
        Abi::Aarch64 => &AARCH64,
        Abi::Aarch64Be => &AARCH64_BE,
        Abi::S390x => &S390X,
    }
}

pub(crate) const fn version(version: SframeVersion) -> &'static Version {
    match version {
        SframeVersion::V1 => &V1,
        SframeVersion::V2 => &V2,
        SframeVersion::V2Errata1 => &V2_ERRATA_1,
        SframeVersion::V3 => &V3,
    }
}

impl Target {
    /// True where the version has the target.
    pub(crate) fn is_in(&self, version: SframeVersion) -> bool {
        self.since <= version
    }

    /// The stored form of a CFA offset, if it loses nothing.
    pub(crate) fn stored_cfa(&self, offset: i64) -> Option<i64> {
        let distance = offset.checked_sub(self.cfa_bias)?;
        (distance % self.cfa_scale == 0).then_some(distance / self.cfa_scale)
    }

    /// 8 bytes of a CFA offset as stored.
    pub(crate) fn cfa_step(&self) -> i32 {
        (8 / self.cfa_scale) as i32
    }

    /// Default rows name registers by odd words in that layout.
    pub(crate) fn has_odd_words(&self, layout: Layout) -> bool {
        self.odd_words && layout.has_odd_words()
    }

    /// There are flexible rows in that layout.
    pub(crate) fn has_flex(&self, layout: Layout) -> bool {
        self.flex && layout.has_flex()
    }
}

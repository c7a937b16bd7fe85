//! ABI properties as defined by the SFrame specification and the psABIs.

use types::Abi;

/// SFrame properties of an ABI. Registers are DWARF numbers.
pub(crate) struct Facts {
    /// `sfh_abi_arch` (SFrame V2 errata 1, "SFrame ABI/arch Identifier").
    pub(crate) id: u8,
    /// True if integers are stored most significant byte first.
    pub(crate) big_endian: bool,
    pub(crate) sp: u16,
    pub(crate) fp: u16,
    pub(crate) ra: u16,
    /// `sfh_cfa_fixed_ra_offset`; 0 if rows track the return address.
    pub(crate) fixed_ra: i8,
    /// CFA minus the caller's SP.
    pub(crate) cfa_minus_sp: i64,
    /// Subtracted from a CFA offset before it is stored.
    pub(crate) cfa_base: i64,
    /// Divides a CFA offset before it is stored (SFrame V2 errata 1, "s390x").
    pub(crate) cfa_scale: i64,
    /// True if rows can save FP without the return address: a word 0 replaces the latter.
    pub(crate) has_filler: bool,
    /// True if rows before V3 can express that a value is in another register, by an odd word.
    pub(crate) has_register_words: bool,
    /// True if V3 defines flexible rows for the ABI (SFrame V3, "Flexible FDE").
    pub(crate) has_flex: bool,
}

/// System V AMD64 psABI, figure 3.36.
const AMD64: Facts = Facts {
    id: 3,
    big_endian: false,
    sp: 7,
    fp: 6,
    ra: 16,
    fixed_ra: -8,
    cfa_minus_sp: 0,
    cfa_base: 0,
    cfa_scale: 1,
    has_filler: false,
    has_register_words: false,
    has_flex: true,
};

/// DWARF for the Arm 64-bit Architecture, 4.1.
const AARCH64: Facts = Facts {
    id: 2,
    big_endian: false,
    sp: 31,
    fp: 29,
    ra: 30,
    fixed_ra: 0,
    cfa_minus_sp: 0,
    cfa_base: 0,
    cfa_scale: 1,
    has_filler: false,
    has_register_words: false,
    has_flex: false,
};

const AARCH64_BE: Facts = Facts { id: 1, big_endian: true, ..AARCH64 };

/// ELF ABI s390x Supplement, "DWARF Register Number Mapping".
const S390X: Facts = Facts {
    id: 4,
    big_endian: true,
    sp: 15,
    fp: 11,
    ra: 14,
    fixed_ra: 0,
    cfa_minus_sp: 160,
    cfa_base: 160,
    cfa_scale: 8,
    has_filler: true,
    has_register_words: true,
    has_flex: true,
};

pub(crate) const fn facts(abi: Abi) -> &'static Facts {
    match abi {
        Abi::Amd64 => &AMD64,
        Abi::Aarch64 => &AARCH64,
        Abi::Aarch64Be => &AARCH64_BE,
        Abi::S390x => &S390X,
    }
}

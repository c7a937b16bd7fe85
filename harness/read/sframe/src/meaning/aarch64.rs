//! AArch64, both byte orders (SFrame V2 errata 1, "AArch64"): RA is in x30 until a row tracks it,
//! and may be signed.
//!
//! The specification allows 1 or 3 words; GNU as emits 2 if only LR is saved, and the second is RA.
//! RA word 0 is a slot at CFA+0: the specification defines no invalid value for this ABI.

use types::ValueRule;

use super::arch::Arch;

pub(crate) const ARCH: Arch = Arch {
    ra_word: None,
    fp_word: None,
    ra_untracked: Some(ValueRule::SameValue),
    // DWARF for the Arm 64-bit Architecture 4.1: 0-31 general registers and SP, 64-95 SIMD and FP
    // registers.
    has_register: |number| number <= 31 || matches!(number, 64..=95),
};

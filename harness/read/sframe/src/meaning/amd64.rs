//! AMD64 (SFrame V2 errata 1, "AMD64"): RA is at a fixed offset from the CFA that the header gives;
//! CFA and FP offsets are in bytes.

use super::arch::Arch;

pub(crate) const ARCH: Arch = Arch {
    ra_word: None,
    fp_word: None,
    // A call pushes the return address: no register holds it.
    ra_untracked: None,
    // System V AMD64 psABI, figure 3.36: 0-15 general registers, 16 the return address column,
    // 130-145 those of APX.
    has_register: |number| matches!(number, 0..=16 | 130..=145),
};

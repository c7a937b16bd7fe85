//! s390x (SFrame V2 errata 1, "s390x"): RA in r14 until tracked, registers as save slots.

use types::{SframeVersion, ValueRule};

use super::arch::{Arch, register};
use crate::ErrorKind;

/// SFRAME_FRE_RA_OFFSET_INVALID: an RA word that only keeps the place in front of an FP word.
const RA_FILLER: i64 = 0;

pub(crate) const ARCH: Arch = Arch {
    ra_word: Some(|version, word| if word == RA_FILLER { Ok(ValueRule::SameValue) } else { saved(version, word) }),
    fp_word: Some(saved),
    ra_untracked: Some(ValueRule::SameValue),
    // s390x ELF ABI 1.6, table 1.17: 0-31 general and floating-point registers, 64 and 65 the two
    // halves of the PSW.
    has_register: |number| number <= 31 || matches!(number, 64 | 65),
};

/// V2 names registers by an odd word, which no stack slot can be; V3 retired that for flex rows and
/// gives odd words no meaning of their own.
fn saved(version: SframeVersion, word: i64) -> Result<ValueRule, ErrorKind> {
    if !version.has_register_words() || word & 1 == 0 {
        return Ok(ValueRule::AtCfa(word));
    }
    match u32::try_from(word >> 1) {
        Ok(number) if number <= 31 => Ok(ValueRule::Register { reg: register(number)?, offset: 0 }),
        _ => Err(ErrorKind::Register(word >> 1)),
    }
}

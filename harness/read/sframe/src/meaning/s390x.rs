//! s390x (SFrame V2 errata 1, "s390x"): RA is in r14 until a row tracks it; registers can be saved
//! in registers.

use types::{SframeVersion, ValueRule};

use super::arch::{Arch, register};
use crate::ErrorKind;

/// SFRAME_FRE_RA_OFFSET_INVALID: an RA word that is only a placeholder before an FP word.
const RA_FILLER: i64 = 0;

pub(crate) const ARCH: Arch = Arch {
    ra_word: Some(|version, word| if word == RA_FILLER { Ok(ValueRule::SameValue) } else { saved(version, word) }),
    fp_word: Some(saved),
    ra_untracked: Some(ValueRule::SameValue),
    // s390x ELF ABI 1.6, table 1.17: 0-31 general and floating-point registers, 64 and 65 the two
    // halves of the PSW.
    has_register: |number| number <= 31 || matches!(number, 64 | 65),
};

/// In V2 an odd word names a register, since it cannot be a stack slot. V3 retired this for flex
/// rows and defines no meaning for odd words.
fn saved(version: SframeVersion, word: i64) -> Result<ValueRule, ErrorKind> {
    if !version.has_register_words() || word & 1 == 0 {
        return Ok(ValueRule::AtCfa(word));
    }
    match u32::try_from(word >> 1) {
        Ok(number) if number <= 31 => Ok(ValueRule::Register { reg: register(number)?, offset: 0 }),
        _ => Err(ErrorKind::Register(word >> 1)),
    }
}

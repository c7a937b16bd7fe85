//! s390x (SFrame V2 errata 1, "s390x"): scaled CFA offsets, RA in r14 until tracked, registers as save slots.

use model::ValueRule;

use super::{Arch, register};
use crate::{ErrorKind, Format};

/// SFRAME_S390X_CFA_OFFSET_ADJUSTMENT: the CFA at entry is SP + 160, which encodes as 0.
const ADJUSTMENT: i64 = -160;
/// SFRAME_S390X_CFA_OFFSET_ALIGNMENT_FACTOR.
const FACTOR: i64 = 8;
/// SFRAME_FRE_RA_OFFSET_INVALID: an RA word that only keeps the place in front of an FP word.
const RA_FILLER: i64 = 0;

pub(crate) const ARCH: Arch = Arch {
    // Words have at most 32 bits, so neither operation saturates.
    cfa_offset: |word| word.saturating_mul(FACTOR).saturating_sub(ADJUSTMENT),
    ra_word: |format, word| if word == RA_FILLER { Ok(ValueRule::SameValue) } else { saved(format, word) },
    fp_word: saved,
    ra_untracked: Some(ValueRule::SameValue),
    // s390x ELF ABI 1.6, table 1.17: 0-31 general and floating-point registers, 64 and 65 the two halves of the PSW.
    has_register: |number| number <= 31 || matches!(number, 64 | 65),
    signs: false,
};

/// V2 tells registers by an odd word, which no stack slot can be; V3 retired that for flex rows and gives odd words no
/// meaning of their own.
fn saved(format: Format, word: i64) -> Result<ValueRule, ErrorKind> {
    if format == Format::V3 || word & 1 == 0 {
        return Ok(ValueRule::AtCfa(word));
    }
    match u32::try_from(word >> 1) {
        Ok(number) if number <= 31 => Ok(ValueRule::Register { reg: register(number)?, offset: 0 }),
        _ => Err(ErrorKind::Register(word >> 1)),
    }
}

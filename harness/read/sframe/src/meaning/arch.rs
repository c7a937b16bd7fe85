//! The meaning of row words that is specific to an ABI.

use types::{Abi, Reg, SframeVersion, ValueRule};

use super::{aarch64, amd64, s390x};
use crate::ErrorKind;

/// Function from a word to its rule, for one ABI.
pub(crate) type Word = fn(SframeVersion, i64) -> Result<ValueRule, ErrorKind>;

/// Treatment of words by an ABI, in addition to [`types::AbiFacts`].
pub(crate) struct Arch {
    /// Rule of a default row's RA word, or `None` if the word is the offset of a stack slot.
    pub(crate) ra_word: Option<Word>,
    /// Rule of a default row's FP word, or `None` if the word is the offset of a stack slot.
    pub(crate) fp_word: Option<Word>,
    /// Rule for the return address if neither header nor row gives it, or `None` if it is unknown.
    pub(crate) ra_untracked: Option<ValueRule>,
    /// Returns true if the ABI has a register with this DWARF number.
    pub(crate) has_register: fn(u32) -> bool,
}

#[inline]
pub(crate) fn arch(abi: Abi) -> &'static Arch {
    match abi {
        Abi::Amd64 => &amd64::ARCH,
        Abi::Aarch64 | Abi::Aarch64Be => &aarch64::ARCH,
        Abi::S390x => &s390x::ARCH,
    }
}

pub(super) fn register(number: u32) -> Result<Reg, ErrorKind> {
    u16::try_from(number).map(Reg).map_err(|_| ErrorKind::Register(i64::from(number)))
}

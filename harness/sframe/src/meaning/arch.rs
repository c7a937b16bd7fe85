//! What each ABI does with the words of rows: dispatch to the file of each architecture.

use types::{Abi, Reg, SframeVersion, ValueRule};

use super::{aarch64, amd64, s390x};
use crate::ErrorKind;

/// The meaning of words in a version, for one ABI.
pub(crate) type Word = fn(SframeVersion, i64) -> Result<ValueRule, ErrorKind>;

/// What an ABI does with words, besides the facts in [`types::AbiFacts`].
pub(crate) struct Arch {
    /// The rule of a default row's RA word, or `None` if it is an offset of a stack slot.
    pub(crate) ra_word: Option<Word>,
    /// The rule of a default row's FP word, likewise.
    pub(crate) fp_word: Option<Word>,
    /// Where the return address is if neither header nor row gives it, or `None` if that is
    /// unknown.
    pub(crate) ra_untracked: Option<ValueRule>,
    /// Whether the ABI has a register of that DWARF number.
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

//! What can be wrong in a CFI section, and where.

use std::fmt;

/// A CIE or FDE that could not be used. The others are not affected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEntry {
    /// `.eh_frame` or `.debug_frame`.
    pub section: &'static str,
    /// Where the entry begins in the section.
    pub offset: u64,
    /// What is wrong with it.
    pub error: CfiError,
}

/// Why a CIE or FDE could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CfiError {
    /// An encoding that cannot be read.
    #[error("{0}")]
    Read(gimli::Error),
    /// The length field reaches past the end of the section.
    #[error("length field reaches past the end of the section")]
    Length,
    /// The CIE pointer names no CIE of the section.
    #[error("CIE pointer names no CIE (offset {0:#x})")]
    NoCie(u64),
    /// The CIE could not be used.
    #[error("its CIE at {offset:#x} is unusable: {error}")]
    BrokenCie {
        /// Where the CIE begins.
        offset: u64,
        /// What is wrong with the CIE.
        error: Box<CfiError>,
    },
    /// The range or an advance leaves the address space.
    #[error("addresses overflow (at {0:#x})")]
    Overflow(u64),
    /// `DW_CFA_set_loc` goes back.
    #[error("DW_CFA_set_loc goes back to {0:#x}")]
    Backwards(u64),
    /// An instruction that has no meaning where it stands.
    #[error("{0}")]
    Invalid(&'static str),
    /// More of something than any producer makes; a guard of memory.
    #[error("too many {0}")]
    TooMany(&'static str),
}

impl From<gimli::Error> for CfiError {
    fn from(error: gimli::Error) -> Self {
        CfiError::Read(error)
    }
}

impl fmt::Display for BadEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{:#x}: {}", self.section, self.offset, self.error)
    }
}

//! What can be wrong in a CFI section, and where.

use std::fmt;

use types::Pc;

/// A CIE or FDE that could not be used. The others are not affected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEntry {
    /// `.eh_frame` or `.debug_frame`.
    pub section: &'static str,
    /// Where the entry begins in the section.
    pub offset: u64,
    /// Start of the code that an FDE describes, where that much could be read.
    pub function: Option<Pc>,
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
    /// An instruction that has no meaning at its place.
    #[error("{0}")]
    Invalid(&'static str),
    /// More of something than any producer makes; a guard of memory.
    #[error("too many {0}")]
    TooMany(&'static str),
}

impl CfiError {
    /// Returns true for an instruction that exists and is not read here: libgcc (unwind-dw2.c) and
    /// gdb (dwarf2/frame.c) know `DW_CFA_GNU_negative_offset_extended`.
    pub(super) fn is_of_other_readers(&self) -> bool {
        use gimli::constants::DW_CFA_GNU_negative_offset_extended as NEGATIVE_OFFSET;
        matches!(self, CfiError::Read(gimli::Error::UnknownCallFrameInstruction(NEGATIVE_OFFSET)))
    }

    /// What is wrong, without where: the same for the same bug in another file.
    pub fn kind(&self) -> String {
        match self {
            CfiError::NoCie(_) => "CIE pointer names no CIE".to_owned(),
            CfiError::BrokenCie { error, .. } => error.kind(),
            CfiError::Overflow(_) => "addresses overflow".to_owned(),
            CfiError::Backwards(_) | CfiError::Read(gimli::Error::InvalidCfiSetLoc(_)) => {
                "DW_CFA_set_loc goes back".to_owned()
            }
            CfiError::Read(_) | CfiError::Length | CfiError::Invalid(_) | CfiError::TooMany(_) => self.to_string(),
        }
    }
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

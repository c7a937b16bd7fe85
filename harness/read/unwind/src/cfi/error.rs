//! Errors in a CFI section, with their position.

use std::fmt;

use types::Pc;

/// A CIE or FDE that could not be used. Other entries are not affected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadEntry {
    /// Name of the section: `.eh_frame` or `.debug_frame`.
    pub section: &'static str,
    /// Offset of the entry in the section.
    pub offset: u64,
    /// Start of the code that an FDE describes, if it could be read.
    pub function: Option<Pc>,
    pub error: CfiError,
}

/// Why a CIE or FDE could not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CfiError {
    /// An encoding that cannot be read.
    #[error("{0}")]
    Read(gimli::Error),
    #[error("length field reaches past the end of the section")]
    Length,
    #[error("CIE pointer names no CIE (offset {0:#x})")]
    NoCie(u64),
    #[error("its CIE at {offset:#x} is unusable: {error}")]
    BrokenCie {
        /// Offset of the CIE.
        offset: u64,
        /// Error in the CIE.
        error: Box<CfiError>,
    },
    #[error("addresses overflow (at {0:#x})")]
    Overflow(u64),
    #[error("DW_CFA_set_loc goes back to {0:#x}")]
    Backwards(u64),
    /// An instruction that is meaningless in its context.
    #[error("{0}")]
    Invalid(&'static str),
    /// An instruction or expression that an assembler encodes as directives ask for it, that has
    /// no meaning.
    #[error("{0}")]
    Meaningless(&'static str),
    /// A number larger than any producer emits; a limit on memory.
    #[error("too many {0}")]
    TooMany(&'static str),
}

impl CfiError {
    /// Returns true if the directives have the error: they ask for what has no meaning.
    pub fn is_of_directives(&self) -> bool {
        match self {
            CfiError::Meaningless(_) => true,
            CfiError::BrokenCie { error, .. } => error.is_of_directives(),
            CfiError::Read(_)
            | CfiError::Length
            | CfiError::NoCie(_)
            | CfiError::Overflow(_)
            | CfiError::Backwards(_)
            | CfiError::Invalid(_)
            | CfiError::TooMany(_) => false,
        }
    }

    /// Returns true for an existing instruction that this reader does not support: libgcc
    /// (unwind-dw2.c) and gdb (dwarf2/frame.c) support `DW_CFA_GNU_negative_offset_extended`.
    pub(super) fn is_of_other_readers(&self) -> bool {
        use gimli::constants::DW_CFA_GNU_negative_offset_extended as NEGATIVE_OFFSET;
        matches!(self, CfiError::Read(gimli::Error::UnknownCallFrameInstruction(NEGATIVE_OFFSET)))
    }

    /// The error without its position: the same for the same bug in another file.
    pub fn kind(&self) -> String {
        match self {
            CfiError::NoCie(_) => "CIE pointer names no CIE".to_owned(),
            CfiError::BrokenCie { error, .. } => error.kind(),
            CfiError::Overflow(_) => "addresses overflow".to_owned(),
            CfiError::Backwards(_) | CfiError::Read(gimli::Error::InvalidCfiSetLoc(_)) => {
                "DW_CFA_set_loc goes back".to_owned()
            }
            CfiError::Read(_)
            | CfiError::Length
            | CfiError::Invalid(_)
            | CfiError::Meaningless(_)
            | CfiError::TooMany(_) => self.to_string(),
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

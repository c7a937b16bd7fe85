//! Field positions of each version: the only difference between versions on the syntax level.
//!
//! The header is the same 28 bytes in all versions. V1 and V2 describe a function in one entry of
//! 17 or 20 bytes; V3 splits it into an index entry of 16 bytes and an attribute block of 5 bytes
//! that precedes the function's rows.

use core::fmt;

use types::SframeVersion;

/// The version byte. V2 and its errata share it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Format {
    /// Version byte 1.
    V1,
    /// Version byte 2, any errata.
    V2,
    /// Version byte 3.
    V3,
}

/// An integer field: its offset in its structure and its width, both in bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    pub(crate) at: u8,
    pub(crate) width: u8,
}

/// Positions and sizes of the fields of a function descriptor in one version.
#[derive(Debug)]
pub(crate) struct Layout {
    /// Size of an entry of the function descriptor table.
    pub(crate) entry_size: u8,
    /// Start of the function, a signed field.
    pub(crate) start: Field,
    /// Size of the function.
    pub(crate) size: Field,
    /// Offset of the rows (V3: of the attribute block) in the FRE sub-section.
    pub(crate) fre_off: Field,
    /// Size of the attribute block before the rows; 0 if the attributes are in the FDE.
    pub(crate) block_size: u8,
    /// Number of rows. This field and those below are in the attribute block if the version has
    /// one.
    pub(crate) num_fres: Field,
    pub(crate) info: Field,
    pub(crate) info2: Option<Field>,
    /// Size of the repeating block.
    pub(crate) rep_size: Option<Field>,
    /// Padding.
    pub(crate) padding: Option<Field>,
}

const fn field(at: u8, width: u8) -> Field {
    Field { at, width }
}

// SFrame V1 (binutils 2.40 sframe.h, sframe_func_desc_entry): packed, no rep_size and no padding.
static V1: Layout = Layout {
    entry_size: 17,
    start: field(0x00, 4),
    size: field(0x04, 4),
    fre_off: field(0x08, 4),
    block_size: 0,
    num_fres: field(0x0c, 4),
    info: field(0x10, 1),
    info2: None,
    rep_size: None,
    padding: None,
};

// SFrame V2 errata 1, "SFrame FDE".
static V2: Layout = Layout {
    entry_size: 20,
    rep_size: Some(field(0x11, 1)),
    padding: Some(field(0x12, 2)),
    start: field(0x00, 4),
    size: field(0x04, 4),
    fre_off: field(0x08, 4),
    block_size: 0,
    num_fres: field(0x0c, 4),
    info: field(0x10, 1),
    info2: None,
};

// SFrame V3, "SFrame FDE": function index entry and function attributes.
static V3: Layout = Layout {
    entry_size: 16,
    start: field(0x00, 8),
    size: field(0x08, 4),
    fre_off: field(0x0c, 4),
    block_size: 5,
    num_fres: field(0x00, 2),
    info: field(0x02, 1),
    info2: Some(field(0x03, 1)),
    rep_size: Some(field(0x04, 1)),
    padding: None,
};

impl Format {
    /// Returns the format for a version byte.
    pub fn from_byte(byte: u8) -> Option<Format> {
        SframeVersion::ALL.into_iter().find(|version| version.number() == byte).map(Format::from_version)
    }

    const fn from_version(version: SframeVersion) -> Format {
        match version {
            SframeVersion::V1 => Format::V1,
            SframeVersion::V2 | SframeVersion::V2Errata1 => Format::V2,
            SframeVersion::V3 => Format::V3,
        }
    }

    /// The version byte.
    pub fn byte(self) -> u8 {
        match self {
            Format::V1 => 1,
            Format::V2 => 2,
            Format::V3 => 3,
        }
    }

    /// Size of an entry of the function descriptor table in bytes: 17, 20 or 16.
    pub fn entry_size(self) -> u64 {
        u64::from(self.layout().entry_size)
    }

    /// Size of the attribute block before a function's rows in bytes: 5 in V3, else 0.
    pub fn block_size(self) -> u64 {
        u64::from(self.layout().block_size)
    }

    pub(crate) fn layout(self) -> &'static Layout {
        match self {
            Format::V1 => &V1,
            Format::V2 => &V2,
            Format::V3 => &V3,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "V{}", self.byte())
    }
}

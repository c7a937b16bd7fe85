//! Sizes in bytes and constants of each version, for the writer.
//!
//! Source: "The SFrame Format" for version 1 (binutils 2.40), version 2 with errata 1 and 2 (2.45),
//! and version 3 (2.47).

/// `sfp_magic` ("SFrame Preamble").
pub(crate) const MAGIC: u16 = 0xdee2;
/// Size in bytes of preamble and header without auxiliary header; the same in all versions ("SFrame
/// Header").
pub(crate) const HEADER_SIZE: usize = 28;

/// SFRAME_F_FDE_SORTED: descriptors are ordered by address.
pub const FLAG_SORTED: u8 = 0x1;
/// SFRAME_F_FRAME_POINTER: all functions keep a frame pointer (V1 and V2 only).
pub const FLAG_FRAME_POINTER: u8 = 0x2;
/// SFRAME_F_FDE_FUNC_START_PCREL: start fields are relative to themselves (from V2 errata 1).
pub const FLAG_PCREL: u8 = 0x4;

// The bits of func_info ("SFrame FDE Info Word").
pub(crate) const INFO_PCMASK: u8 = 0x10;
pub(crate) const INFO_B_KEY: u8 = 0x20;
pub(crate) const INFO_SIGNAL: u8 = 0x80;
// V3 func_info2: FDE type 1 is the flexible one.
pub(crate) const INFO2_FLEX: u8 = 0x01;
// The bits of a row's info byte ("SFrame FRE Info Word").
pub(crate) const ROW_BASE_SP: u8 = 0x01;

/// The structure of FDEs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// 17-byte descriptors, without block size.
    V1,
    /// 20-byte descriptors with block size and padding.
    V2,
    /// 16-byte index entries, with attributes in the FRE sub-section.
    V3,
}

impl Layout {
    /// The version byte of the preamble.
    pub const fn version_byte(self) -> u8 {
        match self {
            Layout::V1 => 1,
            Layout::V2 => 2,
            Layout::V3 => 3,
        }
    }

    /// Size in bytes of an FDE.
    pub const fn fde_size(self) -> usize {
        match self {
            Layout::V1 => 17,
            Layout::V2 => 20,
            Layout::V3 => 16,
        }
    }

    /// Size in bytes of the start field.
    pub(crate) const fn start_size(self) -> usize {
        match self {
            Layout::V1 | Layout::V2 => 4,
            Layout::V3 => 8,
        }
    }

    /// Size in bytes of the attributes before a function's rows (V3, "SFrame FDE Attribute").
    pub(crate) const fn attribute_size(self) -> usize {
        match self {
            Layout::V1 | Layout::V2 => 0,
            Layout::V3 => 5,
        }
    }

    /// Returns true if a function's row count and info bytes are attributes before its rows, not
    /// fields of its FDE.
    pub(crate) const fn has_attributes(self) -> bool {
        self.attribute_size() > 0
    }

    /// Returns true if there is a field for the size of repeated blocks: `func_rep_size`.
    pub(crate) const fn has_rep_size(self) -> bool {
        match self {
            Layout::V1 => false,
            Layout::V2 | Layout::V3 => true,
        }
    }

    /// Returns true if FDEs end with two bytes of padding.
    pub(crate) const fn has_padding(self) -> bool {
        match self {
            Layout::V1 | Layout::V3 => false,
            Layout::V2 => true,
        }
    }

    /// Returns true if there is a flag for starts relative to their own field:
    /// SFRAME_F_FDE_FUNC_START_PCREL.
    pub(crate) const fn has_pcrel_flag(self) -> bool {
        match self {
            Layout::V1 => false,
            Layout::V2 | Layout::V3 => true,
        }
    }

    /// Returns true if `func_info` has a bit for signal frames.
    pub(crate) const fn has_signal(self) -> bool {
        match self {
            Layout::V1 | Layout::V2 => false,
            Layout::V3 => true,
        }
    }

    /// The bit of a row's info byte for signed return addresses ("SFrame FRE Info Word").
    pub(crate) const fn row_signed(self) -> u8 {
        match self {
            Layout::V1 | Layout::V2 | Layout::V3 => 0x80,
        }
    }

    /// Returns true if there are flexible rows (V3, "Flexible FDE").
    pub(crate) const fn has_flex(self) -> bool {
        match self {
            Layout::V1 | Layout::V2 => false,
            Layout::V3 => true,
        }
    }

    /// Returns true if odd words of default rows name registers; flexible rows replace them.
    pub(crate) const fn has_odd_words(self) -> bool {
        !self.has_flex()
    }
}

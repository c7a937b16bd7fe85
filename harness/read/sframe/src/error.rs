//! Errors of reading SFrame, with the offset of the wrong byte from the start of the section.

/// An error that makes the section or one of its functions unreadable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{kind} (at byte {offset:#x} of the section)")]
pub struct ParseError {
    /// Kind of the error.
    pub kind: ErrorKind,
    /// Absolute offset of the field or byte that is wrong.
    pub offset: u64,
}

/// The kind of a [`ParseError`], with the values found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The section is shorter than a preamble or a header.
    #[error("the section ends after {have} bytes, {need} are needed")]
    Truncated {
        /// Bytes needed from the start of the section.
        need: u64,
        /// Bytes in the section.
        have: u64,
    },
    /// The magic is 0xDEE2 in neither byte order.
    #[error("the magic is {0:02x?}, neither e2 de nor de e2")]
    Magic([u8; 2]),
    /// An unsupported version; the section need not be corrupt.
    #[error("SFrame version {0} is not supported (1, 2 and 3 are)")]
    Version(u8),
    /// The auxiliary header exceeds the section.
    #[error("the auxiliary header of {0} bytes extends past the end of the section")]
    AuxHeader(u8),
    /// The function descriptors exceed the section.
    #[error("the table of {count} function descriptors would end at byte {end:#x}, the section has {have:#x}")]
    FdeTable {
        /// `sfh_num_fdes`.
        count: u32,
        /// End of the table according to the header.
        end: u64,
        /// Bytes in the section.
        have: u64,
    },
    /// The FRE sub-section exceeds the section.
    #[error("the FRE sub-section of {length:#x} bytes would end at byte {end:#x}, the section has {have:#x}")]
    FreArea {
        /// `sfh_fre_len`.
        length: u32,
        /// End of the sub-section according to the header.
        end: u64,
        /// Bytes in the section.
        have: u64,
    },
    /// Unknown ABI byte.
    #[error("ABI identifier {0} is not known")]
    Abi(u8),
    /// A function's rows (V3: its attribute block) begin outside the FRE sub-section.
    #[error("the row offset {offset:#x} lies outside the FRE sub-section of {length:#x} bytes")]
    RowOffset {
        /// `func_start_fre_off`.
        offset: u32,
        /// `sfh_fre_len`.
        length: u32,
    },
    /// A row exceeds the FRE sub-section.
    #[error("row {row} extends past the end of the FRE sub-section")]
    RowTruncated {
        /// Index of the row in its function.
        row: u32,
    },
    /// FRE types 3 to 15 are reserved.
    #[error("row type {0} is reserved")]
    FreType(u8),
    /// FDE types 2 to 31 are reserved (V3).
    #[error("function descriptor type {0} is reserved")]
    FdeType(u8),
    /// Word size code 3 is reserved.
    #[error("word size code 3 is reserved")]
    WordSize,
    /// A PCMASK function with a block size of 0.
    #[error("a repeating block of 0 bytes")]
    BlockSize,
    /// The ABI defines no meaning for this number of words.
    #[error("{0} words in a row have no meaning here")]
    WordCount(u8),
    /// Flex words that do not form pairs of control and offset.
    #[error("the words do not form pairs of control word and offset")]
    FlexWords,
    /// A flex CFA whose base is not a register.
    #[error("control word {0:#x} bases the CFA on the CFA")]
    CfaControl(u32),
    /// A register number that the ABI does not have.
    #[error("register {0} does not exist on this ABI")]
    Register(i64),
    /// The ABI keeps the return address on the stack, and neither header nor row has its offset.
    #[error(
        "the location of the return address is not encoded: the fixed RA offset is 0 and the row has no word for it"
    )]
    NoReturnAddress,
    /// A row starts before its predecessor.
    #[error("row {row} starts at {start:#x}, before its predecessor")]
    RowOrder {
        /// Index of the row in its function.
        row: u32,
        /// Start of the row, in bytes from the start of its function or block.
        start: u32,
    },
    /// Functions share more row bytes than a reader decodes (see [`crate::Table`]).
    #[error("too many functions share the same row bytes")]
    Overlap,
    /// The function's start or end is not a valid 64-bit address.
    #[error("the function's range leaves the address space")]
    Address,
}

impl ParseError {
    pub(crate) fn new(kind: ErrorKind, offset: u64) -> Self {
        ParseError { kind, offset }
    }
}

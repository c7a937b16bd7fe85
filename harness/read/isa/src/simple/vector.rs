//! Operations on the sixteen bytes of a vector register. Lane 0 is the lowest; all lanes of one
//! operation have the same size.

use super::Size;

/// An operation on vectors; the operands are those of [`super::Simple`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// Copies bytes of `from` into `to`. Offsets apply to vectors; memory and integer registers
    /// start at byte 0. The rest of a vector is kept or cleared; the rest of an integer register is
    /// cleared.
    Moves {
        bytes: u8,
        /// Offset of the first byte in `from`, if `from` is a vector.
        first: u8,
        /// Offset of the first byte in `to`, if `to` is a vector.
        at: u8,
        /// The other bytes of `to` become 0.
        clears: bool,
        /// Memory must be 16-byte aligned, else the processor faults.
        aligned: bool,
    },
    /// `to` = the operation on `to` and `from`, lane by lane.
    Lanes(Lanes, Size),
    /// Shifts all of `to` by this many bytes towards higher ones.
    ShiftsBytesUp(u8),
    /// Shifts all of `to` by this many bytes towards lower ones.
    ShiftsBytesDown(u8),
    /// Interleaves the lanes of the low or high half of both operands.
    Interleaves(super::Side, Size),
    /// Lanes of 4 bytes of `from`, selected by pairs of bits.
    Shuffles(u8),
    /// Words of one half of `from`, selected by pairs of bits; the other half is copied.
    ShufflesWords(super::Side, u8),
    /// Two 4-byte lanes of `to`, then two of `from`, selected by pairs of bits.
    ShufflesSingles(u8),
    /// One 8-byte lane of `to`, then one of `from`, selected by bits.
    ShufflesDoubles(u8),
    /// Bytes of `to`, selected by the bytes of `from`; 0 for a negative byte.
    ShufflesBytes,
    /// Sixteen bytes of the concatenation of `to` and `from` (`from` lower), starting at this byte.
    Aligns(u8),
    /// Copies the sign of each lane to a bit of an integer register.
    Signs(Size),
}

/// The operation on two lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    And,
    /// AND of the complement of the first and the second.
    AndNot,
    Or,
    Xor,
    Add,
    Subtract,
    /// All ones if equal, else 0.
    Equal,
    /// Signed; all ones if greater, else 0.
    Greater,
    MinimumUnsigned,
    MaximumUnsigned,
    MinimumSigned,
    MaximumSigned,
    /// The product, truncated to the lane size.
    MultiplyLow,
    /// The unsigned products of the lower halves.
    MultiplyHalves,
    /// Shifts all lanes by one count: the low eight bytes of the second operand.
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
}

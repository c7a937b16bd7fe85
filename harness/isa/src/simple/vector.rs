//! What instructions do with the sixteen bytes of a vector register. Lane 0 is the lowest; all
//! lanes of one operation have one size.

use super::Size;

/// What is done with vectors; the operands are those of [`super::Simple`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vector {
    /// That many bytes of `from` go into `to`, each from and at a byte of them, memory and integer
    /// registers from byte 0. The rest of a vector is kept or cleared; that of an integer register
    /// is cleared.
    Moves {
        /// Number of bytes.
        bytes: u8,
        /// The first, in `from` where that is a vector.
        first: u8,
        /// Where the first goes, in `to` where that is a vector.
        at: u8,
        /// The other bytes of `to` become 0.
        clears: bool,
        /// Memory is to be at a multiple of 16, or the processor refuses.
        aligned: bool,
    },
    /// `to` becomes what is computed of it and `from`, lane by lane.
    Lanes(Lanes, Size),
    /// All of `to` is shifted by this many bytes, towards higher ones.
    ShiftsBytesUp(u8),
    /// Towards lower ones.
    ShiftsBytesDown(u8),
    /// The lanes of both operands in turns: those of the lower half, or of the higher one.
    Interleaves(super::Side, Size),
    /// Lanes of `from` by pairs of bits, 4 bytes each.
    Shuffles(u8),
    /// The same of the four words of one half; the other is moved.
    ShufflesWords(super::Side, u8),
    /// Two lanes of `to`, then two of `from`, by pairs of bits.
    ShufflesSingles(u8),
    /// A lane of `to`, then one of `from`, by bits.
    ShufflesDoubles(u8),
    /// Bytes of `to` by the numbers in `from`; 0 where one is negative.
    ShufflesBytes,
    /// Sixteen bytes of the concatenation (`from` lower), starting at this many bytes.
    Aligns(u8),
    /// The sign of each lane becomes a bit of an integer register.
    Signs(Size),
}

/// What is computed of two lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    And,
    /// Of the opposite of the first.
    AndNot,
    Or,
    Xor,
    Add,
    Subtract,
    /// All ones where it is so, else 0.
    Equal,
    /// Signed.
    Greater,
    MinimumUnsigned,
    MaximumUnsigned,
    MinimumSigned,
    MaximumSigned,
    /// As much of the product as a lane has.
    MultiplyLow,
    /// The products of the lower halves, which have no sign.
    MultiplyHalves,
    /// Shifts of all lanes by one number: the eight lowest bytes of the second.
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
}

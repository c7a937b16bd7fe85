//! Bounds-checked integers at absolute offsets of a section, in either byte order.

use types::ByteOrder;

/// Reader of integers in a slice. Offsets count from its first byte.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    all: &'a [u8],
    order: ByteOrder,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(all: &'a [u8], order: ByteOrder) -> Self {
        Bytes { all, order }
    }

    /// Size in bytes.
    pub(crate) fn len(self) -> u64 {
        self.all.len() as u64
    }

    /// The bytes `at..at + length`, or `None` if they exceed the slice.
    #[inline]
    pub(crate) fn get(self, at: u64, length: u64) -> Option<&'a [u8]> {
        let from = usize::try_from(at).ok()?;
        let to = usize::try_from(at.checked_add(length)?).ok()?;
        self.all.get(from..to)
    }

    /// The bytes from an offset to the end, or `None` if the offset is out of bounds.
    #[inline]
    pub(crate) fn from(self, at: u64) -> Option<&'a [u8]> {
        self.all.get(usize::try_from(at).ok()?..)
    }

    pub(crate) fn order(self) -> ByteOrder {
        self.order
    }

    /// An unsigned integer of `width` bytes (at most 8).
    #[inline]
    pub(crate) fn unsigned(self, at: u64, width: u8) -> Option<u64> {
        let bytes = self.from(at)?;
        // A loop over a length known only at run time is several times slower, and every row has
        // four integers.
        match (width, self.order) {
            (1, _) => bytes.first().map(|byte| u64::from(*byte)),
            (2, ByteOrder::Little) => Some(u64::from(u16::from_le_bytes(*bytes.first_chunk()?))),
            (2, ByteOrder::Big) => Some(u64::from(u16::from_be_bytes(*bytes.first_chunk()?))),
            (4, ByteOrder::Little) => Some(u64::from(u32::from_le_bytes(*bytes.first_chunk()?))),
            (4, ByteOrder::Big) => Some(u64::from(u32::from_be_bytes(*bytes.first_chunk()?))),
            (8, ByteOrder::Little) => Some(u64::from_le_bytes(*bytes.first_chunk()?)),
            (8, ByteOrder::Big) => Some(u64::from_be_bytes(*bytes.first_chunk()?)),
            _ => self.odd(at, width),
        }
    }

    #[cold]
    fn odd(self, at: u64, width: u8) -> Option<u64> {
        let bytes = self.get(at, u64::from(width))?;
        let append = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(match self.order {
            ByteOrder::Big => bytes.iter().fold(0, append),
            ByteOrder::Little => bytes.iter().rev().fold(0, append),
        })
    }

    /// A two's complement integer of 1, 2, 4 or 8 bytes.
    #[inline]
    pub(crate) fn signed(self, at: u64, width: u8) -> Option<i64> {
        let value = self.unsigned(at, width)?;
        Some(match width {
            1 => i64::from(value as u8 as i8),
            2 => i64::from(value as u16 as i16),
            4 => i64::from(value as u32 as i32),
            _ => value as i64,
        })
    }
}

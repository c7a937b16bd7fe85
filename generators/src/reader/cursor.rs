//! Reads numbers from untrusted bytes: `None` at the end.

use types::ByteOrder;

/// A position in a sequence of bytes. Numbers are in byte order `order`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    order: ByteOrder,
    bytes: &'a [u8],
    at: u64,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(order: ByteOrder, bytes: &'a [u8], at: u64) -> Self {
        Cursor { order, bytes, at }
    }

    /// Offset of the next byte.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    /// A cursor into the same bytes at another position.
    pub(crate) fn to(&self, at: u64) -> Self {
        Cursor { at, ..*self }
    }

    /// A cursor into the same bytes up to an offset.
    pub(crate) fn until(&self, end: u64) -> Option<Self> {
        Some(Cursor { bytes: self.bytes.get(..usize::try_from(end).ok()?)?, ..*self })
    }

    /// Returns true if no byte is left.
    pub(crate) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len() as u64
    }

    pub(crate) fn take(&mut self, count: u64) -> Option<&'a [u8]> {
        let from = usize::try_from(self.at).ok()?;
        let taken = self.bytes.get(from..from.checked_add(usize::try_from(count).ok()?)?)?;
        self.at = self.at.checked_add(count)?;
        Some(taken)
    }

    /// Reads an unsigned number of 1 to 8 bytes.
    pub(crate) fn unsigned(&mut self, size: u64) -> Option<u64> {
        let bytes = self.take(size)?;
        let fold = |value: u64, byte: &u8| value << 8 | u64::from(*byte);
        Some(match self.order {
            ByteOrder::Big => bytes.iter().fold(0, fold),
            ByteOrder::Little => bytes.iter().rev().fold(0, fold),
        })
    }

    /// Reads a two's complement number of 1 to 8 bytes.
    pub(crate) fn signed(&mut self, size: u64) -> Option<i64> {
        let unused = 64_u32.checked_sub(u32::try_from(size).ok()?.checked_mul(8)?)?;
        let value = self.unsigned(size)?;
        Some(value.checked_shl(unused).map_or(0, |high| (high as i64) >> unused))
    }

    /// Reads an unsigned LEB128 number (DWARF 5, 7.6), of at most 64 bits.
    pub(crate) fn uleb(&mut self) -> Option<u64> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.unsigned(1)?;
            value |= (byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    /// Reads a signed LEB128 number (DWARF 5, 7.6), of at most 64 bits.
    pub(crate) fn sleb(&mut self) -> Option<i64> {
        let mut value = 0_i64;
        for shift in (0..64).step_by(7) {
            let byte = self.unsigned(1)? as i64;
            value |= (byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let unused = 64_u32.saturating_sub(shift + 7);
                return Some(value << unused >> unused);
            }
        }
        None
    }

    /// Reads bytes up to a zero, which is skipped.
    pub(crate) fn string(&mut self) -> Option<&'a [u8]> {
        let from = usize::try_from(self.at).ok()?;
        let length = self.bytes.get(from..)?.iter().position(|byte| *byte == 0)? as u64;
        let text = self.take(length)?;
        self.take(1)?;
        Some(text)
    }
}

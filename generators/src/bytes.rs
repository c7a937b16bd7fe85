//! Encoding of fields in the target's byte order.

use types::ByteOrder;

/// Fields, appended in sequence.
#[derive(Clone, Debug)]
pub(crate) struct Bytes {
    order: ByteOrder,
    /// Number of bytes that only stand for others before them.
    begin: usize,
    out: Vec<u8>,
}

impl Bytes {
    pub(crate) fn new(order: ByteOrder) -> Self {
        Bytes { order, begin: 0, out: Vec::new() }
    }

    /// Offset of the next byte.
    pub(crate) fn len(&self) -> usize {
        self.out.len()
    }

    pub(crate) fn u8(&mut self, value: u8) {
        self.out.push(value);
    }

    pub(crate) fn u16(&mut self, value: u16) {
        self.low_bytes(u64::from(value), 2);
    }

    pub(crate) fn u32(&mut self, value: u32) {
        self.low_bytes(u64::from(value), 4);
    }

    /// Appends the low `size` (1 to 8) bytes of a two's complement value, in the section's byte
    /// order.
    pub(crate) fn low_bytes(&mut self, value: u64, size: usize) {
        match self.order {
            ByteOrder::Little => self.out.extend_from_slice(&value.to_le_bytes()[..size]),
            ByteOrder::Big => self.out.extend_from_slice(&value.to_be_bytes()[8 - size..]),
        }
    }

    /// Fields that are appended elsewhere from an offset on.
    pub(crate) fn beside(&self, begin: usize) -> Bytes {
        Bytes { order: self.order, begin, out: vec![0; begin] }
    }

    /// The bytes that were appended.
    pub(crate) fn added(&self) -> &[u8] {
        &self.out[self.begin..]
    }

    /// Replaces bytes that were appended before.
    pub(crate) fn patch(&mut self, offset: usize, value: u64, size: usize) {
        let mut field = Bytes::new(self.order);
        field.low_bytes(value, size);
        self.out[offset..offset + size].copy_from_slice(&field.out);
    }

    pub(crate) fn raw(&mut self, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
    }

    /// Appends an unsigned LEB128 number (DWARF 5, 7.6).
    pub(crate) fn uleb(&mut self, mut value: u64) {
        while value > 0x7f {
            self.out.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    /// Appends a signed LEB128 number (DWARF 5, 7.6).
    pub(crate) fn sleb(&mut self, mut value: i64) {
        loop {
            let byte = (value & 0x7f) as u8;
            value >>= 7;
            let sign_shown = byte & 0x40 != 0;
            if (value == 0 && !sign_shown) || (value == -1 && sign_shown) {
                self.out.push(byte);
                return;
            }
            self.out.push(byte | 0x80);
        }
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.out
    }
}

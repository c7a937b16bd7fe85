//! Structures for the program, built field by field in its byte order.

use types::ByteOrder;

/// The bytes of a structure.
#[derive(Clone, Debug)]
pub(crate) struct Record {
    order: ByteOrder,
    bytes: Vec<u8>,
}

impl Record {
    pub(crate) fn new(order: ByteOrder) -> Record {
        Record { order, bytes: Vec::new() }
    }

    pub(crate) fn u64(self, value: u64) -> Record {
        self.number(value, 8)
    }

    pub(crate) fn u32(self, value: u32) -> Record {
        self.number(value.into(), 4)
    }

    pub(crate) fn u16(self, value: u16) -> Record {
        self.number(value.into(), 2)
    }

    fn number(self, value: u64, size: usize) -> Record {
        let mut bytes = [0; 8];
        self.order.store(&mut bytes[..size], value);
        self.raw(&bytes[..size])
    }

    pub(crate) fn raw(mut self, bytes: &[u8]) -> Record {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub(crate) fn words(self, words: &[u64]) -> Record {
        words.iter().fold(self, |record, word| record.u64(*word))
    }

    /// Appends bytes, and zeroes up to `size` bytes; what does not fit is omitted.
    pub(crate) fn text(self, bytes: &[u8], size: usize) -> Record {
        let end = self.bytes.len() + size;
        self.raw(bytes.get(..size).unwrap_or(bytes)).up_to(end)
    }

    /// Appends zeroes up to a length.
    pub(crate) fn up_to(mut self, length: usize) -> Record {
        self.bytes.resize(length.max(self.bytes.len()), 0);
        self
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

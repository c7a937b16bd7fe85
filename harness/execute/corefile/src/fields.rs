//! Numbers in a byte order, one after the other.

use types::ByteOrder;

/// Bytes that grow by fields.
pub(crate) struct Fields {
    order: ByteOrder,
    pub(crate) bytes: Vec<u8>,
}

impl Fields {
    pub(crate) fn new(order: ByteOrder) -> Fields {
        Fields { order, bytes: Vec::new() }
    }

    /// Appends 16 bits.
    pub(crate) fn half(&mut self, value: u16) -> &mut Fields {
        self.lowest(value.into(), 2)
    }

    /// Appends 32 bits.
    pub(crate) fn word(&mut self, value: u32) -> &mut Fields {
        self.lowest(value.into(), 4)
    }

    /// Appends 64 bits.
    pub(crate) fn long(&mut self, value: u64) -> &mut Fields {
        self.lowest(value, 8)
    }

    /// Appends bytes, and zeros up to `size`; what does not fit is left out.
    pub(crate) fn text(&mut self, bytes: &[u8], size: usize) -> &mut Fields {
        let end = self.bytes.len() + size;
        self.bytes.extend(bytes.iter().take(size));
        self.bytes.resize(end, 0);
        self
    }

    /// Appends the lowest bytes of a number.
    fn lowest(&mut self, value: u64, size: usize) -> &mut Fields {
        let bytes = self.order.bytes_of(value);
        self.bytes.extend(match self.order {
            ByteOrder::Little => &bytes[..size],
            ByteOrder::Big => &bytes[8 - size..],
        });
        self
    }
}

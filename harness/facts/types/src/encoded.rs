//! Pointers as `.eh_frame` and `.eh_frame_hdr` encode them: LSB 5.0 core, 10.5.1.

use crate::ByteOrder;

/// A `DW_EH_PE_*` byte: the format in the low 4 bits, the base in the next 3 bits, and bit 7 if the
/// value is the address of the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerEncoding(pub u8);

impl PointerEncoding {
    /// `DW_EH_PE_omit`: no value.
    pub const OMIT: PointerEncoding = PointerEncoding(0xff);

    /// Returns true if the byte is a defined encoding: a defined format and a defined base.
    pub const fn exists(self) -> bool {
        self.0 == Self::OMIT.0 || matches!(self.0 & 0x0f, 0..=4 | 9..=12) && self.0 & 0x70 <= 0x50
    }

    /// Returns true if the value is the address of the pointer (`DW_EH_PE_indirect`).
    pub const fn is_indirect(self) -> bool {
        self.0 != Self::OMIT.0 && self.0 & 0x80 != 0
    }

    /// Returns true if the value is relative to its own address (`DW_EH_PE_pcrel`).
    pub const fn is_relative_to_field(self) -> bool {
        self.0 != Self::OMIT.0 && self.0 & 0x70 == 0x10
    }

    /// Size of the value in bytes; `None` for LEB128, `DW_EH_PE_omit` and undefined encodings.
    pub const fn size(self) -> Option<usize> {
        if self.0 == Self::OMIT.0 {
            return None;
        }
        match self.0 & 0x0f {
            0x02 | 0x0a => Some(2),
            0x03 | 0x0b => Some(4),
            0x00 | 0x04 | 0x0c => Some(8),
            _ => None,
        }
    }

    /// Decodes the value at an offset of a section. The outer `None`: it depends on a process or
    /// has no fixed size; the inner `None`: the section ends before it does.
    pub fn value(self, (address, bytes): (u64, &[u8]), at: usize, order: ByteOrder) -> Option<Option<u64>> {
        let size = self.size()?;
        let base = match self.0 & 0xf0 {
            0x00 => 0,
            0x10 => address.wrapping_add(at as u64),
            // DW_EH_PE_datarel in `.eh_frame_hdr`: relative to the section.
            0x30 => address,
            _ => return None,
        };
        let word = || {
            let value = order.number(bytes.get(at..at.checked_add(size)?)?);
            let unused = 64 - 8 * size as u32;
            let is_signed = self.0 & 0x08 != 0;
            let value = if is_signed { ((value << unused).cast_signed() >> unused).cast_unsigned() } else { value };
            Some(base.wrapping_add(value))
        };
        Some(word())
    }
}

/// Decodes an unsigned LEB128 number (DWARF 5, 7.6) at the start of bytes: its value, and its size
/// in bytes. `None` if they end before it does, or it has more than 64 bits.
pub fn uleb128(bytes: &[u8]) -> Option<(u64, usize)> {
    let size = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)? + 1;
    let value = bytes.iter().take(size).rev().fold(0, |value, byte| value << 7 | u64::from(byte & 0x7f));
    Some((value, size))
}

/// Decodes a signed LEB128 number, as [`uleb128`].
pub fn sleb128(bytes: &[u8]) -> Option<(i64, usize)> {
    let (value, size) = uleb128(bytes)?;
    let unused = 64u32.saturating_sub(7 * size as u32);
    Some(((value << unused).cast_signed() >> unused, size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_ends_at_its_last_byte_or_is_none() {
        assert_eq!(uleb128(&[0x02, 0x7f]), Some((2, 1)));
        assert_eq!(uleb128(&[0xe5, 0x8e, 0x26, 0xff]), Some((624_485, 3)), "the example of DWARF");
        assert_eq!(uleb128(&[0xff; 20]), None);
        assert_eq!(uleb128(&[0x80]), None);
        assert_eq!(sleb128(&[0x7d]), Some((-3, 1)));
        assert_eq!(sleb128(&[0x80, 0x7f]), Some((-128, 2)), "the example of DWARF");
        assert_eq!(sleb128(&[0xff, 0x00]), Some((127, 2)));
    }

    #[test]
    fn a_value_by_format_base_and_byte_order() {
        let bytes = [0, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0, 1];
        let value = |encoding, order| PointerEncoding(encoding).value((0x1000, &bytes), 4, order);
        assert_eq!(value(0x1b, ByteOrder::Little), Some(Some(0x1002)));
        assert_eq!(value(0x3b, ByteOrder::Little), Some(Some(0xffe)));
        assert_eq!(value(0x03, ByteOrder::Little), Some(Some(0xffff_fffe)));
        assert_eq!(value(0x03, ByteOrder::Big), Some(Some(0xfeff_ffff)));
        assert_eq!(value(0x02, ByteOrder::Little), Some(Some(0xfffe)));
        assert_eq!(value(0x04, ByteOrder::Little), Some(Some(0x0100_0000_ffff_fffe)));
        assert_eq!(PointerEncoding(0x0c).value((0, &bytes), 5, ByteOrder::Big), Some(None), "truncated");
        for of_a_process in [0x9b, 0x2b, 0x01, 0xff] {
            assert_eq!(value(of_a_process, ByteOrder::Little), None, "{of_a_process:#x}");
        }
    }
}

//! Encoded pointers of `.eh_frame` (LSB 5.0 core, 10.5.1 "DWARF Exception Header Encoding").

use crate::reader::cursor::Cursor;

/// A supported encoding byte: `DW_EH_PE_omit` and indirect pointers never encode code addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blind) struct Encoding {
    format: u8,
    pc_relative: bool,
}

impl Encoding {
    /// `DW_EH_PE_absptr`, the default without an `R`.
    pub(in crate::blind) const ABSOLUTE: Encoding = Encoding { format: 0, pc_relative: false };

    /// The encoding; `None` if it is not used for code addresses here.
    pub(in crate::blind) fn from_byte(byte: u8) -> Option<Encoding> {
        let pc_relative = match byte & 0xf0 {
            0x00 => false,
            0x10 => true,
            _ => return None,
        };
        let encoding = Encoding { format: byte & 0x0f, pc_relative };
        matches!(encoding.format, 0x00..=0x04 | 0x09..=0x0c).then_some(encoding)
    }

    /// Reads a pointer in a section at an address.
    pub(in crate::blind) fn read(self, cursor: &mut Cursor<'_>, section: u64) -> Option<u64> {
        let field = section.checked_add(cursor.at())?;
        let value = self.value(cursor)?;
        Some(if self.pc_relative { field.wrapping_add_signed(value) } else { value as u64 })
    }

    /// Reads a number without relocation, as for the size of a function.
    pub(in crate::blind) fn size(self, cursor: &mut Cursor<'_>) -> Option<u64> {
        self.value(cursor).map(|value| match self.format & 7 {
            2 => value as u64 & 0xffff,
            3 => value as u64 & 0xffff_ffff,
            _ => value as u64,
        })
    }

    fn value(self, cursor: &mut Cursor<'_>) -> Option<i64> {
        Some(match self.format {
            0x00 | 0x04 | 0x0c => cursor.signed(8)?,
            0x01 => cursor.uleb()? as i64,
            0x02 => cursor.unsigned(2)? as i64,
            0x03 => cursor.unsigned(4)? as i64,
            0x09 => cursor.sleb()?,
            0x0a => cursor.signed(2)?,
            0x0b => cursor.signed(4)?,
            _ => return None,
        })
    }
}

/// Skips a pointer of any encoding, such as that of a personality routine.
pub(super) fn skip(byte: u8, cursor: &mut Cursor<'_>) -> Option<()> {
    if byte != 0xff {
        Encoding { format: byte & 0x0f, pc_relative: false }.value(cursor)?;
    }
    Some(())
}

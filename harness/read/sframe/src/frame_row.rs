//! One frame row entry as on disk: start, info byte and words (SFrame V2 errata 1, "SFrame FRE").

use crate::bytes::Bytes;

/// An uninterpreted frame row entry (FRE): the caller reads words as signed or unsigned.
#[derive(Clone, Copy, Debug)]
pub struct FrameRow<'a> {
    /// Absolute offset of the row's first byte.
    pub offset: u64,
    /// Start of the row, in bytes from the start of the function or of the repeating block.
    pub start: u32,
    /// Info byte, all bits.
    pub info: RowInfo,
    /// Absolute offset of the info byte.
    pub info_at: u64,
    /// Absolute offset of the first byte after the row.
    pub end: u64,
    pub(crate) words: Bytes<'a>,
    pub(crate) word_size: u8,
}

/// The info byte of a row (SFrame V2 errata 1, "The SFrame FRE Info Word").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RowInfo(pub u8);

impl RowInfo {
    /// Bit 0: the base register of the CFA is SP if set, FP if clear. Unused in flex rows.
    #[inline]
    pub fn base_is_sp(self) -> bool {
        self.0 & 1 != 0
    }

    /// Number of words, 0 to 15.
    #[inline]
    pub fn word_count(self) -> u8 {
        self.0 >> 1 & 0x0f
    }

    /// Size of a word in bytes; `None` for the reserved code 3.
    #[inline]
    pub fn word_size(self) -> Option<u8> {
        match self.0 >> 5 & 3 {
            0 => Some(1),
            1 => Some(2),
            2 => Some(4),
            _ => None,
        }
    }

    /// Bit 7. Its meaning depends on the version:
    /// [`Header::is_signed`](crate::Header::is_signed).
    #[inline]
    pub fn bit_7(self) -> bool {
        self.0 & 0x80 != 0
    }
}

impl FrameRow<'_> {
    /// Size of a word in bytes.
    #[inline]
    pub fn word_size(&self) -> u8 {
        self.word_size
    }

    /// Absolute offset of a word.
    pub fn word_at(&self, index: u8) -> u64 {
        let from_info = u64::from(index).saturating_mul(u64::from(self.word_size)).saturating_add(1);
        self.info_at.saturating_add(from_info)
    }

    /// A word as a signed offset.
    #[inline]
    pub fn offset_word(&self, index: u8) -> Option<i64> {
        self.words.signed(self.position(index), self.word_size)
    }

    /// A word as an unsigned control word.
    #[inline]
    pub fn control_word(&self, index: u8) -> Option<u32> {
        self.words.unsigned(self.position(index), self.word_size).map(|word| word as u32)
    }

    /// All words as one number, if they fit. The info byte determines the size of all words.
    pub(crate) fn packed(&self) -> Option<u128> {
        let words = self.words.get(0, self.words.len())?;
        let mut packed = [0; size_of::<u128>()];
        packed.get_mut(..words.len())?.copy_from_slice(words);
        Some(u128::from_le_bytes(packed))
    }

    /// All words as signed offsets.
    #[inline]
    pub fn offset_words(&self) -> impl Iterator<Item = i64> {
        (0..self.info.word_count()).filter_map(|index| self.offset_word(index))
    }

    #[inline]
    fn position(&self, index: u8) -> u64 {
        // At most 255 * 4.
        u64::from(u16::from(index).wrapping_mul(u16::from(self.word_size)))
    }
}

//! A section as encoded: header, function descriptors, rows. Nothing is interpreted and nothing is
//! copied.
//!
//! Counts and lengths of the header are checked against the size of the section first, and
//! functions and rows are read one at a time, so hostile counts cost nothing.

use crate::bytes::Bytes;
use crate::func::{Attributes, FuncDesc, FuncEntry, Info, Info2};
use crate::layout::{Field, Layout};
use crate::meaning;
use crate::{ErrorKind, FrameRow, Header, ParseError, RowInfo, Rules};
use types::Abi;

/// A readable section: its header and tables.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// Preamble and header.
    pub header: Header,
    bytes: Bytes<'a>,
    /// The bytes up to the end of the FRE sub-section: rows cannot be read past it.
    rows: Bytes<'a>,
}

impl<'a> Section<'a> {
    /// Reads the header and checks that the tables lie inside the section. Bytes after the FRE
    /// sub-section are ignored: only the first SFrame element of a section is read.
    ///
    /// # Errors
    /// A header that cannot be read, or tables outside the section. Errors of single functions are
    /// returned by [`Section::functions`] and [`Section::rows`], and do not affect other functions.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ParseError> {
        let header = Header::parse(bytes)?;
        header.check_geometry(bytes.len() as u64)?;
        let upto = usize::try_from(header.fres_end()).unwrap_or(usize::MAX);
        let rows = Bytes::new(bytes.get(..upto).unwrap_or(bytes), header.order);
        Ok(Section { header, bytes: Bytes::new(bytes, header.order), rows })
    }

    /// Size of the section in bytes.
    pub fn size(&self) -> u64 {
        self.bytes.len()
    }

    /// Bytes at an absolute offset, or `None` if they are out of bounds.
    pub fn bytes(&self, at: u64, length: u64) -> Option<&'a [u8]> {
        self.bytes.get(at, length)
    }

    /// The auxiliary header: the bytes between header and function descriptors. No ABI defines its
    /// contents.
    pub fn auxiliary(&self) -> &'a [u8] {
        self.bytes.get(crate::header::at::END, u64::from(self.header.aux_len)).unwrap_or_default()
    }

    /// The entries of the function descriptor table, in file order.
    pub fn entries(&self) -> impl Iterator<Item = FuncEntry> + use<'a> {
        let section = *self;
        (0..self.header.num_fdes).map_while(move |index| section.entry(index))
    }

    /// The entry at this index.
    #[inline]
    pub fn entry(&self, index: u32) -> Option<FuncEntry> {
        if index >= self.header.num_fdes {
            return None;
        }
        let layout = self.layout();
        let offset = self.header.format.entry_size().checked_mul(u64::from(index))?;
        let offset = self.header.fdes_at().checked_add(offset)?;
        let unsigned = |field: Field| self.bytes.unsigned(offset.checked_add(u64::from(field.at))?, field.width);
        Some(FuncEntry {
            index,
            offset,
            start: self.bytes.signed(offset.checked_add(u64::from(layout.start.at))?, layout.start.width)?,
            size: unsigned(layout.size)? as u32,
            fre_off: unsigned(layout.fre_off)? as u32,
        })
    }

    /// The function descriptors in file order, with an error in place of each that cannot be read.
    pub fn functions(&self) -> impl Iterator<Item = Result<FuncDesc, ParseError>> + use<'a> {
        let section = *self;
        self.entries().map(move |entry| section.function(entry))
    }

    /// Returns the descriptor of an entry: the entry with its attributes.
    ///
    /// # Errors
    /// [`ErrorKind::RowOffset`] if a V3 attribute block is not in the FRE sub-section.
    #[inline]
    pub fn function(&self, entry: FuncEntry) -> Result<FuncDesc, ParseError> {
        let layout = self.layout();
        let outside = || self.row_offset_error(&entry);
        let fre_off = u64::from(entry.fre_off);
        let block = u64::from(layout.block_size);
        if block > 0 && fre_off.saturating_add(block) > u64::from(self.header.fre_len) {
            return Err(outside());
        }
        let blob = self.header.fres_at().saturating_add(fre_off);
        let attributes_at = if block == 0 { entry.offset } else { blob };
        let place = |field: Field| attributes_at.saturating_add(u64::from(field.at));
        let read = |field: Field| self.bytes.unsigned(place(field), field.width).ok_or_else(outside);
        let optional = |field: Option<Field>| field.map(read).transpose();
        let attributes = Attributes {
            offset: attributes_at,
            num_fres_at: place(layout.num_fres),
            info_at: place(layout.info),
            rep_size_at: place(layout.rep_size.unwrap_or(layout.info)),
            num_fres: read(layout.num_fres)? as u32,
            info: Info(read(layout.info)? as u8),
            info2: Info2(optional(layout.info2)?.unwrap_or(0) as u8),
            rep_size: optional(layout.rep_size)?.map(|size| size as u8),
            padding: optional(layout.padding)?.map(|padding| padding as u16),
            rows_at: blob.saturating_add(block),
        };
        Ok(FuncDesc { entry, attributes })
    }

    /// The rows of a function, in file order, up to the first that cannot be read. Rows that begin
    /// outside the FRE sub-section give [`ErrorKind::RowOffset`]; only a function without rows may
    /// have an offset at its very end.
    #[inline]
    pub fn rows<'s>(&'s self, function: &'s FuncDesc) -> Rows<'s, 'a> {
        let anywhere = self.header.format.block_size() > 0 || function.entry.fre_off < self.header.fre_len;
        let start_width = if anywhere { function.attributes.info.start_width() } else { None };
        Rows { section: self, function, start_width, next: 0, at: function.attributes.rows_at }
    }

    /// Returns the rules of a row for the caller, if its words are valid on the ABI.
    ///
    /// # Errors
    /// Words that have no meaning on this ABI, with the offset of the wrong byte.
    #[inline]
    pub fn meaning(&self, abi: Abi, function: &FuncDesc, row: &FrameRow<'_>) -> Result<Rules, ParseError> {
        meaning::rules(&self.header, abi, function, row)
    }

    /// Absolute offset of an entry's row offset field.
    pub fn fre_off_at(&self, entry: &FuncEntry) -> u64 {
        entry.offset.saturating_add(u64::from(self.layout().fre_off.at))
    }

    /// Absolute offset of an entry's size field.
    pub fn size_at(&self, entry: &FuncEntry) -> u64 {
        entry.offset.saturating_add(u64::from(self.layout().size.at))
    }

    /// Size of an entry's start field in bytes.
    pub(crate) fn start_width(&self) -> u8 {
        self.layout().start.width
    }

    /// Size of the row count field in bytes.
    pub(crate) fn count_width(&self) -> u8 {
        self.layout().num_fres.width
    }

    fn row_offset_error(&self, entry: &FuncEntry) -> ParseError {
        let kind = ErrorKind::RowOffset { offset: entry.fre_off, length: self.header.fre_len };
        ParseError::new(kind, self.fre_off_at(entry))
    }

    #[inline]
    fn layout(&self) -> &'static Layout {
        self.header.format.layout()
    }

    /// The row at an offset, if it is valid; starts have `start_width` bytes.
    #[inline(always)]
    fn sound_row(&self, start_width: u8, at: u64) -> Option<FrameRow<'a>> {
        let start = self.rows.unsigned(at, start_width)? as u32;
        let info_at = at.checked_add(u64::from(start_width))?;
        let (info, words) = self.rows.from(info_at)?.split_first()?;
        let info = RowInfo(*info);
        let word_size = info.word_size()?;
        let length = usize::from(word_size).checked_mul(usize::from(info.word_count()))?;
        let words = Bytes::new(words.get(..length)?, self.rows.order());
        let end = info_at.checked_add(1)?.checked_add(length as u64)?;
        Some(FrameRow { offset: at, start, info, info_at, end, words, word_size })
    }

    /// The error for a row that [`Self::sound_row`] rejects.
    #[cold]
    fn row_error(&self, function: &FuncDesc, index: u32, at: u64) -> ParseError {
        if self.header.format.block_size() == 0 && function.entry.fre_off >= self.header.fre_len {
            return self.row_offset_error(&function.entry);
        }
        let info = function.attributes.info;
        let Some(start_width) = info.start_width() else {
            return ParseError::new(ErrorKind::FreType(info.fre_type()), function.attributes.info_at);
        };
        let info_at = at.saturating_add(u64::from(start_width));
        match self.rows.unsigned(info_at, 1) {
            Some(info) if RowInfo(info as u8).word_size().is_none() => ParseError::new(ErrorKind::WordSize, info_at),
            _ => ParseError::new(ErrorKind::RowTruncated { row: index }, at),
        }
    }
}

/// An iterator over a function's rows.
#[derive(Clone, Debug)]
pub struct Rows<'s, 'a> {
    section: &'s Section<'a>,
    function: &'s FuncDesc,
    /// Size of a row's start field in bytes; `None` if no row can be read.
    start_width: Option<u8>,
    next: u32,
    at: u64,
}

impl Rows<'_, '_> {
    /// Absolute offset of the first byte not yet read.
    pub fn position(&self) -> u64 {
        self.at
    }
}

impl<'a> Iterator for Rows<'_, 'a> {
    type Item = Result<FrameRow<'a>, ParseError>;

    #[inline(always)]
    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.function.attributes.num_fres {
            return None;
        }
        let Some(row) = self.start_width.and_then(|width| self.section.sound_row(width, self.at)) else {
            let error = self.section.row_error(self.function, self.next, self.at);
            self.next = u32::MAX;
            return Some(Err(error));
        };
        self.next = self.next.saturating_add(1);
        self.at = row.end;
        Some(Ok(row))
    }
}

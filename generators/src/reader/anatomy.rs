//! The layout of a `.sframe` section: header, FDEs, rows, each with its offset and raw values
//! (SFrame V2 errata 1 and V3, "SFrame Header", "SFrame Function Descriptor Entries", "SFrame Frame
//! Row Entries"). It neither interprets nor judges them.

use types::ByteOrder;

use super::Version;
use super::cursor::Cursor;

/// Size of the fixed part of the header.
pub(crate) const HEADER: u64 = 28;

/// The parts of a section.
#[derive(Clone, Debug)]
pub(crate) struct Anatomy {
    pub(crate) header: Header,
    /// The FDEs inside the section.
    pub(crate) descriptors: Vec<Descriptor>,
}

/// The raw values of the header, and values derived from them.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) version: &'static Version,
    pub(crate) flags: u64,
    pub(crate) abi: u64,
    pub(crate) fixed_fp: i64,
    pub(crate) fixed_ra: i64,
    pub(crate) auxiliary: u64,
    pub(crate) functions: u64,
    pub(crate) rows: u64,
    pub(crate) row_bytes: u64,
    /// Offsets of the FDE table and of the FRE sub-section.
    pub(crate) table_at: u64,
    pub(crate) rows_at: u64,
}

/// An FDE: its entry in the table, and its rows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Descriptor {
    /// Offset of the entry.
    pub(crate) at: u64,
    pub(crate) start: i64,
    pub(crate) size: u64,
    /// Offset of the rows (V3: of the attributes) in the FRE sub-section.
    pub(crate) rows_offset: u64,
    /// The attributes could be read; otherwise the following values are 0.
    pub(crate) complete: bool,
    pub(crate) row_count: u64,
    pub(crate) info: u64,
    /// V3: the second info byte.
    pub(crate) info2: u64,
    /// Size in bytes of a block; `None` in V1, which has no field for it.
    pub(crate) block: Option<u64>,
    /// V2: the bytes of padding, as a number.
    pub(crate) padding: u64,
    /// V3: offset of the attributes.
    pub(crate) attributes_at: Option<u64>,
    /// The rows inside the FRE sub-section. Rows after one with an invalid word size are at the
    /// offsets where a reader looks for them.
    pub(crate) rows: Vec<Row>,
    /// Offset after the last of these rows.
    pub(crate) end: u64,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Row {
    /// Offset of the start field.
    pub(crate) at: u64,
    /// Size in bytes of the start field.
    pub(crate) start_size: u64,
    pub(crate) start: u64,
    pub(crate) info: u64,
    /// Size in bytes of a word; 0 if the size code is invalid, and then there are no words.
    pub(crate) word_size: u64,
    /// The words, as unsigned and as signed numbers.
    pub(crate) words: Vec<(u64, i64)>,
}

impl Descriptor {
    /// Size in bytes of a row's start field; `None` for unknown row types.
    pub(crate) fn start_size(&self) -> Option<u64> {
        [1, 2, 4].get(usize::try_from(self.info & 0xf).ok()?).copied()
    }

    /// Returns true if the rows apply to each block.
    pub(crate) fn in_blocks(&self) -> bool {
        self.info & 0x10 != 0
    }

    /// Returns true if all rows exist that the FDE counts.
    pub(crate) fn has_all_rows(&self) -> bool {
        self.complete && self.sized_rows().len() as u64 == self.row_count
    }

    /// The rows before the first one with an invalid word size.
    pub(crate) fn sized_rows(&self) -> &[Row] {
        let sized = self.rows.iter().take_while(|row| row.word_size > 0).count();
        self.rows.get(..sized).unwrap_or_default()
    }
}

impl Row {
    /// Offset of the info byte.
    pub(crate) fn info_at(&self) -> u64 {
        self.at.saturating_add(self.start_size)
    }

    /// Offset of the first word.
    pub(crate) fn words_at(&self) -> u64 {
        self.info_at().saturating_add(1)
    }

    /// Offset after the row.
    pub(crate) fn end(&self) -> u64 {
        self.words_at().saturating_add(self.word_size.saturating_mul(self.words.len() as u64))
    }
}

/// Splits a section into its parts. `None` if there is no header of a known version.
pub(crate) fn dissect(order: ByteOrder, bytes: &[u8]) -> Option<Anatomy> {
    let section = Cursor::new(order, bytes, 0);
    let header = header(section)?;
    let mut descriptors = Vec::new();
    for index in 0..header.functions {
        let at = index.checked_mul(header.version.entry).and_then(|offset| header.table_at.checked_add(offset));
        let Some(descriptor) = at.and_then(|at| descriptor(section, &header, at)) else { break };
        descriptors.push(descriptor);
    }
    Some(Anatomy { header, descriptors })
}

fn header(section: Cursor<'_>) -> Option<Header> {
    let mut cursor = section;
    if cursor.unsigned(2)? != 0xdee2 {
        return None;
    }
    let (number, flags, abi) = (cursor.unsigned(1)?, cursor.unsigned(1)?, cursor.unsigned(1)?);
    let version = Version::from_header(number, flags)?;
    let (fixed_fp, fixed_ra) = (cursor.signed(1)?, cursor.signed(1)?);
    let auxiliary = cursor.unsigned(1)?;
    let (functions, rows, row_bytes) = (cursor.unsigned(4)?, cursor.unsigned(4)?, cursor.unsigned(4)?);
    let base = HEADER.checked_add(auxiliary)?;
    let table_at = base.checked_add(cursor.unsigned(4)?)?;
    let rows_at = base.checked_add(cursor.unsigned(4)?)?;
    Some(Header { version, flags, abi, fixed_fp, fixed_ra, auxiliary, functions, rows, row_bytes, table_at, rows_at })
}

fn descriptor(section: Cursor<'_>, header: &Header, at: u64) -> Option<Descriptor> {
    let mut entry = section.to(at);
    let start = entry.signed(header.version.start)?;
    let (size, rows_offset) = (entry.unsigned(4)?, entry.unsigned(4)?);
    let mut found = Descriptor { at, start, size, rows_offset, ..Descriptor::default() };
    let first = header.rows_at.checked_add(rows_offset)?;
    if header.version.attributes {
        found.attributes_at = Some(first);
        let _ = attributes(section.to(first), &mut found);
        found.end = first.checked_add(5)?;
    } else {
        found.row_count = entry.unsigned(4)?;
        found.info = entry.unsigned(1)?;
        if header.version.block_size {
            found.block = Some(entry.unsigned(1)?);
            found.padding = entry.unsigned(2)?;
        }
        found.complete = true;
        found.end = first;
    }
    let area = header.rows_at.checked_add(header.row_bytes).and_then(|end| section.until(end));
    let (Some(start_size), Some(area)) = (found.start_size(), area) else { return Some(found) };
    for _ in 0..found.row_count {
        let Some(row) = row(area.to(found.end), start_size) else { break };
        found.end = row.end();
        found.rows.push(row);
    }
    Some(found)
}

/// Reads the five bytes of attributes before the rows (V3).
fn attributes(mut cursor: Cursor<'_>, found: &mut Descriptor) -> Option<()> {
    let (rows, info) = (cursor.unsigned(2)?, cursor.unsigned(1)?);
    let (info2, block) = (cursor.unsigned(1)?, cursor.unsigned(1)?);
    (found.row_count, found.info, found.info2, found.block) = (rows, info, info2, Some(block));
    found.complete = true;
    Some(())
}

/// Reads a row. `None` if it extends beyond the area, or its word size is invalid.
fn row(mut area: Cursor<'_>, start_size: u64) -> Option<Row> {
    let at = area.at();
    let (start, info) = (area.unsigned(start_size)?, area.unsigned(1)?);
    let (count, word_size) = (info >> 1 & 0xf, *[1, 2, 4, 0].get(usize::try_from(info >> 5 & 3).ok()?)?);
    if word_size == 0 && count > 0 {
        return None;
    }
    let word = |_| {
        let signed = area.to(area.at()).signed(word_size)?;
        Some((area.unsigned(word_size)?, signed))
    };
    let words = (0..count).map(word).collect::<Option<Vec<_>>>()?;
    Some(Row { at, start_size, start, info, word_size, words })
}

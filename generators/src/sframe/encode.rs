//! Encodes a [`SectionSpec`]: computes all fields that are not overridden (SFrame V1, V2 with
//! errata, V3: "SFrame Header", "SFrame FDE", "SFrame FRE").

use types::PacKey;

use super::layout::{
    FLAG_PCREL, HEADER_SIZE, INFO_B_KEY, INFO_PCMASK, INFO_SIGNAL, INFO2_FLEX, Layout, MAGIC, ROW_BASE_SP,
};
use super::spec::{Anchor, Base, FunctionSpec, PcType, RowSpec, SectionSpec};
use crate::bytes::Bytes;

/// The bytes of the section. Start fields are computed for the section's address; in a relocatable
/// object they are zero and have relocations.
pub fn encode(section: &SectionSpec, place: SectionAddress) -> Result<EncodedSection, EncodeError> {
    let table = HEADER_SIZE + section.aux.len() + section.fde_gap.len();
    let (rows, mut parts) = row_area(section)?;
    let mut out = Bytes::new(section.order);
    header(&mut out, section, rows.len())?;
    out.raw(&section.aux);
    out.raw(&section.fde_gap);
    let mut relocations = Vec::new();
    for (index, function) in section.functions.iter().enumerate() {
        let field = table + index * section.layout.fde_size();
        let start = match (function.overrides.start, place) {
            (Some(start), _) => start,
            (None, SectionAddress::Relocatable) => 0,
            (None, SectionAddress::Linked { section: address }) => {
                let anchor = match anchor(section) {
                    Anchor::Section => address,
                    Anchor::Field => address.wrapping_add(field as u64),
                };
                function.start.wrapping_sub(anchor) as i64
            }
        };
        if place == SectionAddress::Relocatable {
            relocations.push(StartRelocation { offset: field as u64, function: index });
        }
        descriptor(&mut out, section.layout, function, index, start, parts[index].begin)?;
    }
    out.raw(&section.fre_gap);
    parts.iter_mut().for_each(|part| part.move_by(out.len()));
    out.raw(&rows);
    let end = out.len();
    out.raw(&section.trailing);
    Ok(EncodedSection { bytes: out.finish(), relocations, parts, end })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SectionAddress {
    /// In a linked file, at this address.
    Linked {
        /// Address of the section's first byte.
        section: u64,
    },
    /// In a relocatable object.
    Relocatable,
}

/// A section's bytes, and its relocations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedSection {
    /// Contents, in the section's byte order.
    pub bytes: Vec<u8>,
    /// One relocation for each function in a relocatable object, else none.
    pub relocations: Vec<StartRelocation>,
    /// Where each function's attributes and rows are.
    pub(super) parts: Vec<Part>,
    /// Offset of the byte after the rows.
    pub(super) end: usize,
}

/// Offsets of a function's attributes and rows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    /// The attributes, or the first row in versions without attributes.
    pub(super) begin: usize,
    pub(super) rows: Vec<usize>,
}

impl Part {
    fn move_by(&mut self, bytes: usize) {
        self.begin += bytes;
        self.rows.iter_mut().for_each(|row| *row += bytes);
    }
}

/// A start field that must hold the function's address relative to itself. All producers so far use
/// such relocations in objects of every version, with or without the PCREL flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartRelocation {
    /// Offset of the field in the section.
    pub offset: u64,
    /// Index into [`SectionSpec::functions`].
    pub function: usize,
}

/// A specification that the format cannot express.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    #[error("function {function}: start value {value:#x} does not fit {bytes} bytes")]
    Start {
        /// Index of the function.
        function: usize,
        /// Distance from the anchor.
        value: i64,
        /// Size of the field.
        bytes: usize,
    },
    #[error("function {function} row {row}: start {start:#x} does not fit {bytes} bytes")]
    RowStart {
        /// Index of the function.
        function: usize,
        /// Index of the row.
        row: usize,
        /// Offset in the function.
        start: u32,
        /// Size of the field.
        bytes: usize,
    },
    #[error("function {function} row {row}: word {word} does not fit {bytes} bytes")]
    Word {
        /// Index of the function.
        function: usize,
        /// Index of the row.
        row: usize,
        /// Index of the word.
        word: usize,
        /// Size of a word.
        bytes: usize,
    },
    #[error("the order of rows names function {function} of {functions}")]
    RowOrder {
        /// The index in the order.
        function: usize,
        functions: usize,
    },
    #[error("{count} {what} are more than the format can count")]
    Count {
        /// The counted items, in the plural.
        what: &'static str,
        count: usize,
    },
}

/// The anchor by version and flags (V1 and V2: the section, unless errata 1's flag is set), or the
/// override.
fn anchor(section: &SectionSpec) -> Anchor {
    let promised = match section.layout.has_pcrel_flag() && section.flags & FLAG_PCREL != 0 {
        true => Anchor::Field,
        false => Anchor::Section,
    };
    section.anchor.unwrap_or(promised)
}

fn header(out: &mut Bytes, section: &SectionSpec, fre_len: usize) -> Result<(), EncodeError> {
    let (n, over) = (section.functions.len(), &section.header);
    let total_rows: usize = section.functions.iter().map(|function| function.rows.len()).sum();
    let freoff = section.fde_gap.len() + n * section.layout.fde_size() + section.fre_gap.len();
    out.u16(over.magic.unwrap_or(MAGIC));
    out.u8(over.version.unwrap_or(section.layout.version_byte()));
    out.u8(section.flags);
    out.u8(section.abi);
    out.u8(section.fixed_fp as u8);
    out.u8(section.fixed_ra as u8);
    out.u8(match over.aux_len {
        Some(len) => len,
        None => count("auxiliary header bytes", section.aux.len())?,
    });
    let mut field = |over: Option<u32>, what, value: usize| -> Result<(), EncodeError> {
        out.u32(match over {
            Some(value) => value,
            None => count(what, value)?,
        });
        Ok(())
    };
    field(over.num_fdes, "functions", n)?;
    field(over.num_fres, "rows", total_rows)?;
    field(over.fre_len, "row bytes", fre_len)?;
    field(over.fdeoff, "gap bytes", section.fde_gap.len())?;
    field(over.freoff, "descriptor bytes", freoff)
}

/// Appends one FDE; V3: one index entry.
fn descriptor(
    out: &mut Bytes,
    layout: Layout,
    function: &FunctionSpec,
    index: usize,
    start: i64,
    blob: usize,
) -> Result<(), EncodeError> {
    let bytes = layout.start_size();
    if bytes == 4 && i32::try_from(start).is_err() {
        return Err(EncodeError::Start { function: index, value: start, bytes });
    }
    out.low_bytes(start as u64, bytes);
    out.u32(function.size);
    out.u32(match function.overrides.fre_offset {
        Some(offset) => offset,
        None => count("row bytes", blob)?,
    });
    if layout.has_attributes() {
        return Ok(());
    }
    out.u32(num_fres(function)?);
    out.u8(info(layout, function));
    if layout.has_rep_size() {
        out.u8(rep_size(function));
    }
    if layout.has_padding() {
        out.u16(function.overrides.padding.unwrap_or(0));
    }
    Ok(())
}

/// All rows (V3: with each function's attributes before them), and where each function's are in
/// them.
fn row_area(section: &SectionSpec) -> Result<(Vec<u8>, Vec<Part>), EncodeError> {
    let mut out = Bytes::new(section.order);
    let mut parts = vec![Part::default(); section.functions.len()];
    let in_order: Vec<usize> = (0..section.functions.len()).collect();
    for &index in section.row_order.as_ref().unwrap_or(&in_order) {
        let missing = EncodeError::RowOrder { function: index, functions: parts.len() };
        let function = section.functions.get(index).ok_or(missing)?;
        // The row offset of a function without rows: V1 and V2 producers write 0.
        let empty = function.rows.is_empty() && !section.layout.has_attributes();
        parts[index].begin = if empty { 0 } else { out.len() };
        if function.overrides.no_blob {
            continue;
        }
        if section.layout.has_attributes() {
            attributes(&mut out, section.layout, function)?;
        }
        for (number, row) in function.rows.iter().enumerate() {
            parts[index].rows.push(out.len());
            encode_row(&mut out, section.layout, function, row, index, number)?;
        }
    }
    Ok((out.finish(), parts))
}

fn attributes(out: &mut Bytes, layout: Layout, function: &FunctionSpec) -> Result<(), EncodeError> {
    let begin = out.len();
    out.u16(count("rows of a function", num_fres(function)? as usize)?);
    out.u8(info(layout, function));
    out.u8(function.overrides.info2.unwrap_or(if function.flex { INFO2_FLEX } else { 0 }));
    out.u8(rep_size(function));
    assert_eq!(out.len() - begin, layout.attribute_size());
    Ok(())
}

fn encode_row(
    out: &mut Bytes,
    layout: Layout,
    function: &FunctionSpec,
    row: &RowSpec,
    index: usize,
    number: usize,
) -> Result<(), EncodeError> {
    let bytes = function.starts.bytes();
    if bytes < 4 && row.start >> (8 * bytes) != 0 {
        return Err(EncodeError::RowStart { function: index, row: number, start: row.start, bytes });
    }
    out.low_bytes(u64::from(row.start), bytes);
    out.u8(match row.info {
        Some(info) => info,
        None => row_info(layout, row)?,
    });
    for (position, word) in row.words.iter().enumerate() {
        let bytes = row.width.bytes();
        if !word.fits(row.width) {
            return Err(EncodeError::Word { function: index, row: number, word: position, bytes });
        }
        out.low_bytes(word.bits(), bytes);
    }
    Ok(())
}

/// A row's info byte: bit 0 base register, bits 1-4 count of words, bits 5-6 word size, bit 7
/// signed return address.
fn row_info(layout: Layout, row: &RowSpec) -> Result<u8, EncodeError> {
    let words = row.words.len();
    if words > 15 {
        return Err(EncodeError::Count { what: "words of a row", count: words });
    }
    let base = if row.base == Base::Sp { ROW_BASE_SP } else { 0 };
    let signed = if row.signed { layout.row_signed() } else { 0 };
    Ok(base | (words as u8) << 1 | row.width.code() << 5 | signed)
}

fn num_fres(function: &FunctionSpec) -> Result<u32, EncodeError> {
    match function.overrides.num_fres {
        Some(rows) => Ok(rows),
        None => count("rows of a function", function.rows.len()),
    }
}

fn info(layout: Layout, function: &FunctionSpec) -> u8 {
    let mask = match function.pc_type {
        PcType::Inc => 0,
        PcType::Mask(_) => INFO_PCMASK,
    };
    let key = if function.key == PacKey::B { INFO_B_KEY } else { 0 };
    let signal = if function.signal && layout.has_signal() { INFO_SIGNAL } else { 0 };
    function.overrides.info.unwrap_or(function.starts.code() | mask | key | signal)
}

fn rep_size(function: &FunctionSpec) -> u8 {
    function.overrides.rep_size.unwrap_or(match function.pc_type {
        PcType::Inc => 0,
        PcType::Mask(block) => block,
    })
}

fn count<T: TryFrom<usize>>(what: &'static str, value: usize) -> Result<T, EncodeError> {
    T::try_from(value).map_err(|_| EncodeError::Count { what, count: value })
}

//! Fields of a section by name, as [`super::edit()`] and tables of breaches write them.

use types::{ByteOrder, PacKey};

use super::spec::{Anchor, FunctionSpec, PcType, RowSpec, SectionSpec, Width};

/// A field of a section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field<'a> {
    pub(super) function: Option<FunctionAt>,
    /// Index of a row of the function.
    pub(crate) row: Option<usize>,
    /// Empty for a whole function or row.
    pub(super) name: &'a str,
}

/// Position of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FunctionAt {
    Index(usize),
    Last,
    /// Every function.
    Each,
}

impl<'a> Field<'a> {
    /// Parses a field: `flags`, `f1.info`, `last.r0`, `f0.r2.w1`.
    pub(crate) fn parse(text: &'a str) -> Field<'a> {
        let index = |part: &str, letter| part.strip_prefix(letter).and_then(|index| index.parse().ok());
        let (mut function, mut row, mut name) = (None, None, "");
        for part in text.split('.') {
            match (part, index(part, 'f'), index(part, 'r')) {
                ("f*", ..) => function = Some(FunctionAt::Each),
                ("last", ..) => function = Some(FunctionAt::Last),
                (_, Some(at), _) => function = Some(FunctionAt::Index(at)),
                (_, _, at @ Some(_)) => row = at,
                _ => name = part,
            }
        }
        Field { function, row, name }
    }

    /// Index of the function in a section.
    pub(crate) fn index(&self, section: &SectionSpec) -> Option<usize> {
        match self.function? {
            FunctionAt::Index(index) => Some(index),
            FunctionAt::Last => section.functions.len().checked_sub(1),
            FunctionAt::Each => None,
        }
    }
}

/// Overrides a field of the header.
pub(super) fn set_header(section: &mut SectionSpec, name: &str, value: i64) -> Option<()> {
    let header = &mut section.header;
    match name {
        "magic" => header.magic = Some(value as u16),
        "version" => header.version = Some(value as u8),
        "flags" => section.flags = value as u8,
        "abi" => section.abi = value as u8,
        "fixed_fp" => section.fixed_fp = value as i8,
        "fixed_ra" => section.fixed_ra = value as i8,
        "aux_len" => header.aux_len = Some(value as u8),
        "num_fdes" => header.num_fdes = Some(value as u32),
        "num_fres" => header.num_fres = Some(value as u32),
        "fre_len" => header.fre_len = Some(value as u32),
        "fdeoff" => header.fdeoff = Some(value as u32),
        "freoff" => header.freoff = Some(value as u32),
        "big_endian" => section.order = if value == 0 { ByteOrder::Little } else { ByteOrder::Big },
        "from_section" => section.anchor = Some(if value == 0 { Anchor::Field } else { Anchor::Section }),
        _ => return None,
    }
    Some(())
}

/// Overrides a field of a function.
pub(super) fn set_function(function: &mut FunctionSpec, name: &str, value: i64) -> Option<()> {
    let over = &mut function.overrides;
    match name {
        "address" => function.start = value as u64,
        "size" => function.size = value as u32,
        "start" => over.start = Some(value),
        "fre_offset" => over.fre_offset = Some(value as u32),
        "num_fres" => over.num_fres = Some(value as u32),
        "info" => over.info = Some(value as u8),
        "info2" => over.info2 = Some(value as u8),
        "rep_size" => over.rep_size = Some(value as u8),
        "padding" => over.padding = Some(value as u16),
        "no_blob" => over.no_blob = value != 0,
        "starts" => function.starts = width(value)?,
        "block" => function.pc_type = PcType::Mask(value as u8),
        "signal" => function.signal = value != 0,
        "key_b" => function.key = if value == 0 { PacKey::A } else { PacKey::B },
        "flex" => function.flex = value != 0,
        // Of each row.
        "width" => {
            let width = width(value)?;
            function.rows.iter_mut().for_each(|row| row.width = width);
        }
        _ => return None,
    }
    Some(())
}

/// Overrides a field of a row.
pub(super) fn set_row(row: &mut RowSpec, name: &str, value: i64) -> Option<()> {
    match name {
        "start" => row.start = value as u32,
        "info" => row.info = Some(value as u8),
        "signed" => row.signed = value != 0,
        "width" => row.width = width(value)?,
        _ => return None,
    }
    Some(())
}

fn width(bytes: i64) -> Option<Width> {
    [Width::One, Width::Two, Width::Four].into_iter().find(|width| width.bytes() as i64 == bytes)
}

/// The value of a field that is not overridden.
pub(super) fn value(section: &SectionSpec, field: Field<'_>) -> Option<i64> {
    let function = field.index(section).and_then(|index| section.functions.get(index));
    Some(match (function, field.row, field.name) {
        (Some(function), None, "address") => function.start as i64,
        (Some(function), None, "size") => function.size.into(),
        (Some(function), Some(row), "start") => function.rows.get(row)?.start.into(),
        _ => return None,
    })
}

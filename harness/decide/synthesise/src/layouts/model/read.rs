//! Reads a variant.

use generators::sframe::{Base, FunctionSpec, PcType, RowSpec, Width, Word};
use types::{PacKey, sleb128, uleb128};

use super::Change;

/// Bytes not yet read.
struct Cursor<'b> {
    rest: &'b [u8],
}

impl<'b> Cursor<'b> {
    fn take(&mut self, count: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count)?;
        self.rest = rest;
        Some(taken)
    }

    fn unsigned(&mut self, count: usize) -> Option<u32> {
        Some(self.take(count)?.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    }

    fn signed(&mut self, count: usize) -> Option<i32> {
        let unused = 32u32.saturating_sub(8u32.saturating_mul(count as u32));
        Some((self.unsigned(count)? << unused).cast_signed() >> unused)
    }

    fn uleb(&mut self) -> Option<u64> {
        let (value, size) = uleb128(self.rest)?;
        self.take(size).map(|_| value)
    }

    fn sleb(&mut self) -> Option<i64> {
        let (value, size) = sleb128(self.rest)?;
        self.take(size).map(|_| value)
    }
}

/// The functions of a section at an address; `None` if its bytes are not valid.
pub(in crate::layouts) fn read(bytes: &[u8], address: u64) -> Option<Vec<FunctionSpec>> {
    let mut table = Cursor { rest: bytes };
    let head = table.take(8)?;
    let changes = *head.get(2)?;
    let has = |change: Change| changes >> (change as u8) & 1 != 0;
    let linking = has(Change::Linking);
    let (mut functions, area) = match linking {
        true => (u32::MAX, table.unsigned(4).map(|_| bytes)?),
        false => {
            let count = table.unsigned(4)?;
            table.take(8)?;
            let (fdes, rows) = (table.unsigned(4)?, table.unsigned(4)?);
            (count, table.rest.get(usize::try_from(fdes.checked_add(rows)?).ok()?..)?)
        }
    };
    let mut all = Vec::new();
    while functions > 0 && !(linking && table.rest.is_empty()) {
        functions = functions.saturating_sub(1);
        let field = address.wrapping_add(bytes.len().saturating_sub(table.rest.len()) as u64);
        let start = field.wrapping_add_signed(i64::from(table.signed(4)?));
        let size = table.unsigned(4)?;
        let at = if linking { 0 } else { table.unsigned(4)? };
        let count = table.unsigned(if has(Change::Count16) { 2 } else { 4 })?;
        let info = table.unsigned(1)?;
        let block = if has(Change::NoBlock) { 16 } else { table.unsigned(1)? };
        table.take(if has(Change::NoPadding) { 0 } else { 2 })?;
        let starts = width(info & 0x0f)?;
        let mut apart = Cursor { rest: area.get(usize::try_from(at).ok()?..)? };
        let source = if linking { &mut table } else { &mut apart };
        let (mut rows, mut before) = (Vec::new(), 0u32);
        for _ in 0..count {
            let start = match has(Change::Delta) {
                true => before.checked_add(u32::try_from(source.uleb()?).ok()?)?,
                false => source.unsigned(starts.bytes())?,
            };
            before = start;
            rows.push(row(source, start, has(Change::Varint))?);
        }
        let pc_type = if info & 0x10 != 0 { PcType::Mask(u8::try_from(block).ok()?) } else { PcType::Inc };
        let key = if info & 0x20 != 0 { PacKey::B } else { PacKey::A };
        let starts = if has(Change::Delta) { FunctionSpec::narrowest_starts(before) } else { starts };
        all.push(FunctionSpec { starts, pc_type, key, ..FunctionSpec::new(start, size, rows) });
    }
    Some(all)
}

fn row(source: &mut Cursor<'_>, start: u32, varint: bool) -> Option<RowSpec> {
    let info = source.unsigned(1)?;
    let size = width(info >> 5 & 3)?;
    let mut words = Vec::new();
    for _ in 0..info >> 1 & 0x0f {
        let value = if varint { i32::try_from(source.sleb()?).ok()? } else { source.signed(size.bytes())? };
        words.push(Word::Offset(value));
    }
    let base = if info & 1 != 0 { Base::Sp } else { Base::Fp };
    Some(RowSpec { start, base, signed: info & 0x80 != 0, width: size, words, info: None })
}

fn width(code: u32) -> Option<Width> {
    match code {
        0 => Some(Width::One),
        1 => Some(Width::Two),
        2 => Some(Width::Four),
        _ => None,
    }
}

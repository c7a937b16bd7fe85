//! Writes a variant.

use std::collections::{BTreeMap, BTreeSet};

use generators::sframe::{Base, EncodeError, FunctionSpec, PcType, RowSpec, Width, Word};
use types::{Abi, PacKey};

use super::{Change, Model};
use crate::layouts::{Part, Parts, unrolled};

/// Bytes of a variant.
pub(in crate::layouts) struct Written {
    pub(in crate::layouts) bytes: Vec<u8>,
    pub(in crate::layouts) parts: Parts,
}

#[derive(Default)]
struct Sink {
    out: Vec<u8>,
    parts: Parts,
}

impl Sink {
    fn put(&mut self, part: Part, bytes: &[u8]) {
        self.out.extend_from_slice(bytes);
        self.parts.add(part, bytes.len() as u64);
    }

    fn append(&mut self, other: &Sink) {
        self.out.extend_from_slice(&other.out);
        for (part, bytes) in other.parts.iter() {
            self.parts.add(part, bytes);
        }
    }
}

/// Writes functions for an address.
pub(in crate::layouts) fn write(
    abi: Abi,
    model: &Model,
    functions: &[FunctionSpec],
    address: u64,
) -> Result<Written, EncodeError> {
    let functions: Vec<FunctionSpec> = functions.iter().flat_map(|function| prepared(model, function)).collect();
    let linking = model.has(Change::Linking);
    let header = if linking { 12u64 } else { 28 };
    let (mut table, mut area, mut places) = (Sink::default(), Sink::default(), BTreeMap::new());
    for (index, function) in functions.iter().enumerate() {
        let own = rows(model, function);
        let starts = if model.has(Change::Delta) { 0 } else { code(function.starts) };
        let known = places.entry((starts, own.out.clone())).or_insert(area.out.len());
        let at = if model.has(Change::Shared) { *known } else { area.out.len() };
        let field = address.wrapping_add(header).wrapping_add(table.out.len() as u64);
        let value = function.start.wrapping_sub(field).cast_signed();
        let start = i32::try_from(value).map_err(|_| EncodeError::Start { function: index, value, bytes: 4 })?;
        table.put(Part::Functions, &start.to_le_bytes());
        table.put(Part::Functions, &function.size.to_le_bytes());
        if !linking {
            table.put(Part::Functions, &number("row bytes", at)?.to_le_bytes());
        }
        let count = number("rows", function.rows.len())?.to_le_bytes();
        table.put(Part::Functions, if model.has(Change::Count16) { &count[..2] } else { &count });
        let (mask, block) = match function.pc_type {
            PcType::Inc => (0, 0),
            PcType::Mask(block) => (0x10, block),
        };
        let key = if function.key == PacKey::B { 0x20 } else { 0 };
        table.put(Part::Functions, &[starts | mask | key]);
        if !model.has(Change::NoBlock) {
            table.put(Part::Functions, &[block]);
        }
        if !model.has(Change::NoPadding) {
            table.put(Part::Padding, &[0, 0]);
        }
        if linking {
            table.append(&own);
        } else if at == area.out.len() {
            area.append(&own);
        }
    }
    let changes = model.changes.iter().fold(0u8, |bits, change| bits | 1u8 << (*change as u8));
    let mut whole = Sink::default();
    let abi_number = Abi::ALL.iter().position(|one| *one == abi).unwrap_or_default() as u8;
    whole.put(Part::Headers, &[b'M', b'O', changes, 0, abi_number, 0, 0, 0]);
    if linking {
        whole.put(Part::Headers, &number("bytes", table.out.len())?.to_le_bytes());
    } else {
        let counts = [functions.len(), functions.iter().map(|one| one.rows.len()).sum(), area.out.len(), 0];
        for count in counts.into_iter().chain([table.out.len()]) {
            whole.put(Part::Headers, &number("bytes", count)?.to_le_bytes());
        }
    }
    whole.append(&table);
    whole.append(&area);
    Ok(Written { bytes: whole.out, parts: whole.parts })
}

/// Number of functions whose rows are those of an earlier one.
pub(in crate::layouts) fn repeated(functions: &[FunctionSpec]) -> u64 {
    let [_, _, _, _, _, shared, ..] = &super::MODELS;
    let mut known = BTreeSet::new();
    functions.iter().filter(|one| !known.insert((code(one.starts), rows(shared, one).out))).count() as u64
}

/// The function as the variant can express it.
fn prepared(model: &Model, function: &FunctionSpec) -> Vec<FunctionSpec> {
    let function = if model.has(Change::NoBlock) { unrolled(function) } else { function.clone() };
    if !model.has(Change::Count16) || function.rows.len() <= usize::from(u16::MAX) {
        return vec![function];
    }
    let chunks: Vec<&[RowSpec]> = function.rows.chunks(usize::from(u16::MAX)).collect();
    let mut split = Vec::new();
    for (index, chunk) in chunks.iter().enumerate() {
        let from = if index == 0 { 0 } else { chunk.first().map_or(0, |row| row.start) };
        let next = chunks.get(index.saturating_add(1)).and_then(|chunk| chunk.first());
        let to = next.map_or(function.size, |row| row.start);
        let moved = |row: &RowSpec| RowSpec { start: row.start.saturating_sub(from), ..row.clone() };
        let start = function.start.wrapping_add(u64::from(from));
        let rows: Vec<RowSpec> = chunk.iter().map(moved).collect();
        split.push(FunctionSpec { start, size: to.saturating_sub(from), rows, ..function.clone() });
    }
    split
}

fn rows(model: &Model, function: &FunctionSpec) -> Sink {
    let (mut out, mut before) = (Sink::default(), 0);
    for row in &function.rows {
        match model.has(Change::Delta) {
            true => out.put(Part::Starts, &uleb(u64::from(row.start.saturating_sub(before)))),
            false => out.put(Part::Starts, &low(row.start.to_le_bytes(), function.starts)),
        }
        before = row.start;
        let base = u8::from(row.base == Base::Sp);
        let count = (row.words.len() as u8 & 0x0f) << 1;
        out.put(Part::Infos, &[base | count | code(row.width) << 5 | u8::from(row.signed) << 7]);
        for word in &row.words {
            let value = match word {
                Word::Offset(value) => *value,
                Word::Control(value) => value.cast_signed(),
            };
            match model.has(Change::Varint) {
                true => out.put(Part::Words, &sleb(i64::from(value))),
                false => out.put(Part::Words, &low(value.to_le_bytes(), row.width)),
            }
        }
    }
    out
}

fn code(width: Width) -> u8 {
    match width {
        Width::One => 0,
        Width::Two => 1,
        Width::Four => 2,
    }
}

fn low(bytes: [u8; 4], width: Width) -> Vec<u8> {
    bytes.into_iter().take(width.bytes()).collect()
}

fn number(what: &'static str, value: usize) -> Result<u32, EncodeError> {
    u32::try_from(value).map_err(|_| EncodeError::Count { what, count: value })
}

fn uleb(mut value: u64) -> Vec<u8> {
    let mut out = Vec::new();
    while value > 0x7f {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
    out
}

fn sleb(mut value: i64) -> Vec<u8> {
    let mut out = Vec::new();
    while !(-64..64).contains(&value) {
        out.push((value & 0x7f) as u8 | 0x80);
        value >>= 7;
    }
    out.push((value & 0x7f) as u8);
    out
}

//! Makes a section from CFI: selects its functions and rows.

use types::{Abi, SframeVersion};

use crate::cfi::{self, Function, Row};
use crate::encode::{Piece, PieceRow, encode};
use crate::reason::Reason;
use crate::words::{Words, default_row, flexible_row};

/// Input of a synthesis.
#[derive(Clone, Copy, Debug)]
pub struct Input<'i> {
    /// The ABI of the code.
    pub abi: Abi,
    /// The version to write: V2 errata 1 or V3. Earlier ones are written as V2 errata 1.
    pub version: SframeVersion,
    /// Address and bytes of `.eh_frame`.
    pub eh_frame: (u64, &'i [u8]),
}

/// A synthesised section, and what it omits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Synthesised {
    /// Bytes of the section.
    pub bytes: Vec<u8>,
    /// Number of functions that it describes.
    pub functions: u64,
    /// Number of rows.
    pub rows: u64,
    /// The functions that the format cannot express, by address.
    pub omitted: Vec<Omitted>,
}

/// A function that the format cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Omitted {
    /// Address of its first byte of code.
    pub start: u64,
    /// Bytes of code.
    pub size: u64,
    /// Why.
    pub reason: Reason,
}

/// Makes the section for an address.
///
/// ```
/// use synthesise::{Input, section};
/// use types::{Abi, SframeVersion};
///
/// // `.eh_frame` at 0x2000 of a function at 0x1000: CFA rsp+8, return address at CFA-8.
/// let eh_frame = [
///     // A CIE, and an FDE of 16 bytes.
///     0x14, 0, 0, 0, 0, 0, 0, 0, 1, b'z', b'R', 0, 1, 0x78, 0x10, 1, 0x1b, 0x0c, 7, 8, 0x90, 1, 0,
///     0, 0x10, 0, 0, 0, 0x1c, 0, 0, 0, 0xe0, 0xef, 0xff, 0xff, 0x10, 0, 0, 0, 0, 0, 0, 0,
///     0, 0, 0, 0,
/// ];
/// let table = (0x2000, &eh_frame[..]);
/// let input = Input { abi: Abi::Amd64, version: SframeVersion::V3, eh_frame: table };
/// let made = section(input, 0x3000);
/// assert_eq!((made.functions, made.rows, made.omitted.len()), (1, 1, 0));
/// assert_eq!(made.bytes[..4], [0xe2, 0xde, 3, 5]);
/// ```
pub fn section(input: Input<'_>, address: u64) -> Synthesised {
    let mut functions = cfi::functions(input.abi, input.eh_frame.0, input.eh_frame.1);
    functions.sort_by_key(|function| function.start);
    functions.dedup_by_key(|function| function.start);
    let mut made = Synthesised::default();
    let mut pieces = Vec::new();
    for function in &functions {
        match of_function(input, function) {
            Ok(found) => {
                made.functions = made.functions.saturating_add(1);
                pieces.extend(found);
            }
            Err(reason) => made.omitted.push(Omitted { start: function.start, size: function.size, reason }),
        }
    }
    // Which starts can be expressed is known once the number of descriptors is.
    let (bytes, too_far) = encode(input.abi, input.version, address, &pieces);
    if too_far.is_empty() {
        made.bytes = bytes;
    } else {
        pieces.retain(|piece| !too_far.contains(&piece.start));
        made.functions = made.functions.saturating_sub(too_far.len() as u64);
        made.omitted.extend(too_far.iter().map(|start| {
            let size = functions.iter().find(|function| function.start == *start).map_or(0, |function| function.size);
            Omitted { start: *start, size, reason: Reason::TooFar }
        }));
        made.omitted.sort_by_key(|omitted| omitted.start);
        made.bytes = encode(input.abi, input.version, address, &pieces).0;
    }
    made.rows = pieces.iter().map(|piece| piece.rows.len() as u64).sum();
    made
}

fn of_function(input: Input<'_>, function: &Function) -> Result<Vec<Piece>, Reason> {
    let rows = function.rows.as_ref().map_err(|reason| *reason)?;
    let size = u32::try_from(function.size).map_err(|_| Reason::TooLong)?;
    if function.signal && input.version != SframeVersion::V3 {
        return Err(Reason::SignalFrame);
    }
    let by_default = of_rows(rows, |row| default_row(input.abi, input.version, &row.rules));
    let has_flex = input.version == SframeVersion::V3 && crate::abi::facts(input.abi).has_flex;
    let (words, flexible) = match by_default {
        Ok(words) => (words, false),
        Err(_) if has_flex => (of_rows(rows, |row| flexible_row(input.abi, &row.rules))?, true),
        Err(reason) => return Err(reason),
    };
    let mut at: Vec<PieceRow> = Vec::new();
    for (row, words) in rows.iter().zip(words) {
        let start = row.start.checked_sub(function.start).and_then(|start| u32::try_from(start).ok());
        let start = start.ok_or(Reason::Unreadable)?;
        // Rules may differ in parts that rows do not express.
        if at.last().is_none_or(|last| last.words != words) {
            at.push(PieceRow { start, words });
        }
    }
    let piece = |start: u32, end: u32, rows: Vec<PieceRow>, block: u8| Piece {
        start: function.start.wrapping_add(u64::from(start)),
        size: end.saturating_sub(start),
        rows: rows.into_iter().map(|row| PieceRow { start: row.start.saturating_sub(start), ..row }).collect(),
        block,
        flexible,
        signal: function.signal,
        b_key: function.b_key,
    };
    let pieces = match repeating(&at, size) {
        None => vec![piece(0, size, at, 0)],
        Some(Repeating { row, rows, block }) => {
            let rest = at.split_off(row);
            let start = rest.first().map_or(size, |first| first.start);
            let blocks = piece(start, size, rest.into_iter().take(rows).collect(), block);
            let before = (start > 0).then(|| piece(0, start, at, 0));
            before.into_iter().chain([blocks]).collect()
        }
    };
    let fits = |piece: &Piece| piece.rows.len() <= usize::from(u16::MAX) && piece.word_sizes().is_some();
    match pieces.iter().all(fits) {
        true => Ok(pieces),
        false if pieces.iter().any(|piece| piece.rows.len() > usize::from(u16::MAX)) => Err(Reason::TooManyRows),
        false => Err(Reason::Offset),
    }
}

fn of_rows(rows: &[Row], words: impl Fn(&Row) -> Result<Words, Reason>) -> Result<Vec<Words>, Reason> {
    rows.iter().map(words).collect()
}

/// Rows that repeat up to the end of a function, as in a procedure linkage table.
struct Repeating {
    /// Index of the first of these rows.
    row: usize,
    /// Number of rows in a block.
    rows: usize,
    /// Size of a block in bytes.
    block: u8,
}

/// Sizes of the entries of procedure linkage tables in bytes.
const BLOCKS: [u8; 3] = [16, 8, 32];
/// Maximum number of rows in a block.
const MOST_BLOCK_ROWS: usize = 8;

fn repeating(rows: &[PieceRow], size: u32) -> Option<Repeating> {
    let starts_at = |row: usize, block: u8| {
        let rest = rows.get(row..)?;
        let start = rest.first()?.start;
        let bytes = size.checked_sub(start)?;
        let count = rest.iter().take_while(|other| other.start.saturating_sub(start) < u32::from(block)).count();
        let blocks = bytes.checked_div(u32::from(block))?;
        let whole = bytes.checked_rem(u32::from(block)) == Some(0) && blocks >= 2;
        let as_many = usize::try_from(blocks).ok()?.checked_mul(count)? == rest.len();
        let repeats = || {
            let later = rest.iter().skip(count).zip(rest);
            later.into_iter().all(|(one, before)| {
                one.words == before.words && one.start.checked_sub(before.start) == Some(u32::from(block))
            })
        };
        let repeating = whole && (2..=MOST_BLOCK_ROWS).contains(&count) && as_many && repeats();
        repeating.then_some(Repeating { row, rows: count, block })
    };
    // The rows before are the first entry, which has few.
    (0..rows.len().min(MOST_BLOCK_ROWS)).find_map(|row| BLOCKS.into_iter().find_map(|block| starts_at(row, block)))
}

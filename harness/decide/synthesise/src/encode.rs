//! Encodes functions and rows as a section (SFrame V2 errata 1 and V3, "SFrame Section").

use types::{Abi, SframeVersion};

use crate::abi::facts;
use crate::words::{Word, Words};

/// Contents of one descriptor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) start: u64,
    pub(crate) size: u32,
    pub(crate) rows: Vec<PieceRow>,
    /// Size in bytes of the block in which rows repeat; 0 if they do not.
    pub(crate) block: u8,
    pub(crate) flexible: bool,
    pub(crate) signal: bool,
    pub(crate) b_key: bool,
}

/// A row, with its start in bytes from that of its function or block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PieceRow {
    pub(crate) start: u32,
    pub(crate) words: Words,
}

const MAGIC: u16 = 0xdee2;
/// Size of the header in bytes.
const HEADER: u64 = 28;
/// SFRAME_F_FDE_SORTED and SFRAME_F_FDE_FUNC_START_PCREL.
const FLAGS: u8 = 0x01 | 0x04;
/// Bits of a function's info byte: rows repeat (PCMASK), B key, signal frame (V3).
const PCMASK: u8 = 1 << 4;
const B_KEY: u8 = 1 << 5;
const SIGNAL: u8 = 1 << 7;
/// Type of a flexible descriptor in the second info byte (V3).
const FLEXIBLE: u8 = 1;

/// Size of an integer: 1, 2 or 4 bytes, encoded as 0, 1 and 2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    One = 0,
    Two = 1,
    Four = 2,
}

impl Word {
    fn width(self) -> Option<Width> {
        let fits = match self {
            Word::Offset(number) => {
                [i8::try_from(number).is_ok(), i16::try_from(number).is_ok(), i32::try_from(number).is_ok()]
            }
            Word::Control(number) => {
                [u8::try_from(number).is_ok(), u16::try_from(number).is_ok(), u32::try_from(number).is_ok()]
            }
        };
        [Width::One, Width::Two, Width::Four].into_iter().zip(fits).find(|(_, fits)| *fits).map(|(width, _)| width)
    }

    /// The low bytes of a number; negative ones in two's complement.
    fn low(self) -> u32 {
        match self {
            Word::Offset(number) => number as u32,
            Word::Control(number) => number as u32,
        }
    }
}

impl Piece {
    /// Word size of each row; `None` if a number fits no size.
    pub(crate) fn word_sizes(&self) -> Option<Vec<Width>> {
        let of_row = |row: &PieceRow| {
            row.words.words.iter().try_fold(Width::One, |widest, word| Some(widest.max(word.width()?)))
        };
        self.rows.iter().map(of_row).collect()
    }

    /// Size of the rows' start fields.
    fn start_width(&self) -> Width {
        match self.rows.last().map_or(0, |row| row.start) {
            0..=0xff => Width::One,
            0x100..=0xffff => Width::Two,
            _ => Width::Four,
        }
    }

    fn info(&self, version: SframeVersion) -> u8 {
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        self.start_width() as u8
            | bit(self.block > 0, PCMASK)
            | bit(self.b_key, B_KEY)
            | bit(self.signal && version == SframeVersion::V3, SIGNAL)
    }
}

/// Writer for integers in the target's byte order.
struct Writer {
    big_endian: bool,
    bytes: Vec<u8>,
}

impl Writer {
    fn put<const N: usize>(&mut self, little: [u8; N]) {
        let mut bytes = little;
        if self.big_endian {
            bytes.reverse();
        }
        self.bytes.extend(bytes);
    }

    fn put_width(&mut self, width: Width, number: u32) {
        match width {
            Width::One => self.put((number as u8).to_le_bytes()),
            Width::Two => self.put((number as u16).to_le_bytes()),
            Width::Four => self.put(number.to_le_bytes()),
        }
    }
}

/// The section for an address, and the starts of functions that are too far away from it.
pub(crate) fn encode(abi: Abi, version: SframeVersion, address: u64, pieces: &[Piece]) -> (Vec<u8>, Vec<u64>) {
    let facts = facts(abi);
    let writer = || Writer { big_endian: facts.big_endian, bytes: Vec::new() };
    let (mut index, mut area) = (writer(), writer());
    let mut too_far = Vec::new();
    for piece in pieces {
        let rows_at = area.bytes.len() as u32;
        // Relative to the field itself, which is the first of its descriptor.
        let field = address.wrapping_add(HEADER).wrapping_add(index.bytes.len() as u64);
        let relative = piece.start.wrapping_sub(field).cast_signed();
        let info = piece.info(version);
        match version {
            SframeVersion::V1 | SframeVersion::V2 | SframeVersion::V2Errata1 => {
                let start = i32::try_from(relative).unwrap_or_else(|_| {
                    too_far.push(piece.start);
                    0
                });
                index.put(start.to_le_bytes());
                index.put(piece.size.to_le_bytes());
                index.put(rows_at.to_le_bytes());
                index.put((piece.rows.len() as u32).to_le_bytes());
                index.put([info]);
                index.put([piece.block]);
                index.put([0, 0]);
            }
            SframeVersion::V3 => {
                index.put(relative.to_le_bytes());
                index.put(piece.size.to_le_bytes());
                index.put(rows_at.to_le_bytes());
                area.put((piece.rows.len() as u16).to_le_bytes());
                area.put([info]);
                area.put([if piece.flexible { FLEXIBLE } else { 0 }]);
                area.put([piece.block]);
            }
        }
        let sizes = piece.word_sizes().unwrap_or_default();
        for (row, size) in piece.rows.iter().zip(sizes) {
            area.put_width(piece.start_width(), row.start);
            let count = row.words.words.len() as u8;
            area.put([row.words.bits | count << 1 | (size as u8) << 5]);
            row.words.words.iter().for_each(|word| area.put_width(size, word.low()));
        }
    }
    let number = match version {
        SframeVersion::V1 | SframeVersion::V2 | SframeVersion::V2Errata1 => 2,
        SframeVersion::V3 => 3,
    };
    let rows: usize = pieces.iter().map(|piece| piece.rows.len()).sum();
    let mut section = writer();
    section.put(MAGIC.to_le_bytes());
    section.put([number]);
    section.put([FLAGS]);
    section.put([facts.id]);
    section.put([0]);
    section.put(facts.fixed_ra.to_le_bytes());
    section.put([0]);
    section.put((pieces.len() as u32).to_le_bytes());
    section.put((rows as u32).to_le_bytes());
    section.put((area.bytes.len() as u32).to_le_bytes());
    section.put(0_u32.to_le_bytes());
    section.put((index.bytes.len() as u32).to_le_bytes());
    section.bytes.extend(index.bytes);
    section.bytes.extend(area.bytes);
    (section.bytes, too_far)
}

//! Six-byte instructions: formats RIL, RXY, SIL, RSY, SIY, RIE and SS.

use super::super::{Address, Code, Extension, Operand, Order, Part, Place, Rest, Simple};
use super::Decoder;
use crate::simple::{Operation, Size};

use Extension::{Sign as Signed, Zero as Unsigned};
use Size::{Eight, Four, One, Two};

impl Decoder {
    pub(super) fn six_bytes(&self) -> Option<Simple> {
        match self.fields.byte(0) {
            0xc0 | 0xc2 => self.word_immediate(),
            0xc4 | 0xc6 => self.relative_memory(),
            0xe3 => self.long_memory(),
            0xe5 => self.stores_immediate(),
            0xeb => self.long_based_memory(),
            0xec => self.by_immediate(),
            0xed => {
                let (float, memory) = (Place::Float(self.first()), Place::Memory(self.long()));
                let (size, to, from) = match self.fields.byte(40) {
                    0x64 => (Four, float, memory),
                    0x65 => (Eight, float, memory),
                    0x66 => (Four, memory, float),
                    0x67 => (Eight, memory, float),
                    _ => return None,
                };
                Some(Simple::MovesFloat { size, to, from })
            }
            0xd2 | 0xd4..=0xd7 => {
                let (to, from) = (Address::Of(self.fields.based(16)), Address::Of(self.fields.based(32)));
                let length = u16::from(self.fields.byte(8)) + 1;
                let operation = match self.fields.byte(0) {
                    0xd2 => Part::Insert,
                    0xd4 => Part::And,
                    0xd5 => return Some(Simple::ComparesBytes { length, first: to, second: from }),
                    0xd6 => Part::Or,
                    _ => Part::Xor,
                };
                Some(Simple::CombinesBytes { operation, length, to, from })
            }
            _ => None,
        }
    }

    fn word_immediate(&self) -> Option<Simple> {
        use Operation as O;
        let (to, word) = (self.first(), self.fields.relative());
        let (signed, unsigned) = (i64::from(word) as u64, u64::from(word as u32));
        let moves = |value| Some(Simple::Moves { size: Eight, to, from: Operand::Value(value), code: Code::Kept });
        let part =
            |operation, value: u64, mask, code| Some(Simple::ComputesPart { operation, to, mask, second: value, code });
        const HIGH: u64 = 0xffff_ffff << 32;
        const LOW: u64 = 0xffff_ffff;
        let with = |operation, size, value, code| self.with(operation, size, to, Operand::Value(value), code);
        let compares = |size, value, order| self.compares(size, to, Operand::Value(value), order);
        match (self.fields.byte(0), self.fields.bits(12)) {
            (0xc0, 0) => moves(self.relative()),
            (0xc0, 1) => moves(signed),
            (0xc0, 4) => Some(Simple::BranchesIf { mask: to, target: self.relative() }),
            (0xc0, 6) => part(Part::Xor, unsigned << 32, HIGH, Code::Bits),
            (0xc0, 7) => part(Part::Xor, unsigned, LOW, Code::Bits),
            (0xc0, 8) => part(Part::Insert, unsigned << 32, HIGH, Code::Kept),
            (0xc0, 9) => part(Part::Insert, unsigned, LOW, Code::Kept),
            (0xc0, 10) => part(Part::And, unsigned << 32, HIGH, Code::Bits),
            (0xc0, 11) => part(Part::And, unsigned, LOW, Code::Bits),
            (0xc0, 12) => part(Part::Or, unsigned << 32, HIGH, Code::Bits),
            (0xc0, 13) => part(Part::Or, unsigned, LOW, Code::Bits),
            (0xc0, 14) => moves(unsigned << 32),
            (0xc0, 15) => moves(unsigned),
            (0xc2, 0) => with(O::Multiply, Eight, signed, Code::Kept),
            (0xc2, 1) => with(O::Multiply, Four, signed, Code::Kept),
            (0xc2, 4) => with(O::Subtract, Eight, unsigned, Code::Logical),
            (0xc2, 5) => with(O::Subtract, Four, unsigned, Code::Logical),
            (0xc2, 8) => with(O::Add, Eight, signed, Code::Signed),
            (0xc2, 9) => with(O::Add, Four, signed, Code::Signed),
            (0xc2, 10) => with(O::Add, Eight, unsigned, Code::Logical),
            (0xc2, 11) => with(O::Add, Four, unsigned, Code::Logical),
            (0xc2, 12) => compares(Eight, signed, Order::Signed),
            (0xc2, 13) => compares(Four, signed, Order::Signed),
            (0xc2, 14) => compares(Eight, unsigned, Order::Unsigned),
            (0xc2, 15) => compares(Four, unsigned, Order::Unsigned),
            _ => None,
        }
    }

    /// RIL formats with an operand in memory, which must be aligned.
    fn relative_memory(&self) -> Option<Simple> {
        let (to, target, operation) = (self.first(), self.relative(), self.fields.bits(12));
        let at = |extension: Extension| {
            let is_aligned = target.is_multiple_of(extension.size().bytes() as u64);
            is_aligned.then_some(Operand::Memory(Address::At(target), extension))
        };
        let moves = |size, extension| Some(Simple::Moves { size, to, from: at(extension)?, code: Code::Kept });
        let stores = |size: Size| {
            at(Unsigned(size))?;
            Some(Simple::Stores { size, from: Operand::Register(to, Unsigned(size)), to: Address::At(target) })
        };
        let compares = |size, extension, order| self.compares(size, to, at(extension)?, order);
        match (self.fields.byte(0), operation) {
            (0xc4, 2) => moves(Four, Unsigned(Two)),
            (0xc4, 4) => moves(Eight, Signed(Two)),
            (0xc4, 5) => moves(Four, Signed(Two)),
            (0xc4, 6) => moves(Eight, Unsigned(Two)),
            (0xc4, 7) => stores(Two),
            (0xc4, 8) => moves(Eight, Unsigned(Eight)),
            (0xc4, 11) => stores(Eight),
            (0xc4, 12) => moves(Eight, Signed(Four)),
            (0xc4, 13) => moves(Four, Unsigned(Four)),
            (0xc4, 14) => moves(Eight, Unsigned(Four)),
            (0xc4, 15) => stores(Four),
            (0xc6, 2) => Some(Simple::Nothing),
            (0xc6, 6) => compares(Eight, Unsigned(Two), Order::Unsigned),
            (0xc6, 7) => compares(Four, Unsigned(Two), Order::Unsigned),
            (0xc6, 8) => compares(Eight, Unsigned(Eight), Order::Signed),
            (0xc6, 10) => compares(Eight, Unsigned(Eight), Order::Unsigned),
            (0xc6, 12) => compares(Eight, Signed(Four), Order::Signed),
            (0xc6, 13) => compares(Four, Signed(Four), Order::Signed),
            (0xc6, 14) => compares(Eight, Unsigned(Four), Order::Unsigned),
            (0xc6, 15) => compares(Four, Unsigned(Four), Order::Unsigned),
            _ => None,
        }
    }

    /// RXY formats.
    fn long_memory(&self) -> Option<Simple> {
        use Operation as O;
        let (to, at) = (self.first(), self.long());
        let of = |extension| Operand::Memory(at, extension);
        let moves = |size, extension, code| Some(Simple::Moves { size, to, from: of(extension), code });
        let with = |operation, size, extension, code| self.with(operation, size, to, of(extension), code);
        let stores = |size| Some(Simple::Stores { size, from: Operand::Register(to, Unsigned(size)), to: at });
        let reversed =
            |size| Some(Simple::Moves { size, to, from: Operand::Reversed(Place::Memory(at), size), code: Code::Kept });
        let stores_reversed =
            |size| Some(Simple::Stores { size, from: Operand::Reversed(Place::General(to), size), to: at });
        let compares = |size, extension, order| self.compares(size, to, of(extension), order);
        match self.fields.byte(40) {
            0x02 => moves(Eight, Unsigned(Eight), Code::Signed),
            0x04 => moves(Eight, Unsigned(Eight), Code::Kept),
            0x08 => with(O::Add, Eight, Unsigned(Eight), Code::Signed),
            0x09 => with(O::Subtract, Eight, Unsigned(Eight), Code::Signed),
            0x0a => with(O::Add, Eight, Unsigned(Eight), Code::Logical),
            0x0b => with(O::Subtract, Eight, Unsigned(Eight), Code::Logical),
            0x0c => with(O::Multiply, Eight, Unsigned(Eight), Code::Kept),
            0x0f => reversed(Eight),
            0x12 => moves(Four, Unsigned(Four), Code::Signed),
            0x14 => moves(Eight, Signed(Four), Code::Kept),
            0x15 => moves(Eight, Signed(Two), Code::Kept),
            0x16 => moves(Eight, Unsigned(Four), Code::Kept),
            0x17 => moves(Eight, Extension::ThirtyOne, Code::Kept),
            0x18 => with(O::Add, Eight, Signed(Four), Code::Signed),
            0x19 => with(O::Subtract, Eight, Signed(Four), Code::Signed),
            0x1a => with(O::Add, Eight, Unsigned(Four), Code::Logical),
            0x1b => with(O::Subtract, Eight, Unsigned(Four), Code::Logical),
            0x1c => with(O::Multiply, Eight, Signed(Four), Code::Kept),
            0x1e => reversed(Four),
            0x20 => compares(Eight, Unsigned(Eight), Order::Signed),
            0x21 => compares(Eight, Unsigned(Eight), Order::Unsigned),
            0x24 => stores(Eight),
            0x2f => stores_reversed(Eight),
            0x30 => compares(Eight, Signed(Four), Order::Signed),
            0x31 => compares(Eight, Unsigned(Four), Order::Unsigned),
            0x32 => moves(Eight, Signed(Four), Code::Signed),
            0x34 => compares(Eight, Signed(Two), Order::Signed),
            0x36 => Some(Simple::Nothing),
            0x3e => stores_reversed(Four),
            0x50 => stores(Four),
            0x51 => with(O::Multiply, Four, Unsigned(Four), Code::Kept),
            0x54 => with(O::And, Four, Unsigned(Four), Code::Bits),
            0x55 => compares(Four, Unsigned(Four), Order::Unsigned),
            0x56 => with(O::Or, Four, Unsigned(Four), Code::Bits),
            0x57 => with(O::Xor, Four, Unsigned(Four), Code::Bits),
            0x58 => moves(Four, Unsigned(Four), Code::Kept),
            0x59 => compares(Four, Signed(Four), Order::Signed),
            0x5a => with(O::Add, Four, Unsigned(Four), Code::Signed),
            0x5b => with(O::Subtract, Four, Unsigned(Four), Code::Signed),
            0x5e => with(O::Add, Four, Unsigned(Four), Code::Logical),
            0x5f => with(O::Subtract, Four, Unsigned(Four), Code::Logical),
            0x70 => stores(Two),
            0x71 => Some(Simple::Moves { size: Eight, to, from: Operand::Address(at), code: Code::Kept }),
            0x72 => stores(One),
            0x73 => moves(One, Unsigned(One), Code::Kept),
            0x76 => moves(Four, Signed(One), Code::Kept),
            0x77 => moves(Eight, Signed(One), Code::Kept),
            0x78 => moves(Four, Signed(Two), Code::Kept),
            0x79 => compares(Four, Signed(Two), Order::Signed),
            0x7a => with(O::Add, Four, Signed(Two), Code::Signed),
            0x7b => with(O::Subtract, Four, Signed(Two), Code::Signed),
            0x80 => with(O::And, Eight, Unsigned(Eight), Code::Bits),
            0x81 => with(O::Or, Eight, Unsigned(Eight), Code::Bits),
            0x82 => with(O::Xor, Eight, Unsigned(Eight), Code::Bits),
            0x86 if to % 2 == 0 => Some(Simple::MultipliesWide { to, second: of(Unsigned(Eight)) }),
            0x88 => with(O::AddWithCarry, Eight, Unsigned(Eight), Code::Logical),
            0x89 => with(O::SubtractWithBorrow, Eight, Unsigned(Eight), Code::Logical),
            0x90 => moves(Eight, Unsigned(One), Code::Kept),
            0x91 => moves(Eight, Unsigned(Two), Code::Kept),
            0x94 => moves(Four, Unsigned(One), Code::Kept),
            0x95 => moves(Four, Unsigned(Two), Code::Kept),
            _ => None,
        }
    }

    /// SIL formats.
    fn stores_immediate(&self) -> Option<Simple> {
        let (at, value) = (self.based(), self.half(4));
        let stores = |size| Some(Simple::Stores { size, from: Operand::Value(value), to: at });
        let signed = |size| {
            let (first, second) = (Operand::Memory(at, Signed(size)), Operand::Value(value));
            Some(Simple::Compares { size, first, second, order: Order::Signed })
        };
        let unsigned = |size| {
            let (first, second) = (Operand::Memory(at, Unsigned(size)), Operand::Value(value & 0xffff));
            Some(Simple::Compares { size, first, second, order: Order::Unsigned })
        };
        match self.fields.byte(8) {
            0x44 => stores(Two),
            0x48 => stores(Eight),
            0x4c => stores(Four),
            0x54 => signed(Two),
            0x55 => unsigned(Two),
            0x58 => signed(Eight),
            0x59 => unsigned(Eight),
            0x5c => signed(Four),
            0x5d => unsigned(Four),
            _ => None,
        }
    }

    /// RSY and SIY formats.
    fn long_based_memory(&self) -> Option<Simple> {
        use Operation as O;
        let (to, third, at) = (self.first(), self.fields.bits(12), self.long_based());
        let byte = self.fields.byte(8);
        let shifts = |operation, size, code| {
            let (first, second) = (Operand::Register(third, Unsigned(size)), Operand::Address(at));
            Some(Simple::Computes { operation, size, to, first, second, code })
        };
        let in_memory =
            |operation, size, second, code| Some(Simple::ComputesInMemory { operation, size, to: at, second, code });
        let signed = i64::from(byte as i8) as u64;
        match self.fields.byte(40) {
            0x04 => Some(Simple::LoadsMultiple { size: Eight, first: to, last: third, from: at }),
            0x0a => shifts(O::ShiftRightSigned, Eight, Code::Signed),
            0x0c => shifts(O::ShiftRight, Eight, Code::Kept),
            0x0d => shifts(O::ShiftLeft, Eight, Code::Kept),
            0x1c => shifts(O::RotateLeft, Eight, Code::Kept),
            0x1d => shifts(O::RotateLeft, Four, Code::Kept),
            0x24 => Some(Simple::StoresMultiple { size: Eight, first: to, last: third, to: at }),
            0x51 => Some(self.tests_byte(at)),
            0x52 => Some(Simple::Stores { size: One, from: Operand::Value(byte.into()), to: at }),
            0x54 => in_memory(O::And, One, byte.into(), Code::Bits),
            0x55 => Some(self.compares_byte(at)),
            0x56 => in_memory(O::Or, One, byte.into(), Code::Bits),
            0x57 => in_memory(O::Xor, One, byte.into(), Code::Bits),
            0x6a => in_memory(O::Add, Four, signed, Code::Signed),
            0x7a => in_memory(O::Add, Eight, signed, Code::Signed),
            0x90 => Some(Simple::StoresMultiple { size: Four, first: to, last: third, to: at }),
            0x98 => Some(Simple::LoadsMultiple { size: Four, first: to, last: third, from: at }),
            0xdc => shifts(O::ShiftRightSigned, Four, Code::Signed),
            0xde => shifts(O::ShiftRight, Four, Code::Kept),
            0xdf => shifts(O::ShiftLeft, Four, Code::Kept),
            0xe2 => Some(Simple::MovesIf { mask: third, size: Eight, to, from: Operand::Memory(at, Unsigned(Eight)) }),
            0xe3 => Some(Simple::StoresIf { mask: third, size: Eight, from: to, to: at }),
            0xf2 => Some(Simple::MovesIf { mask: third, size: Four, to, from: Operand::Memory(at, Unsigned(Four)) }),
            0xf3 => Some(Simple::StoresIf { mask: third, size: Four, from: to, to: at }),
            _ => None,
        }
    }

    /// RIE formats.
    fn by_immediate(&self) -> Option<Simple> {
        let (to, other) = (self.first(), self.fields.bits(12));
        let adds = |size, code| {
            let (first, second) = (Operand::Register(other, Unsigned(size)), Operand::Value(self.half(2)));
            Some(Simple::Computes { operation: Operation::Add, size, to, first, second, code })
        };
        let rotates = |operation, code| {
            let (start, end) = (self.fields.byte(16), self.fields.byte(24));
            // The highest bit of `end` clears the others; the highest bit of `start`, for the other
            // operations, changes nothing but the condition code.
            let inserts = operation == Part::Insert;
            if !inserts && start & 0x80 != 0 {
                return None;
            }
            let rest = if inserts && end & 0x80 != 0 { Rest::Zero } else { Rest::Kept };
            let selected = selected(start & 63, end & 63);
            Some(Simple::RotatesThen {
                operation,
                to,
                from: other,
                by: self.fields.byte(32) & 63,
                selected,
                rest,
                code,
            })
        };
        let moves_if = |size| Some(Simple::MovesIf { mask: other, size, to, from: Operand::Value(self.half(2)) });
        match self.fields.byte(40) {
            0x42 => moves_if(Four),
            0x46 => moves_if(Eight),
            0x54 => rotates(Part::And, Code::Bits),
            0x55 => rotates(Part::Insert, Code::Signed),
            0x56 => rotates(Part::Or, Code::Bits),
            0x57 => rotates(Part::Xor, Code::Bits),
            0x59 => rotates(Part::Insert, Code::Kept),
            0xd8 => adds(Four, Code::Signed),
            0xd9 => adds(Eight, Code::Signed),
            0xda => adds(Four, Code::Logical),
            0xdb => adds(Eight, Code::Logical),
            _ => None,
        }
    }
}

impl Extension {
    fn size(self) -> Size {
        match self {
            Unsigned(size) | Signed(size) => size,
            Extension::ThirtyOne => Four,
        }
    }
}

/// The bits from `start` to `end`, counted from the left, around the end if `end` is less.
fn selected(start: u8, end: u8) -> u64 {
    let (from_start, to_end) = (u64::MAX >> start, u64::MAX << (63 - end));
    if start <= end { from_start & to_end } else { from_start | to_end }
}

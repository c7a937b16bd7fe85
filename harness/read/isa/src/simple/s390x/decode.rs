//! Decodes simple s390x instructions.

mod six_bytes;

use super::{Address, Code, Extension, Mixed, Operand, Order, Part, Place, Sign, Simple};
use crate::simple::{Operation, Size};
use crate::zarch::Fields;

use Extension::{Sign as Signed, Zero as Unsigned};
use Size::{Eight, Four, One, Two};

/// The instruction at `pc` if it is simple. `code` begins with its bytes.
pub(crate) fn decode(code: &[u8], pc: u64) -> Option<Simple> {
    let length = [2_usize, 4, 4, 6][usize::from(code.first()? >> 6)];
    let mut padded = [0; 6];
    padded.get_mut(..length)?.copy_from_slice(code.get(..length)?);
    let one = Decoder { fields: Fields::new(padded), code: padded, pc };
    match length {
        2 => one.two_bytes(),
        4 => one.four_bytes(),
        _ => one.six_bytes(),
    }
}

/// An instruction.
struct Decoder {
    fields: Fields,
    code: [u8; 6],
    pc: u64,
}

impl Decoder {
    fn first(&self) -> u8 {
        self.fields.bits(8)
    }

    /// A 16-bit immediate, sign-extended.
    fn half(&self, from: usize) -> u64 {
        let bytes = self.code.get(from..).and_then(|rest| rest.first_chunk()).copied().unwrap_or_default();
        i64::from(i16::from_be_bytes(bytes)) as u64
    }

    fn relative(&self) -> u64 {
        self.pc.wrapping_add_signed(2 * i64::from(self.fields.relative()))
    }

    fn short(&self) -> Address {
        Address::Of(self.fields.short())
    }

    fn long(&self) -> Address {
        Address::Of(self.fields.long())
    }

    /// The address without an index: SI, SIY and RS formats.
    fn based(&self) -> Address {
        Address::Of(self.fields.based(16))
    }

    fn long_based(&self) -> Address {
        Address::Of(crate::zarch::Address { index: 0, ..self.fields.long() })
    }

    /// `first` = the operation on itself and an operand.
    fn with(&self, operation: Operation, size: Size, to: u8, second: Operand, code: Code) -> Option<Simple> {
        Some(Simple::Computes { operation, size, to, first: Operand::Register(to, Unsigned(size)), second, code })
    }

    fn compares(&self, size: Size, first: u8, second: Operand, order: Order) -> Option<Simple> {
        let extension = if order == Order::Signed { Signed(size) } else { Unsigned(size) };
        Some(Simple::Compares { size, first: Operand::Register(first, extension), second, order })
    }

    fn two_bytes(&self) -> Option<Simple> {
        use Operation as O;
        let (to, second) = (self.first(), self.fields.bits(12));
        let from = Operand::Register(second, Unsigned(Four));
        let moves = |code| Some(Simple::Moves { size: Four, to, from, code });
        let sets_sign = |sign| Some(Simple::SetsSign { size: Four, to, from, sign });
        let computes = |operation, code| self.with(operation, Four, to, from, code);
        let float = |size| Some(Simple::MovesFloat { size, to: Place::Float(to), from: Place::Float(second) });
        match self.fields.byte(0) {
            // BCR without a register to branch to, or without a condition.
            0x07 if to == 0 || second == 0 => Some(Simple::Nothing),
            0x07 if to == 15 => Some(Simple::Jumps(second)),
            0x10 => sets_sign(Sign::Positive),
            0x11 => sets_sign(Sign::Negative),
            0x12 => moves(Code::Signed),
            0x13 => sets_sign(Sign::Opposite),
            0x14 => computes(O::And, Code::Bits),
            0x15 => self.compares(Four, to, from, Order::Unsigned),
            0x16 => computes(O::Or, Code::Bits),
            0x17 => computes(O::Xor, Code::Bits),
            0x18 => moves(Code::Kept),
            0x19 => self.compares(Four, to, Operand::Register(second, Signed(Four)), Order::Signed),
            0x1a => computes(O::Add, Code::Signed),
            0x1b => computes(O::Subtract, Code::Signed),
            0x1e => computes(O::Add, Code::Logical),
            0x1f => computes(O::Subtract, Code::Logical),
            0x28 => float(Eight),
            0x38 => float(Four),
            _ => None,
        }
    }

    fn four_bytes(&self) -> Option<Simple> {
        match self.fields.byte(0) {
            0xa5 => self.half_immediate(),
            0xa7 => self.arithmetic_immediate(),
            0xb2 | 0xb3 | 0xb9 => self.registers(),
            _ => self.short_memory(),
        }
    }

    /// RX, RS and SI formats.
    fn short_memory(&self) -> Option<Simple> {
        use Operation as O;
        let (to, at, based) = (self.first(), self.short(), self.based());
        let byte = u64::from(self.fields.byte(8));
        let word = Operand::Memory(at, Unsigned(Four));
        let half = Operand::Memory(at, Signed(Two));
        let computes = |operation, second, code| self.with(operation, Four, to, second, code);
        let stores = |size| Some(Simple::Stores { size, from: Operand::Register(to, Unsigned(size)), to: at });
        let in_memory = |operation| {
            Some(Simple::ComputesInMemory { operation, size: One, to: based, second: byte, code: Code::Bits })
        };
        let shifts = |operation, code| {
            // RS shifts have no third operand.
            let is_defined = self.fields.bits(12) == 0;
            is_defined.then(|| self.with(operation, Four, to, Operand::Address(based), code))?
        };
        let float = |size| Some(Simple::MovesFloat { size, to: Place::Float(to), from: Place::Memory(at) });
        let stores_float = |size| Some(Simple::MovesFloat { size, to: Place::Memory(at), from: Place::Float(to) });
        match self.fields.byte(0) {
            0x40 => stores(Two),
            0x41 => Some(Simple::Moves { size: Eight, to, from: Operand::Address(at), code: Code::Kept }),
            0x42 => stores(One),
            0x43 => Some(Simple::Moves { size: One, to, from: Operand::Memory(at, Unsigned(One)), code: Code::Kept }),
            0x48 => Some(Simple::Moves { size: Four, to, from: half, code: Code::Kept }),
            0x49 => self.compares(Four, to, half, Order::Signed),
            0x4a => computes(O::Add, half, Code::Signed),
            0x4b => computes(O::Subtract, half, Code::Signed),
            0x4c => computes(O::Multiply, half, Code::Kept),
            0x50 => stores(Four),
            0x54 => computes(O::And, word, Code::Bits),
            0x55 => self.compares(Four, to, word, Order::Unsigned),
            0x56 => computes(O::Or, word, Code::Bits),
            0x57 => computes(O::Xor, word, Code::Bits),
            0x58 => Some(Simple::Moves { size: Four, to, from: word, code: Code::Kept }),
            0x59 => self.compares(Four, to, Operand::Memory(at, Signed(Four)), Order::Signed),
            0x5a => computes(O::Add, word, Code::Signed),
            0x5b => computes(O::Subtract, word, Code::Signed),
            0x5e => computes(O::Add, word, Code::Logical),
            0x5f => computes(O::Subtract, word, Code::Logical),
            0x60 => stores_float(Eight),
            0x68 => float(Eight),
            0x70 => stores_float(Four),
            0x71 => computes(O::Multiply, word, Code::Kept),
            0x78 => float(Four),
            0x88 => shifts(O::ShiftRight, Code::Kept),
            0x89 => shifts(O::ShiftLeft, Code::Kept),
            0x8a => shifts(O::ShiftRightSigned, Code::Signed),
            0x90 => Some(Simple::StoresMultiple { size: Four, first: to, last: self.fields.bits(12), to: based }),
            0x98 => Some(Simple::LoadsMultiple { size: Four, first: to, last: self.fields.bits(12), from: based }),
            0x91 => Some(self.tests_byte(based)),
            0x92 => Some(Simple::Stores { size: One, from: Operand::Value(byte), to: based }),
            0x94 => in_memory(O::And),
            0x95 => Some(self.compares_byte(based)),
            0x96 => in_memory(O::Or),
            0x97 => in_memory(O::Xor),
            _ => None,
        }
    }

    fn tests_byte(&self, at: Address) -> Simple {
        let from = Operand::Memory(at, Unsigned(One));
        Simple::TestsBits { from, mask: self.fields.byte(8).into(), mixed: Mixed::One }
    }

    fn compares_byte(&self, at: Address) -> Simple {
        let (first, second) = (Operand::Memory(at, Unsigned(One)), Operand::Value(self.fields.byte(8).into()));
        Simple::Compares { size: One, first, second, order: Order::Unsigned }
    }

    /// Instructions on one of the four halfwords of a register, the leftmost first.
    fn half_immediate(&self) -> Option<Simple> {
        let (to, operation) = (self.first(), self.fields.bits(12));
        let shift = 48 - 16 * (operation & 3);
        let (value, mask) = ((self.half(2) & 0xffff) << shift, 0xffff << shift);
        let part = |operation, code| Some(Simple::ComputesPart { operation, to, mask, second: value, code });
        match operation >> 2 {
            0 => part(Part::Insert, Code::Kept),
            1 => part(Part::And, Code::Bits),
            2 => part(Part::Or, Code::Bits),
            _ => Some(Simple::Moves { size: Eight, to, from: Operand::Value(value), code: Code::Kept }),
        }
    }

    fn arithmetic_immediate(&self) -> Option<Simple> {
        use Operation as O;
        let (to, value) = (self.first(), Operand::Value(self.half(2)));
        let tests = |shift: u32| {
            let mask = (self.half(2) & 0xffff) << shift;
            let from = Operand::Register(to, Unsigned(Eight));
            Some(Simple::TestsBits { from, mask, mixed: Mixed::ByLeftmost })
        };
        match self.fields.bits(12) {
            0 => tests(16),
            1 => tests(0),
            2 => tests(48),
            3 => tests(32),
            4 => Some(Simple::BranchesIf { mask: to, target: self.pc.wrapping_add(self.half(2) << 1) }),
            8 => Some(Simple::Moves { size: Four, to, from: value, code: Code::Kept }),
            9 => Some(Simple::Moves { size: Eight, to, from: value, code: Code::Kept }),
            10 => self.with(O::Add, Four, to, value, Code::Signed),
            11 => self.with(O::Add, Eight, to, value, Code::Signed),
            12 => self.with(O::Multiply, Four, to, value, Code::Kept),
            13 => self.with(O::Multiply, Eight, to, value, Code::Kept),
            14 => self.compares(Four, to, value, Order::Signed),
            15 => self.compares(Eight, to, value, Order::Signed),
            _ => None,
        }
    }

    /// RRE and RRF formats.
    fn registers(&self) -> Option<Simple> {
        use Operation as O;
        let (to, second, third) = (self.fields.bits(24), self.fields.bits(28), self.fields.bits(16));
        let of = |extension| Operand::Register(second, extension);
        let moves = |size, extension, code| Some(Simple::Moves { size, to, from: of(extension), code });
        let sets_sign = |sign, extension| Some(Simple::SetsSign { size: Eight, to, from: of(extension), sign });
        let with = |operation, size, extension, code| self.with(operation, size, to, of(extension), code);
        let three = |operation, size, code| {
            let (first, second) = (of(Unsigned(size)), Operand::Register(third, Unsigned(size)));
            Some(Simple::Computes { operation, size, to, first, second, code })
        };
        let compares = |size, extension, order| self.compares(size, to, of(extension), order);
        match (self.fields.byte(0), self.fields.byte(8)) {
            (0xb2, 0x4f) => Some(Simple::ReadsAccess { to, number: second }),
            (0xb2, 0x52) => with(O::Multiply, Four, Unsigned(Four), Code::Kept),
            (0xb3, 0x74) => Some(Simple::MovesFloat { size: Four, to: Place::Float(to), from: Place::Zero }),
            (0xb3, 0x75) => Some(Simple::MovesFloat { size: Eight, to: Place::Float(to), from: Place::Zero }),
            (0xb3, 0xc1) => {
                Some(Simple::MovesFloat { size: Eight, to: Place::Float(to), from: Place::General(second) })
            }
            (0xb3, 0xcd) => {
                Some(Simple::MovesFloat { size: Eight, to: Place::General(to), from: Place::Float(second) })
            }
            (0xb9, 0x00) => sets_sign(Sign::Positive, Unsigned(Eight)),
            (0xb9, 0x01) => sets_sign(Sign::Negative, Unsigned(Eight)),
            (0xb9, 0x02) => moves(Eight, Unsigned(Eight), Code::Signed),
            (0xb9, 0x03) => sets_sign(Sign::Opposite, Unsigned(Eight)),
            (0xb9, 0x13) => sets_sign(Sign::Opposite, Signed(Four)),
            (0xb9, 0x04) => moves(Eight, Unsigned(Eight), Code::Kept),
            (0xb9, 0x06) => moves(Eight, Signed(One), Code::Kept),
            (0xb9, 0x07) => moves(Eight, Signed(Two), Code::Kept),
            (0xb9, 0x08) => with(O::Add, Eight, Unsigned(Eight), Code::Signed),
            (0xb9, 0x09) => with(O::Subtract, Eight, Unsigned(Eight), Code::Signed),
            (0xb9, 0x0a) => with(O::Add, Eight, Unsigned(Eight), Code::Logical),
            (0xb9, 0x0b) => with(O::Subtract, Eight, Unsigned(Eight), Code::Logical),
            (0xb9, 0x0c) => with(O::Multiply, Eight, Unsigned(Eight), Code::Kept),
            (0xb9, 0x0f) => {
                let from = Operand::Reversed(Place::General(second), Eight);
                Some(Simple::Moves { size: Eight, to, from, code: Code::Kept })
            }
            (0xb9, 0x1f) => {
                let from = Operand::Reversed(Place::General(second), Four);
                Some(Simple::Moves { size: Four, to, from, code: Code::Kept })
            }
            (0xb9, 0x12) => moves(Eight, Signed(Four), Code::Signed),
            (0xb9, 0x14) => moves(Eight, Signed(Four), Code::Kept),
            (0xb9, 0x16) => moves(Eight, Unsigned(Four), Code::Kept),
            (0xb9, 0x17) => moves(Eight, Extension::ThirtyOne, Code::Kept),
            (0xb9, 0x18) => with(O::Add, Eight, Signed(Four), Code::Signed),
            (0xb9, 0x19) => with(O::Subtract, Eight, Signed(Four), Code::Signed),
            (0xb9, 0x1a) => with(O::Add, Eight, Unsigned(Four), Code::Logical),
            (0xb9, 0x1b) => with(O::Subtract, Eight, Unsigned(Four), Code::Logical),
            (0xb9, 0x1c) => with(O::Multiply, Eight, Signed(Four), Code::Kept),
            (0xb9, 0x20) => compares(Eight, Unsigned(Eight), Order::Signed),
            (0xb9, 0x21) => compares(Eight, Unsigned(Eight), Order::Unsigned),
            (0xb9, 0x26) => moves(Four, Signed(One), Code::Kept),
            (0xb9, 0x27) => moves(Four, Signed(Two), Code::Kept),
            (0xb9, 0x30) => compares(Eight, Signed(Four), Order::Signed),
            (0xb9, 0x31) => compares(Eight, Unsigned(Four), Order::Unsigned),
            (0xb9, 0x80) => with(O::And, Eight, Unsigned(Eight), Code::Bits),
            (0xb9, 0x81) => with(O::Or, Eight, Unsigned(Eight), Code::Bits),
            (0xb9, 0x82) => with(O::Xor, Eight, Unsigned(Eight), Code::Bits),
            (0xb9, 0x84) => moves(Eight, Unsigned(One), Code::Kept),
            (0xb9, 0x85) => moves(Eight, Unsigned(Two), Code::Kept),
            (0xb9, 0x86) if to % 2 == 0 => Some(Simple::MultipliesWide { to, second: of(Unsigned(Eight)) }),
            (0xb9, 0x88) => with(O::AddWithCarry, Eight, Unsigned(Eight), Code::Logical),
            (0xb9, 0x89) => with(O::SubtractWithBorrow, Eight, Unsigned(Eight), Code::Logical),
            (0xb9, 0x94) => moves(Four, Unsigned(One), Code::Kept),
            (0xb9, 0x95) => moves(Four, Unsigned(Two), Code::Kept),
            (0xb9, 0xe2) => Some(Simple::MovesIf { mask: third, size: Eight, to, from: of(Unsigned(Eight)) }),
            (0xb9, 0xf2) => Some(Simple::MovesIf { mask: third, size: Four, to, from: of(Unsigned(Four)) }),
            (0xb9, 0xe4) => three(O::And, Eight, Code::Bits),
            (0xb9, 0xe6) => three(O::Or, Eight, Code::Bits),
            (0xb9, 0xe7) => three(O::Xor, Eight, Code::Bits),
            (0xb9, 0xe8) => three(O::Add, Eight, Code::Signed),
            (0xb9, 0xe9) => three(O::Subtract, Eight, Code::Signed),
            (0xb9, 0xea) => three(O::Add, Eight, Code::Logical),
            (0xb9, 0xeb) => three(O::Subtract, Eight, Code::Logical),
            (0xb9, 0xf4) => three(O::And, Four, Code::Bits),
            (0xb9, 0xf6) => three(O::Or, Four, Code::Bits),
            (0xb9, 0xf7) => three(O::Xor, Four, Code::Bits),
            (0xb9, 0xf8) => three(O::Add, Four, Code::Signed),
            (0xb9, 0xf9) => three(O::Subtract, Four, Code::Signed),
            (0xb9, 0xfa) => three(O::Add, Four, Code::Logical),
            (0xb9, 0xfb) => three(O::Subtract, Four, Code::Logical),
            _ => None,
        }
    }
}

//! Decodes simple AArch64 instructions.

mod vector;

use super::{
    Access, Addend, Address, Change, Extension, Factors, Flags, Rearrangement, Register, Rest, SP, Second, Shift,
    Simple, When, ZERO,
};
use crate::simple::{Operation, Size};

/// The instruction at `pc` if it is simple.
pub(crate) fn decode(word: u32, pc: u64) -> Option<Simple> {
    let word = Word(word);
    match word.bits(25, 4) {
        0b1000 | 0b1001 => word.by_immediate(pc),
        0b1010 | 0b1011 => word.branch(pc),
        0b0101 | 0b1101 => word.by_register(),
        0b0100 | 0b0110 | 0b1100 | 0b1110 => word.access(pc),
        0b0111 | 0b1111 => word.vector(),
        _ => None,
    }
}

/// An instruction word.
#[derive(Clone, Copy)]
struct Word(u32);

const SHIFTS: [Operation; 4] =
    [Operation::ShiftLeft, Operation::ShiftRight, Operation::ShiftRightSigned, Operation::RotateRight];

impl Word {
    fn bits(self, low: u32, count: u32) -> u32 {
        self.0 >> low & ((1 << count) - 1)
    }

    fn bit(self, number: u32) -> bool {
        self.bits(number, 1) == 1
    }

    /// A signed field.
    fn signed(self, low: u32, count: u32) -> i64 {
        (i64::from(self.bits(low, count)) << (64 - count)) >> (64 - count)
    }

    /// A register field in which 31 means zero.
    fn register(self, low: u32) -> Register {
        match self.bits(low, 5) as Register {
            SP => ZERO,
            number => number,
        }
    }

    /// A register field in which 31 means SP.
    fn pointer(self, low: u32) -> Register {
        self.bits(low, 5) as Register
    }

    /// The operand size of integer instructions.
    fn size(self) -> Size {
        if self.bit(31) { Size::Eight } else { Size::Four }
    }

    fn flags(self) -> Flags {
        if self.bit(29) { Flags::Set } else { Flags::Kept }
    }

    fn by_immediate(self, pc: u64) -> Option<Simple> {
        let (size, to) = (self.size(), self.register(0));
        let bits = 8 * size.bytes() as u32;
        match self.bits(23, 3) {
            0b000 | 0b001 => {
                let offset = self.signed(5, 19) << 2 | i64::from(self.bits(29, 2));
                let value = if self.bit(31) {
                    (pc & !0xfff).wrapping_add_signed(offset << 12)
                } else {
                    pc.wrapping_add_signed(offset)
                };
                Some(Simple::Sets { to, value })
            }
            0b010 => {
                let operation = if self.bit(30) { Operation::Subtract } else { Operation::Add };
                let value = u64::from(self.bits(10, 12)) << if self.bit(22) { 12 } else { 0 };
                let to = if self.bit(29) { to } else { self.pointer(0) };
                let (first, flags) = (self.pointer(5), self.flags());
                Some(Simple::Computes { operation, size, to, first, second: Second::Value(value), flags })
            }
            0b100 => {
                let value = mask(self.bit(22), self.bits(10, 6), self.bits(16, 6), bits)?;
                let (operation, flags) = match self.bits(29, 2) {
                    0 => (Operation::And, Flags::Kept),
                    1 => (Operation::Or, Flags::Kept),
                    2 => (Operation::Xor, Flags::Kept),
                    _ => (Operation::And, Flags::Set),
                };
                let to = if flags == Flags::Set { to } else { self.pointer(0) };
                Some(Simple::Computes {
                    operation,
                    size,
                    to,
                    first: self.register(5),
                    second: Second::Value(value),
                    flags,
                })
            }
            0b101 => {
                let at = 16 * self.bits(21, 2);
                if at >= bits {
                    return None;
                }
                let value = self.bits(5, 16);
                let shifted = u64::from(value) << at;
                match self.bits(29, 2) {
                    0 => Some(Simple::Sets { to, value: !shifted & size.mask() }),
                    2 => Some(Simple::Sets { to, value: shifted }),
                    3 => Some(Simple::SetsPart { to, size, value: value as u16, at: at as u8 }),
                    _ => None,
                }
            }
            0b110 => {
                let (rotate, last) = (self.bits(16, 6), self.bits(10, 6));
                if self.bit(22) != self.bit(31) || rotate >= bits || last >= bits {
                    return None;
                }
                let rest = match self.bits(29, 2) {
                    0 => Rest::Sign,
                    1 => Rest::Kept,
                    2 => Rest::Zero,
                    _ => return None,
                };
                let (first, at, width) =
                    if last >= rotate { (rotate, 0, last - rotate + 1) } else { (0, bits - rotate, last + 1) };
                let (first, at, width) = (first as u8, at as u8, width as u8);
                Some(Simple::MovesField { size, to, from: self.register(5), first, at, width, rest })
            }
            0b111 => {
                let at = self.bits(10, 6);
                let is_defined = self.bit(22) == self.bit(31) && !self.bit(21) && self.bits(29, 2) == 0 && at < bits;
                let (high, low) = (self.register(5), self.register(16));
                is_defined.then_some(Simple::Extracts { size, to, high, low, at: at as u8 })
            }
            _ => None,
        }
    }

    fn branch(self, pc: u64) -> Option<Simple> {
        let to = |offset: i64| pc.wrapping_add_signed(offset << 2);
        let when = if self.bit(24) { When::NotZero } else { When::Zero };
        match self.0 {
            // HINT: nop, csdb, and the forms of bti.
            0xd503_201f | 0xd503_229f | 0xd503_241f | 0xd503_245f | 0xd503_249f | 0xd503_24df => Some(Simple::Nothing),
            // pacia1716 to autibsp: those of the link register, and xpaclri.
            0xd503_20ff | 0xd503_233f | 0xd503_237f | 0xd503_23bf | 0xd503_23ff => Some(Simple::Authenticates(self.0)),
            word if word & !0x1f == 0xd53b_d040 => Some(Simple::ReadsThreadPointer { to: self.register(0) }),
            // br, ret
            word if matches!(word & !0x3e0, 0xd61f_0000 | 0xd65f_0000) => Some(Simple::Jumps(self.register(5))),
            word if word & 0xff00_0010 == 0x5400_0000 => {
                Some(Simple::BranchesIf { condition: self.bits(0, 4) as u8, target: to(self.signed(5, 19)) })
            }
            word if word & 0x7e00_0000 == 0x3400_0000 => {
                let (register, mask, target) = (self.register(0), self.size().mask(), to(self.signed(5, 19)));
                Some(Simple::BranchesByBits { register, mask, when, target })
            }
            word if word & 0x7e00_0000 == 0x3600_0000 => {
                let mask = 1 << (self.bits(31, 1) << 5 | self.bits(19, 5));
                let (register, target) = (self.register(0), to(self.signed(5, 14)));
                Some(Simple::BranchesByBits { register, mask, when, target })
            }
            _ => None,
        }
    }

    fn by_register(self) -> Option<Simple> {
        let (size, to, first, second) = (self.size(), self.register(0), self.register(5), self.register(16));
        let bits = 8 * size.bytes() as u32;
        if !self.bit(28) {
            let by = self.bits(10, 6);
            let shift = Shift { operation: *SHIFTS.get(self.bits(22, 2) as usize)?, by: by as u8 };
            if !self.bit(24) {
                let (operation, flags) = match self.bits(29, 2) {
                    0 => (Operation::And, Flags::Kept),
                    1 => (Operation::Or, Flags::Kept),
                    2 => (Operation::Xor, Flags::Kept),
                    _ => (Operation::And, Flags::Set),
                };
                let second =
                    if self.bit(21) { Second::Inverted(second, shift) } else { Second::Shifted(second, shift) };
                return (by < bits).then_some(Simple::Computes { operation, size, to, first, second, flags });
            }
            let (operation, flags) = (if self.bit(30) { Operation::Subtract } else { Operation::Add }, self.flags());
            if !self.bit(21) {
                let is_defined = by < bits && shift.operation != Operation::RotateRight;
                let second = Second::Shifted(second, shift);
                return is_defined.then_some(Simple::Computes { operation, size, to, first, second, flags });
            }
            let (by, is_defined) = (self.bits(10, 3), self.bits(22, 2) == 0 && self.bits(10, 3) <= 4);
            let second = Second::Extended(second, extension(self.bits(13, 3), by));
            let to = if self.bit(29) { to } else { self.pointer(0) };
            return is_defined.then_some(Simple::Computes {
                operation,
                size,
                to,
                first: self.pointer(5),
                second,
                flags,
            });
        }
        match self.bits(21, 4) {
            0b0000 if self.bits(10, 6) == 0 => {
                let operation = if self.bit(30) { Operation::SubtractWithBorrow } else { Operation::AddWithCarry };
                let second = Second::Shifted(second, Shift { operation: Operation::ShiftLeft, by: 0 });
                Some(Simple::Computes { operation, size, to, first, second, flags: self.flags() })
            }
            0b0010 if self.bit(29) && !self.bit(10) && !self.bit(4) => {
                let operation = if self.bit(30) { Operation::Subtract } else { Operation::Add };
                let second = if self.bit(11) {
                    Second::Value(self.bits(16, 5).into())
                } else {
                    Second::Shifted(second, Shift { operation: Operation::ShiftLeft, by: 0 })
                };
                let (condition, flags_if_not) = (self.bits(12, 4) as u8, self.bits(0, 4) as u8);
                Some(Simple::ComparesIf { operation, size, first, second, condition, flags_if_not })
            }
            0b0100 if !self.bit(29) && !self.bit(11) => {
                let change = match (self.bit(30), self.bit(10)) {
                    (false, false) => Change::None,
                    (false, true) => Change::Increment,
                    (true, false) => Change::Invert,
                    (true, true) => Change::Negate,
                };
                Some(Simple::Selects { size, to, first, second, condition: self.bits(12, 4) as u8, change })
            }
            0b0110 if !self.bit(29) && !self.bit(30) => {
                let shift = |operation| {
                    let second = Second::Shifted(second, Shift { operation: Operation::ShiftLeft, by: 0 });
                    Some(Simple::Computes { operation, size, to, first, second, flags: Flags::Kept })
                };
                match self.bits(10, 6) {
                    0b00_0010 => Some(Simple::Divides { factors: Factors::Unsigned(size), to, first, second }),
                    0b00_0011 => Some(Simple::Divides { factors: Factors::Signed(size), to, first, second }),
                    number @ 0b00_1000..=0b00_1011 => shift(*SHIFTS.get(number as usize & 3)?),
                    _ => None,
                }
            }
            0b0110 if !self.bit(29) && self.bits(16, 5) == 0 => {
                let how = match self.bits(10, 6) {
                    0 => Rearrangement::ReversesBits,
                    1 => Rearrangement::ReversesBytes(Size::Two),
                    2 => Rearrangement::ReversesBytes(Size::Four),
                    3 if size == Size::Eight => Rearrangement::ReversesBytes(Size::Eight),
                    4 => Rearrangement::CountsLeadingZeros,
                    5 => Rearrangement::CountsLeadingSigns,
                    _ => return None,
                };
                Some(Simple::Rearranges { how, size, to, from: first })
            }
            0b1000..=0b1111 if self.bits(29, 2) == 0 => {
                let addend = self.register(10);
                let addend = |size| if self.bit(15) { Addend::Minus(addend, size) } else { Addend::Plus(addend, size) };
                let product = |factors, addend| Some(Simple::MultipliesAndAdds { factors, to, first, second, addend });
                match (self.bits(21, 3), size, self.bit(15)) {
                    (0b000, size, _) => product(Factors::Unsigned(size), addend(size)),
                    (0b001, Size::Eight, _) => product(Factors::Signed(Size::Four), addend(Size::Eight)),
                    (0b101, Size::Eight, _) => product(Factors::Unsigned(Size::Four), addend(Size::Eight)),
                    (0b010, Size::Eight, false) if self.bits(10, 5) == 31 => {
                        Some(Simple::MultipliesHigh { factors: Factors::Signed(size), to, first, second })
                    }
                    (0b110, Size::Eight, false) if self.bits(10, 5) == 31 => {
                        Some(Simple::MultipliesHigh { factors: Factors::Unsigned(size), to, first, second })
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn access(self, pc: u64) -> Option<Simple> {
        let (base, register) = (self.pointer(5), self.bits(0, 5) as u8);
        match self.bits(27, 3) {
            // Literals.
            0b011 if self.bits(24, 2) == 0 => {
                let address = Address::At(pc.wrapping_add_signed(self.signed(5, 19) << 2));
                match (self.bit(26), self.bits(30, 2)) {
                    (true, 3) => None,
                    (true, opc) => self.vectors(Access::Loads(Rest::Zero, Size::Eight), 4 << opc, address, None),
                    (false, 0) => self.integers(Access::Loads(Rest::Zero, Size::Four), Size::Four, address, None),
                    (false, 1) => self.integers(Access::Loads(Rest::Zero, Size::Eight), Size::Eight, address, None),
                    (false, 2) => self.integers(Access::Loads(Rest::Sign, Size::Eight), Size::Four, address, None),
                    (false, _) => Some(Simple::Nothing),
                }
            }
            0b101 => {
                let (opc, second) = (self.bits(30, 2), self.bits(10, 5) as u8);
                let bytes = match (self.bit(26), opc) {
                    (true, 0..=2) => 4 << opc,
                    (false, 0 | 1) => 4,
                    (false, 2) => 8,
                    _ => return None,
                };
                let offset = self.signed(15, 7) * i64::from(bytes);
                let address = match self.bits(23, 2) {
                    0b01 => Address::After(base, offset),
                    0b11 => Address::Before(base, offset),
                    _ => Address::Offset(base, offset),
                };
                let loads = self.bit(22);
                // Without write-back there is no signed form of mode 0.
                if loads && register == second || self.bits(23, 2) == 0 && opc == 1 && !self.bit(26) {
                    return None;
                }
                if self.bit(26) {
                    let access = if loads { Access::Loads(Rest::Zero, Size::Eight) } else { Access::Stores };
                    return self.vectors(access, bytes, address, Some(second));
                }
                if changes(address) && base != SP && (base == register || base == second) {
                    return None;
                }
                let size = if bytes == 8 { Size::Eight } else { Size::Four };
                let access = match (loads, opc) {
                    (true, 1) => Access::Loads(Rest::Sign, Size::Eight),
                    (true, _) => Access::Loads(Rest::Zero, size),
                    // STGP, which stores a tag.
                    (false, 1) => return None,
                    (false, _) => Access::Stores,
                };
                self.integers(access, size, address, Some(second))
            }
            0b111 => {
                let (scale, opc) = (self.bits(30, 2), self.bits(22, 2));
                let (bytes, access) = if self.bit(26) {
                    match (scale, opc) {
                        (0, 2) => (16, Access::Stores),
                        (0, 3) => (16, Access::Loads(Rest::Zero, Size::Eight)),
                        (_, 0) => (1 << scale, Access::Stores),
                        (_, 1) => (1 << scale, Access::Loads(Rest::Zero, Size::Eight)),
                        _ => return None,
                    }
                } else {
                    let access = match (scale, opc) {
                        (_, 0) => Some(Access::Stores),
                        (3, 1) => Some(Access::Loads(Rest::Zero, Size::Eight)),
                        (_, 1) => Some(Access::Loads(Rest::Zero, Size::Four)),
                        (0..=2, 2) => Some(Access::Loads(Rest::Sign, Size::Eight)),
                        (0 | 1, 3) => Some(Access::Loads(Rest::Sign, Size::Four)),
                        _ => None,
                    };
                    match access {
                        Some(access) => (1 << scale, access),
                        // PRFM, PRFUM.
                        None if (scale, opc) == (3, 2) => (0, Access::Stores),
                        None => return None,
                    }
                };
                let address = match (self.bit(24), self.bit(21), self.bits(10, 2)) {
                    (true, _, _) => Address::Offset(base, i64::from(self.bits(10, 12)) * i64::from(bytes.max(1))),
                    (false, false, 0b00) => Address::Offset(base, self.signed(12, 9)),
                    (false, false, 0b01) => Address::After(base, self.signed(12, 9)),
                    (false, false, 0b11) => Address::Before(base, self.signed(12, 9)),
                    (false, true, 0b10) if self.bit(14) => {
                        let by = if self.bit(12) { u32::from(bytes).trailing_zeros() } else { 0 };
                        Address::Indexed(base, self.register(16), extension(self.bits(13, 3), by))
                    }
                    _ => return None,
                };
                match bytes {
                    0 => (!changes(address)).then_some(Simple::Nothing),
                    bytes if self.bit(26) => self.vectors(access, bytes, address, None),
                    _ if changes(address) && base != SP && base == register => None,
                    bytes => self.integers(access, size(bytes)?, address, None),
                }
            }
            _ => None,
        }
    }

    fn integers(self, access: Access, size: Size, address: Address, second: Option<u8>) -> Option<Simple> {
        let second = second.map(|_| self.register(10));
        Some(Simple::Accesses { access, size, address, registers: [Some(self.register(0)), second] })
    }

    fn vectors(self, access: Access, bytes: u8, address: Address, second: Option<u8>) -> Option<Simple> {
        Some(Simple::AccessesVectors { access, bytes, address, vectors: [Some(self.bits(0, 5) as u8), second] })
    }
}

/// Returns true if an access changes the base.
fn changes(address: Address) -> bool {
    matches!(address, Address::Before(..) | Address::After(..))
}

fn size(bytes: u8) -> Option<Size> {
    match bytes {
        1 => Some(Size::One),
        2 => Some(Size::Two),
        4 => Some(Size::Four),
        8 => Some(Size::Eight),
        _ => None,
    }
}

/// The extension of an option field: the low bits are the size, the highest is the sign.
fn extension(option: u32, by: u32) -> Extension {
    let part = match option & 3 {
        0 => Size::One,
        1 => Size::Two,
        2 => Size::Four,
        _ => Size::Eight,
    };
    Extension { part, rest: if option & 4 != 0 { Rest::Sign } else { Rest::Zero }, by: by as u8 }
}

/// The immediate of a logical instruction (`DecodeBitMasks`); `None` for a reserved one.
fn mask(n: bool, last: u32, rotate: u32, bits: u32) -> Option<u64> {
    let length = 31_u32.checked_sub((u32::from(n) << 6 | (!last & 0x3f)).leading_zeros())?;
    let width = 1 << length;
    let (ones, rotate) = ((last & (width - 1)) + 1, rotate & (width - 1));
    if length < 1 || width > bits || ones == width {
        return None;
    }
    let element = (1_u64 << ones) - 1;
    let all = if width == 64 { u64::MAX } else { (1 << width) - 1 };
    let rotated = if rotate == 0 { element } else { (element >> rotate | element << (width - rotate)) & all };
    let mut value = rotated;
    let mut filled = width;
    while filled < bits {
        value |= value << filled;
        filled *= 2;
    }
    Some(value)
}

//! Results of arithmetic, and the resulting flags (Intel SDM volume 1, 3.4.3.1; volume 2). Flags
//! that the manual leaves undefined are as in the emulator if that costs nothing: see
//! [`undefined`].

use isa::simple::{Count, Does, Operation, Side, Simple, Size};

use super::{ADJUST, CARRY, Integers, OVERFLOW, PARITY, SIGN, STATUS, ZERO, extended};

impl Integers {
    /// The result and the flags of an operation.
    pub(super) fn computed(&self, operation: Operation, size: Size, a: u64, b: u64) -> (u64, u64) {
        let (mask, sign) = (size.mask(), size.sign());
        let bits = 8 * size.bytes() as u64;
        let carried = self.flags & CARRY;
        // A count in CL may be 0: then nothing changes.
        let b = match operation {
            Operation::ShiftLeft
            | Operation::ShiftRight
            | Operation::ShiftRightSigned
            | Operation::RotateLeft
            | Operation::RotateRight => match b & if size == Size::Eight { 63 } else { 31 } {
                0 => return (a, self.flags),
                count => count,
            },
            Operation::TestBit | Operation::SetBit | Operation::ResetBit | Operation::ComplementBit => b & (bits - 1),
            _ => b,
        };
        let result = mask
            & match operation {
                Operation::Add => a.wrapping_add(b),
                Operation::Subtract => a.wrapping_sub(b),
                Operation::AddWithCarry => a.wrapping_add(b).wrapping_add(carried),
                Operation::SubtractWithBorrow => a.wrapping_sub(b).wrapping_sub(carried),
                Operation::And => a & b,
                Operation::Or => a | b,
                Operation::Xor => a ^ b,
                Operation::Increment => a.wrapping_add(1),
                Operation::Decrement => a.wrapping_sub(1),
                Operation::Negate => a.wrapping_neg(),
                Operation::Not => return (!a & mask, self.flags),
                Operation::ShiftLeft => a << b,
                Operation::ShiftRight => a >> b,
                Operation::ShiftRightSigned => ((extended(a, size) as i64) >> b) as u64,
                Operation::Multiply => return self.product(size, a, b),
                Operation::RotateLeft => return self.rotated(Side::High, size, a, b),
                Operation::RotateRight => return self.rotated(Side::Low, size, a, b),
                Operation::SwapBytes => return (a.swap_bytes() >> (64 - bits), self.flags),
                Operation::TestBit => a,
                Operation::SetBit => a | 1 << b,
                Operation::ResetBit => a & !(1 << b),
                Operation::ComplementBit => a ^ 1 << b,
            };
        // The value shifted by one bit less: its outermost bit goes into the carry flag.
        let (carry, overflow, adjust) = match operation {
            Operation::Add => (result < a, (a ^ result) & (b ^ result) & sign != 0, a ^ b ^ result),
            Operation::AddWithCarry => {
                let carry = if carried == 0 { result < a } else { result <= a };
                (carry, (a ^ result) & (b ^ result) & sign != 0, a ^ b ^ result)
            }
            Operation::Subtract => (a < b, (a ^ b) & (a ^ result) & sign != 0, a ^ b ^ result),
            Operation::SubtractWithBorrow => {
                let borrow = if carried == 0 { a < b } else { a <= b };
                (borrow, (a ^ b) & (a ^ result) & sign != 0, a ^ b ^ result)
            }
            Operation::Increment => (carried != 0, result == sign, a ^ result ^ 1),
            Operation::Decrement => (carried != 0, a == sign, a ^ result ^ 1),
            Operation::Negate => (a != 0, a == sign, a ^ result),
            Operation::ShiftLeft => {
                let before = a << (b - 1);
                (a >> (bits - b) & 1 != 0, (before ^ result) & sign != 0, 0)
            }
            Operation::ShiftRight => {
                let before = a >> (b - 1);
                (before & 1 != 0, (before ^ result) & sign != 0, 0)
            }
            Operation::ShiftRightSigned => (((extended(a, size) as i64) >> (b - 1)) & 1 != 0, false, 0),
            Operation::TestBit | Operation::SetBit | Operation::ResetBit | Operation::ComplementBit => {
                return (result, (self.flags & !CARRY) | when(a >> b & 1 != 0, CARRY));
            }
            _ => (false, false, 0),
        };
        let flags = when(carry, CARRY) | when(adjust & 0x10 != 0, ADJUST) | when(overflow, OVERFLOW);
        (result, self.logical(result, size) | flags)
    }

    /// The flags that depend on the result only.
    pub(super) fn logical(&self, result: u64, size: Size) -> u64 {
        let flags = when((result as u8).count_ones().is_multiple_of(2), PARITY)
            | when(result == 0, ZERO)
            | when(result & size.sign() != 0, SIGN);
        (self.flags & !STATUS) | flags
    }

    /// A signed product, truncated to the operand size.
    fn product(&self, size: Size, a: u64, b: u64) -> (u64, u64) {
        let whole = i128::from(extended(a, size) as i64) * i128::from(extended(b, size) as i64);
        let result = whole as u64 & size.mask();
        let exceeds = i128::from(extended(result, size) as i64) != whole;
        (result, self.logical(result, size) | when(exceeds, CARRY | OVERFLOW))
    }

    /// Rotates a value towards one side: only carry and overflow change.
    fn rotated(&self, side: Side, size: Size, a: u64, count: u64) -> (u64, u64) {
        let bits = 8 * size.bytes() as u64;
        let up = if side == Side::High { count % bits } else { (bits - count % bits) % bits };
        let result = if up == 0 { a } else { (a << up | a >> (bits - up)) & size.mask() };
        let highest = result & size.sign() != 0;
        let (carry, other) = match side {
            Side::High => (result & 1 != 0, result & 1 != 0),
            Side::Low => (highest, result & size.sign() >> 1 != 0),
        };
        let flags = when(carry, CARRY) | when(highest != other, OVERFLOW);
        (result, (self.flags & !(CARRY | OVERFLOW)) | flags)
    }

    /// Shifts a value towards one side and fills it with bits of another value.
    pub(super) fn shifted_in(&self, side: Side, size: Size, count: u32, value: u64, other: u64) -> (u64, u64) {
        if count == 0 {
            return (value, self.flags);
        }
        let bits = 8 * size.bytes() as u32;
        let shifted = |count: u32| match (side, count) {
            (_, 0) => value,
            (Side::High, count) => (value << count | other >> (bits - count)) & size.mask(),
            (Side::Low, count) => (value >> count | other << (bits - count)) & size.mask(),
        };
        let (before, result) = (shifted(count - 1), shifted(count));
        let carry = match side {
            Side::High => before & size.sign() != 0,
            Side::Low => before & 1 != 0,
        };
        let overflow = (before ^ result) & size.sign() != 0;
        (result, self.logical(result, size) | when(carry, CARRY) | when(overflow, OVERFLOW))
    }
}

/// The flags that the manual leaves undefined after an instruction.
pub(in crate::explore) fn undefined(simple: &Simple) -> u64 {
    let by = |count: u64, size: Size| match count & if size == Size::Eight { 63 } else { 31 } {
        1 => 0,
        _ => OVERFLOW,
    };
    // A count in CL may be any number.
    let count = match simple.from {
        isa::simple::Operand::Value(count) => count,
        _ => 2,
    };
    match simple.does {
        Does::Computes(Operation::And | Operation::Or | Operation::Xor) | Does::Compares(Operation::And) => ADJUST,
        Does::Computes(Operation::ShiftLeft | Operation::ShiftRight | Operation::ShiftRightSigned) => {
            ADJUST | by(count, simple.size)
        }
        Does::Computes(Operation::RotateLeft | Operation::RotateRight) => by(count, simple.size),
        Does::Computes(Operation::Multiply) | Does::MultipliesBy(_) | Does::Multiplies(_) => {
            SIGN | ZERO | ADJUST | PARITY
        }
        Does::Compares(Operation::TestBit)
        | Does::Computes(Operation::SetBit | Operation::ResetBit | Operation::ComplementBit) => {
            OVERFLOW | SIGN | ADJUST | PARITY
        }
        Does::Finds(_) => CARRY | OVERFLOW | SIGN | ADJUST | PARITY,
        Does::ShiftsIn(_, Count::Constant(1)) => ADJUST,
        Does::ShiftsIn(..) => ADJUST | OVERFLOW,
        _ => 0,
    }
}

fn when(holds: bool, flag: u64) -> u64 {
    if holds { flag } else { 0 }
}

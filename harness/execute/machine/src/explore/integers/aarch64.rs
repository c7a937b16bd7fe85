//! How simple instructions of AArch64 change registers and flags (Arm ARM DDI 0487, C6.2 and C7.2).

use isa::simple::aarch64::{
    Access, Addend, Address, Change, Combination, Extension, Factors, Flags, Rearrangement, Register, Rest, Second,
    Shift, Simple, When,
};
use isa::simple::{Operation, Size};

use super::{Data, Done, Integers, Not, extended};
use crate::explore::vectors::Vectors;

/// The condition flags, by their bits in NZCV.
const NEGATIVE: u64 = 1 << 31;
const ZERO: u64 = 1 << 30;
const CARRY: u64 = 1 << 29;
const OVERFLOW: u64 = 1 << 28;

/// Lowest bit of an address that needs more than the bits of user addresses: the emulator may
/// ignore it.
const USER_BITS: u32 = 48;

/// The processor's registers.
pub(in crate::explore) struct Machine<'a> {
    pub(in crate::explore) integers: &'a mut Integers,
    pub(in crate::explore) vectors: Option<&'a mut Vectors>,
}

impl Machine<'_> {
    /// Executes an instruction, and returns its target if it jumps.
    pub(in crate::explore) fn execute(&mut self, simple: &Simple, data: &mut impl Data) -> Done<Option<u64>> {
        match *simple {
            Simple::Nothing => {}
            Simple::Authenticates(_) => return Err(Not::Known),
            Simple::Sets { to, value } => self.set(to, value),
            Simple::SetsPart { to, size, value, at } => {
                let kept = self.get(to) & !(0xffff << at);
                self.set(to, (kept | u64::from(value) << at) & size.mask());
            }
            Simple::ReadsThreadPointer { to } => self.set(to, self.integers.bases[0]),
            Simple::Computes { operation, size, to, first, second, flags } => {
                let (value, nzcv) = self.computed(operation, size, self.get(first), self.second(second, size));
                if flags == Flags::Set {
                    self.integers.flags = nzcv;
                }
                self.set(to, value);
            }
            Simple::ComparesIf { operation, size, first, second, condition, flags_if_not } => {
                self.integers.flags = if self.holds(condition) {
                    self.computed(operation, size, self.get(first), self.second(second, size)).1
                } else {
                    u64::from(flags_if_not) << NEGATIVE.trailing_zeros().saturating_sub(3)
                };
            }
            Simple::Selects { size, to, first, second, condition, change } => {
                let second = self.get(second);
                let value = match change {
                    _ if self.holds(condition) => self.get(first),
                    Change::None => second,
                    Change::Increment => second.wrapping_add(1),
                    Change::Invert => !second,
                    Change::Negate => second.wrapping_neg(),
                };
                self.set(to, value & size.mask());
            }
            Simple::MovesField { size, to, from, first, at, width, rest } => {
                let ones = u64::MAX >> (64 - u32::from(width));
                let field = self.get(from) >> first & ones;
                let value = match rest {
                    Rest::Zero => field << at,
                    Rest::Sign if field >> (width - 1) & 1 == 1 => (field | !ones) << at,
                    Rest::Sign => field << at,
                    Rest::Kept => self.get(to) & !(ones << at) | field << at,
                };
                self.set(to, value & size.mask());
            }
            Simple::Extracts { size, to, high, low, at } => {
                let bits = 8 * size.bytes() as u32;
                let both = u128::from(self.get(high) & size.mask()) << bits | u128::from(self.get(low) & size.mask());
                self.set(to, (both >> at) as u64 & size.mask());
            }
            Simple::MultipliesAndAdds { factors, to, first, second, addend } => {
                let product = self.product(factors, first, second) as u64;
                let value = match addend {
                    Addend::Plus(addend, size) => self.get(addend).wrapping_add(product) & size.mask(),
                    Addend::Minus(addend, size) => self.get(addend).wrapping_sub(product) & size.mask(),
                };
                self.set(to, value);
            }
            Simple::MultipliesHigh { factors, to, first, second } => {
                let product = self.product(factors, first, second);
                self.set(to, (product >> 64) as u64);
            }
            Simple::Divides { factors, to, first, second } => {
                let (first, second) = (self.get(first), self.get(second));
                let value = match factors {
                    Factors::Unsigned(size) => (first & size.mask()).checked_div(second & size.mask()).unwrap_or(0),
                    Factors::Signed(size) => match extended(second, size) as i64 {
                        0 => 0,
                        second => (extended(first, size) as i64).wrapping_div(second) as u64 & size.mask(),
                    },
                };
                self.set(to, value);
            }
            Simple::Rearranges { how, size, to, from } => {
                let (value, bits) = (self.get(from) & size.mask(), 8 * size.bytes() as u32);
                let value = match how {
                    Rearrangement::ReversesBits => value.reverse_bits() >> (64 - bits),
                    Rearrangement::ReversesBytes(part) => {
                        let width = 8 * part.bytes() as u32;
                        let reversed = |at: u32| (value >> at & part.mask()).swap_bytes() >> (64 - width) << at;
                        (0..bits / width).map(|lane| reversed(lane * width)).fold(0, |all, one| all | one)
                    }
                    Rearrangement::CountsLeadingZeros => u64::from(value.leading_zeros() + bits - 64),
                    Rearrangement::CountsLeadingSigns => {
                        let value = extended(value, size);
                        u64::from((value ^ (value as i64 >> 63) as u64).leading_zeros() + bits - 65)
                    }
                };
                self.set(to, value);
            }
            Simple::Accesses { access, size, address, registers } => {
                self.access(access, size, address, registers, data)?
            }
            Simple::AccessesVectors { access, bytes, address, vectors } => {
                self.access_vectors(access, bytes, address, vectors, data)?;
            }
            Simple::SetsVector { to, value, combination } => {
                let value = combined(combination, self.vector(to)?, value);
                self.set_vector(to, value)?;
            }
            Simple::CombinesVectors { combination, bytes, to, first, second } => {
                let value = combined(combination, self.vector(first)?, self.vector(second)?);
                self.set_vector(to, value & ones(bytes))?;
            }
            Simple::MovesToVector { to, from, size } => {
                self.set_vector(to, u128::from(self.get(from) & size.mask()))?
            }
            Simple::Duplicates { to, from, size, bytes } => {
                let lane = u128::from(self.get(from) & size.mask());
                let all = (0..16 / size.bytes()).fold(0, |all, number| all | lane << (8 * size.bytes() * number));
                self.set_vector(to, all & ones(bytes))?;
            }
            Simple::MovesFromVector { to, from, lane, size } => {
                let value = self.vector(from)? >> (8 * size.bytes() * usize::from(lane));
                self.set(to, value as u64 & size.mask());
            }
            Simple::BranchesIf { condition, target } => return Ok(self.holds(condition).then_some(target)),
            Simple::BranchesByBits { register, mask, when, target } => {
                let holds = (self.get(register) & mask == 0) == (when == When::Zero);
                return Ok(holds.then_some(target));
            }
            Simple::Jumps(register) => return Ok(Some(self.get(register))),
        }
        Ok(None)
    }

    fn get(&self, register: Register) -> u64 {
        self.integers.registers.get(usize::from(register)).copied().unwrap_or(0)
    }

    fn set(&mut self, register: Register, value: u64) {
        if let Some(place) = self.integers.registers.get_mut(usize::from(register)) {
            *place = value;
        }
    }

    fn vector(&self, number: u8) -> Done<u128> {
        self.vectors.as_ref().and_then(|all| all.get(usize::from(number))).copied().ok_or(Not::Known)
    }

    fn set_vector(&mut self, number: u8, value: u128) -> Done<()> {
        *self.vectors.as_mut().and_then(|all| all.get_mut(usize::from(number))).ok_or(Not::Known)? = value;
        Ok(())
    }

    fn second(&self, second: Second, size: Size) -> u64 {
        match second {
            Second::Value(value) => value,
            Second::Shifted(register, shift) => self.shifted(register, shift, size),
            Second::Inverted(register, shift) => !self.shifted(register, shift, size),
            Second::Extended(register, extension) => self.extended(register, extension),
        }
    }

    fn shifted(&self, register: Register, Shift { operation, by }: Shift, size: Size) -> u64 {
        self.computed(operation, size, self.get(register), by.into()).0
    }

    fn extended(&self, register: Register, Extension { part, rest, by }: Extension) -> u64 {
        let value = match rest {
            Rest::Sign => extended(self.get(register), part),
            Rest::Zero | Rest::Kept => self.get(register) & part.mask(),
        };
        value << by
    }

    /// A result and its flags.
    fn computed(&self, operation: Operation, size: Size, a: u64, b: u64) -> (u64, u64) {
        let (mask, bits) = (size.mask(), 8 * size.bytes() as u32);
        let (a, b) = (a & mask, b & mask);
        let by = (b % u64::from(bits)) as u32;
        let carried = u64::from(self.integers.flags & CARRY != 0);
        let sum = |b: u64, carry: u64| {
            let sum = u128::from(a) + u128::from(b & mask) + u128::from(carry);
            let result = sum as u64 & mask;
            let over = (a ^ result) & (b ^ result) & size.sign() != 0;
            (result, when(sum >> bits != 0, CARRY) | when(over, OVERFLOW))
        };
        let (result, flags) = match operation {
            Operation::Add => sum(b, 0),
            Operation::Subtract => sum(!b, 1),
            Operation::AddWithCarry => sum(b, carried),
            Operation::SubtractWithBorrow => sum(!b, carried),
            Operation::And => (a & b, 0),
            Operation::Or => (a | b, 0),
            Operation::Xor => (a ^ b, 0),
            Operation::ShiftLeft => (a << by & mask, 0),
            Operation::ShiftRight => (a >> by, 0),
            Operation::ShiftRightSigned => ((extended(a, size) as i64 >> by) as u64 & mask, 0),
            Operation::RotateRight if by > 0 => ((a >> by | a << (bits - by)) & mask, 0),
            // `isa` decodes no other one for this ABI.
            _ => (a, 0),
        };
        (result, flags | when(result == 0, ZERO) | when(result & size.sign() != 0, NEGATIVE))
    }

    /// A condition (Arm ARM, C1.2.4).
    fn holds(&self, condition: u8) -> bool {
        let is = |flag: u64| self.integers.flags & flag != 0;
        let holds = match condition >> 1 {
            0 => is(ZERO),
            1 => is(CARRY),
            2 => is(NEGATIVE),
            3 => is(OVERFLOW),
            4 => is(CARRY) && !is(ZERO),
            5 => is(NEGATIVE) == is(OVERFLOW),
            6 => is(NEGATIVE) == is(OVERFLOW) && !is(ZERO),
            _ => return true,
        };
        holds == (condition & 1 == 0)
    }

    fn product(&self, factors: Factors, first: Register, second: Register) -> u128 {
        let (first, second) = (self.get(first), self.get(second));
        match factors {
            Factors::Unsigned(size) => u128::from(first & size.mask()) * u128::from(second & size.mask()),
            Factors::Signed(size) => {
                let factor = |value| i128::from(extended(value, size) as i64);
                (factor(first) * factor(second)) as u128
            }
        }
    }

    /// The address of an access. Those that no program has are left to the emulator.
    fn address(&self, address: Address) -> Done<u64> {
        let at = match address {
            Address::At(at) => at,
            Address::Offset(base, offset) | Address::Before(base, offset) => self.get(base).wrapping_add_signed(offset),
            Address::After(base, _) => self.get(base),
            Address::Indexed(base, index, extension) => self.get(base).wrapping_add(self.extended(index, extension)),
        };
        if at >> USER_BITS == 0 { Ok(at) } else { Err(Not::Known) }
    }

    fn change_base(&mut self, address: Address) {
        if let Address::Before(base, offset) | Address::After(base, offset) = address {
            self.set(base, self.get(base).wrapping_add_signed(offset));
        }
    }

    fn access(
        &mut self,
        access: Access,
        size: Size,
        address: Address,
        registers: [Option<Register>; 2],
        data: &mut impl Data,
    ) -> Done<()> {
        let at = self.address(address)?;
        let [first, second] = registers;
        let next = at.wrapping_add(size.bytes() as u64);
        // The first of two accesses may succeed alone, as the emulator has it.
        let failed = if second.is_some() { Not::Known } else { Not::Fails };
        match access {
            Access::Stores => {
                if second.is_some() && !(data.is_writable(at, size.bytes()) && data.is_writable(next, size.bytes())) {
                    return Err(failed);
                }
                for (register, at) in first.into_iter().chain(second).zip([at, next]) {
                    data.store(at, size, self.get(register) & size.mask()).ok_or(failed)?;
                }
                self.change_base(address);
            }
            Access::Loads(rest, to) => {
                let load = |at| {
                    let value = data.load(at, size).ok_or(failed)?;
                    Ok(if rest == Rest::Sign { extended(value, size) & to.mask() } else { value })
                };
                let values = [load(at)?, if second.is_some() { load(next)? } else { 0 }];
                self.change_base(address);
                for (register, value) in first.into_iter().chain(second).zip(values) {
                    self.set(register, value);
                }
            }
        }
        Ok(())
    }

    fn access_vectors(
        &mut self,
        access: Access,
        bytes: u8,
        address: Address,
        vectors: [Option<u8>; 2],
        data: &mut impl Data,
    ) -> Done<()> {
        let at = self.address(address)?;
        let [first, second] = vectors;
        let places = first.into_iter().chain(second).zip([at, at.wrapping_add(bytes.into())]);
        // The emulator accesses sixteen bytes in two steps, the second of which may fail.
        let failed = if second.is_some() || bytes == 16 { Not::Known } else { Not::Fails };
        if access == Access::Stores {
            if second.is_some() && places.clone().any(|(_, at)| !data.is_writable(at, bytes.into())) {
                return Err(failed);
            }
            for (number, at) in places {
                data.store_bytes(at, bytes.into(), self.vector(number)?).ok_or(failed)?;
            }
        } else {
            let mut values = [0; 2];
            for ((_, at), value) in places.clone().zip(&mut values) {
                *value = data.load_bytes(at, bytes.into()).ok_or(failed)?;
            }
            for ((number, _), value) in places.zip(values) {
                self.set_vector(number, value)?;
            }
        }
        self.change_base(address);
        Ok(())
    }
}

/// A bitwise combination of two vectors.
fn combined(combination: Combination, first: u128, second: u128) -> u128 {
    match combination {
        Combination::Second => second,
        Combination::And => first & second,
        Combination::AndNot => first & !second,
        Combination::Or => first | second,
        Combination::OrNot => first | !second,
        Combination::Xor => first ^ second,
    }
}

/// The lowest bytes of a vector.
fn ones(bytes: u8) -> u128 {
    u128::MAX >> (128 - 8 * u32::from(bytes))
}

fn when(holds: bool, flag: u64) -> u64 {
    if holds { flag } else { 0 }
}

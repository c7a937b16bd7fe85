//! How simple instructions of s390x change registers, condition code and memory (z/Architecture
//! Principles of Operation SA22-7832, chapters 5, 7 and 9).

use std::cmp::Ordering;
use std::ops::{BitAnd, BitOr, BitXor};

use isa::simple::s390x::{Address, Code, Extension, Mixed, Operand, Order, Part, Place, Rest, Sign, Simple};
use isa::simple::{Operation, Size};

use super::{Data, Done, Integers, Not, extended};
use crate::explore::vectors::Vectors;

/// The lowest bit of the condition code in the PSW (chapter 4).
const CODE: u32 = 44;
/// The bits of an address that is a shift count.
const COUNT: u64 = 63;
/// Number of bytes that are combined at once.
const CHUNK: usize = 16;

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
            Simple::Moves { size, to, from, code } => {
                let value = self.value(from, data)?;
                self.set(to, size, value);
                self.set_code_of(code, size, value & size.mask(), 0);
            }
            Simple::Computes { operation, size, to, first, second, code } => {
                let (first, second) = (self.value(first, data)?, self.value(second, data)?);
                let (value, over) = self.computed(operation, size, first, second, code)?;
                self.set(to, size, value);
                self.set_code_of(code, size, value, over);
            }
            Simple::SetsSign { size, to, from, sign } => {
                let number = extended(self.value(from, data)?, size) as i64;
                let value = match sign {
                    Sign::Positive => number.wrapping_abs(),
                    Sign::Negative => number.wrapping_abs().wrapping_neg(),
                    Sign::Opposite => number.wrapping_neg(),
                } as u64
                    & size.mask();
                self.set(to, size, value);
                let over = sign != Sign::Negative && value == size.sign();
                self.set_code_of(Code::Signed, size, value, over.into());
            }
            Simple::ComputesPart { operation, to, mask, second, code } => {
                let old = self.get(to);
                let value = combined(operation, old, second) & mask;
                self.set(to, Size::Eight, old & !mask | value);
                self.set_code_of(code, Size::Eight, value, 0);
            }
            Simple::Compares { size, first, second, order } => {
                let (first, second) = (self.value(first, data)?, self.value(second, data)?);
                let ordering = match order {
                    Order::Signed => (extended(first, size) as i64).cmp(&(extended(second, size) as i64)),
                    Order::Unsigned => (first & size.mask()).cmp(&(second & size.mask())),
                };
                self.set_order(ordering);
            }
            Simple::TestsBits { from, mask, mixed } => {
                let selected = self.value(from, data)? & mask;
                let leftmost = 1 << (63 - mask.leading_zeros().min(63));
                self.set_code(match selected {
                    0 => 0,
                    all if all == mask => 3,
                    _ if mixed == Mixed::ByLeftmost && selected & leftmost != 0 => 2,
                    _ => 1,
                });
            }
            Simple::Stores { size, from, to } => {
                let value = self.value(from, data)?;
                data.store(self.address(to), size, value & size.mask()).ok_or(Not::Fails)?;
            }
            Simple::ComputesInMemory { operation, size, to, second, code } => {
                let at = self.address(to);
                let first = data.load(at, size).ok_or(Not::Fails)?;
                let (value, over) = self.computed(operation, size, first, second, code)?;
                data.store(at, size, value).ok_or(Not::Fails)?;
                self.set_code_of(code, size, value, over);
            }
            Simple::LoadsMultiple { size, first, last, from } => {
                let at = self.address(from);
                let mut values = [0; 16];
                for (value, (_, at)) in values.iter_mut().zip(multiple(size, first, last, at)) {
                    *value = data.load(at, size).ok_or(Not::Known)?;
                }
                for (value, (number, _)) in values.into_iter().zip(multiple(size, first, last, at)) {
                    self.set(number, size, value);
                }
            }
            Simple::StoresMultiple { size, first, last, to } => {
                let at = self.address(to);
                if !multiple(size, first, last, at).all(|(_, at)| data.is_writable(at, size.bytes())) {
                    return Err(Not::Known);
                }
                for (number, at) in multiple(size, first, last, at) {
                    data.store(at, size, self.get(number) & size.mask()).ok_or(Not::Known)?;
                }
            }
            Simple::MovesIf { mask, size, to, from } => {
                // The emulator may load without need.
                let value = self.value(from, data).map_err(|_| Not::Known)?;
                if self.is_selected(mask) {
                    self.set(to, size, value);
                }
            }
            Simple::StoresIf { mask, size, from, to } => {
                if self.is_selected(mask) {
                    data.store(self.address(to), size, self.get(from) & size.mask()).ok_or(Not::Fails)?;
                }
            }
            Simple::RotatesThen { operation, to, from, by, selected, rest, code } => {
                let old = self.get(to);
                let value = combined(operation, old, self.get(from).rotate_left(by.into())) & selected;
                let kept = if rest == Rest::Zero { 0 } else { old & !selected };
                self.set(to, Size::Eight, kept | value);
                let tested = if code == Code::Signed { kept | value } else { value };
                self.set_code_of(code, Size::Eight, tested, 0);
            }
            Simple::CombinesBytes { operation, length, to, from } => {
                self.combine_bytes(operation, length, to, from, data)?
            }
            Simple::ComparesBytes { length, first, second } => {
                let (first, second) = (self.address(first), self.address(second));
                let byte = |at: u64, offset| data.load(at.wrapping_add(offset), Size::One).ok_or(Not::Known);
                let mut ordering = Ordering::Equal;
                // The emulator may load all of it.
                for offset in 0..u64::from(length) {
                    ordering = ordering.then(byte(first, offset)?.cmp(&byte(second, offset)?));
                }
                self.set_order(ordering);
            }
            Simple::MultipliesWide { to, second } => {
                let product = u128::from(self.get(to + 1)) * u128::from(self.value(second, data)?);
                self.set(to, Size::Eight, (product >> 64) as u64);
                self.set(to + 1, Size::Eight, product as u64);
            }
            Simple::ReadsAccess { to, number } => {
                let value = *self.integers.bases.get(usize::from(number)).ok_or(Not::Known)?;
                self.set(to, Size::Four, value);
            }
            Simple::MovesFloat { size, to, from } => self.move_float(size, to, from, data)?,
            Simple::BranchesIf { mask, target } => return Ok(self.is_selected(mask).then_some(target)),
            Simple::Jumps(register) => return Ok(Some(self.get(register))),
        }
        Ok(None)
    }

    fn get(&self, number: u8) -> u64 {
        self.integers.registers.get(usize::from(number)).copied().unwrap_or(0)
    }

    fn set(&mut self, number: u8, size: Size, value: u64) {
        if let Some(register) = self.integers.registers.get_mut(usize::from(number)) {
            *register = *register & !size.mask() | value & size.mask();
        }
    }

    fn code(&self) -> u8 {
        (self.integers.flags >> CODE) as u8 & 3
    }

    fn set_code(&mut self, code: u64) {
        self.integers.flags = self.integers.flags & !(3 << CODE) | code << CODE;
    }

    fn set_order(&mut self, ordering: Ordering) {
        self.set_code(match ordering {
            Ordering::Equal => 0,
            Ordering::Less => 1,
            Ordering::Greater => 2,
        });
    }

    /// Sets the condition code of a result; `over` is an overflow, or the carry.
    fn set_code_of(&mut self, code: Code, size: Size, value: u64, over: u64) {
        match code {
            Code::Kept => {}
            Code::Signed if over != 0 => self.set_code(3),
            Code::Signed => self.set_order((extended(value, size) as i64).cmp(&0)),
            Code::Logical => self.set_code(over << 1 | u64::from(value != 0)),
            Code::Bits => self.set_code((value != 0).into()),
        }
    }

    fn is_selected(&self, mask: u8) -> bool {
        mask & 8 >> self.code() != 0
    }

    fn address(&self, address: Address) -> u64 {
        match address {
            Address::At(at) => at,
            Address::Of(of) => {
                let part = |number: u8| if number == 0 { 0 } else { self.get(number) };
                part(of.base).wrapping_add(part(of.index)).wrapping_add_signed(of.displacement.into())
            }
        }
    }

    fn value(&self, operand: Operand, data: &impl Data) -> Done<u64> {
        let extend = |value: u64, extension| match extension {
            Extension::Zero(size) => value & size.mask(),
            Extension::Sign(size) => extended(value, size),
            Extension::ThirtyOne => value & 0x7fff_ffff,
        };
        let load = |address, size| data.load(self.address(address), size).ok_or(Not::Fails);
        Ok(match operand {
            Operand::Value(value) => value,
            Operand::Register(number, extension) => extend(self.get(number), extension),
            Operand::Memory(address, extension) => {
                let (Extension::Zero(size) | Extension::Sign(size)) = extension else {
                    return Ok(extend(load(address, Size::Four)?, extension));
                };
                extend(load(address, size)?, extension)
            }
            Operand::Reversed(place, size) => {
                let value = match place {
                    Place::General(number) => self.get(number),
                    Place::Memory(address) => load(address, size)?,
                    Place::Float(_) | Place::Zero => return Err(Not::Known),
                };
                value.swap_bytes() >> (64 - 8 * size.bytes())
            }
            Operand::Address(address) => self.address(address),
        })
    }

    /// A result, and its overflow, or its carry for a logical condition code.
    fn computed(&self, operation: Operation, size: Size, a: u64, b: u64, code: Code) -> Done<(u64, u64)> {
        let (mask, sign, bits) = (size.mask(), size.sign(), 8 * size.bytes() as u32);
        let (count, wide) = (b & COUNT, a);
        let (a, b) = (a & mask, b & mask);
        let carried = u64::from(self.code() >> 1);
        let sum = |b: u64, carry: u64| {
            let sum = u128::from(a) + u128::from(b & mask) + u128::from(carry);
            let result = sum as u64 & mask;
            let over = (a ^ result) & (b ^ result) & sign != 0;
            (result, if code == Code::Logical { (sum >> bits) as u64 } else { over.into() })
        };
        // The emulator sets another condition code for the least number.
        if matches!(operation, Operation::Add | Operation::Subtract) && code == Code::Signed && b == sign {
            return Err(Not::Known);
        }
        Ok(match operation {
            Operation::Add => sum(b, 0),
            Operation::Subtract => sum(!b, 1),
            Operation::AddWithCarry | Operation::SubtractWithBorrow if code == Code::Logical => {
                sum(if operation == Operation::AddWithCarry { b } else { !b }, carried)
            }
            Operation::And => (a & b, 0),
            Operation::Or => (a | b, 0),
            Operation::Xor => (a ^ b, 0),
            Operation::Multiply => (a.wrapping_mul(b) & mask, 0),
            Operation::ShiftLeft => (wide << count & mask, 0),
            Operation::ShiftRight => (a >> count, 0),
            Operation::ShiftRightSigned => ((extended(a, size) as i64 >> count) as u64 & mask, 0),
            Operation::RotateLeft if size == Size::Eight => (a.rotate_left(count as u32), 0),
            Operation::RotateLeft => ((a as u32).rotate_left(count as u32 & 31).into(), 0),
            _ => return Err(Not::Known),
        })
    }

    fn combine_bytes(
        &mut self,
        operation: Part,
        length: u16,
        to: Address,
        from: Address,
        data: &mut impl Data,
    ) -> Done<()> {
        let (to, from) = (self.address(to), self.address(from));
        let offsets = 0..u64::from(length);
        if !data.is_writable(to, length.into()) || !data.is_readable(from, length.into()) {
            return Err(Not::Known);
        }
        // Bytes that are stored may be loaded later.
        let step = if (1..CHUNK as u64).contains(&to.wrapping_sub(from)) { 1 } else { CHUNK };
        let mut all = 0;
        for offset in offsets.step_by(step) {
            let (to, from) = (to.wrapping_add(offset), from.wrapping_add(offset));
            let bytes = step.min(usize::try_from(u64::from(length) - offset).unwrap_or(step));
            let load = |at| data.load_bytes(at, bytes).ok_or(Not::Known);
            let value = combined(operation, load(to)?, load(from)?);
            data.store_bytes(to, bytes, value).ok_or(Not::Known)?;
            all |= value;
        }
        if operation != Part::Insert {
            self.set_code((all != 0).into());
        }
        Ok(())
    }

    /// Vector registers have the value of the floating-point register.
    fn move_float(&mut self, size: Size, to: Place, from: Place, data: &mut impl Data) -> Done<()> {
        let shift = 64 - 8 * size.bytes() as u32;
        let vectors = self.vectors.as_deref_mut().ok_or(Not::Known)?;
        let float = |number: u8| vectors.get(usize::from(number)).copied().unwrap_or(0) as u64 >> shift;
        let value = match from {
            Place::Float(number) => float(number),
            Place::General(number) => self.integers.registers.get(usize::from(number)).copied().unwrap_or(0),
            Place::Memory(address) => data.load(self.address(address), size).ok_or(Not::Fails)?,
            Place::Zero => 0,
        };
        match to {
            Place::Float(number) => {
                let mask = u128::from(size.mask() << shift);
                let vectors = self.vectors.as_deref_mut().ok_or(Not::Known)?;
                let vector = vectors.get_mut(usize::from(number)).ok_or(Not::Known)?;
                *vector = *vector & !mask | u128::from(value << shift);
            }
            Place::General(number) => self.set(number, size, value),
            Place::Memory(address) => data.store(self.address(address), size, value).ok_or(Not::Fails)?,
            Place::Zero => {}
        }
        Ok(())
    }
}

fn combined<T: BitAnd<Output = T> + BitOr<Output = T> + BitXor<Output = T>>(operation: Part, old: T, new: T) -> T {
    match operation {
        Part::Insert => new,
        Part::And => old & new,
        Part::Or => old | new,
        Part::Xor => old ^ new,
    }
}

/// The registers of a multiple load or store, and the addresses of their operands.
fn multiple(size: Size, first: u8, last: u8, at: u64) -> impl Iterator<Item = (u8, u64)> {
    let count = (last.wrapping_sub(first) & 15) + 1;
    (0..count).map(move |nth| (first.wrapping_add(nth) & 15, at.wrapping_add(u64::from(nth) * size.bytes() as u64)))
}

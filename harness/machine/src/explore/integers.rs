//! The integer registers and flags of AMD64, and how simple instructions change them (Intel SDM volume 1, 3.4.3 and 7.3; volume 2). What an
//! emulator translates before it executes takes a hundred times as long the one time that it is executed.

use isa::simple::{Address, Condition, Does, Flags, Operation, Place, Simple, Size};
use model::Reg;

/// FP and SP by DWARF number (System V psABI AMD64 1.0, figure 3.36).
const FP: Reg = Reg(6);
const SP: Reg = Reg(7);

/// Bits of RFLAGS.
const CARRY: u64 = 1;
const PARITY: u64 = 1 << 2;
pub(super) const ADJUST: u64 = 1 << 4;
const ZERO: u64 = 1 << 6;
const SIGN: u64 = 1 << 7;
const OVERFLOW: u64 = 1 << 11;
pub(super) const STATUS: u64 = CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOW;

/// The registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Integers {
    /// By DWARF number.
    pub(super) registers: [u64; 16],
    /// RFLAGS.
    pub(super) flags: u64,
}

/// Memory, as such instructions access it: up to 8 bytes, little-endian. None where that is not mapped so.
pub(super) trait Data {
    fn load(&self, address: u64, size: Size) -> Option<u64>;
    fn store(&mut self, address: u64, size: Size, value: u64) -> Option<()>;
}

impl Integers {
    /// Executes an instruction, and says where it jumps to if it does. None, and nothing is changed, where it fails.
    pub(super) fn execute(&mut self, simple: &Simple, data: &mut impl Data) -> Option<Option<u64>> {
        let Simple { does, size, to, from } = *simple;
        match does {
            Does::Nothing => {}
            Does::Moves => self.set(to, size, self.value(from, size, data)?, data)?,
            Does::ZeroExtends(part) => self.set(to, size, self.value(from, part, data)?, data)?,
            Does::SignExtends(part) => self.set(to, size, extended(self.value(from, part, data)?, part), data)?,
            Does::Addresses => {
                let Place::Memory(address) = from else { return None };
                self.set(to, size, self.address(address), data)?;
            }
            Does::Pushes => {
                let value = self.value(from, size, data)?;
                let sp = self.register(SP).wrapping_sub(8);
                data.store(sp, size, value)?;
                self.write(SP, sp);
            }
            Does::Pops => {
                let sp = self.register(SP);
                let value = data.load(sp, size)?;
                self.write(SP, sp.wrapping_add(8));
                self.set(to, size, value, data)?;
            }
            Does::Leaves => {
                let fp = self.register(FP);
                let value = data.load(fp, size)?;
                self.write(SP, fp.wrapping_add(8));
                self.write(FP, value);
            }
            Does::Computes(operation) => {
                let (value, flags) =
                    self.computed(operation, size, self.value(to, size, data)?, self.value(from, size, data)?);
                self.set(to, size, value, data)?;
                self.flags = flags;
            }
            Does::Compares(operation) => {
                self.flags =
                    self.computed(operation, size, self.value(to, size, data)?, self.value(from, size, data)?).1;
            }
            Does::MovesIf(condition) => {
                // What is not moved is loaded, and of 32 bits the others are cleared, all the same.
                let value = self.value(from, size, data)?;
                let value = if self.holds(condition) { value } else { self.value(to, size, data)? };
                self.set(to, size, value, data)?;
            }
            Does::SetsIf(condition) => self.set(to, size, u64::from(self.holds(condition)), data)?,
            Does::BranchesIf(condition) => {
                let target = self.value(from, Size::Eight, data)?;
                return Some(self.holds(condition).then_some(target));
            }
            Does::Jumps => return Some(Some(self.value(from, size, data)?)),
        }
        Some(None)
    }

    fn register(&self, reg: Reg) -> u64 {
        self.registers.get(usize::from(reg.0)).copied().unwrap_or(0)
    }

    fn write(&mut self, reg: Reg, value: u64) {
        if let Some(register) = self.registers.get_mut(usize::from(reg.0)) {
            *register = value;
        }
    }

    fn address(&self, Address { base, index, offset }: Address) -> u64 {
        let base = base.map_or(0, |base| self.register(base));
        let index = index.map_or(0, |(index, scale)| self.register(index).wrapping_mul(u64::from(scale)));
        base.wrapping_add(index).wrapping_add(offset)
    }

    fn value(&self, place: Place, size: Size, data: &impl Data) -> Option<u64> {
        match place {
            Place::Register(reg) => Some(self.register(reg) & size.mask()),
            Place::Memory(address) => data.load(self.address(address), size),
            Place::Value(value) => Some(value & size.mask()),
        }
    }

    fn set(&mut self, place: Place, size: Size, value: u64, data: &mut impl Data) -> Option<()> {
        match place {
            // 32 bits clear the other half, 8 and 16 leave the rest as it is (Intel SDM volume 1, 3.4.1.1).
            Place::Register(reg) if matches!(size, Size::Four | Size::Eight) => self.write(reg, value & size.mask()),
            Place::Register(reg) => self.write(reg, (self.register(reg) & !size.mask()) | (value & size.mask())),
            Place::Memory(address) => data.store(self.address(address), size, value & size.mask())?,
            Place::Value(_) => return None,
        }
        Some(())
    }

    /// The result, and the flags. Those that the manual leaves undefined are as the emulator has them, or 0.
    fn computed(&self, operation: Operation, size: Size, a: u64, b: u64) -> (u64, u64) {
        let (mask, sign) = (size.mask(), size.sign());
        let bits = 8 * size.bytes() as u64;
        let result = mask
            & match operation {
                Operation::Add => a.wrapping_add(b),
                Operation::Subtract => a.wrapping_sub(b),
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
            };
        // The value shifted by one bit less: its outermost bit goes into the carry.
        let (carry, overflow, adjust) = match operation {
            Operation::Add => (result < a, (a ^ result) & (b ^ result) & sign != 0, a ^ b ^ result),
            Operation::Subtract => (a < b, (a ^ b) & (a ^ result) & sign != 0, a ^ b ^ result),
            Operation::Increment => (self.flags & CARRY != 0, result == sign, a ^ result ^ 1),
            Operation::Decrement => (self.flags & CARRY != 0, a == sign, a ^ result ^ 1),
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
            Operation::And | Operation::Or | Operation::Xor | Operation::Not => (false, false, 0),
        };
        let when = |holds: bool, flag: u64| if holds { flag } else { 0 };
        let flags = when(carry, CARRY)
            | when((result as u8).count_ones().is_multiple_of(2), PARITY)
            | when(adjust & 0x10 != 0, ADJUST)
            | when(result == 0, ZERO)
            | when(result & sign != 0, SIGN)
            | when(overflow, OVERFLOW);
        (result, (self.flags & !STATUS) | flags)
    }

    fn holds(&self, Condition { flags, opposite }: Condition) -> bool {
        let is = |flag: u64| self.flags & flag != 0;
        let less = is(SIGN) != is(OVERFLOW);
        let holds = match flags {
            Flags::Overflow => is(OVERFLOW),
            Flags::Carry => is(CARRY),
            Flags::Zero => is(ZERO),
            Flags::CarryOrZero => is(CARRY | ZERO),
            Flags::Sign => is(SIGN),
            Flags::Parity => is(PARITY),
            Flags::Less => less,
            Flags::LessOrEqual => less || is(ZERO),
        };
        holds != opposite
    }
}

/// A value with the sign that so much of it has.
fn extended(value: u64, size: Size) -> u64 {
    let unused = 64 - 8 * size.bytes() as u32;
    (((value << unused) as i64) >> unused) as u64
}

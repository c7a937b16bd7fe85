//! The integer registers and flags, and how simple instructions of AMD64 change them (Intel SDM
//! volume 1, 3.4.3 and 7.3; volume 2). For code that is executed once, an emulator, which
//! translates it first, takes a hundred times as long.

pub(super) mod aarch64;
pub(super) mod compute;
pub(super) mod s390x;

use isa::simple::{Address, Condition, Count, Does, Flags, Operand, Operation, Segment, Side, Signed, Simple, Size};
use types::Reg;

/// DWARF numbers of registers (System V psABI AMD64 1.0, figure 3.36).
const RAX: Reg = Reg(0);
const RDX: Reg = Reg(1);
const RCX: Reg = Reg(2);
const FP: Reg = Reg(6);
const SP: Reg = Reg(7);
/// The DWARF number of R16; those of R17 to R31 follow. They are after R15 in [`Integers`].
const R16: usize = 130;
const BEFORE_R16: usize = 16;

/// Bits of RFLAGS.
const CARRY: u64 = 1;
const PARITY: u64 = 1 << 2;
pub(super) const ADJUST: u64 = 1 << 4;
const ZERO: u64 = 1 << 6;
const SIGN: u64 = 1 << 7;
const OVERFLOW: u64 = 1 << 11;
pub(super) const STATUS: u64 = CARRY | PARITY | ADJUST | ZERO | SIGN | OVERFLOW;

/// The integer registers and the flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Integers {
    /// Values by DWARF number; of AMD64 those of R16 to R31, which the emulator lacks, after R15.
    pub(super) registers: [u64; 32],
    /// RFLAGS, NZCV, or the PSW with the condition code.
    pub(super) flags: u64,
    /// Base addresses of the segments FS and GS, or the halves of the thread pointer.
    pub(super) bases: [u64; 2],
}

/// The result of an instruction executed here.
pub(super) type Done<T> = Result<T, Not>;

/// The reason why an instruction was not executed; its operands are unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Not {
    /// Memory is not mapped with the needed permission: the processor faults too.
    Fails,
    /// The result for such operands is undefined; the emulator decides.
    Known,
}

/// Memory accesses of simple instructions: up to 16 bytes. `None` if memory does not allow the
/// access.
pub(super) trait Data {
    fn load_bytes(&self, address: u64, bytes: usize) -> Option<u128>;
    fn store_bytes(&mut self, address: u64, bytes: usize, value: u128) -> Option<()>;
    /// Returns true if that many bytes can be loaded from there.
    fn is_readable(&self, address: u64, bytes: usize) -> bool;
    /// Returns true if that many bytes can be stored there.
    fn is_writable(&self, address: u64, bytes: usize) -> bool;

    fn load(&self, address: u64, size: Size) -> Option<u64> {
        self.load_bytes(address, size.bytes()).map(|value| value as u64)
    }

    fn store(&mut self, address: u64, size: Size, value: u64) -> Option<()> {
        self.store_bytes(address, size.bytes(), value.into())
    }
}

impl Integers {
    /// Executes an instruction, and returns its target if it jumps. Excludes vector operations.
    pub(super) fn execute(&mut self, simple: &Simple, data: &mut impl Data) -> Done<Option<u64>> {
        let Simple { does, size, to, from } = *simple;
        match does {
            Does::Nothing => {}
            Does::Moves => self.set(to, size, self.value(from, size, data)?, data)?,
            Does::ZeroExtends(part) => self.set(to, size, self.value(from, part, data)?, data)?,
            Does::SignExtends(part) => self.set(to, size, extended(self.value(from, part, data)?, part), data)?,
            Does::Addresses => {
                let Operand::Memory(address) = from else { return Err(Not::Known) };
                // The segment is ignored (Intel SDM volume 2, LEA).
                self.set(to, size, self.address(Address { segment: Segment::Flat, ..address }), data)?;
            }
            Does::Pushes => {
                let value = self.value(from, size, data)?;
                let sp = self.register(SP).wrapping_sub(8);
                data.store(sp, size, value).ok_or(Not::Fails)?;
                self.write(SP, sp);
            }
            Does::Pops => {
                let sp = self.register(SP);
                let value = data.load(sp, size).ok_or(Not::Fails)?;
                self.write(SP, sp.wrapping_add(8));
                self.set(to, size, value, data)?;
            }
            Does::PushesTwo => {
                let (first, second) = (self.value(from, size, data)?, self.value(to, size, data)?);
                let sp = self.register(SP).wrapping_sub(16);
                data.store(sp.wrapping_add(8), size, first).ok_or(Not::Fails)?;
                data.store(sp, size, second).ok_or(Not::Fails)?;
                self.write(SP, sp);
            }
            Does::PopsTwo => {
                let sp = self.register(SP);
                let first = data.load(sp, size).ok_or(Not::Fails)?;
                let second = data.load(sp.wrapping_add(8), size).ok_or(Not::Fails)?;
                self.write(SP, sp.wrapping_add(16));
                self.set(from, size, first, data)?;
                self.set(to, size, second, data)?;
            }
            Does::Leaves => {
                let fp = self.register(FP);
                let value = data.load(fp, size).ok_or(Not::Fails)?;
                self.write(SP, fp.wrapping_add(8));
                self.write(FP, value);
            }
            Does::Computes(operation) => {
                let (value, flags) =
                    self.computed(operation, size, self.value(to, size, data)?, self.value(from, size, data)?);
                self.set(to, size, value, data)?;
                self.flags = flags;
            }
            Does::ComputesInto(operation, first) => {
                let first = self.register(first) & size.mask();
                let (value, flags) = self.computed(operation, size, first, self.value(from, size, data)?);
                self.set(to, size, value, data)?;
                self.flags = flags;
            }
            Does::Compares(operation) => {
                self.flags =
                    self.computed(operation, size, self.value(to, size, data)?, self.value(from, size, data)?).1;
            }
            Does::MovesIf(condition) => {
                // Without a move, `from` is loaded all the same, and 32-bit operands clear the
                // upper half.
                let value = self.value(from, size, data)?;
                let value = if self.holds(condition) { value } else { self.value(to, size, data)? };
                self.set(to, size, value, data)?;
            }
            Does::SetsIf(condition) => self.set(to, size, u64::from(self.holds(condition)), data)?,
            Does::BranchesIf(condition) => {
                let target = self.value(from, Size::Eight, data)?;
                return Ok(self.holds(condition).then_some(target));
            }
            Does::Jumps => return Ok(Some(self.value(from, size, data)?)),
            Does::Exchanges => {
                let (first, second) = (self.value(to, size, data)?, self.value(from, size, data)?);
                // The memory operand, whose store may fail, is first.
                self.set(to, size, second, data)?;
                self.set(from, size, first, data)?;
            }
            Does::ExchangesAndAdds => {
                let (first, second) = (self.value(to, size, data)?, self.value(from, size, data)?);
                let (sum, flags) = self.computed(Operation::Add, size, first, second);
                if let Operand::Memory(_) = to {
                    self.set(to, size, sum, data)?;
                    self.set(from, size, first, data)?;
                } else {
                    self.set(from, size, first, data)?;
                    self.set(to, size, sum, data)?;
                }
                self.flags = flags;
            }
            Does::ComparesAndExchanges => self.compare_and_exchange(size, to, from, data)?,
            Does::SpreadsSign => {
                let sign = extended(self.register(RAX) & size.mask(), size) as i64 >> 63;
                self.set(Operand::Register(RDX), size, sign as u64, data)?;
            }
            Does::Multiplies(signed) => {
                let value = self.value(from, size, data)?;
                self.multiply(signed, size, value, data)?;
            }
            Does::MultipliesBy(factor) => {
                let factor = i64::from(factor) as u64 & size.mask();
                let (value, flags) = self.computed(Operation::Multiply, size, self.value(from, size, data)?, factor);
                self.set(to, size, value, data)?;
                self.flags = flags;
            }
            Does::ShiftsIn(side, count) => {
                let count = match count {
                    Count::Constant(count) => u32::from(count),
                    Count::Cl => self.register(RCX) as u32 & (8 * size.bytes() as u32 - 1),
                };
                let (value, other) = (self.value(to, size, data)?, self.value(from, size, data)?);
                let (value, flags) = self.shifted_in(side, size, count, value, other);
                self.set(to, size, value, data)?;
                self.flags = flags;
            }
            Does::Finds(side) => {
                let value = self.value(from, size, data)?;
                // The value of `to` is undefined then.
                let last = 63_u32.checked_sub(value.leading_zeros()).ok_or(Not::Known)?;
                let found = if side == Side::High { last } else { value.trailing_zeros() };
                self.flags = self.logical(value, size);
                self.set(to, size, u64::from(found), data)?;
            }
            Does::Vector(_) => return Err(Not::Known),
        }
        Ok(None)
    }

    fn compare_and_exchange(&mut self, size: Size, to: Operand, from: Operand, data: &mut impl Data) -> Done<()> {
        let (value, rax) = (self.value(to, size, data)?, self.register(RAX) & size.mask());
        let flags = self.computed(Operation::Subtract, size, rax, value).1;
        if value == rax {
            // The manual does not define whether the upper half of RAX is cleared.
            if size == Size::Four && self.register(RAX) != rax {
                return Err(Not::Known);
            }
            self.set(to, size, self.value(from, size, data)?, data)?;
        } else {
            // The store happens in any case (Intel SDM volume 2, CMPXCHG).
            if let Operand::Memory(_) = to {
                self.set(to, size, value, data)?;
            } else if size == Size::Four {
                return Err(Not::Known);
            }
            self.set(Operand::Register(RAX), size, value, data)?;
        }
        self.flags = flags;
        Ok(())
    }

    fn multiply(&mut self, signed: Signed, size: Size, value: u64, data: &mut impl Data) -> Done<()> {
        let rax = self.register(RAX) & size.mask();
        let bits = 8 * size.bytes() as u32;
        let (product, exceeds) = match signed {
            Signed::No => {
                let product = u128::from(rax) * u128::from(value);
                (product, product >> bits != 0)
            }
            Signed::Yes => {
                let product = i128::from(extended(rax, size) as i64) * i128::from(extended(value, size) as i64);
                let low = extended(product as u64 & size.mask(), size) as i64;
                (product as u128, i128::from(low) != product)
            }
        };
        let (low, high) = (product as u64 & size.mask(), (product >> bits) as u64 & size.mask());
        if size == Size::One {
            self.set(Operand::Register(RAX), Size::Two, low | high << 8, data)?;
        } else {
            self.set(Operand::Register(RAX), size, low, data)?;
            self.set(Operand::Register(RDX), size, high, data)?;
        }
        self.flags = self.logical(low, size) | if exceeds { CARRY | OVERFLOW } else { 0 };
        Ok(())
    }

    fn register(&self, reg: Reg) -> u64 {
        self.registers.get(Integers::number(reg)).copied().unwrap_or(0)
    }

    fn write(&mut self, reg: Reg, value: u64) {
        if let Some(register) = self.registers.get_mut(Integers::number(reg)) {
            *register = value;
        }
    }

    /// The number of a register of AMD64.
    fn number(reg: Reg) -> usize {
        match usize::from(reg.0) {
            number @ R16.. => number - R16 + BEFORE_R16,
            number => number,
        }
    }

    pub(in crate::explore) fn address(&self, Address { segment, base, index, offset }: Address) -> u64 {
        let [fs, gs] = self.bases;
        let segment = match segment {
            Segment::Flat => 0,
            Segment::Fs => fs,
            Segment::Gs => gs,
        };
        let base = base.map_or(0, |base| self.register(base));
        let index = index.map_or(0, |(index, scale)| self.register(index).wrapping_mul(u64::from(scale)));
        segment.wrapping_add(base).wrapping_add(index).wrapping_add(offset)
    }

    pub(super) fn value(&self, place: Operand, size: Size, data: &impl Data) -> Done<u64> {
        match place {
            Operand::Register(reg) => Ok(self.register(reg) & size.mask()),
            Operand::Second(reg) => Ok(self.register(reg) >> 8 & 0xff),
            Operand::Memory(address) => data.load(self.address(address), size).ok_or(Not::Fails),
            Operand::Value(value) => Ok(value & size.mask()),
            Operand::Vector(_) => Err(Not::Known),
        }
    }

    pub(super) fn set(&mut self, place: Operand, size: Size, value: u64, data: &mut impl Data) -> Done<()> {
        match place {
            // 32-bit operands clear the upper half, 8-bit and 16-bit ones leave the rest unchanged
            // (Intel SDM volume 1, 3.4.1.1).
            Operand::Register(reg) if matches!(size, Size::Four | Size::Eight) => self.write(reg, value & size.mask()),
            Operand::Register(reg) => self.write(reg, (self.register(reg) & !size.mask()) | (value & size.mask())),
            Operand::Second(reg) => self.write(reg, (self.register(reg) & !0xff00) | (value & 0xff) << 8),
            Operand::Memory(address) => {
                data.store(self.address(address), size, value & size.mask()).ok_or(Not::Fails)?;
            }
            Operand::Value(_) | Operand::Vector(_) => return Err(Not::Known),
        }
        Ok(())
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

/// A value sign-extended from `size`.
pub(super) fn extended(value: u64, size: Size) -> u64 {
    let unused = 64 - 8 * size.bytes() as u32;
    (((value << unused) as i64) >> unused) as u64
}

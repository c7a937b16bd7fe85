//! Instructions of z13 and before that the emulator executes wrongly, implemented by their
//! definition (SA22-7832, chapters 7, 9, 19, 21 and 23).

use isa::zarch::{Address, Fields, Operation};

use super::float::{Control, EXTENDED, Format, INVALID, LONG, Number, SHORT};
use super::processor::Processor;
use super::vector::Elements;
use super::{Code, condition};
use crate::s390x::DIVIDE;
use crate::substitute::Executed;

/// An addition or subtraction: where its terms are, and its destination.
struct Sum {
    /// The register of the left term.
    left: u8,
    right: Right,
    subtracts: bool,
    width: Width,
    result: u8,
}

/// The part of a register that is a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Width {
    Whole,
    Low,
    High,
}

/// Where the right term is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Right {
    /// In a register, in the part of [`Sum::width`].
    Register(u8),
    /// In the low half of a register.
    LowHalf(u8),
    Memory(Address),
    Constant(i32),
}

impl Sum {
    /// The addition or subtraction of an instruction; `None` for other operations.
    fn new(operation: Operation, fields: &Fields) -> Option<Sum> {
        use Operation as O;
        let (width, subtracts) = match operation {
            O::Ar | O::A | O::Ay | O::Ark | O::Afi => (Width::Low, false),
            O::Sr | O::S | O::Sy | O::Srk => (Width::Low, true),
            O::Agr | O::Ag | O::Agrk => (Width::Whole, false),
            O::Sgr | O::Sg | O::Sgrk => (Width::Whole, true),
            O::Ahhhr | O::Ahhlr | O::Aih => (Width::High, false),
            O::Shhhr | O::Shhlr => (Width::High, true),
            _ => return None,
        };
        let register = |from: u8| Right::Register(fields.bits(from));
        let (result, left, right) = match operation {
            O::Ar | O::Sr => (8, 8, register(12)),
            O::A | O::S => (8, 8, Right::Memory(fields.short())),
            O::Ay | O::Sy | O::Ag | O::Sg => (8, 8, Right::Memory(fields.long())),
            O::Agr | O::Sgr => (24, 24, register(28)),
            O::Ahhlr | O::Shhlr => (24, 28, Right::LowHalf(fields.bits(16))),
            O::Afi | O::Aih => (8, 8, Right::Constant(fields.relative())),
            _ => (24, 28, register(16)),
        };
        Some(Sum { left: fields.bits(left), right, subtracts, width, result: fields.bits(result) })
    }

    fn left(&self, cpu: &Processor<'_>) -> i64 {
        self.part(cpu.general(self.left))
    }

    fn right(&self, cpu: &Processor<'_>) -> Result<i64, Executed> {
        Ok(match self.right {
            Right::Register(number) => self.part(cpu.general(number)),
            Right::LowHalf(number) => i64::from(cpu.general(number) as i32),
            Right::Memory(at) if self.width == Width::Whole => cpu.load(at, 8)? as i64,
            Right::Memory(at) => i64::from(cpu.load(at, 4)? as i32),
            Right::Constant(value) => value.into(),
        })
    }

    /// The part of a register, with its sign.
    fn part(&self, register: u64) -> i64 {
        match self.width {
            Width::Whole => register as i64,
            Width::Low => i64::from(register as i32),
            Width::High => i64::from((register >> 32) as i32),
        }
    }

    /// Writes the sum or difference and the condition code.
    fn put(&self, cpu: &mut Processor<'_>) -> Result<(), Executed> {
        let (left, right, result) = (self.left(cpu), self.right(cpu)?, self.result);
        let (value, is_over) = if self.width == Width::Whole {
            let compute = if self.subtracts { i64::overflowing_sub } else { i64::overflowing_add };
            compute(left, right)
        } else {
            let compute = if self.subtracts { i32::overflowing_sub } else { i32::overflowing_add };
            let (value, is_over) = compute(left as i32, right as i32);
            (value.into(), is_over)
        };
        match self.width {
            Width::Whole => cpu.set_general(result, value as u64)?,
            Width::Low => cpu.set_low(result, value as u32)?,
            Width::High => {
                let low = cpu.general(result) & 0xffff_ffff;
                cpu.set_general(result, (value as u64) << 32 | low)?;
            }
        }
        condition(cpu, if is_over { Code::Overflow } else { Code::Signed(value) })
    }
}

/// Returns true if the emulator computes the sum or difference wrongly: the minimum plus itself, or
/// zero minus the minimum.
pub(super) fn is_wrong(cpu: &Processor<'_>, operation: Operation, fields: &Fields) -> bool {
    let Some(sum) = Sum::new(operation, fields) else { return false };
    let least = if sum.width == Width::Whole { i64::MIN } else { i32::MIN.into() };
    // Nearly always the right term decides, so that the left one is not read.
    sum.right(cpu) == Ok(least) && sum.left(cpu) == if sum.subtracts { 0 } else { least }
}

/// Executes an operation. Registers and memory are changed last, so that a failure changes nothing.
pub(super) fn run(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<(), Executed> {
    use Operation as O;
    if let Some(sum) = Sum::new(operation, fields) {
        return sum.put(cpu);
    }
    match operation {
        O::Chrl | O::Cghrl => {
            let at = cpu.pc.wrapping_add_signed(2 * i64::from(fields.relative()));
            let bytes = cpu.bytes(at, 2)?;
            let half = i16::from_be_bytes(bytes.try_into().unwrap_or_default());
            let value = cpu.general(fields.bits(8));
            let value = if operation == O::Chrl { i64::from(value as i32) } else { value as i64 };
            condition(
                cpu,
                Code::Signed(match value.cmp(&half.into()) {
                    std::cmp::Ordering::Less => -1,
                    std::cmp::Ordering::Equal => 0,
                    std::cmp::Ordering::Greater => 1,
                }),
            )
        }
        O::Icm | O::Icmy | O::Icmh => insert_under_mask(cpu, operation, fields),
        O::Locfhr => {
            let (result, from) = (fields.bits(24), cpu.general(fields.bits(28)));
            match super::is_met(cpu, fields.bits(16)) {
                true => cpu.set_general(result, from & !0xffff_ffff | cpu.general(result) & 0xffff_ffff),
                false => Ok(()),
            }
        }
        O::Rnsbg | O::Rosbg | O::Rxsbg => {
            let (from, to, by) = (fields.byte(16) & 0x3f, fields.byte(24) & 0x3f, fields.byte(32) & 0x3f);
            let (before, after) = (u64::MAX >> from, u64::MAX << (63 - to));
            let mask = if from <= to { before & after } else { before | after };
            let (first, second) = (cpu.general(fields.bits(8)), cpu.general(fields.bits(12)).rotate_left(by.into()));
            let value = match operation {
                O::Rnsbg => first & second,
                O::Rosbg => first | second,
                _ => first ^ second,
            };
            // With the T bit the result is only tested.
            condition(cpu, Code::Bits(value & mask))
        }
        O::Clfit | O::Clgit => {
            let constant = u64::from(fields.byte(16)) << 8 | u64::from(fields.byte(24));
            let value = cpu.general(fields.bits(8));
            let value = if operation == O::Clfit { value & 0xffff_ffff } else { value };
            let bit = match value.cmp(&constant) {
                std::cmp::Ordering::Equal => 8,
                std::cmp::Ordering::Less => 4,
                std::cmp::Ordering::Greater => 2,
            };
            if fields.bits(32) & bit == 0 { Ok(()) } else { Err(cpu.data_exception(0xff)) }
        }
        O::Lcbb => {
            let code = fields.bits(32);
            if code > 6 {
                return Err(Executed::SPECIFICATION);
            }
            let block = 64_u64 << code;
            let count = (block - cpu.address(fields.short()) % block).min(16);
            cpu.set_low(fields.bits(8), count as u32)?;
            cpu.set_condition(if count == 16 { 0 } else { 3 })
        }
        O::Vstl => {
            let last = (cpu.general(fields.bits(12)) as u32).min(15) as usize;
            let bytes = cpu.vector(fields.vector(8)).to_be_bytes();
            let to = cpu.address(Address { index: 0, ..fields.short() });
            cpu.set_bytes(to, bytes.get(..=last).unwrap_or_default())
        }
        O::Vcksm => {
            let words = Elements { bits: 32 };
            let (second, third) = (cpu.vector(fields.vector(12)), cpu.vector(fields.vector(16)));
            let sum = (0..4).fold(words.get(third, 1) as u32, |sum, at| {
                let (sum, carry) = sum.overflowing_add(words.get(second, at) as u32);
                sum.wrapping_add(carry.into())
            });
            cpu.set_vector(fields.vector(8), words.with(0, 1, sum.into()))
        }
        O::Vsl | O::Vsrl | O::Vsra => {
            let (second, counts) = (cpu.vector(fields.vector(12)), cpu.vector(fields.vector(16)));
            let bytes = Elements { bits: 8 };
            let byte = |at: Option<u32>| at.filter(|at| *at < 16).map(|at| bytes.get(second, at));
            let fill = if operation == O::Vsra && second >> 127 != 0 { 0xff } else { 0 };
            let value = (0..16).fold(0, |all, at| {
                let by = bytes.get(counts, at) as u32 & 7;
                let shifted = match operation {
                    O::Vsl => (byte(Some(at)).unwrap_or(0) << 8 | byte(Some(at + 1)).unwrap_or(0)) << by >> 8,
                    _ => (byte(at.checked_sub(1)).unwrap_or(fill) << 8 | byte(Some(at)).unwrap_or(0)) >> by,
                };
                bytes.with(all, at, shifted)
            });
            cpu.set_vector(fields.vector(8), value)
        }
        O::Mdebr | O::Mdeb => {
            let (number, right) = match operation {
                O::Mdebr => (fields.bits(24), cpu.float(fields.bits(28)) >> 32),
                _ => (fields.bits(8), cpu.load(fields.short(), 4)? as u64),
            };
            let left = Number::new(SHORT, u128::from(cpu.float(number) >> 32));
            let mut control = cpu.control(0)?;
            let product = lengthened_product(&mut control, left, Number::new(SHORT, right.into()), LONG);
            cpu.raise(&control)?;
            cpu.set_float(number, product.bits as u64)
        }
        O::Mxdbr | O::Mxdb => {
            let number = fields.bits(if operation == O::Mxdbr { 24 } else { 8 });
            let pair = Pair::new(number)?;
            let right = match operation {
                O::Mxdbr => u128::from(cpu.float(fields.bits(28))),
                _ => cpu.load(fields.short(), 8)?,
            };
            let left = Number::new(LONG, cpu.float(number).into());
            let mut control = cpu.control(0)?;
            let product = lengthened_product(&mut control, left, Number::new(LONG, right), EXTENDED);
            cpu.raise(&control)?;
            pair.set(cpu, product.bits)
        }
        O::Sqxbr => {
            let (result, second) = (Pair::new(fields.bits(24))?, Pair::new(fields.bits(28))?);
            let mut control = cpu.control(0)?;
            let root = control.root(Number::new(EXTENDED, second.get(cpu)));
            cpu.raise(&control)?;
            result.set(cpu, root.bits)
        }
        O::Cvb | O::Cvby | O::Cvbg => convert_to_binary(cpu, operation, fields),
        O::Lder => cpu.set_float(fields.bits(24), cpu.float(fields.bits(28)) & !0xffff_ffff),
        O::Vrep | O::Vsldb => Err(Executed::SPECIFICATION),
        _ => convert(cpu, operation, fields),
    }
}

/// An extended number in a pair of registers, given by the first.
struct Pair(u8);

impl Pair {
    /// A pair that begins with a register; a specification exception if none does.
    fn new(number: u8) -> Result<Pair, Executed> {
        if number & 2 == 0 { Ok(Pair(number)) } else { Err(Executed::SPECIFICATION) }
    }

    fn get(&self, cpu: &Processor<'_>) -> u128 {
        u128::from(cpu.float(self.0)) << 64 | u128::from(cpu.float(self.0 + 2))
    }

    fn set(&self, cpu: &mut Processor<'_>, bits: u128) -> Result<(), Executed> {
        cpu.set_float(self.0, (bits >> 64) as u64)?;
        cpu.set_float(self.0 + 2, bits as u64)
    }
}

/// A product in a longer format, which is exact.
fn lengthened_product(control: &mut Control, left: Number, right: Number, to: Format) -> Number {
    if let Some(nan) = control.nan(&[left, right]) {
        return control.converted(nan, to);
    }
    let [left, right] = [left, right].map(|one| control.converted(one, to));
    control.multiply(left, right)
}

fn insert_under_mask(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<(), Executed> {
    let mask = fields.bits(12);
    let count = mask.count_ones() as usize;
    // With an empty mask, one byte is accessed all the same.
    let at = if operation == Operation::Icm { fields.short() } else { fields.long() };
    let at = Address { index: 0, ..at };
    let skipped = if operation == Operation::Icmh { 0 } else { 4 };
    let bytes = cpu.bytes(cpu.address(at), count.max(1))?;
    let mut value = cpu.general(fields.bits(8)).to_be_bytes();
    let inserted = bytes.iter().take(count);
    let places = value.iter_mut().skip(skipped).take(4).enumerate().filter(|(at, _)| mask & 8 >> at != 0);
    places.zip(inserted.clone()).for_each(|((_, to), from)| *to = *from);
    cpu.set_general(fields.bits(8), u64::from_be_bytes(value))?;
    let is_negative = inserted.clone().next().is_some_and(|byte| byte & 0x80 != 0);
    cpu.set_condition(if inserted.clone().all(|byte| *byte == 0) { 0 } else { 2 - u8::from(is_negative) })
}

/// Converts a packed decimal number (SA22-7832, chapter 7, CONVERT TO BINARY; chapter 8). The low
/// bits of a number that does not fit are stored by the 32-bit forms only.
fn convert_to_binary(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<(), Executed> {
    let (at, size) = match operation {
        Operation::Cvb => (fields.short(), 8),
        Operation::Cvby => (fields.long(), 8),
        _ => (fields.long(), 16),
    };
    let packed = cpu.load(at, size)?;
    let digits = (1..2 * size as u32).rev().map(|place| packed >> (4 * place) & 15);
    let sign = packed & 15;
    if sign < 10 || digits.clone().any(|digit| digit > 9) {
        return Err(cpu.data_exception(0));
    }
    let magnitude = digits.fold(0_i128, |all, digit| 10 * all + digit as i128);
    let value = if matches!(sign, 0xb | 0xd) { -magnitude } else { magnitude };
    let result = fields.bits(8);
    if operation == Operation::Cvbg {
        return match i64::try_from(value) {
            Ok(value) => cpu.set_general(result, value as u64),
            Err(_) => Err(Executed::Raises(DIVIDE)),
        };
    }
    cpu.set_low(result, value as u32)?;
    if i32::try_from(value).is_ok() { Ok(()) } else { Err(Executed::Raises(DIVIDE)) }
}

/// Converts a number to an integer. Out of range the result is the nearest bound, for a NaN the
/// minimum.
fn convert(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<(), Executed> {
    use Operation as O;
    let format = match operation {
        O::Cfebr | O::Clfebr | O::Cgebr | O::Clgebr => SHORT,
        O::Cfdbr | O::Clfdbr | O::Cgdbr | O::Clgdbr => LONG,
        O::Cfxbr | O::Clfxbr | O::Cgxbr | O::Clgxbr => EXTENDED,
        _ => return Err(Executed::Not),
    };
    let is_long = matches!(operation, O::Cgebr | O::Clgebr | O::Cgdbr | O::Clgdbr | O::Cgxbr | O::Clgxbr);
    let is_signed = matches!(operation, O::Cfebr | O::Cfdbr | O::Cfxbr | O::Cgebr | O::Cgdbr | O::Cgxbr);
    let (least, most) = match (is_long, is_signed) {
        (false, true) => (i32::MIN.into(), i32::MAX.into()),
        (false, false) => (0, u32::MAX.into()),
        (true, true) => (i64::MIN.into(), i64::MAX.into()),
        (true, false) => (0, u64::MAX.into()),
    };
    let second = fields.bits(28);
    let bits = match format {
        SHORT => u128::from(cpu.float(second) >> 32),
        LONG => cpu.float(second).into(),
        _ => Pair::new(second)?.get(cpu),
    };
    let mut control = cpu.control(fields.bits(16))?;
    let number = Number::new(format, bits);
    let value = control.integer(number, least, most, fields.bits(20) & 4 != 0);
    cpu.raise(&control)?;
    let result = fields.bits(24);
    match is_long {
        true => cpu.set_general(result, value as u64)?,
        false => cpu.set_low(result, value as u32)?,
    }
    cpu.set_condition(match () {
        () if control.flags & INVALID != 0 => 3,
        () if number.is_zero() => 0,
        () if number.is_negative() => 1,
        () => 2,
    })
}

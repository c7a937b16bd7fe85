//! The vector registers, and how simple instructions of AMD64 change them (Intel SDM volume 1, 10.2
//! and 4.6.2; volume 2).

use isa::simple::{Address, Lanes, Operand, Side, Simple, Size, Vector};

use super::integers::{Data, Done, Integers, Not};

/// Values by register number, lowest byte in the lowest bits.
pub(super) type Vectors = [u128; 32];

/// Executes an operation on vectors.
pub(super) fn execute(
    vector: Vector,
    simple: &Simple,
    integers: &mut Integers,
    vectors: &mut Vectors,
    data: &mut impl Data,
) -> Done<()> {
    let Simple { to, from, .. } = *simple;
    if let Vector::Moves { bytes, first, at, clears, aligned } = vector {
        let moved = Moved { bytes, aligned };
        let value = match from {
            Operand::Vector(number) => get(vectors, number)? >> (8 * u32::from(first)),
            Operand::Memory(address) => moved.load(integers.address(address), data)?,
            from => u128::from(integers.value(from, Size::Eight, data)?),
        } & moved.mask();
        return match to {
            Operand::Vector(number) => {
                let shift = 8 * u32::from(at);
                let kept = if clears { 0 } else { get(vectors, number)? & !(moved.mask() << shift) };
                put(vectors, number, kept | value << shift)
            }
            Operand::Memory(address) => moved.store(integers.address(address), value, data),
            to => integers.set(to, Size::Eight, value as u64, data),
        };
    }
    if let (Vector::Signs(size), Operand::Vector(number)) = (vector, from) {
        let value = get(vectors, number)?;
        let bit = |lane: u32| (value >> (lane * width(size) + width(size) - 1) & 1) << lane;
        let signs = (0..128 / width(size)).fold(0, |signs, lane| signs | bit(lane));
        return integers.set(to, Size::Eight, signs as u64, data);
    }
    let Operand::Vector(number) = to else { return Err(Not::Known) };
    let a = get(vectors, number)?;
    let b = match from {
        Operand::Vector(other) => get(vectors, other)?,
        Operand::Memory(address) => operand(address, integers, data)?,
        Operand::Value(value) => u128::from(value),
        Operand::Register(_) | Operand::Second(_) => return Err(Not::Known),
    };
    put(vectors, number, computed(vector, a, b)?)
}

fn get(vectors: &Vectors, number: u8) -> Done<u128> {
    vectors.get(usize::from(number)).copied().ok_or(Not::Known)
}

fn put(vectors: &mut Vectors, number: u8, value: u128) -> Done<()> {
    *vectors.get_mut(usize::from(number)).ok_or(Not::Known)? = value;
    Ok(())
}

/// The value of a memory operand that must be 16-byte aligned (Intel SDM volume 1, 4.1.1).
fn operand(address: Address, integers: &Integers, data: &impl Data) -> Done<u128> {
    Moved { bytes: 16, aligned: true }.load(integers.address(address), data)
}

/// A move of up to 16 bytes.
struct Moved {
    bytes: u8,
    aligned: bool,
}

impl Moved {
    fn mask(&self) -> u128 {
        u128::MAX >> (128 - 8 * u32::from(self.bytes))
    }

    fn size(&self) -> Option<Size> {
        match self.bytes {
            1 => Some(Size::One),
            2 => Some(Size::Two),
            4 => Some(Size::Four),
            8 => Some(Size::Eight),
            _ => None,
        }
    }

    /// The emulator stores sixteen bytes in two steps, the second of which may fail.
    fn load(&self, address: u64, data: &impl Data) -> Done<u128> {
        if self.aligned && !address.is_multiple_of(16) {
            return Err(Not::Known);
        }
        if let Some(size) = self.size() {
            return data.load(address, size).map(u128::from).ok_or(Not::Fails);
        }
        let half = |at| data.load(at, Size::Eight).map(u128::from).ok_or(Not::Known);
        Ok(half(address)? | half(address.wrapping_add(8))? << 64)
    }

    fn store(&self, address: u64, value: u128, data: &mut impl Data) -> Done<()> {
        if self.aligned && !address.is_multiple_of(16) {
            return Err(Not::Known);
        }
        if let Some(size) = self.size() {
            return data.store(address, size, value as u64).ok_or(Not::Fails);
        }
        let upper = address.wrapping_add(8);
        if !data.is_writable(upper, 8) {
            return Err(Not::Known);
        }
        data.store(address, Size::Eight, value as u64).ok_or(Not::Known)?;
        data.store(upper, Size::Eight, (value >> 64) as u64).ok_or(Not::Known)
    }
}

fn width(size: Size) -> u32 {
    8 * size.bytes() as u32
}

/// A vector made lane by lane from the lane numbers.
fn of_lanes(size: Size, lane: impl Fn(u32) -> u64) -> u128 {
    let bits = width(size);
    (0..128 / bits).fold(0, |value, number| value | u128::from(lane(number) & size.mask()) << (number * bits))
}

fn computed(vector: Vector, a: u128, b: u128) -> Done<u128> {
    let lane = |value: u128, size: Size, number: u32| (value >> (number * width(size))) as u64 & size.mask();
    let two_bits = |order: u8, number: u32| u32::from(order >> (2 * number) & 3);
    Ok(match vector {
        Vector::Lanes(lanes, size) => lanes_of(lanes, size, a, b),
        Vector::ShiftsBytesUp(count) => a.checked_shl(8 * u32::from(count)).unwrap_or(0),
        Vector::ShiftsBytesDown(count) => a.checked_shr(8 * u32::from(count)).unwrap_or(0),
        Vector::Interleaves(side, size) => {
            let first = if side == Side::High { 64 / width(size) } else { 0 };
            of_lanes(size, |number| lane(if number % 2 == 0 { a } else { b }, size, first + number / 2))
        }
        Vector::Shuffles(order) => of_lanes(Size::Four, |number| lane(b, Size::Four, two_bits(order, number))),
        Vector::ShufflesWords(side, order) => {
            let first = if side == Side::High { 4 } else { 0 };
            of_lanes(Size::Two, |number| match number.checked_sub(first).filter(|inside| *inside < 4) {
                Some(inside) => lane(b, Size::Two, first + two_bits(order, inside)),
                None => lane(b, Size::Two, number),
            })
        }
        Vector::ShufflesSingles(order) => {
            of_lanes(Size::Four, |number| lane(if number < 2 { a } else { b }, Size::Four, two_bits(order, number)))
        }
        Vector::ShufflesDoubles(order) => of_lanes(Size::Eight, |number| {
            lane(if number == 0 { a } else { b }, Size::Eight, u32::from(order >> number & 1))
        }),
        Vector::ShufflesBytes => of_lanes(Size::One, |number| match lane(b, Size::One, number) {
            zero if zero & 0x80 != 0 => 0,
            from => lane(a, Size::One, from as u32 & 15),
        }),
        Vector::Aligns(count) => {
            let bits = 8 * u32::from(count);
            let upper = match bits {
                0 => 0,
                1..=127 => a << (128 - bits),
                bits => a.checked_shr(bits - 128).unwrap_or(0),
            };
            upper | b.checked_shr(bits).unwrap_or(0)
        }
        Vector::Moves { .. } | Vector::Signs(_) => return Err(Not::Known),
    })
}

fn lanes_of(lanes: Lanes, size: Size, a: u128, b: u128) -> u128 {
    let (bits, mask) = (width(size), size.mask());
    let signed = |value: u64| ((value << (64 - bits)) as i64) >> (64 - bits);
    let each = |one: &dyn Fn(u64, u64) -> u64| {
        of_lanes(size, |number| one((a >> (number * bits)) as u64 & mask, (b >> (number * bits)) as u64 & mask))
    };
    let when = |holds: bool| if holds { u64::MAX } else { 0 };
    // One count for all lanes; a count that shifts everything out leaves only sign bits.
    let count = u32::try_from(b as u64).unwrap_or(u32::MAX);
    let all = |one: &dyn Fn(u64) -> u64| of_lanes(size, |number| one((a >> (number * bits)) as u64 & mask));
    match lanes {
        Lanes::And => a & b,
        Lanes::AndNot => !a & b,
        Lanes::Or => a | b,
        Lanes::Xor => a ^ b,
        Lanes::Add => each(&|a, b| a.wrapping_add(b)),
        Lanes::Subtract => each(&|a, b| a.wrapping_sub(b)),
        Lanes::Equal => each(&|a, b| when(a == b)),
        Lanes::Greater => each(&|a, b| when(signed(a) > signed(b))),
        Lanes::MinimumUnsigned => each(&|a, b| a.min(b)),
        Lanes::MaximumUnsigned => each(&|a, b| a.max(b)),
        Lanes::MinimumSigned => each(&|a, b| if signed(a) < signed(b) { a } else { b }),
        Lanes::MaximumSigned => each(&|a, b| if signed(a) > signed(b) { a } else { b }),
        Lanes::MultiplyLow => each(&|a, b| a.wrapping_mul(b)),
        Lanes::MultiplyHalves => {
            let half = mask >> (bits / 2);
            each(&|a, b| (a & half).wrapping_mul(b & half))
        }
        Lanes::ShiftLeft if count >= bits => 0,
        Lanes::ShiftRight if count >= bits => 0,
        Lanes::ShiftLeft => all(&|a| a << count),
        Lanes::ShiftRight => all(&|a| a >> count),
        Lanes::ShiftRightSigned => all(&|a| (signed(a) >> count.min(bits - 1)) as u64),
    }
}

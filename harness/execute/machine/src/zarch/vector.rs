//! Vector instructions (SA22-7832, chapters 21 to 24). Elements are numbered from the left.

use std::cmp::Ordering;
use std::ops::RangeInclusive;

use isa::zarch::{Fields, Operation};

use super::float::{Control, EXTENDED, Format, INEXACT, INVALID, LONG, Number, Rounding, SHORT};
use super::processor::Processor;
use crate::substitute::Executed;

/// Elements of `bits` bits each.
pub(super) struct Elements {
    pub(super) bits: u32,
}

impl Elements {
    pub(super) fn count(&self) -> u32 {
        128 / self.bits
    }

    fn mask(&self) -> u128 {
        u128::MAX >> (128 - self.bits)
    }

    pub(super) fn get(&self, vector: u128, at: u32) -> u128 {
        vector >> (128 - self.bits * (at + 1)) & self.mask()
    }

    pub(super) fn with(&self, vector: u128, at: u32, element: u128) -> u128 {
        let place = 128 - self.bits * (at + 1);
        vector & !(self.mask() << place) | (element & self.mask()) << place
    }

    fn map(&self, vector: u128, change: impl Fn(u128) -> u128) -> u128 {
        (0..self.count()).fold(0, |all, at| self.with(all, at, change(self.get(vector, at))))
    }

    /// An element with its bytes reversed.
    fn turned(&self, element: u128) -> u128 {
        element.swap_bytes() >> (128 - self.bits)
    }

    fn bytes(&self) -> usize {
        self.bits as usize / 8
    }
}

/// Elements of a size code, of which 0 is a byte; not every instruction has all sizes.
pub(super) fn elements(code: u8, taken: RangeInclusive<u8>) -> Result<Elements, Executed> {
    if taken.contains(&code) { Ok(Elements { bits: 8 << code }) } else { Err(Executed::SPECIFICATION) }
}

/// Executes vector instructions on integers, and moves. VRR and VRI have the first vector in bits 8
/// to 11, the second in 12 to 15, the third in 16 to 19 and the fourth in 32 to 35; VRX the first
/// in 8 to 11 and a mask in 32 to 35.
pub(super) fn integers(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<(), Executed> {
    use Operation as O;
    let first = fields.vector(8);
    let [second, third] = [12, 16].map(|from| cpu.vector(fields.vector(from)));
    let mask = fields.bits(32);
    let value = match operation {
        O::Vnn => !(second & third),
        O::Vnx => !(second ^ third),
        O::Voc => second | !third,
        O::Vpopct => elements(mask, 0..=3)?.map(second, |one| one.count_ones().into()),
        O::Vbperm => {
            let indices = third.to_be_bytes().map(u32::from);
            let bit = |index: u32| 127_u32.checked_sub(index).map_or(0, |at| second >> at & 1);
            indices.iter().fold(0, |bits, index| bits << 1 | bit(*index)) << 64
        }
        O::Vmsl => {
            if fields.bits(20) != 3 {
                return Err(Executed::SPECIFICATION);
            }
            let doubled = |at: u32, mask: u8| {
                let part = |vector: u128| vector >> (64 * (1 - at)) & u128::from(u64::MAX);
                let product = part(second) * part(third);
                if fields.bits(24) & mask != 0 { product << 1 } else { product }
            };
            let fourth = cpu.vector(fields.vector(32));
            doubled(0, 8).wrapping_add(doubled(1, 4)).wrapping_add(fourth)
        }
        O::Vsld | O::Vsrd => {
            let by = u32::from(fields.byte(24));
            if by > 7 {
                return Err(Executed::SPECIFICATION);
            }
            match (by, operation == O::Vsld) {
                (0, true) => second,
                (0, false) => third,
                (_, true) => second << by | third >> (128 - by),
                (_, false) => third >> by | second << (128 - by),
            }
        }
        O::Vlebrh | O::Vlebrf | O::Vlebrg => {
            let (elements, at) = of(operation, mask)?;
            let element = elements.turned(cpu.load(fields.short(), elements.bytes())?);
            elements.with(cpu.vector(first), at, element)
        }
        O::Vllebrz => {
            let elements = elements(if mask == 6 { 2 } else { mask }, 1..=3)?;
            let element = elements.turned(cpu.load(fields.short(), elements.bytes())?);
            // The element is at the end of the leftmost half, or at its beginning.
            let at = if mask == 6 { 0 } else { elements.count() / 2 - 1 };
            elements.with(0, at, element)
        }
        O::Vlbrrep => {
            let elements = elements(mask, 1..=3)?;
            let element = elements.turned(cpu.load(fields.short(), elements.bytes())?);
            elements.map(0, |_| element)
        }
        O::Vlbr => {
            let (elements, loaded) = (elements(mask, 1..=4)?, cpu.load(fields.short(), 16)?);
            elements.map(loaded, |one| elements.turned(one))
        }
        O::Vler => reversed(&elements(mask, 1..=3)?, cpu.load(fields.short(), 16)?),
        O::Vstebrh | O::Vstebrf | O::Vstebrg => {
            let (elements, at) = of(operation, mask)?;
            let element = elements.get(cpu.vector(first), at);
            return cpu.store(fields.short(), elements.bytes(), elements.turned(element));
        }
        O::Vstbr => {
            let elements = elements(mask, 1..=4)?;
            let value = elements.map(cpu.vector(first), |one| elements.turned(one));
            return cpu.store(fields.short(), 16, value);
        }
        O::Vster => return cpu.store(fields.short(), 16, reversed(&elements(mask, 1..=3)?, cpu.vector(first))),
        _ => return Err(Executed::Not),
    };
    cpu.set_vector(first, value)
}

/// The elements that a mnemonic implies, and the index of the one to access.
fn of(operation: Operation, at: u8) -> Result<(Elements, u32), Executed> {
    use Operation as O;
    let elements = Elements {
        bits: match operation {
            O::Vlebrh | O::Vstebrh => 16,
            O::Vlebrf | O::Vstebrf => 32,
            _ => 64,
        },
    };
    let at = u32::from(at);
    if at < elements.count() { Ok((elements, at)) } else { Err(Executed::SPECIFICATION) }
}

fn reversed(elements: &Elements, vector: u128) -> u128 {
    let last = elements.count() - 1;
    (0..=last).fold(0, |all, at| elements.with(all, last - at, elements.get(vector, at)))
}

/// The format of a modifier.
fn format(code: u8) -> Result<Format, Executed> {
    match code {
        2 => Ok(SHORT),
        3 => Ok(LONG),
        4 => Ok(EXTENDED),
        _ => Err(Executed::SPECIFICATION),
    }
}

/// An operation on all elements, or on the first only.
struct Each {
    format: Format,
    is_single: bool,
}

impl Each {
    /// Parses a format code. Modifiers with the leftmost bit set mean a single element.
    fn new(code: u8, modifiers: u8) -> Result<Each, Executed> {
        let format = format(code)?;
        Ok(Each { format, is_single: modifiers & 8 != 0 || format == EXTENDED })
    }

    fn elements(&self) -> Elements {
        Elements { bits: self.format.bits }
    }

    fn count(&self) -> u32 {
        if self.is_single { 1 } else { self.elements().count() }
    }

    fn number(&self, vector: u128, at: u32) -> Number {
        Number::new(self.format, self.elements().get(vector, at))
    }

    /// Computes the element at each index; the rest of the vector is 0.
    fn map(&self, mut make: impl FnMut(u32) -> u128) -> u128 {
        (0..self.count()).fold(0, |all, at| self.elements().with(all, at, make(at)))
    }
}

/// The formats that integers are converted from and to.
fn integral(code: u8, modifiers: u8) -> Result<Each, Executed> {
    let each = Each::new(code, modifiers)?;
    if each.format == EXTENDED { Err(Executed::SPECIFICATION) } else { Ok(each) }
}

/// Checks that reserved modifier bits are zero. `modifiers`: in bits 28 to 31; `more`: 24 to 27.
fn check_modifiers(operation: Operation, modifiers: u8, more: u8) -> Result<(), Executed> {
    use Operation as O;
    const SINGLE: u8 = 8;
    const QUIETLY: u8 = 4;
    let (taken, is_meant) = match operation {
        O::Vfi | O::Vflr | O::Vcfps | O::Vcfpl | O::Vcsfp | O::Vclfp => (SINGLE | QUIETLY, true),
        O::Vfce | O::Vfch | O::Vfche => (SINGLE | QUIETLY, more & !1 == 0),
        O::Vfpso => (SINGLE, more <= 2),
        O::Wfc | O::Wfk => (SINGLE, true),
        _ => (SINGLE, true),
    };
    if modifiers & !taken == 0 && is_meant { Ok(()) } else { Err(Executed::SPECIFICATION) }
}

/// Executes vector instructions on floating point.
pub(super) fn floats(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<(), Executed> {
    use Operation as O;
    let first = fields.vector(8);
    let [second, third] = [12, 16].map(|from| cpu.vector(fields.vector(from)));
    // VRR-c has the format in bits 32 to 35, and a modifier in 28 to 31; VRR-e the format in 20 to
    // 23, and the modifier in 28 to 31.
    let (code, modifiers, more) = (fields.bits(32), fields.bits(28), fields.bits(24));
    check_modifiers(operation, modifiers, more)?;
    let mut control = cpu.control(0)?;
    let value = match operation {
        O::Vfa | O::Vfs | O::Vfm | O::Vfd => {
            let each = Each::new(code, modifiers)?;
            each.map(|at| {
                let (left, right) = (each.number(second, at), each.number(third, at));
                let result = match operation {
                    O::Vfa => control.add(left, right),
                    O::Vfs => control.subtract(left, right),
                    O::Vfm => control.multiply(left, right),
                    _ => control.divide(left, right),
                };
                result.bits
            })
        }
        O::Vfma | O::Vfms | O::Vfnma | O::Vfnms => {
            let each = Each::new(fields.bits(20), modifiers)?;
            let fourth = cpu.vector(fields.vector(32));
            let negates = matches!(operation, O::Vfnma | O::Vfnms);
            if negates && matches!(control.rounding, Rounding::Up | Rounding::Down) {
                // The manual does not define whether the sign is inverted before the result is
                // rounded.
                return Err(Executed::Not);
            }
            let sign = |one: Number, turns: bool| if turns && !one.is_nan() { one.negated() } else { one };
            each.map(|at| {
                let [left, right, addend] = [second, third, fourth].map(|vector| each.number(vector, at));
                let addend = sign(addend, matches!(operation, O::Vfms | O::Vfnms));
                let result = control.multiply_add(left, right, addend);
                sign(result, negates).bits
            })
        }
        O::Vfsq => {
            let each = Each::new(code, modifiers)?;
            each.map(|at| control.root(each.number(second, at)).bits)
        }
        O::Vfpso => {
            let each = Each::new(code, modifiers)?;
            let sign = each.format.sign();
            each.map(|at| match (more, each.number(second, at).bits) {
                (0, bits) => bits ^ sign,
                (1, bits) => bits | sign,
                (_, bits) => bits & !sign,
            })
        }
        O::Vftci => {
            let each = Each::new(code, modifiers)?;
            let wanted = u32::from(fields.byte(16)) << 4 | u32::from(more);
            let mut met = 0;
            let value = each.map(|at| {
                let is_met = each.number(second, at).class() & wanted != 0;
                met += u32::from(is_met);
                if is_met { u128::MAX } else { 0 }
            });
            cpu.set_vector(first, value)?;
            return cpu.set_condition(of_all(met, each.count()));
        }
        O::Wfc | O::Wfk => {
            let each = Each::new(code, 8)?;
            let [left, right] = [cpu.vector(first), second].map(|vector| each.number(vector, 0));
            let ordering = control.compare(left, right, operation == O::Wfk);
            cpu.raise(&control)?;
            return cpu.set_condition(match ordering {
                Some(Ordering::Equal) => 0,
                Some(Ordering::Less) => 1,
                Some(Ordering::Greater) => 2,
                None => 3,
            });
        }
        O::Vfce | O::Vfch | O::Vfche => {
            let each = Each::new(code, modifiers)?;
            let mut met = 0;
            let value = each.map(|at| {
                let ordering = control.compare(each.number(second, at), each.number(third, at), modifiers & 4 != 0);
                let is_met = match operation {
                    O::Vfce => ordering == Some(Ordering::Equal),
                    O::Vfch => ordering == Some(Ordering::Greater),
                    _ => matches!(ordering, Some(Ordering::Equal | Ordering::Greater)),
                };
                met += u32::from(is_met);
                if is_met { u128::MAX } else { 0 }
            });
            cpu.raise(&control)?;
            cpu.set_vector(first, value)?;
            return if more & 1 != 0 { cpu.set_condition(of_all(met, each.count())) } else { Ok(()) };
        }
        O::Vfmax | O::Vfmin => {
            let each = Each::new(code, modifiers)?;
            let choice = Choice::new(more, operation == O::Vfmax)?;
            each.map(|at| choice.of(&mut control, each.number(second, at), each.number(third, at)).bits)
        }
        O::Vfi => {
            let each = Each::new(code, modifiers)?;
            control = cpu.control(more)?;
            each.map(|at| control.integral(each.number(second, at), modifiers & 4 != 0).bits)
        }
        O::Vfll => control.converted(Number::new(LONG, second >> 64), EXTENDED).bits,
        O::Vflr => {
            control = cpu.control(more)?;
            let each = Each::new(code, modifiers)?;
            let value = match each.format {
                EXTENDED => control.converted(each.number(second, 0), LONG).bits << 64,
                _ => return Err(Executed::SPECIFICATION),
            };
            control.flags &= if modifiers & 4 == 0 { u8::MAX } else { !INEXACT };
            value
        }
        O::Vcfps | O::Vcfpl => {
            control = cpu.control(more)?;
            let each = integral(code, modifiers)?;
            let unused = 128 - each.format.bits;
            let value = each.map(|at| {
                let element = each.elements().get(second, at);
                let signed = (element << unused) as i128 >> unused;
                let integer = if operation == O::Vcfps { signed } else { element as i128 };
                control.number(integer, each.format).bits
            });
            control.flags &= if modifiers & 4 == 0 { u8::MAX } else { !INEXACT };
            value
        }
        O::Vcsfp | O::Vclfp => {
            control = cpu.control(more)?;
            let each = integral(code, modifiers)?;
            let top = 1_i128 << (each.format.bits - 1);
            let (least, most) = if operation == O::Vcsfp { (-top, top - 1) } else { (0, 2 * top - 1) };
            each.map(|at| control.integer(each.number(second, at), least, most, modifiers & 4 != 0) as u128)
        }
        _ => return Err(Executed::Not),
    };
    cpu.raise(&control)?;
    cpu.set_vector(first, value)
}

/// The condition code of a test of all elements: 0 if all pass, 3 if none does.
fn of_all(met: u32, count: u32) -> u8 {
    match met {
        0 => 3,
        all if all == count => 0,
        _ => 1,
    }
}

/// The number that VECTOR FP MAXIMUM and MINIMUM choose.
struct Choice {
    function: Function,
    is_greatest: bool,
}

/// The supported functions: Java's `Math.max` and C's `fmax`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Java,
    C,
}

impl Choice {
    fn new(modifier: u8, is_greatest: bool) -> Result<Choice, Executed> {
        let function = match modifier {
            1 => Function::Java,
            4 => Function::C,
            _ => return Err(Executed::Not),
        };
        Ok(Choice { function, is_greatest })
    }

    fn of(&self, control: &mut Control, left: Number, right: Number) -> Number {
        if left.is_nan() || right.is_nan() {
            let raises = left.is_signalling() || right.is_signalling();
            control.flags |= if raises { INVALID } else { 0 };
            return match self.function {
                Function::Java if left.is_signalling() => left.quieted(),
                Function::Java if right.is_signalling() => right.quieted(),
                Function::Java => {
                    if left.is_nan() {
                        left
                    } else {
                        right
                    }
                }
                Function::C if left.is_nan() && !right.is_nan() => right,
                Function::C => left,
            };
        }
        if left.is_zero() && right.is_zero() {
            return if left.is_negative() == self.is_greatest { right } else { left };
        }
        let ordering = control.compare(left, right, false);
        let is_right = ordering == Some(if self.is_greatest { Ordering::Less } else { Ordering::Greater });
        if is_right { right } else { left }
    }
}

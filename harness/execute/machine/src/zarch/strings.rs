//! Vector string instructions (SA22-7832, chapter 23). Elements are numbered from the left.

use isa::zarch::{Fields, Operation};

use super::processor::Processor;
use super::vector::{Elements, elements};
use crate::substitute::Executed;

/// Executes an operation. Registers are changed last, so that a failure changes nothing.
pub(super) fn run(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<(), Executed> {
    match operation {
        Operation::Vistr => isolate(cpu, fields),
        Operation::Vstrs => search(cpu, fields),
        _ => Err(Executed::Not),
    }
}

/// Searches the second operand for the string in the third, whose length in bytes is in byte 7 of
/// the fourth. With the zero-search flag either string also ends at its first zero, and what only
/// begins before the end of the text does not match.
fn search(cpu: &mut Processor<'_>, fields: &Fields) -> Result<(), Executed> {
    const ZERO_SEARCH: u8 = 2;
    const LENGTH: u32 = 7;
    let (elements, flags) = (elements(fields.bits(20), 0..=2)?, fields.bits(24));
    if flags & !ZERO_SEARCH != 0 {
        return Err(Executed::SPECIFICATION);
    }
    let [text, wanted, length] = [12, 16, 32].map(|from| cpu.vector(fields.vector(from)));
    let count = elements.count();
    let length = Elements { bits: 8 }.get(length, LENGTH) as u32 * 8 / elements.bits;
    let zero = |of: u128, within: u32| {
        let is_zero = |at: &u32| elements.get(of, *at) == 0;
        if flags & ZERO_SEARCH == 0 { None } else { (0..within).find(is_zero) }
    };
    let end = zero(text, count);
    let size = zero(wanted, length.min(count)).unwrap_or(length);
    let last = end.unwrap_or(count);
    // What is compared up to the end of the text; the string may be longer.
    let begins =
        |from: &u32| (*from..last.min(from + size)).all(|at| elements.get(text, at) == elements.get(wanted, at - from));
    let is_whole = |from: &u32| from + size <= last;
    let found = (0..last).find(|from| begins(from) && (end.is_none() || is_whole(from)));
    let (at, condition) = match (found, end) {
        _ if size == 0 => (0, 2),
        (Some(at), _) => (at, if is_whole(&at) { 2 } else { 3 }),
        (None, end) => (count, end.is_some().into()),
    };
    cpu.set_vector(fields.vector(8), u128::from(at * elements.bits / 8) << 64)?;
    cpu.set_condition(condition)
}

/// Sets the elements after the first zero to zero.
fn isolate(cpu: &mut Processor<'_>, fields: &Fields) -> Result<(), Executed> {
    let (elements, modifiers) = (elements(fields.bits(32), 0..=2)?, fields.bits(24));
    if modifiers & !1 != 0 {
        return Err(Executed::SPECIFICATION);
    }
    let second = cpu.vector(fields.vector(12));
    let zero = (0..elements.count()).find(|at| elements.get(second, *at) == 0);
    let value = (zero.unwrap_or(elements.count())..elements.count()).fold(second, |all, at| elements.with(all, at, 0));
    cpu.set_vector(fields.vector(8), value)?;
    if modifiers & 1 != 0 { cpu.set_condition(if zero.is_some() { 0 } else { 3 }) } else { Ok(()) }
}

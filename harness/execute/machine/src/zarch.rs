//! s390x instructions since z14, which the emulator lacks, and older ones that it executes wrongly:
//! executed here by their definition (z/Architecture Principles of Operation SA22-7832-13, chapters
//! 7 and 21 to 24), on the program's registers and memory.

mod corrected;
mod float;
mod processor;
mod strings;
mod vector;
mod wide;

use isa::zarch::{Address, Fields, Group, Instruction, Operation, decode};

use crate::engine::Engine;
use crate::memory::Memory;
use crate::s390x::FACILITIES;
use crate::substitute::Executed;
use processor::Processor;

/// Returns true if `bytes` begin with one of these instructions, except for those that the emulator
/// executes wrongly for few operands only.
#[inline]
pub(crate) fn is_executed_here(bytes: &[u8]) -> bool {
    decode(bytes).is_some_and(|one| one.operation.group() != Group::Sum)
}

/// Executes the instruction at the start of `bytes`.
pub(crate) fn execute(engine: &mut Engine, memory: &mut Memory, pc: u64, bytes: &[u8]) -> Executed {
    let Some(Instruction { length, operation, fields }) = decode(bytes) else { return Executed::Not };
    let next = pc.wrapping_add(length.into());
    match run(&mut Processor { engine, memory, pc }, operation, &fields) {
        Ok(Next::Following) => Executed::Done { next },
        Ok(Next::At(next)) => Executed::Done { next },
        Err(executed) => executed,
    }
}

/// Returns true if the emulator executes an instruction wrongly with its current operands, for
/// instructions that it executes wrongly for few values ([`Group::Sum`]).
pub(crate) fn is_wrong(engine: &mut Engine, memory: &mut Memory, pc: u64, one: &Instruction) -> bool {
    corrected::is_wrong(&Processor { engine, memory, pc }, one.operation, &one.fields)
}

/// The register with the right term of `ar`, `sr`, `agr` or `sgr`, which are nearly all
/// instructions for which [`is_wrong`] is asked; `None` for others.
#[inline]
pub(crate) fn right_term(bytes: &[u8]) -> Option<u8> {
    match *bytes {
        [0x1a | 0x1b, registers, ..] | [0xb9, 0x08 | 0x09, _, registers, ..] => Some(registers & 15),
        _ => None,
    }
}

/// Returns true if [`is_wrong`] may be true for a right term: the minimum of 32 or 64 bits.
#[inline]
pub(crate) fn is_minimum(term: u64) -> bool {
    term as i64 == i64::MIN || term as i32 == i32::MIN
}

/// Where control continues.
enum Next {
    Following,
    At(u64),
}

/// The source of a condition code.
enum Code {
    /// Condition code 0: zero; 1: less; 2: greater.
    Signed(i64),
    /// Condition code 3.
    Overflow,
    /// Condition code 0: zero; 1: not zero.
    Bits(u64),
}

/// Executes an operation. Registers and memory are changed last, so that a failure changes nothing.
fn run(cpu: &mut Processor<'_>, operation: Operation, fields: &Fields) -> Result<Next, Executed> {
    use Operation as O;
    // Fields of the first operand and of those in registers: RXY has the first in bits 8 to 11; RRF
    // has the third in 16 to 19, the first and second in 24 to 31.
    let (first, third) = (fields.bits(8), fields.bits(16));
    let (result, second) = (fields.bits(24), fields.bits(28));
    match operation.group() {
        Group::General => {}
        Group::Vector => return vector::integers(cpu, operation, fields).map(|()| Next::Following),
        Group::Float => return vector::floats(cpu, operation, fields).map(|()| Next::Following),
        Group::Sum | Group::Corrected => return corrected::run(cpu, operation, fields).map(|()| Next::Following),
    }
    match operation {
        O::Agh | O::Sgh | O::Mgh => {
            let (value, half) = (cpu.general(first) as i64, i64::from(cpu.load(fields.long(), 2)? as u16 as i16));
            let (computed, is_over) = match operation {
                O::Agh => value.overflowing_add(half),
                O::Sgh => value.overflowing_sub(half),
                _ => (value.wrapping_mul(half), false),
            };
            cpu.set_general(first, computed as u64)?;
            if operation != O::Mgh {
                condition(cpu, if is_over { Code::Overflow } else { Code::Signed(computed) })?;
            }
        }
        O::Mg => {
            if first & 1 != 0 {
                return Err(Executed::SPECIFICATION);
            }
            let factor = cpu.load(fields.long(), 8)? as i64;
            let product = i128::from(cpu.general(first | 1) as i64) * i128::from(factor);
            pair(cpu, first, product)?;
        }
        O::Mgrk => {
            let [left, right] = [second, third].map(|number| i128::from(cpu.general(number) as i64));
            pair(cpu, result, left * right)?;
        }
        O::Msrkc => {
            let [left, right] = [second, third].map(|number| cpu.general(number) as i32);
            let (product, is_over) = left.overflowing_mul(right);
            cpu.set_low(result, product as u32)?;
            condition(cpu, if is_over { Code::Overflow } else { Code::Signed(product.into()) })?;
        }
        O::Msgrkc => {
            let [left, right] = [second, third].map(|number| cpu.general(number) as i64);
            let (product, is_over) = left.overflowing_mul(right);
            cpu.set_general(result, product as u64)?;
            condition(cpu, if is_over { Code::Overflow } else { Code::Signed(product) })?;
        }
        O::Msc => {
            let factor = cpu.load(fields.long(), 4)? as i32;
            let (product, is_over) = (cpu.general(first) as i32).overflowing_mul(factor);
            cpu.set_low(first, product as u32)?;
            condition(cpu, if is_over { Code::Overflow } else { Code::Signed(product.into()) })?;
        }
        O::Msgc => {
            let factor = cpu.load(fields.long(), 8)? as i64;
            let (product, is_over) = (cpu.general(first) as i64).overflowing_mul(factor);
            cpu.set_general(first, product as u64)?;
            condition(cpu, if is_over { Code::Overflow } else { Code::Signed(product) })?;
        }
        O::Bic => {
            if is_met(cpu, first) {
                return Ok(Next::At(cpu.load(fields.long(), 8)? as u64));
            }
        }
        O::Lzrf => {
            let value = cpu.load(fields.long(), 4)? as u32;
            cpu.set_low(first, value & !0xff)?;
        }
        O::Ncrk | O::Nnrk | O::Nork | O::Nxrk | O::Ocrk => {
            let [left, right] = [second, third].map(|number| cpu.general(number));
            let value = logic(operation, left, right) as u32;
            cpu.set_low(result, value)?;
            condition(cpu, Code::Bits(value.into()))?;
        }
        O::Ncgrk | O::Nngrk | O::Nogrk | O::Nxgrk | O::Ocgrk => {
            let [left, right] = [second, third].map(|number| cpu.general(number));
            let value = logic(operation, left, right);
            cpu.set_general(result, value)?;
            condition(cpu, Code::Bits(value))?;
        }
        O::Selr | O::Selgr | O::Selfhr => {
            let from = cpu.general(if is_met(cpu, fields.bits(20)) { second } else { third });
            match operation {
                O::Selr => cpu.set_low(result, from as u32)?,
                O::Selfhr => cpu.set_general(result, from & !0xffff_ffff | cpu.general(result) & 0xffff_ffff)?,
                _ => cpu.set_general(result, from)?,
            }
        }
        O::Risbhg | O::Risblg => {
            let value = inserted(operation, cpu.general(first), cpu.general(fields.bits(12)), fields);
            cpu.set_general(first, value)?;
        }
        O::Popcnt => {
            let count = u64::from(cpu.general(second).count_ones());
            cpu.set_general(result, count)?;
            condition(cpu, Code::Bits(count))?;
        }
        O::Vistr | O::Vstrs => strings::run(cpu, operation, fields)?,
        O::Stfle => store_facilities(cpu, fields.based(16))?,
        O::Mvcrl => move_right_to_left(cpu, fields.based(16), fields.based(32))?,
        _ => return Err(Executed::Not),
    }
    Ok(Next::Following)
}

/// The result of a logical operation. The second operand is the complemented one.
fn logic(operation: Operation, left: u64, right: u64) -> u64 {
    use Operation as O;
    match operation {
        O::Ncrk | O::Ncgrk => left & !right,
        O::Nnrk | O::Nngrk => !(left & right),
        O::Nork | O::Nogrk => !(left | right),
        O::Nxrk | O::Nxgrk => !(left ^ right),
        _ => left | !right,
    }
}

/// The first operand with bits inserted into one half from the rotated second operand.
fn inserted(operation: Operation, first: u64, second: u64, fields: &Fields) -> u64 {
    const ZERO_THE_REST: u8 = 0x80;
    let (from, to, by) = (fields.byte(16) & 0x1f, fields.byte(24) & 0x1f, fields.byte(32) & 0x3f);
    // Bit 0 is the leftmost; bits may wrap around within the half.
    let (before, after) = (u32::MAX >> from, u32::MAX << (31 - to));
    let mask = if from <= to { before & after } else { before | after };
    let kept = if fields.byte(24) & ZERO_THE_REST == 0 { !mask } else { 0 };
    let place = if operation == Operation::Risbhg { 32 } else { 0 };
    let [half, rotated] = [first, second.rotate_left(by.into())].map(|value| (value >> place) as u32);
    first & !(u64::from(u32::MAX) << place) | u64::from(rotated & mask | half & kept) << place
}

/// Stores a product in an even-odd register pair. An odd register is a specification exception.
fn pair(cpu: &mut Processor<'_>, register: u8, product: i128) -> Result<(), Executed> {
    if register & 1 != 0 {
        return Err(Executed::SPECIFICATION);
    }
    cpu.set_general(register, (product >> 64) as u64)?;
    cpu.set_general(register | 1, product as u64)
}

fn condition(cpu: &mut Processor<'_>, code: Code) -> Result<(), Executed> {
    cpu.set_condition(match code {
        Code::Signed(0) | Code::Bits(0) => 0,
        Code::Signed(..0) | Code::Bits(_) => 1,
        Code::Signed(_) => 2,
        Code::Overflow => 3,
    })
}

/// Returns true if the condition code is in a mask.
fn is_met(cpu: &Processor<'_>, mask: u8) -> bool {
    mask & 8 >> cpu.condition() != 0
}

/// Moves one byte more than the last byte of register 0 gives, from the last byte to the first.
fn move_right_to_left(cpu: &mut Processor<'_>, to: Address, from: Address) -> Result<(), Executed> {
    let size = (cpu.general(0) & 0xff) as usize + 1;
    let (to, from) = (cpu.address(to), cpu.address(from));
    // The source bytes are fetched before the bytes to their left are stored; if the operands
    // overlap the other way, stored bytes are fetched again.
    let mut all = cpu.bytes(from, size)?;
    let apart = from.wrapping_sub(to);
    if (1..size as u64).contains(&apart) {
        let apart = apart as usize;
        for at in (0..size - apart).rev() {
            let byte = all.get(at + apart).copied().unwrap_or(0);
            all.iter_mut().skip(at).take(1).for_each(|to| *to = byte);
        }
    }
    cpu.set_bytes(to, &all)
}

/// Stores as many words of the list as the last byte of register 0 gives, less one; sets that byte
/// to the size of the whole list, less one. Condition code 3: the list is longer.
fn store_facilities(cpu: &mut Processor<'_>, to: Address) -> Result<(), Executed> {
    let (requested, address) = (cpu.general(0), cpu.address(to));
    if address % 8 != 0 {
        return Err(Executed::SPECIFICATION);
    }
    let count = (requested & 0xff) as usize + 1;
    let stored: Vec<u8> = FACILITIES.iter().take(count).flat_map(|word| word.to_be_bytes()).collect();
    cpu.set_bytes(address, &stored)?;
    cpu.set_general(0, requested & !0xff | (FACILITIES.len() as u64 - 1))?;
    cpu.set_condition(if count < FACILITIES.len() { 3 } else { 0 })
}

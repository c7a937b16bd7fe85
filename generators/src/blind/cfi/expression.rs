//! DWARF expressions (DWARF 5, 2.5.1 and 7.7.1) that compute a register plus an offset, or load a
//! word from there, at a known PC. All others are compared as bytes.

use types::{Abi, Reg};

use crate::reader::cursor::Cursor;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blind) enum Simple {
    /// A register plus an offset in bytes.
    Sum(Reg, i64),
    /// The word at a register plus an offset.
    Loaded(Reg, i64),
}

#[derive(Clone, Copy, Debug)]
enum Operand {
    Number(i64),
    Simple(Simple),
}

/// Evaluates an expression at a PC. `None` if it needs other operations.
pub(in crate::blind) fn evaluate(abi: Abi, bytes: &[u8], pc: u64) -> Option<Simple> {
    let mut code = Cursor::new(abi.facts().order, bytes, 0);
    let mut stack = Vec::new();
    while !code.is_at_end() {
        step(abi, &mut code, &mut stack, pc)?;
    }
    match stack.pop()? {
        Operand::Simple(simple) => Some(simple),
        Operand::Number(_) => None,
    }
}

fn step(abi: Abi, code: &mut Cursor<'_>, stack: &mut Vec<Operand>, pc: u64) -> Option<()> {
    let op = code.unsigned(1)?;
    let pushed = match op {
        // DW_OP_deref
        0x06 => match stack.pop()? {
            Operand::Simple(Simple::Sum(reg, offset)) => Operand::Simple(Simple::Loaded(reg, offset)),
            Operand::Simple(Simple::Loaded(..)) | Operand::Number(_) => return None,
        },
        // DW_OP_const1u to DW_OP_consts
        0x08 => Operand::Number(code.unsigned(1)? as i64),
        0x09 => Operand::Number(code.signed(1)?),
        0x0a => Operand::Number(code.unsigned(2)? as i64),
        0x0b => Operand::Number(code.signed(2)?),
        0x0c => Operand::Number(code.unsigned(4)? as i64),
        0x0d => Operand::Number(code.signed(4)?),
        0x0e | 0x0f => Operand::Number(code.signed(8)?),
        0x10 => Operand::Number(code.uleb()? as i64),
        0x11 => Operand::Number(code.sleb()?),
        // DW_OP_and
        0x1a => numbers(stack, |a, b| Some(a & b))?,
        // DW_OP_minus, DW_OP_plus
        0x1c => match (stack.pop()?, stack.pop()?) {
            (Operand::Number(by), value) => add(value, by.checked_neg()?)?,
            _ => return None,
        },
        0x22 => match (stack.pop()?, stack.pop()?) {
            (Operand::Number(by), value) | (value, Operand::Number(by)) => add(value, by)?,
            _ => return None,
        },
        // DW_OP_plus_uconst
        0x23 => {
            let by = i64::try_from(code.uleb()?).ok()?;
            add(stack.pop()?, by)?
        }
        // DW_OP_shl
        0x24 => numbers(stack, |a, b| a.checked_shl(u32::try_from(b).ok()?))?,
        // DW_OP_eq to DW_OP_ne
        0x29..=0x2e => {
            numbers(stack, |a, b| Some(i64::from([a == b, a >= b, a > b, a <= b, a < b, a != b][op as usize - 0x29])))?
        }
        // DW_OP_lit0 to DW_OP_lit31
        0x30..=0x4f => Operand::Number(op as i64 - 0x30),
        // DW_OP_breg0 to DW_OP_breg31, DW_OP_bregx
        0x70..=0x8f => register(abi, op - 0x70, code.sleb()?, pc)?,
        0x92 => {
            let number = code.uleb()?;
            register(abi, number, code.sleb()?, pc)?
        }
        // DW_OP_nop
        0x96 => return Some(()),
        _ => return None,
    };
    stack.push(pushed);
    Some(())
}

/// The value of a register. On AMD64 the return-address column is the PC itself (psABI, figure
/// 3.36).
fn register(abi: Abi, number: u64, offset: i64, pc: u64) -> Option<Operand> {
    if reads_pc(abi, number) {
        return Some(Operand::Number((pc as i64).wrapping_add(offset)));
    }
    Some(Operand::Simple(Simple::Sum(Reg(u16::try_from(number).ok()?), offset)))
}

fn reads_pc(abi: Abi, number: u64) -> bool {
    !abi.facts().link_register && number == u64::from(abi.facts().ra.0)
}

fn numbers(stack: &mut Vec<Operand>, of: impl FnOnce(i64, i64) -> Option<i64>) -> Option<Operand> {
    match (stack.pop()?, stack.pop()?) {
        (Operand::Number(b), Operand::Number(a)) => of(a, b).map(Operand::Number),
        _ => None,
    }
}

fn add(value: Operand, by: i64) -> Option<Operand> {
    Some(match value {
        Operand::Number(number) => Operand::Number(number.wrapping_add(by)),
        Operand::Simple(Simple::Sum(reg, offset)) => Operand::Simple(Simple::Sum(reg, offset.wrapping_add(by))),
        Operand::Simple(Simple::Loaded(..)) if by == 0 => value,
        Operand::Simple(Simple::Loaded(..)) => return None,
    })
}

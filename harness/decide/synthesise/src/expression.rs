//! DWARF expressions that an SFrame row can express.

use std::ops::Range;

use gimli::{Encoding, EndianSlice, Expression, Operation, RunTimeEndian};
use types::Abi;

use crate::abi::facts;
use crate::reason::Reason;

/// Meaning of an expression or a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Terms {
    /// A register plus a constant.
    Register(u16, i64),
    /// The 8-byte word at a register plus a constant.
    Memory(u16, i64),
    /// A sequence of operations, which may depend on the PC.
    Program(Vec<Op>),
    /// Any other expression.
    Unknown,
}

/// An operation of a stack machine on integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Number(u64),
    Register(u16, i64),
    Compute(Binary),
}

/// An operation on two numbers; comparisons are signed (DWARF 5, 2.5.1.4 and 2.5.1.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    And,
    Or,
    ShiftLeft,
    ShiftRight,
    GreaterOrEqual,
    Greater,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
}

/// Maximum size in bytes of code for which an expression is evaluated at each PC.
const MOST_CODE: u64 = 1 << 20;

/// Parses an expression.
pub(crate) fn read(expression: Expression<EndianSlice<'_, RunTimeEndian>>, encoding: Encoding) -> Terms {
    let mut operations = expression.operations(encoding);
    let mut ops = Vec::new();
    let mut loads = false;
    while let Ok(Some(operation)) = operations.next() {
        // A load can be expressed only as the last operation.
        if loads {
            return Terms::Unknown;
        }
        match operation {
            Operation::RegisterOffset { register, offset, .. } => ops.push(Op::Register(register.0, offset)),
            Operation::UnsignedConstant { value } => ops.push(Op::Number(value)),
            Operation::SignedConstant { value } => ops.push(Op::Number(value.cast_unsigned())),
            Operation::PlusConstant { value } => ops.extend([Op::Number(value), Op::Compute(Binary::Add)]),
            Operation::Deref { size: 8, space: false, .. } => loads = true,
            Operation::Nop => {}
            other => match binary(&other) {
                Some(binary) => ops.push(Op::Compute(binary)),
                None => return Terms::Unknown,
            },
        }
    }
    match (ops.as_slice(), loads) {
        ([Op::Register(register, offset)], false) => Terms::Register(*register, *offset),
        ([Op::Register(register, offset)], true) => Terms::Memory(*register, *offset),
        ([Op::Register(register, offset), Op::Number(more), Op::Compute(Binary::Add)], loads) => {
            let offset = offset.wrapping_add(more.cast_signed());
            if loads { Terms::Memory(*register, offset) } else { Terms::Register(*register, offset) }
        }
        (_, false) => Terms::Program(ops),
        (_, true) => Terms::Unknown,
    }
}

fn binary(operation: &Operation<EndianSlice<'_, RunTimeEndian>>) -> Option<Binary> {
    Some(match operation {
        Operation::Plus => Binary::Add,
        Operation::Minus => Binary::Subtract,
        Operation::And => Binary::And,
        Operation::Or => Binary::Or,
        Operation::Shl => Binary::ShiftLeft,
        Operation::Shr => Binary::ShiftRight,
        Operation::Ge => Binary::GreaterOrEqual,
        Operation::Gt => Binary::Greater,
        Operation::Lt => Binary::Less,
        Operation::Le => Binary::LessOrEqual,
        Operation::Eq => Binary::Equal,
        Operation::Ne => Binary::NotEqual,
        _ => return None,
    })
}

/// The terms of a CFA at each PC of a range at which they change. A program is evaluated at each
/// PC: in a procedure linkage table it depends on the offset in the entry.
pub(crate) fn by_pc(abi: Abi, cfa: &Terms, range: Range<u64>) -> Result<Vec<(u64, Terms)>, Reason> {
    let Terms::Program(ops) = cfa else { return Ok(vec![(range.start, cfa.clone())]) };
    if range.end.saturating_sub(range.start) > MOST_CODE {
        return Err(Reason::CfaExpression);
    }
    let mut found: Vec<(u64, Terms)> = Vec::new();
    for pc in range {
        let terms = [facts(abi).sp, facts(abi).fp]
            .into_iter()
            .find_map(|base| linear(abi, ops, base, pc).map(|offset| Terms::Register(base, offset)))
            .ok_or(Reason::CfaExpression)?;
        if found.last().is_none_or(|(_, last)| *last != terms) {
            found.push((pc, terms));
        }
    }
    Ok(found)
}

/// The constant that a program adds to a register, if this is its only effect.
fn linear(abi: Abi, ops: &[Op], base: u16, pc: u64) -> Option<i64> {
    // Two register values that have few bits in common.
    let difference = |value: u64| Some(evaluate(abi, ops, base, value, pc)?.wrapping_sub(value).cast_signed());
    let one = difference(0x7fff_5555_0000)?;
    (difference(0x0000_2aaa_abcd_ef10)? == one).then_some(one)
}

fn evaluate(abi: Abi, ops: &[Op], base: u16, value: u64, pc: u64) -> Option<u64> {
    let mut stack: Vec<u64> = Vec::new();
    for op in ops {
        match *op {
            Op::Number(number) => stack.push(number),
            Op::Register(register, offset) if register == base => stack.push(value.wrapping_add_signed(offset)),
            // AMD64's return address column reads as the PC (System V AMD64 psABI, figure 3.36).
            Op::Register(16, offset) if abi == Abi::Amd64 => stack.push(pc.wrapping_add_signed(offset)),
            Op::Register(..) => return None,
            Op::Compute(binary) => {
                let (top, below) = (stack.pop()?, stack.pop()?);
                stack.push(compute(binary, below, top));
            }
        }
    }
    stack.pop()
}

fn compute(binary: Binary, left: u64, right: u64) -> u64 {
    let (signed_left, signed_right) = (left.cast_signed(), right.cast_signed());
    let shift = u32::try_from(right).unwrap_or(u32::MAX);
    match binary {
        Binary::Add => left.wrapping_add(right),
        Binary::Subtract => left.wrapping_sub(right),
        Binary::And => left & right,
        Binary::Or => left | right,
        Binary::ShiftLeft => left.checked_shl(shift).unwrap_or(0),
        Binary::ShiftRight => left.checked_shr(shift).unwrap_or(0),
        Binary::GreaterOrEqual => u64::from(signed_left >= signed_right),
        Binary::Greater => u64::from(signed_left > signed_right),
        Binary::Less => u64::from(signed_left < signed_right),
        Binary::LessOrEqual => u64::from(signed_left <= signed_right),
        Binary::Equal => u64::from(left == right),
        Binary::NotEqual => u64::from(left != right),
    }
}

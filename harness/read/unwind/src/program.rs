//! DWARF expressions as compiled operations, and the stack machine that runs them on values or on
//! symbols.
//!
//! Values are 64-bit and wrap, as DWARF 5, 2.5.1 requires of the generic type. Every run is bounded
//! in stack depth and steps, so that no table can make the harness hang, and allocates nothing.

use std::cell::Cell;

use types::{Fault, Reg};

/// One operation (DWARF 5, 2.5.1). Branch targets are indices into the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    /// Push.
    Constant(u64),
    /// Push the sum of a register and an offset.
    Register {
        reg: Reg,
        offset: i64,
    },
    /// Replace an address by the word of this many bytes (1 to 8) at the address.
    Load {
        size: u8,
    },
    /// Push a copy of the item at this depth; 0 is the top.
    Pick(u8),
    Drop,
    /// Exchange the two top items.
    Swap,
    /// Move the top below the next two items.
    Rotate,
    /// Apply an operation to the top.
    Unary(Unary),
    /// Replace the two top items by the result of an operation.
    Binary(Binary),
    /// Add a constant to the top.
    PlusConstant(u64),
    Nop,
    /// Branch unconditionally.
    Skip(u32),
    /// Pop the top, and branch if it is not zero.
    Branch(u32),
    /// An operation that is not supported here and that other readers may support.
    Unsupported,
    /// Bytes that are not an operation, or one that is not allowed in CFI (DWARF 5, 6.4.2, last
    /// paragraphs).
    Meaningless,
}

/// Operations on one item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unary {
    Abs,
    Negate,
    Not,
}

/// Operations on two items: the second from the top is the left operand, the top the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Binary {
    And,
    Divide,
    Minus,
    Modulo,
    Multiply,
    Or,
    Plus,
    ShiftLeft,
    ShiftRight,
    ShiftRightArithmetic,
    Xor,
    Equal,
    GreaterOrEqual,
    Greater,
    LessOrEqual,
    Less,
    NotEqual,
}

/// Type of the items on the stack.
pub(crate) trait Domain {
    type Value: Copy;

    /// Maximum number of operations of a run. Real expressions have about ten.
    const STEPS: usize;

    fn constant(&self, value: u64) -> Self::Value;
    fn register(&self, reg: Reg, offset: i64) -> Result<Self::Value, Fault>;
    fn load(&self, address: Self::Value, size: u8) -> Result<Self::Value, Fault>;
    fn unary(&self, op: Unary, value: Self::Value) -> Result<Self::Value, Fault>;
    fn binary(&self, op: Binary, left: Self::Value, right: Self::Value) -> Result<Self::Value, Fault>;
    /// The item as a number, if it is known: branches depend on it.
    fn number(&self, value: Self::Value) -> Option<u64>;
    /// The answer to an operation that is not known here.
    fn unsupported(&self) -> Fault {
        Fault::Expression
    }
}

/// Maximum stack depth of a run. Real expressions use three or four items.
const DEPTH: usize = 64;

/// Runs a program and returns the item on top of the stack; `initial` is pushed first.
///
/// # Errors
/// [`Fault::Expression`] for an empty or overfull stack, an unsupported operation, a division by
/// zero or too many steps; any error of the domain for registers and memory.
pub(crate) fn run<D: Domain>(ops: &[Op], domain: &D, initial: Option<D::Value>) -> Result<D::Value, Fault> {
    let mut stack = Items { items: [domain.constant(0); DEPTH], len: 0 };
    if let Some(value) = initial {
        stack.push(value)?;
    }
    let mut next = 0usize;
    for _ in 0..D::STEPS {
        let Some(op) = ops.get(next) else {
            return stack.pop();
        };
        next = next.saturating_add(1);
        match *op {
            Op::Constant(value) => stack.push(domain.constant(value))?,
            Op::Register { reg, offset } => stack.push(domain.register(reg, offset)?)?,
            Op::Load { size } => {
                let address = stack.pop()?;
                stack.push(domain.load(address, size)?)?;
            }
            Op::Pick(depth) => stack.push(stack.peek(depth)?)?,
            Op::Drop => {
                stack.pop()?;
            }
            Op::Swap => {
                let (top, second) = (stack.pop()?, stack.pop()?);
                stack.push(top)?;
                stack.push(second)?;
            }
            Op::Rotate => {
                let (top, second, third) = (stack.pop()?, stack.pop()?, stack.pop()?);
                stack.push(top)?;
                stack.push(third)?;
                stack.push(second)?;
            }
            Op::Unary(op) => {
                let value = stack.pop()?;
                stack.push(domain.unary(op, value)?)?;
            }
            Op::Binary(op) => {
                let (right, left) = (stack.pop()?, stack.pop()?);
                stack.push(domain.binary(op, left, right)?)?;
            }
            Op::PlusConstant(constant) => {
                let value = stack.pop()?;
                stack.push(domain.binary(Binary::Plus, value, domain.constant(constant))?)?;
            }
            Op::Nop => {}
            Op::Skip(target) => next = target as usize,
            Op::Branch(target) => {
                let condition = stack.pop()?;
                if domain.number(condition).ok_or(Fault::Expression)? != 0 {
                    next = target as usize;
                }
            }
            Op::Unsupported => return Err(domain.unsupported()),
            Op::Meaningless => return Err(Fault::Expression),
        }
    }
    Err(Fault::Expression)
}

/// Returns true if a program has a meaning as far as the bytes alone show it: each operation and
/// each register (`exists`) is one of the ABI's, and none fails whatever registers and memory hold,
/// as for lack of items, by a division by a constant zero or in a loop without a way out. Nothing
/// is shown after a branch on what they hold, or an operation that is not known here.
pub(crate) fn is_sound(ops: &[Op], initial: usize, exists: impl Fn(Reg) -> bool) -> bool {
    let is_nothing = |op: &Op| match *op {
        Op::Meaningless => true,
        Op::Register { reg, .. } => !exists(reg),
        _ => false,
    };
    let shown = Shown { open: Cell::new(false) };
    !ops.iter().any(is_nothing) && (run(ops, &shown, (initial > 0).then_some(None)).is_ok() || shown.open.get())
}

/// Items of which the bytes show the number, or nothing.
struct Shown {
    /// What follows depends on more than the bytes.
    open: Cell<bool>,
}

impl Domain for Shown {
    type Value = Option<u64>;

    const STEPS: usize = 1024;

    fn constant(&self, value: u64) -> Option<u64> {
        Some(value)
    }

    fn register(&self, _: Reg, _: i64) -> Result<Option<u64>, Fault> {
        Ok(None)
    }

    fn load(&self, _: Option<u64>, _: u8) -> Result<Option<u64>, Fault> {
        Ok(None)
    }

    fn unary(&self, op: Unary, value: Option<u64>) -> Result<Option<u64>, Fault> {
        Ok(value.map(|value| op.apply(value)))
    }

    fn binary(&self, op: Binary, left: Option<u64>, right: Option<u64>) -> Result<Option<u64>, Fault> {
        match (left, right) {
            (Some(left), Some(right)) => op.apply(left, right).map(Some).ok_or(Fault::Expression),
            (None, Some(0)) if matches!(op, Binary::Divide | Binary::Modulo) => Err(Fault::Expression),
            _ => Ok(None),
        }
    }

    fn number(&self, value: Option<u64>) -> Option<u64> {
        self.open.set(self.open.get() || value.is_none());
        value
    }

    fn unsupported(&self) -> Fault {
        self.open.set(true);
        Fault::Expression
    }
}

/// The stack of a run.
struct Items<V> {
    items: [V; DEPTH],
    len: usize,
}

impl<V: Copy> Items<V> {
    fn push(&mut self, value: V) -> Result<(), Fault> {
        *self.items.get_mut(self.len).ok_or(Fault::Expression)? = value;
        self.len = self.len.saturating_add(1);
        Ok(())
    }

    fn pop(&mut self) -> Result<V, Fault> {
        let value = self.peek(0)?;
        self.len = self.len.saturating_sub(1);
        Ok(value)
    }

    fn peek(&self, depth: u8) -> Result<V, Fault> {
        let index = self.len.checked_sub(1 + usize::from(depth)).ok_or(Fault::Expression)?;
        self.items.get(index).copied().ok_or(Fault::Expression)
    }
}

impl Unary {
    /// Applies the operation to a number.
    pub(crate) const fn apply(self, value: u64) -> u64 {
        match self {
            Unary::Abs => value.cast_signed().wrapping_abs().cast_unsigned(),
            Unary::Negate => value.wrapping_neg(),
            Unary::Not => !value,
        }
    }
}

impl Binary {
    /// Applies the operation to numbers; `None` for a division by zero. DWARF 5, 2.5.1.4: division
    /// and comparison are signed, modulo and `shr` unsigned.
    pub(crate) fn apply(self, left: u64, right: u64) -> Option<u64> {
        let (signed_left, signed_right) = (left.cast_signed(), right.cast_signed());
        let shift = u32::try_from(right).unwrap_or(u32::MAX);
        Some(match self {
            Binary::And => left & right,
            // The most negative number divided by -1 wraps to itself; only division by zero has no
            // result.
            Binary::Divide if signed_right == -1 => left.wrapping_neg(),
            Binary::Divide => signed_left.checked_div(signed_right)?.cast_unsigned(),
            Binary::Minus => left.wrapping_sub(right),
            Binary::Modulo => left.checked_rem(right)?,
            Binary::Multiply => left.wrapping_mul(right),
            Binary::Or => left | right,
            Binary::Plus => left.wrapping_add(right),
            Binary::ShiftLeft => left.checked_shl(shift).unwrap_or(0),
            Binary::ShiftRight => left.checked_shr(shift).unwrap_or(0),
            Binary::ShiftRightArithmetic => (signed_left >> shift.min(63)).cast_unsigned(),
            Binary::Xor => left ^ right,
            Binary::Equal => u64::from(left == right),
            Binary::GreaterOrEqual => u64::from(signed_left >= signed_right),
            Binary::Greater => u64::from(signed_left > signed_right),
            Binary::LessOrEqual => u64::from(signed_left <= signed_right),
            Binary::Less => u64::from(signed_left < signed_right),
            Binary::NotEqual => u64::from(left != right),
        })
    }
}

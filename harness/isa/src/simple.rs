//! Instructions that move integers, compute with them or branch by what came of it, and do nothing else: what a program that follows code
//! can do by itself, without an emulator. Registers have their DWARF numbers.

pub(crate) mod amd64;

use model::{Abi, Reg};

use crate::Code;
use crate::flow::Insn;

/// An instruction that is simple.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simple {
    /// What it does.
    pub does: Does,
    /// How much of the operands counts.
    pub size: Size,
    /// Where the result goes; the first operand of what takes two.
    pub to: Place,
    /// What is taken; the second operand.
    pub from: Place,
}

/// What an instruction does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Nothing.
    Nothing,
    /// `to` becomes `from`.
    Moves,
    /// `to` becomes `from`, of which so much is taken, without a sign.
    ZeroExtends(Size),
    /// `to` becomes `from`, of which so much is taken, with its sign.
    SignExtends(Size),
    /// `to` becomes the address of `from`.
    Addresses,
    /// `from` goes onto the stack.
    Pushes,
    /// The top of the stack goes to `to`.
    Pops,
    /// SP becomes FP, and FP is taken from the stack.
    Leaves,
    /// `to` becomes what is computed of it and `from`; flags.
    Computes(Operation),
    /// The flags alone.
    Compares(Operation),
    /// `to` becomes `from` if a condition holds.
    MovesIf(Condition),
    /// `to` becomes 1 if a condition holds, else 0.
    SetsIf(Condition),
    /// Control goes to `from` if a condition holds.
    BranchesIf(Condition),
    /// Control goes to `from`.
    Jumps,
}

/// How a value is computed. Of shifts and negations `from` is no more than the count or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as the instructions are")]
pub enum Operation {
    Add,
    Subtract,
    And,
    Or,
    Xor,
    Increment,
    Decrement,
    Negate,
    Not,
    ShiftLeft,
    ShiftRight,
    ShiftRightSigned,
}

/// A condition on the flags: one of eight, or its opposite (Intel SDM volume 1, appendix B).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// What is looked at.
    pub flags: Flags,
    /// It holds where this is not so.
    pub opposite: bool,
}

/// What of the flags a condition looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "named as the manual does")]
pub enum Flags {
    Overflow,
    Carry,
    Zero,
    CarryOrZero,
    Sign,
    Parity,
    /// Signed less than.
    Less,
    /// Signed less than or equal.
    LessOrEqual,
}

/// Bytes of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "a number each")]
pub enum Size {
    One,
    Two,
    Four,
    Eight,
}

impl Size {
    /// As a number.
    pub const fn bytes(self) -> usize {
        match self {
            Size::One => 1,
            Size::Two => 2,
            Size::Four => 4,
            Size::Eight => 8,
        }
    }

    /// All bits of it.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }

    /// The sign bit of it.
    pub const fn sign(self) -> u64 {
        1 << (8 * self.bytes() - 1)
    }
}

/// An operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A register, its lowest part where not all of it counts.
    Register(Reg),
    /// Memory.
    Memory(Address),
    /// The number itself.
    Value(u64),
}

/// Where in memory: base + index * scale + offset, modulo 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// Added, if any.
    pub base: Option<Reg>,
    /// Multiplied with so much and added, if any.
    pub index: Option<(Reg, u8)>,
    /// Added.
    pub offset: u64,
}

/// What does nothing, of a target of which simple instructions are known.
pub fn nothing(abi: Abi) -> Option<Simple> {
    let nowhere = Place::Value(0);
    match abi {
        Abi::Amd64 => Some(Simple { does: Does::Nothing, size: Size::Eight, to: nowhere, from: nowhere }),
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => None,
    }
}

/// The instruction that these bytes begin with, as [`crate::flow::decode`] has it, and what it does if it is simple. None of other targets than
/// AMD64 is.
pub fn decode(abi: Abi, code: &[u8], pc: u64) -> Option<(Insn, Option<Simple>)> {
    Code::new(abi, code, pc).simple(0)
}

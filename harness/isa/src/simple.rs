//! Instructions that move integers or vectors of them, compute with them or branch by what came of
//! it, and do nothing else: what a program that follows code can do by itself, without an emulator.
//! Registers have their DWARF numbers.

pub(crate) mod amd64;
mod vector;

use types::{Abi, Reg};

pub use vector::{Lanes, Vector};

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
    pub to: Operand,
    /// What is taken; the second operand.
    pub from: Operand,
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
    /// `to` and `from` become each other.
    Exchanges,
    /// `from` becomes `to`, and `to` the sum of both; flags.
    ExchangesAndAdds,
    /// `to` is compared with RAX, and becomes `from` if it is the same; else RAX becomes `to`.
    /// Flags.
    ComparesAndExchanges,
    /// RDX becomes all sign of RAX.
    SpreadsSign,
    /// RDX and RAX become the product of RAX and `from`, signed or not; flags.
    Multiplies(Signed),
    /// `to` becomes the product of `from` and a number; flags.
    MultipliesBy(i32),
    /// `to` is shifted, and what comes in is of `from`; flags.
    ShiftsIn(Side, Count),
    /// `to` becomes the number of the first bit of `from` that is set, from one end; flags.
    Finds(Side),
    /// Vectors: registers by their number.
    Vector(Vector),
}

/// Whether numbers have a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signed {
    Yes,
    No,
}

/// One side of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Of the highest bits; towards them.
    High,
    /// Of the lowest.
    Low,
}

/// How far something is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// So many bits.
    Constant(u8),
    /// What is in CL.
    Cl,
}

/// How a value is computed. Of shifts, rotations, bits and what takes one operand `from` is no more
/// than the count, the number of the bit or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    AddWithCarry,
    SubtractWithBorrow,
    /// Signed, as much of it as an operand has.
    Multiply,
    RotateLeft,
    RotateRight,
    SwapBytes,
    /// The carry becomes a bit, which is left as it is.
    TestBit,
    SetBit,
    ResetBit,
    ComplementBit,
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
pub enum Operand {
    /// A register, its lowest part where not all of it counts.
    Register(Reg),
    /// The second byte of a register.
    Second(Reg),
    /// A vector register.
    Vector(u8),
    /// Memory.
    Memory(Address),
    /// The number itself.
    Value(u64),
}

/// Where in memory: segment + base + index * scale + offset, modulo 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// What all of it is counted from.
    pub segment: Segment,
    /// Added, if any.
    pub base: Option<Reg>,
    /// Multiplied with so much and added, if any.
    pub index: Option<(Reg, u8)>,
    /// Added.
    pub offset: u64,
}

/// What addresses are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// 0.
    Flat,
    Fs,
    Gs,
}

/// What does nothing, of a target of which simple instructions are known.
pub fn nothing(abi: Abi) -> Option<Simple> {
    let nowhere = Operand::Value(0);
    match abi {
        Abi::Amd64 => Some(Simple { does: Does::Nothing, size: Size::Eight, to: nowhere, from: nowhere }),
        Abi::Aarch64 | Abi::Aarch64Be | Abi::S390x => None,
    }
}

/// The instruction that these bytes begin with, as [`crate::flow::decode`] has it, and what it does
/// if it is simple. None of other targets than AMD64 is.
pub fn decode(abi: Abi, code: &[u8], pc: u64) -> Option<(Insn, Option<Simple>)> {
    Code::new(abi, code, pc).simple(0)
}

//! Instructions that move integers or vectors, compute with them or branch on the
//! result, and do nothing else: those that a program can execute by itself, without an emulator.
//! Registers have their DWARF numbers.

pub(crate) mod amd64;
mod vector;

use types::{Abi, Reg};

pub use vector::{Lanes, Vector};

use crate::Code;
use crate::flow::Insn;

/// A simple instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simple {
    /// Its operation.
    pub does: Does,
    /// The width of the operands.
    pub size: Size,
    /// The destination; the first operand of an operation with two.
    pub to: Operand,
    /// The source; the second operand.
    pub from: Operand,
}

/// The operation of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Does {
    /// Nothing.
    Nothing,
    /// `to` = `from`.
    Moves,
    /// `to` = `from`, zero-extended from this width.
    ZeroExtends(Size),
    /// `to` = `from`, sign-extended from this width.
    SignExtends(Size),
    /// `to` = the address of `from`.
    Addresses,
    /// Pushes `from`.
    Pushes,
    /// Pops `to`.
    Pops,
    /// SP = FP, then pops FP (`leave`).
    Leaves,
    /// `to` = the operation on `to` and `from`; sets flags.
    Computes(Operation),
    /// Sets flags only.
    Compares(Operation),
    /// `to` = `from` if a condition is met.
    MovesIf(Condition),
    /// `to` = 1 if a condition is met, else 0.
    SetsIf(Condition),
    /// Jumps to `from` if a condition is met.
    BranchesIf(Condition),
    /// Jumps to `from`.
    Jumps,
    /// Exchanges `to` and `from`.
    Exchanges,
    /// Exchanges `to` and `from`, then `to` = their sum; sets flags (`xadd`).
    ExchangesAndAdds,
    /// Compares `to` with RAX: if they are equal, `to` = `from`, else RAX = `to` (`cmpxchg`).
    /// Sets flags.
    ComparesAndExchanges,
    /// RDX = the sign of RAX in every bit (`cqo`).
    SpreadsSign,
    /// RDX:RAX = RAX times `from`, signed or not; sets flags.
    Multiplies(Signed),
    /// `to` = `from` times a number; sets flags.
    MultipliesBy(i32),
    /// Shifts `to`, filling it with bits of `from`; sets flags (`shld`).
    ShiftsIn(Side, Count),
    /// `to` = the number of the first set bit of `from`, from one end; sets flags (`bsf`).
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
    /// That many bits.
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

/// The flags that a condition reads.
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

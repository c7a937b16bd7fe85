//! Instructions that move integers or vectors, compute with them or branch on the result, and do
//! nothing else: a program can execute these itself, without an emulator. The types of this module
//! are those of AMD64, with registers by their DWARF numbers.

pub mod aarch64;
pub(crate) mod amd64;
pub mod s390x;
mod vector;

use types::{Abi, Reg};

pub use vector::{Lanes, Vector};

use crate::Code;
use crate::flow::Insn;

/// A simple instruction of any ABI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executable {
    Amd64(Simple),
    Aarch64(aarch64::Simple),
    S390x(s390x::Simple),
}

impl Executable {
    /// A no-op.
    pub fn nothing(abi: Abi) -> Executable {
        match abi {
            Abi::Amd64 => {
                let nowhere = Operand::Value(0);
                Executable::Amd64(Simple { does: Does::Nothing, size: Size::Eight, to: nowhere, from: nowhere })
            }
            Abi::Aarch64 | Abi::Aarch64Be => Executable::Aarch64(aarch64::Simple::Nothing),
            Abi::S390x => Executable::S390x(s390x::Simple::Nothing),
        }
    }

    /// Returns true for a no-op.
    pub fn is_nothing(&self) -> bool {
        match self {
            Executable::Amd64(simple) => simple.does == Does::Nothing,
            Executable::Aarch64(simple) => *simple == aarch64::Simple::Nothing,
            Executable::S390x(simple) => *simple == s390x::Simple::Nothing,
        }
    }
}

/// A simple instruction of AMD64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simple {
    /// The operation.
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
    /// No effect.
    Nothing,
    /// `to` = `from`.
    Moves,
    /// `to` = `from`, zero-extended from this width.
    ZeroExtends(Size),
    /// `to` = `from`, sign-extended from this width.
    SignExtends(Size),
    /// `to` = the address of the memory operand `from`.
    Addresses,
    Pushes,
    Pops,
    /// Pushes the registers `from` and `to` (`push2`).
    PushesTwo,
    /// Pops the registers `from` and `to` (`pop2`).
    PopsTwo,
    /// SP = FP, then pops FP (`leave`).
    Leaves,
    /// `to` = the operation on `to` and `from`; sets flags.
    Computes(Operation),
    /// `to` = the operation on a register and `from`; sets flags.
    ComputesInto(Operation, Reg),
    /// Sets flags only.
    Compares(Operation),
    /// `to` = `from` if a condition is met.
    MovesIf(Condition),
    /// `to` = 1 if a condition is met, else 0.
    SetsIf(Condition),
    /// Jumps to `from` if a condition is met.
    BranchesIf(Condition),
    Jumps,
    Exchanges,
    /// Exchanges `to` and `from`, then `to` = their sum; sets flags (`xadd`).
    ExchangesAndAdds,
    /// Compares `to` with RAX: if they are equal, `to` = `from`, else RAX = `to` (`cmpxchg`).
    /// Sets flags.
    ComparesAndExchanges,
    /// RDX = the sign bit of RAX, copied to every bit (`cqo`).
    SpreadsSign,
    /// RDX:RAX = RAX times `from`; sets flags.
    Multiplies(Signed),
    /// `to` = `from` times a number; sets flags.
    MultipliesBy(i32),
    /// Shifts `to` and fills it with bits of `from`; sets flags (`shld`).
    ShiftsIn(Side, Count),
    /// `to` = the index of the first set bit of `from`, searched from the given side; sets flags
    /// (`bsf`).
    Finds(Side),
    /// An operation on vector registers, which have their hardware numbers.
    Vector(Vector),
}

/// Signedness of a multiplication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signed {
    Yes,
    No,
}

/// The high or the low end of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The highest bits; shifts go towards them.
    High,
    /// The lowest bits; shifts go towards them.
    Low,
}

/// A shift count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// A constant number of bits.
    Constant(u8),
    Cl,
}

/// A computation. `from` of shifts, rotations and bit tests is the count or the bit number; `from`
/// of operations with one operand is 0.
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
    /// Signed multiplication; the product is truncated to the operand size.
    Multiply,
    RotateLeft,
    RotateRight,
    SwapBytes,
    /// Copies a bit to the carry flag and leaves the operand unchanged.
    TestBit,
    SetBit,
    ResetBit,
    ComplementBit,
}

/// A condition on the flags: one of eight, or its negation (Intel SDM volume 1, appendix B).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The tested flags.
    pub flags: Flags,
    /// The condition is negated.
    pub opposite: bool,
}

/// Flag tests of conditions.
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

/// Size of an operand in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    One,
    Two,
    Four,
    Eight,
}

impl Size {
    pub const fn bytes(self) -> usize {
        match self {
            Size::One => 1,
            Size::Two => 2,
            Size::Four => 4,
            Size::Eight => 8,
        }
    }

    /// A mask of all bits of an operand.
    pub const fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * self.bytes())
    }

    /// A mask of the sign bit of an operand.
    pub const fn sign(self) -> u64 {
        1 << (8 * self.bytes() - 1)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// A register, or its lowest part if the operand is smaller.
    Register(Reg),
    /// The second-lowest byte of a register, such as AH.
    Second(Reg),
    /// A vector register.
    Vector(u8),
    Memory(Address),
    /// An immediate.
    Value(u64),
}

/// A memory address: segment + base + index * scale + offset, modulo 2^64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    pub segment: Segment,
    /// The base register, if any.
    pub base: Option<Reg>,
    /// The index register and its scale, if any.
    pub index: Option<(Reg, u8)>,
    /// The displacement.
    pub offset: u64,
}

/// The segment whose base is added to an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// A segment with base 0.
    Flat,
    Fs,
    Gs,
}

/// The instruction at the start of `code`, as from [`crate::flow::decode`], and its operation if it
/// is simple.
pub fn decode(abi: Abi, code: &[u8], pc: u64) -> Option<(Insn, Option<Executable>)> {
    Code::new(abi, code, pc).simple(0)
}

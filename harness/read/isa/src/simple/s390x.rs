//! Simple s390x instructions (z/Architecture Principles of Operation SA22-7832, chapters 5 and 7).

mod decode;

pub(crate) use decode::decode;

use super::{Operation, Size};
use crate::zarch;

/// A simple instruction. 32-bit results leave the upper half of a register unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simple {
    /// No effect.
    Nothing,
    /// The low part of `to`, of `size` bytes, = `from`.
    Moves {
        size: Size,
        to: u8,
        from: Operand,
        code: Code,
    },
    /// `to` = the operation on `first` and `second`.
    Computes {
        operation: Operation,
        size: Size,
        to: u8,
        first: Operand,
        second: Operand,
        code: Code,
    },
    /// `to` = `from`, made positive or negative.
    SetsSign {
        size: Size,
        to: u8,
        from: Operand,
        sign: Sign,
    },
    /// The bits of `to` in a mask = the operation on them and those of `second`.
    ComputesPart {
        operation: Part,
        to: u8,
        mask: u64,
        second: u64,
        code: Code,
    },
    /// Condition code of a comparison.
    Compares {
        size: Size,
        first: Operand,
        second: Operand,
        order: Order,
    },
    /// Condition code of the bits of `from` that a mask selects (`tm`, `tmll`).
    TestsBits {
        from: Operand,
        mask: u64,
        mixed: Mixed,
    },
    /// Stores the low part of `from`.
    Stores {
        size: Size,
        from: Operand,
        to: Address,
    },
    /// Memory = the operation on it and a value.
    ComputesInMemory {
        operation: Operation,
        size: Size,
        to: Address,
        second: u64,
        code: Code,
    },
    /// Loads or stores the low parts of registers `first` to `last`, from 15 on to 0.
    LoadsMultiple {
        size: Size,
        first: u8,
        last: u8,
        from: Address,
    },
    StoresMultiple {
        size: Size,
        first: u8,
        last: u8,
        to: Address,
    },
    /// `to` = `from` if a mask selects the condition code.
    MovesIf {
        mask: u8,
        size: Size,
        to: u8,
        from: Operand,
    },
    StoresIf {
        mask: u8,
        size: Size,
        from: u8,
        to: Address,
    },
    /// Bits of `to` = the operation on them and those of `from`, rotated to the left by `by`.
    RotatesThen {
        operation: Part,
        to: u8,
        from: u8,
        by: u8,
        selected: u64,
        rest: Rest,
        code: Code,
    },
    /// Bytes of memory, one by one from the lowest address on = the operation on both.
    CombinesBytes {
        operation: Part,
        length: u16,
        to: Address,
        from: Address,
    },
    /// Condition code of a comparison of bytes.
    ComparesBytes {
        length: u16,
        first: Address,
        second: Address,
    },
    /// The pair `to` and the next register = the 128-bit product of the second of them and a value.
    MultipliesWide {
        to: u8,
        second: Operand,
    },
    /// The low half of `to` = an access register.
    ReadsAccess {
        to: u8,
        number: u8,
    },
    /// A move from or to a floating-point register, of that many of its leftmost bytes.
    MovesFloat {
        size: Size,
        to: Place,
        from: Place,
    },
    /// Branches if a mask selects the condition code.
    BranchesIf {
        mask: u8,
        target: u64,
    },
    /// Jumps to the address in a register.
    Jumps(u8),
}

impl Simple {
    /// Returns true if the instruction reads or writes a floating-point register.
    pub fn uses_floats(&self) -> bool {
        matches!(self, Simple::MovesFloat { .. })
    }
}

/// An operand, extended to the operand size of the instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Value(u64),
    /// The low part of a register.
    Register(u8, Extension),
    Memory(Address, Extension),
    /// The reversed bytes of a part.
    Reversed(Place, Size),
    /// An address itself.
    Address(Address),
}

/// A part of an operand, and how it is extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extension {
    Zero(Size),
    Sign(Size),
    /// The lowest 31 bits.
    ThirtyOne,
}

/// A memory address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    At(u64),
    Of(zarch::Address),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Float(u8),
    General(u8),
    Memory(Address),
    /// Nowhere: the value is zero.
    Zero,
}

/// The condition code that an instruction sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    Kept,
    /// Zero, negative, positive, or overflow.
    Signed,
    /// Zero or not, and the carry.
    Logical,
    /// Zero or not.
    Bits,
}

/// The sign that a number gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    Positive,
    Negative,
    Opposite,
}

/// An operation on some bits of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Insert,
    And,
    Or,
    Xor,
}

/// The other bits of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Kept,
    Zero,
}

/// The order of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Signed,
    Unsigned,
}

/// The condition code of bits that are neither all zero nor all one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mixed {
    One,
    /// 1 if the leftmost selected bit is zero, else 2.
    ByLeftmost,
}

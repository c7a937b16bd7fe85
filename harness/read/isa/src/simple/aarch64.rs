//! Simple AArch64 instructions (Arm ARM DDI 0487, C4.1 for encodings, C6.2 and C7.2 for meanings).
//! Encodings whose effect is not defined are not simple.

mod decode;

pub(crate) use decode::decode;

use super::{Operation, Size};

/// A general register: 0 to 30, [`SP`] or [`ZERO`].
pub type Register = u8;

/// The stack pointer, by its DWARF number.
pub const SP: Register = 31;
/// The register that is always zero.
pub const ZERO: Register = 32;

/// A simple instruction. 32-bit results clear the upper half of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simple {
    /// No effect.
    Nothing,
    /// Signs, authenticates or strips the link register (`paciasp`, `autiasp`): the result depends
    /// on the instruction word, the link register and SP.
    Authenticates(u32),
    Sets {
        to: Register,
        value: u64,
    },
    /// 16 bits of `to` = a value, from bit `at` on (`movk`).
    SetsPart {
        to: Register,
        size: Size,
        value: u16,
        at: u8,
    },
    ReadsThreadPointer {
        to: Register,
    },
    Computes {
        operation: Operation,
        size: Size,
        to: Register,
        first: Register,
        second: Second,
        flags: Flags,
    },
    /// The flags of a comparison of `first` with `second` if a condition is met, else constant ones
    /// (`ccmp`, `ccmn`).
    ComparesIf {
        operation: Operation,
        size: Size,
        first: Register,
        second: Second,
        condition: u8,
        flags_if_not: u8,
    },
    /// `to` = `first` if a condition is met, else the change of `second`.
    Selects {
        size: Size,
        to: Register,
        first: Register,
        second: Register,
        condition: u8,
        change: Change,
    },
    /// The `width` bits of `from` from bit `first` on become those of `to` from bit `at` on.
    MovesField {
        size: Size,
        to: Register,
        from: Register,
        first: u8,
        at: u8,
        width: u8,
        rest: Rest,
    },
    /// `to` = bits of the concatenation of `high` and `low`, from bit `at` of `low` on.
    Extracts {
        size: Size,
        to: Register,
        high: Register,
        low: Register,
        at: u8,
    },
    /// `to` = `addend` plus or minus the product of `first` and `second`.
    MultipliesAndAdds {
        factors: Factors,
        to: Register,
        first: Register,
        second: Register,
        addend: Addend,
    },
    /// `to` = the upper half of the 128-bit product.
    MultipliesHigh {
        factors: Factors,
        to: Register,
        first: Register,
        second: Register,
    },
    /// `to` = `first` divided by `second`, 0 for a division by zero.
    Divides {
        factors: Factors,
        to: Register,
        first: Register,
        second: Register,
    },
    /// `to` = `from` in another order or counted.
    Rearranges {
        how: Rearrangement,
        size: Size,
        to: Register,
        from: Register,
    },
    /// Loads or stores one register, or two with consecutive operands in memory.
    Accesses {
        access: Access,
        size: Size,
        address: Address,
        registers: [Option<Register>; 2],
    },
    /// The same with vector registers, `bytes` bytes of each; a load clears the others.
    AccessesVectors {
        access: Access,
        bytes: u8,
        address: Address,
        vectors: [Option<u8>; 2],
    },
    /// A vector register = a value, after the combination with its old value.
    SetsVector {
        to: u8,
        value: u128,
        combination: Combination,
    },
    /// `to` = a bitwise operation on vector registers, of `bytes` bytes.
    CombinesVectors {
        combination: Combination,
        bytes: u8,
        to: u8,
        first: u8,
        second: u8,
    },
    /// The lowest `size` bytes of a vector register = a general register; clears the others.
    MovesToVector {
        to: u8,
        from: Register,
        size: Size,
    },
    /// All lanes of `bytes` bytes of a vector register = a general register.
    Duplicates {
        to: u8,
        from: Register,
        size: Size,
        bytes: u8,
    },
    MovesFromVector {
        to: Register,
        from: u8,
        lane: u8,
        size: Size,
    },
    /// Jumps to `target` if a condition on the flags is met.
    BranchesIf {
        condition: u8,
        target: u64,
    },
    /// Jumps to `target` if the bits of a register that `mask` selects are all zero, or if not.
    BranchesByBits {
        register: Register,
        mask: u64,
        when: When,
        target: u64,
    },
    /// Jumps to the address in a register.
    Jumps(Register),
}

impl Simple {
    /// Returns true if the instruction reads or writes a vector register.
    pub fn uses_vectors(&self) -> bool {
        matches!(
            self,
            Simple::AccessesVectors { .. }
                | Simple::SetsVector { .. }
                | Simple::CombinesVectors { .. }
                | Simple::MovesToVector { .. }
                | Simple::Duplicates { .. }
                | Simple::MovesFromVector { .. }
        )
    }
}

/// The second operand of a computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Second {
    Value(u64),
    Shifted(Register, Shift),
    /// The complement of a shifted register.
    Inverted(Register, Shift),
    /// A register, extended and then shifted to the left.
    Extended(Register, Extension),
}

/// A shift by a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shift {
    pub operation: Operation,
    pub by: u8,
}

/// The extension of a part of a register to 64 bits, followed by a shift to the left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extension {
    pub part: Size,
    pub rest: Rest,
    pub by: u8,
}

/// The effect of a computation on the flags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flags {
    Kept,
    Set,
}

/// The change of an operand that is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    None,
    Increment,
    Invert,
    Negate,
}

/// The other bits of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    Zero,
    /// Copies of the sign, above; zeros below.
    Sign,
    /// Unchanged.
    Kept,
}

/// The factors of a product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factors {
    Unsigned(Size),
    Signed(Size),
}

/// What a product is added to, or subtracted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addend {
    Plus(Register, Size),
    Minus(Register, Size),
}

/// The rearrangement of the bits of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rearrangement {
    ReversesBits,
    ReversesBytes(Size),
    CountsLeadingZeros,
    CountsLeadingSigns,
}

/// The direction of a memory access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Stores,
    /// Loads; the operand is extended to a size.
    Loads(Rest, Size),
}

/// A memory address. A base is changed after the access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Address {
    At(u64),
    Offset(Register, i64),
    /// The base becomes the address.
    Before(Register, i64),
    /// The address is the base, to which the offset is added afterwards.
    After(Register, i64),
    Indexed(Register, Register, Extension),
}

/// A bitwise combination; of a first and a second value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    Second,
    And,
    AndNot,
    Or,
    OrNot,
    Xor,
}

/// When a test of bits is met.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    Zero,
    NotZero,
}

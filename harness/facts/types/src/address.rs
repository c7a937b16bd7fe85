//! Addresses, registers, and the difference between an instruction and a return address.

use core::fmt;

/// The address of an instruction in the loaded image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Pc(pub u64);

/// A data address, usually of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Addr(pub u64);

/// A DWARF register number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Reg(pub u16);

/// A code address whose row is looked up. A return address may be the first byte after a function
/// that ends in a call, so the row of a caller is looked up one byte before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CodePoint {
    /// An instruction about to execute (or interrupted by a signal).
    Exact(Pc),
    /// A return address.
    AfterCall(Pc),
}

impl CodePoint {
    /// Address that the row has to cover.
    pub const fn lookup(self) -> Pc {
        match self {
            CodePoint::Exact(pc) => pc,
            CodePoint::AfterCall(pc) => Pc(pc.0.wrapping_sub(1)),
        }
    }

    /// Value of the program counter in the frame, as a DWARF expression reads it.
    pub const fn pc(self) -> Pc {
        match self {
            CodePoint::Exact(pc) | CodePoint::AfterCall(pc) => pc,
        }
    }
}

impl fmt::Display for Pc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Display for Addr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reg{}", self.0)
    }
}

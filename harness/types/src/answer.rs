//! A table's answer about a frame's caller, or why it has none.

use core::fmt;

use crate::{PacKey, Reg};

/// A table's answer for one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a caller.
    Caller(Caller),
    /// There is no caller: the table marks the return address as undefined.
    Outermost,
}

/// The caller as a table finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Canonical frame address.
    pub cfa: u64,
    /// The return address, with its pointer authentication code stripped where the row marks it as
    /// signed.
    pub ra: u64,
    /// The return address as found.
    pub raw_ra: u64,
    /// The key with which it is signed, according to the table.
    pub signed_by: Option<PacKey>,
    /// The table marks the PC of the signing instruction as part of the signature (PAuth_LR).
    pub signed_with_pc: bool,
    /// The caller's FP; `None` if the table marks it as undefined, or it is in a register whose
    /// value is unknown.
    ///
    /// A fault is of this value alone: the caller can be found without it.
    pub fp: Result<Option<u64>, Fault>,
    /// The caller's SP after the return.
    pub sp: u64,
    /// The frame is a signal frame: the caller's pc is exact, not a return address.
    pub signal: bool,
}

/// Why a table could not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Fault {
    /// No function descriptor covers the address.
    NoFunction,
    /// A function descriptor covers it but no row does.
    NoRow,
    /// The row gives no CFA.
    NoCfa,
    /// The rule needs a register whose value is not known in this frame.
    UnknownRegister {
        /// The register.
        reg: Reg,
    },
    /// The rule reads below the red zone: the word may already be overwritten.
    DeadMemory {
        /// The first byte that is read.
        address: u64,
    },
    /// The rule reads outside the stack.
    UnreadableMemory {
        /// The first byte that is read.
        address: u64,
    },
    /// A DWARF expression that could not be evaluated.
    Expression,
    /// The rule's arithmetic left the address space.
    Overflow,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoFunction => f.write_str("no FDE covers the address"),
            Fault::NoRow => f.write_str("no row covers the address"),
            Fault::NoCfa => f.write_str("the row gives no CFA"),
            Fault::UnknownRegister { reg } => write!(f, "the value of {reg} is not known in this frame"),
            Fault::DeadMemory { address } => write!(f, "reads dead stack at {address:#x}"),
            Fault::UnreadableMemory { address } => write!(f, "reads outside the stack at {address:#x}"),
            Fault::Expression => f.write_str("a DWARF expression that cannot be evaluated"),
            Fault::Overflow => f.write_str("address arithmetic overflows"),
        }
    }
}

//! A table's answer for a frame: the caller, or why there is none.

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

/// The caller's values as a table gives them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Canonical frame address.
    pub cfa: u64,
    /// Return address. Its pointer authentication code is stripped if the row marks it as signed.
    pub ra: u64,
    /// Return address before stripping.
    pub raw_ra: u64,
    /// Key that signs the return address according to the table.
    pub signed_by: Option<PacKey>,
    /// True if the table marks the PC of the signing instruction as part of the signature
    /// (PAuth_LR).
    pub signed_with_pc: bool,
    /// The caller's FP; `None` if the table marks it as undefined, or if it is in a register whose
    /// value is unknown.
    ///
    /// A fault here concerns FP alone: the rest of the caller is known.
    pub fp: Result<Option<u64>, Fault>,
    /// The caller's SP after the return.
    pub sp: u64,
    /// True if the frame is a signal frame: the caller's PC is exact, not a return address.
    pub signal: bool,
}

/// Why a table could not answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Fault {
    /// No function descriptor covers the address.
    NoFunction,
    /// A function descriptor covers the address but no row does.
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
    /// A DWARF expression could not be evaluated.
    Expression,
    /// The rule's result is not a valid 64-bit address.
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

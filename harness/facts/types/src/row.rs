//! The meaning of one table row, independent of the table format: rules for the caller's CFA,
//! return address and FP.
//!
//! Rules print as [`Equations`]: `[x]` is the 8-byte word at x, CFA is the frame's canonical frame
//! address.

use crate::{Abi, Equations, Location, Pc, Reg};
use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};

/// Rules that a table gives for a range of program counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwindRow {
    /// First address the row is valid for.
    pub start: Pc,
    /// First address after it.
    pub end: Pc,
    /// Rule for the CFA.
    pub cfa: CfaRule,
    /// Rule for the return address.
    pub ra: ValueRule,
    /// Rule for the caller's frame pointer.
    pub fp: ValueRule,
    /// AArch64: true if the return address contains a pointer authentication code.
    pub signed: bool,
    /// AArch64: the key that signs return addresses in this function.
    pub key: PacKey,
    /// AArch64: true if the address of the signing instruction is part of the signature (PAuth_LR).
    /// Only CFI can express this.
    pub signed_with_pc: bool,
    /// Rule for the caller's SP, if it is not at the ABI's distance from the CFA
    /// ([`crate::AbiFacts::caller_sp_minus_cfa`]). Only CFI has such a rule.
    pub sp: Option<ValueRule>,
    /// True if the kernel pushed the frame for a signal handler: the caller's PC is exact.
    pub signal: bool,
}

/// Rule for the CFA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum CfaRule {
    /// CFA = reg + offset.
    Register {
        /// Base register.
        reg: Reg,
        /// Bytes.
        offset: i64,
    },
    /// CFA = [reg + offset].
    Memory {
        /// Base register.
        reg: Reg,
        /// Bytes.
        offset: i64,
    },
    /// A DWARF expression that has no simpler form; the unwinder that made the row evaluates it.
    Expression(ExprId),
    /// The row gives no CFA (SFrame count-0 row, CFI `simple` without a CFA rule).
    Unspecified,
}

/// Rule for a value of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ValueRule {
    /// The register still holds the value.
    SameValue,
    /// The value cannot be recovered. For the return address: the frame is outermost.
    Undefined,
    /// [CFA + n].
    AtCfa(i64),
    /// CFA + n.
    CfaPlus(i64),
    /// reg + offset.
    Register {
        /// Base register.
        reg: Reg,
        /// Bytes.
        offset: i64,
    },
    /// [reg + offset].
    Memory {
        /// Base register.
        reg: Reg,
        /// Bytes.
        offset: i64,
    },
    /// A DWARF expression that has no simpler form; the unwinder that made the row evaluates it.
    Expression(ExprId),
}

/// Index of an expression in the unwinder that made the row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct ExprId(pub u32);

/// The AArch64 instruction key that signs a return address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub enum PacKey {
    /// APIAKey (`paciasp`).
    #[default]
    A,
    /// APIBKey (`pacibsp`).
    B,
}

impl UnwindRow {
    /// Returns true if the row covers the address.
    pub fn covers(&self, pc: Pc) -> bool {
        self.start <= pc && pc < self.end
    }

    /// The row without its address range.
    pub fn equations(&self, abi: Abi) -> Equations {
        Equations {
            abi,
            cfa: self.cfa,
            ra: Location::Rule(self.ra),
            fp: Location::Rule(self.fp),
            // The SP slot in the register save area is implied on ABIs whose functions save all
            // registers there.
            sp: self.sp.filter(|rule| !(abi.facts().sp_is_saved && matches!(rule, ValueRule::AtCfa(_)))),
            signed_by: self.signed.then_some(self.key),
            signed_with_pc: self.signed && self.signed_with_pc,
            signal: self.signal,
        }
    }

    /// The row as one line of text with the ABI's register names:
    /// `cfa=rsp+16 ra=[cfa-8] fp=[cfa-16]`.
    pub fn describe(&self, abi: Abi) -> String {
        self.equations(abi).to_string()
    }
}

impl CfaRule {
    /// The rule as text with the ABI's register names.
    pub fn describe(self, abi: Abi) -> String {
        match self {
            CfaRule::Register { reg, offset } => sum(abi, reg, offset),
            CfaRule::Memory { reg, offset } => format!("[{}]", sum(abi, reg, offset)),
            CfaRule::Expression(_) => "expression".to_owned(),
            CfaRule::Unspecified => "none".to_owned(),
        }
    }
}

impl ValueRule {
    /// The rule as text with the ABI's register names.
    pub fn describe(self, abi: Abi) -> String {
        match self {
            ValueRule::SameValue => "same".to_owned(),
            ValueRule::Undefined => "undefined".to_owned(),
            ValueRule::AtCfa(n) => format!("[cfa{n:+}]"),
            ValueRule::CfaPlus(n) => format!("cfa{n:+}"),
            ValueRule::Register { reg, offset } => sum(abi, reg, offset),
            ValueRule::Memory { reg, offset } => format!("[{}]", sum(abi, reg, offset)),
            ValueRule::Expression(_) => "expression".to_owned(),
        }
    }
}

fn sum(abi: Abi, reg: Reg, offset: i64) -> String {
    let name = abi.register_name(reg).unwrap_or_else(|| reg.to_string());
    if offset == 0 { name } else { format!("{name}{offset:+}") }
}

//! What a table or the machine gives for one frame, as values that print as text and can be
//! compared.

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;

mod read;
#[cfg(feature = "serde")]
mod written;

use core::fmt;

use crate::{Abi, Aspect, CfaRule, Fault, PacKey, ValueRule};

/// The values that a table or an execution gives for a frame. [`fmt::Display`] is the only place
/// that prints a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(from = "written::Written", into = "written::Written"))]
pub enum Claim {
    /// A row, and the fault that keeps it from being applied.
    Row(Equations, Option<RowFault>),
    /// The PC is in a function but no row covers it.
    NoRow,
    /// No function covers the PC, or there is no table.
    Nothing,
    /// [`Claim::NoRow`] or [`Claim::Nothing`], with the fault.
    Fault(Box<Claim>, Fault),
    /// Execution: the frame has no caller.
    NoCaller,
    /// Execution: the frame has no caller, because execution began in its function.
    BeganHere,
    /// Execution: the frame is this many callers up, and its registers are unknown.
    FramesUp(usize),
    /// Text of a claim, from results that hold only the text.
    Printed(String),
}

/// Why a row gives no caller, or no FP of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RowFault {
    /// The rule of FP cannot be applied, for this reason.
    Fp(Fault),
    /// The row cannot be applied, for this reason.
    Row(Fault),
    /// The row marks the frame as outermost: no caller.
    Outermost,
}

/// A row as equations: `cfa=rsp+16 ra=[cfa-8] fp=same`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Equations {
    /// ABI, for register names.
    pub abi: Abi,
    /// Rule for the CFA.
    pub cfa: CfaRule,
    /// Rule for the return address, or its location in an execution.
    pub ra: Location,
    /// Rule for the caller's FP, or its location in an execution.
    pub fp: Location,
    /// Rule for the caller's SP, if the row has one.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(with = "ValueRule"))]
    pub sp: Option<ValueRule>,
    /// AArch64: key that signed the return address.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(with = "PacKey"))]
    pub signed_by: Option<PacKey>,
    /// AArch64: true if the address of the signing instruction is part of the signature.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    #[cfg_attr(feature = "serde", schemars(extend("const" = true)))]
    pub signed_with_pc: bool,
    /// True for a signal frame.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    #[cfg_attr(feature = "serde", schemars(extend("const" = true)))]
    pub signal: bool,
}

/// Location of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Location {
    /// The location that a row's rule gives.
    Rule(ValueRule),
    /// Execution: the value is neither in a register nor in the frame.
    Elsewhere,
}

impl Claim {
    /// The equations, if the claim is a row.
    pub fn equations(&self) -> Option<&Equations> {
        self.row().map(|(equations, _)| equations)
    }

    /// The equations and the fault that keeps them from being applied, if the claim is a row.
    pub fn row(&self) -> Option<(&Equations, Option<RowFault>)> {
        match self {
            Claim::Row(equations, flaw) => Some((equations, *flaw)),
            Claim::NoRow
            | Claim::Nothing
            | Claim::Fault(..)
            | Claim::NoCaller
            | Claim::BeganHere
            | Claim::FramesUp(_)
            | Claim::Printed(_) => None,
        }
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Claim::Row(equations, None) => equations.fmt(f),
            Claim::Row(equations, Some(RowFault::Fp(fault))) => write!(f, "{equations}; FP: {fault}"),
            Claim::Row(equations, Some(RowFault::Row(fault))) => write!(f, "{equations}; {fault}"),
            Claim::Row(equations, Some(RowFault::Outermost)) => write!(f, "{equations}; no caller"),
            Claim::NoRow => f.write_str("no row"),
            Claim::Nothing => f.write_str("-"),
            Claim::Fault(claim, fault) => write!(f, "{claim}; {fault}"),
            Claim::NoCaller => f.write_str("no caller"),
            Claim::BeganHere => f.write_str("no caller: execution began here"),
            Claim::FramesUp(1) => f.write_str("1 frame up"),
            Claim::FramesUp(depth) => write!(f, "{depth} frames up"),
            Claim::Printed(text) => f.write_str(text),
        }
    }
}

impl Equations {
    /// Right-hand side of one equation as text; `None` if the aspect has no equation.
    pub fn term(&self, field: Aspect) -> Option<String> {
        match field {
            Aspect::Cfa => Some(self.cfa.describe(self.abi)),
            Aspect::Ra => Some(self.home(self.ra)),
            Aspect::Fp => Some(self.home(self.fp)),
            Aspect::Registers | Aspect::Structure | Aspect::Coverage => None,
        }
    }

    fn home(&self, home: Location) -> String {
        match home {
            Location::Rule(rule) => rule.describe(self.abi),
            Location::Elsewhere => "elsewhere".to_owned(),
        }
    }
}

impl fmt::Display for Equations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cfa={} ra={} fp={}", self.cfa.describe(self.abi), self.home(self.ra), self.home(self.fp))?;
        if let Some(sp) = self.sp {
            write!(f, " sp={}", sp.describe(self.abi))?;
        }
        match self.signed_by {
            None => {}
            Some(PacKey::A) => f.write_str(" signed:A")?,
            Some(PacKey::B) => f.write_str(" signed:B")?,
        }
        if self.signed_with_pc {
            f.write_str("+pc")?;
        }
        f.write_str(if self.signal { " signal" } else { "" })
    }
}

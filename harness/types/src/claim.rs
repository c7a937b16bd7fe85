//! What a table or the machine gives for one frame, as values that print as text and can be
//! compared.

use alloc::borrow::ToOwned as _;
use alloc::boxed::Box;
use alloc::string::String;

mod read;

use core::fmt;

use crate::{Abi, Aspect, CfaRule, Fault, PacKey, ValueRule};

/// What a table gives for a frame, or what execution showed. [`fmt::Display`] is the only place
/// that prints a row.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Claim {
    /// A row, and what keeps it from being applied.
    Row(Equations, Option<RowFault>),
    /// A function without a row at this place.
    NoRow,
    /// No function, or no table.
    Nothing,
    /// [`Claim::NoRow`] or [`Claim::Nothing`], and why it cannot be used.
    Fault(Box<Claim>, Fault),
    /// Execution: the frame has no caller.
    NoCaller,
    /// Execution: the frame has no caller, because execution began in its function.
    BeganHere,
    /// Execution: a frame this many callers up, whose registers are unknown.
    FramesUp(usize),
    /// The text of a claim, from results that hold no more than the text.
    Printed(String),
}

/// What keeps a row from giving a caller, or its FP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RowFault {
    /// The rule of FP cannot be applied.
    Fp(Fault),
    /// The row cannot be applied.
    Row(Fault),
    /// The row marks the frame as outermost: no caller.
    Outermost,
}

/// A row as equations: `cfa=rsp+16 ra=[cfa-8] fp=same`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Equations {
    /// The ABI, for names of registers.
    pub abi: Abi,
    /// How the CFA is found.
    pub cfa: CfaRule,
    /// How, or where, the return address is found.
    pub ra: Location,
    /// How, or where, the caller's FP is found.
    pub fp: Location,
    /// How the caller's SP is found, where the row has a rule for it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(with = "ValueRule"))]
    pub sp: Option<ValueRule>,
    /// AArch64: the key that signed the return address.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    #[cfg_attr(feature = "serde", schemars(with = "PacKey"))]
    pub signed_by: Option<PacKey>,
    /// AArch64: the address of the signing instruction is part of the signature.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    #[cfg_attr(feature = "serde", schemars(extend("const" = true)))]
    pub signed_with_pc: bool,
    /// A signal frame.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "core::ops::Not::not"))]
    #[cfg_attr(feature = "serde", schemars(extend("const" = true)))]
    pub signal: bool,
}

/// Where a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Location {
    /// As a rule of a row finds it.
    Rule(ValueRule),
    /// Execution: neither in a register nor in the frame.
    Elsewhere,
}

impl Claim {
    /// The equations, if the claim is a row.
    pub fn equations(&self) -> Option<&Equations> {
        self.row().map(|(equations, _)| equations)
    }

    /// The equations and what keeps them from being applied, if the claim is a row.
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
            Claim::Row(equations, Some(RowFault::Fp(fault))) => write!(f, "{equations}; FP {fault}"),
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
    /// The right side of one equation, as text; `None` if a finding is about no equation.
    pub fn term(&self, field: Aspect) -> Option<String> {
        match field {
            Aspect::Cfa => Some(self.cfa.describe(self.abi)),
            Aspect::Ra => Some(self.home(self.ra)),
            Aspect::Fp => Some(self.home(self.fp)),
            Aspect::Structure | Aspect::Coverage => None,
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

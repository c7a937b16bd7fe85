//! The rules of call frame information at a PC: DWARF 5, 6.4.1.

use std::collections::BTreeMap;

use types::{Abi, CfaRule, PacKey, Reg, ValueRule};

use super::expression::{Simple, evaluate};
use crate::reader::Meaning;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::blind) enum Cfa {
    /// No rule.
    #[default]
    Unspecified,
    /// Register and offset in bytes.
    Register(u64, i64),
    /// A DWARF expression, compared as bytes.
    Expression(Vec<u8>),
}

/// The rule for a register of the caller.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::blind) enum Rule {
    Undefined,
    SameValue,
    /// Saved at CFA + n.
    Offset(i64),
    /// The value is CFA + n.
    ValOffset(i64),
    Register(u64),
    /// Saved at the address that a DWARF expression gives.
    Expression(Vec<u8>),
    /// The value of a DWARF expression.
    ValExpression(Vec<u8>),
}

/// RA_SIGN_STATE (DWARF for the Arm 64-bit Architecture 2025Q4, 4.1): the return address has an
/// authentication code.
pub(in crate::blind) const SIGNED: u64 = 1;
/// The address of the signing instruction was a second modifier.
pub(in crate::blind) const WITH_PC: u64 = 2;

/// All rules at a PC.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::blind) struct Rules {
    pub(in crate::blind) cfa: Cfa,
    /// Rules by register number; registers without a rule are missing.
    pub(in crate::blind) registers: BTreeMap<u64, Rule>,
    /// AArch64: bits of RA_SIGN_STATE ([`SIGNED`], [`WITH_PC`]).
    pub(in crate::blind) ra_state: u64,
}

/// Attributes of a whole function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blind) struct Whole {
    /// Column of the return address.
    pub(in crate::blind) ra: u64,
    pub(in crate::blind) key: PacKey,
    /// The frame is a signal frame.
    pub(in crate::blind) signal: bool,
}

impl Rules {
    /// Returns true if a rule is an expression, whose result may depend on the PC.
    pub(in crate::blind) fn has_expression(&self) -> bool {
        let opaque = |rule: &Rule| matches!(rule, Rule::Expression(_) | Rule::ValExpression(_));
        matches!(self.cfa, Cfa::Expression(_)) || self.registers.values().any(opaque)
    }

    /// The part that SFrame can express. `None` if a rule has no form of [`Meaning`].
    pub(in crate::blind) fn meaning(&self, abi: Abi, pc: u64, whole: Whole) -> Option<Meaning> {
        let Whole { ra, key, signal } = whole;
        // Signing with the PC as well has no other form.
        if self.ra_state & WITH_PC != 0 {
            return None;
        }
        let cfa = match &self.cfa {
            Cfa::Register(reg, offset) => CfaRule::Register { reg: register(*reg)?, offset: *offset },
            Cfa::Expression(bytes) => match evaluate(abi, bytes, pc)? {
                Simple::Loaded(reg, offset) => CfaRule::Memory { reg, offset },
                Simple::Sum(reg, offset) => CfaRule::Register { reg, offset },
            },
            Cfa::Unspecified => CfaRule::Unspecified,
        };
        let value = |number: u64| {
            Some(match self.registers.get(&number) {
                None | Some(Rule::SameValue) => ValueRule::SameValue,
                Some(Rule::Undefined) => ValueRule::Undefined,
                Some(Rule::Offset(offset)) => ValueRule::AtCfa(*offset),
                Some(Rule::ValOffset(offset)) => ValueRule::CfaPlus(*offset),
                Some(Rule::Register(reg)) => ValueRule::Register { reg: register(*reg)?, offset: 0 },
                Some(Rule::Expression(bytes)) => match evaluate(abi, bytes, pc)? {
                    Simple::Sum(reg, offset) => ValueRule::Memory { reg, offset },
                    Simple::Loaded(..) => return None,
                },
                Some(Rule::ValExpression(bytes)) => match evaluate(abi, bytes, pc)? {
                    Simple::Sum(reg, offset) => ValueRule::Register { reg, offset },
                    Simple::Loaded(reg, offset) => ValueRule::Memory { reg, offset },
                },
            })
        };
        let fp = u64::from(abi.facts().fp.0);
        Some(Meaning {
            cfa,
            ra: value(ra)?,
            fp: value(fp)?,
            signed: (self.ra_state & SIGNED != 0).then_some(key),
            signal,
        })
    }
}

fn register(number: u64) -> Option<Reg> {
    u16::try_from(number).ok().map(Reg)
}

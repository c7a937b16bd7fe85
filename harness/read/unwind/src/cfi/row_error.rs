//! Why a row that can be decoded is meaningless on its ABI.

use types::{Abi, CfaRule, Reg, ValueRule};

use crate::arch::exists;
use crate::eval::Rules;

/// The reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RowError {
    /// A rule names a register that does not exist.
    Register,
    /// The return address has no rule, and by convention is not in its column either: the column is
    /// neither a general register nor the ABI's own.
    Column,
    /// The return address has no rule, and no register of the ABI holds it.
    NowhereHeld,
}

impl RowError {
    pub(super) fn from_registers(abi: Abi, rules: &[(Reg, ValueRule)]) -> Option<RowError> {
        let names = |rule: ValueRule| match rule {
            ValueRule::Register { reg, .. } | ValueRule::Memory { reg, .. } => Some(reg),
            ValueRule::SameValue
            | ValueRule::Undefined
            | ValueRule::AtCfa(_)
            | ValueRule::CfaPlus(_)
            | ValueRule::Expression(_) => None,
        };
        // Readers ignore rules for registers that they do not have (libgcc, unwind-dw2.c).
        let means =
            |(reg, rule): &(Reg, ValueRule)| !exists(abi, *reg) || names(*rule).is_none_or(|named| exists(abi, named));
        (!rules.iter().all(means)).then_some(RowError::Register)
    }

    /// The error in the rules that every step needs.
    pub(super) fn new(abi: Abi, rules: &Rules) -> Option<RowError> {
        let cfa = match rules.cfa {
            CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => Some(reg),
            CfaRule::Expression(_) | CfaRule::Unspecified => None,
        };
        if cfa.is_some_and(|reg| !exists(abi, reg)) {
            return Some(RowError::Register);
        }
        let (facts, column) = (abi.facts(), rules.ra_column);
        let is_held = column == facts.ra || column.0 < facts.general_registers;
        match rules.ra == ValueRule::SameValue {
            true if column == facts.ra && !facts.link_register => Some(RowError::NowhereHeld),
            true if !is_held => Some(RowError::Column),
            _ => None,
        }
    }
}

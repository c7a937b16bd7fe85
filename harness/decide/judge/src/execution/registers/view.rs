//! A frame to which a row of `.eh_frame` is applied, and what its rules give there.

use types::{CodePoint, Fault, Preserved, Reg, RegFile, RegisterSet, Stack, Step, Unrestored, ValueRule};
use unwind::{CfiUnwinder, RowId};

use crate::slot::Slot;
use crate::tables::Tables;

/// What a rule gives.
#[derive(Clone, Copy)]
pub(super) enum Gives {
    Value(u64),
    /// The value that the register had at a landing pad.
    Landed(u64),
    /// A word of the stack below SP.
    DeadStack,
}

impl Gives {
    pub(super) fn is(self, value: u64) -> bool {
        matches!(self, Gives::Value(given) | Gives::Landed(given) if given == value)
    }
}

/// A frame to which a row is applied: its code, registers and stack.
#[derive(Clone, Copy)]
pub(super) struct View<'s> {
    pub(super) at: CodePoint,
    pub(super) regs: &'s dyn RegFile,
    pub(super) stack: &'s Stack<'s>,
}

impl<'s> View<'s> {
    /// The innermost frame.
    pub(super) fn innermost(step: &'s Step<'s>) -> View<'s> {
        View { at: CodePoint::Exact(step.pc), regs: &step.regs, stack: &step.stack }
    }
}

/// What a rule of a row gives for a register in a frame with this CFA; `None` if it claims nothing,
/// or cannot be evaluated.
pub(super) fn gives(table: &CfiUnwinder, view: View<'_>, row: RowId, of: (Reg, ValueRule), cfa: u64) -> Option<Gives> {
    if of.1 == ValueRule::Undefined {
        return None;
    }
    let cfa = table.own_cfa(row, view.at, view.regs, view.stack).unwrap_or(cfa);
    match table.value(of, cfa, view.at, view.regs, view.stack) {
        Ok(value) => Some(Gives::Value(value)),
        Err(Fault::DeadMemory { .. }) => Some(Gives::DeadStack),
        Err(_) => None,
    }
}

/// The registers that the row of `.eh_frame` for a step does not restore.
pub(in crate::execution) fn unrestored(
    tables: &Tables,
    step: &Step<'_>,
    slot: Slot,
    preserved: &Preserved<'_>,
) -> Unrestored {
    let mut found = Unrestored::default();
    let (Some(table), Slot::Row(row), Some(frame)) = (&tables.cfi, slot, step.frames.innermost()) else {
        return found;
    };
    let mut without_rule = preserved.all;
    for of in table.register_rules(row) {
        if !preserved.all.has(of.0) || of.1 == ValueRule::SameValue {
            continue;
        }
        without_rule = without_rule.without(RegisterSet::one(of.0));
        let entered = preserved.entered.iter().find(|(reg, _)| *reg == of.0);
        let gives = gives(table, View::innermost(step), row, *of, frame.cfa);
        if entered.zip(gives).is_some_and(|((_, entered), gives)| !gives.is(*entered)) {
            found.wrong.insert(of.0);
        }
        if matches!(gives, Some(Gives::DeadStack)) {
            found.dead.insert(of.0);
        }
    }
    found.missing = without_rule.without(preserved.intact);
    found
}

//! Rows at a PC: rules that depend on the program counter, evaluated there, with the range in which
//! the result is the same.

use types::{CfaRule, Pc, Reg, UnwindRow, ValueRule};

use super::table::{Row, Table};
use crate::symbol::{self, PcContext};

/// How far around a PC a form is followed in each direction, in bytes. PLT entries, whose rules
/// depend on the PC, are 16 or 32 bytes long.
const REACH: u64 = 64;

/// The rules of CFA, RA, FP and the caller's SP.
pub(super) type Form = (CfaRule, ValueRule, ValueRule, Option<ValueRule>);

impl Table {
    /// The row around a pc.
    pub(super) fn instantiate(&self, row: &Row<'_>, pc: Pc, pc_register: Reg) -> UnwindRow {
        let form = self.form(row, pc, pc_register);
        let (mut start, mut end) = (row.start, row.end);
        if self.depends_on_pc(row) && row.start <= pc.0 && pc.0 < row.end {
            let same = |address: &u64| self.form(row, Pc(*address), pc_register) == form;
            let lowest = pc.0.saturating_sub(REACH).max(row.start);
            let highest = pc.0.saturating_add(REACH).min(row.end);
            start = (lowest..pc.0).rev().take_while(same).last().unwrap_or(pc.0);
            end = (pc.0..highest).take_while(same).last().map_or(highest, |last| last.saturating_add(1));
        }
        let (cfa, ra, fp, sp) = form;
        UnwindRow {
            start: Pc(start),
            end: Pc(end),
            cfa,
            ra,
            fp,
            signed: row.set.rules.signed_by.is_some(),
            key: row.set.key,
            signed_with_pc: row.set.rules.signed_with_pc,
            sp,
            signal: row.set.rules.signal,
        }
    }

    /// The simplest form of the row's rules at a pc.
    pub(super) fn form(&self, row: &Row<'_>, pc: Pc, pc_register: Reg) -> Form {
        let at = PcContext { pc_register, pc: Some(pc) };
        let value = |rule| match rule {
            ValueRule::Expression(id) if self.programs.reads_pc(id) => {
                let simpler = self.programs.get(id).and_then(|(ops, purpose)| symbol::value_rule(ops, purpose, at));
                simpler.unwrap_or(rule)
            }
            rule => rule,
        };
        let cfa = match row.set.rules.cfa {
            CfaRule::Expression(id) if self.programs.reads_pc(id) => {
                self.programs.get(id).and_then(|(ops, _)| symbol::cfa_rule(ops, at)).unwrap_or(row.set.rules.cfa)
            }
            cfa => cfa,
        };
        (cfa, value(row.set.rules.ra), value(row.set.rules.fp), row.set.rules.sp.map(value))
    }

    /// Returns true if the rules of the row depend on the PC.
    pub(super) fn depends_on_pc(&self, row: &Row<'_>) -> bool {
        let value = |rule| matches!(rule, ValueRule::Expression(id) if self.programs.reads_pc(id));
        matches!(row.set.rules.cfa, CfaRule::Expression(id) if self.programs.reads_pc(id))
            || value(row.set.rules.ra)
            || value(row.set.rules.fp)
            || row.set.rules.sp.is_some_and(value)
    }
}

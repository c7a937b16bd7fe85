//! Whether the rows of one function can be synchronous.

use isa::flow::{self, Flow};
use types::{CfaRule, ValueRule};
use unwind::FunctionRange;

use super::Subject;
use crate::tables::ra_of_call;

impl Subject<'_> {
    /// Returns true if a function begins as a call leaves it, has no row for an epilogue, and is
    /// right at its calls. `wrong`: its wrong ranges.
    pub(super) fn is_synchronous(self, function: &FunctionRange, wrong: &[(u64, u64)]) -> bool {
        self.begins_as_called(function)
            && !self.returns_to_entry(function)
            && self.calls_wrong(function, wrong) == Some(false)
    }

    fn begins_as_called(self, function: &FunctionRange) -> bool {
        let facts = self.image.abi.facts();
        let cfa = CfaRule::Register { reg: facts.sp, offset: facts.cfa_minus_sp_at_entry };
        self.rules(self.table, function.start).is_some_and(|row| {
            row.cfa == cfa && row.ra == ra_of_call(facts) && row.fp == ValueRule::SameValue && !row.signed
        })
    }

    /// Returns true if the CFA of the entry holds again after another: after an epilogue.
    fn returns_to_entry(self, function: &FunctionRange) -> bool {
        let cfa = |pc| self.rules(self.table, pc).map(|row| row.cfa);
        let entry = cfa(function.start);
        let rows = self.tables.boundaries(self.table, function).map(cfa);
        rows.skip_while(|row| *row == entry).any(|row| row == entry)
    }

    /// Returns true if a call is in a wrong range; `None` if an instruction cannot be decoded.
    fn calls_wrong(self, function: &FunctionRange, wrong: &[(u64, u64)]) -> Option<bool> {
        for (start, end) in wrong {
            let mut pc = (*start).max(function.start.0);
            while pc < *end {
                let insn = flow::decode(self.image.abi, self.image.bytes_at(pc)?, pc)?;
                if matches!(insn.flow, Flow::Call(_) | Flow::IndirectCall) {
                    return Some(true);
                }
                pc = pc.checked_add(u64::from(insn.length.max(1)))?;
            }
        }
        Some(false)
    }
}

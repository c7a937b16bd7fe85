//! Corrections of the verdict on one answer that need no more than the frame: rows that describe
//! code by a convention of its own, on purpose, are not wrong, and some refusals are wrong answers.

use types::{AbiFacts, Answer, CfaRule, Fault, Field, Frame, Pc, UndecidedCause, ValueRule, Verdict};

use super::answers::Answers;
use super::doubts::extent;
use crate::blame::Table;
use crate::conventions::Convention;
use crate::instructions::is_in_stub;
use crate::saves::Saves;
use crate::verdict::verdict;
use crate::witness::Witness;

impl Answers<'_> {
    /// The verdict on a table's answer, corrected.
    pub(super) fn corrected(&self, table: Table, verdict: Verdict, saves: &Saves) -> Verdict {
        let verdict = self.leaving(table, self.mid_chain(verdict));
        let verdict = match table {
            Table::Sframe => verdict,
            Table::EhFrame => self.jumping(verdict),
        };
        self.by_runtime(table, self.in_nameless_stub(table, verdict), saves)
    }

    /// Makes an answer wrong that takes a caller's return address from the link register: in a
    /// caller's frame that register has been overwritten, so the row is wrong and not merely unable
    /// to answer. (It is usable in the innermost frame only.)
    fn mid_chain(&self, verdict: Verdict) -> Verdict {
        let facts = self.image.abi.facts();
        match verdict {
            Verdict::Refused(Fault::UnknownRegister { reg })
                if self.is_of_a_caller() && facts.link_register && reg == facts.ra =>
            {
                Verdict::Wrong(Field::Ra)
            }
            other => other,
        }
    }

    /// Leaves rows of a longjmp's last instructions undecided. They may be described, on purpose,
    /// as if the jump were done: the row's CFA is based on neither SP nor FP, and its caller is not
    /// a live frame but the return address of an earlier call of a live function. The true frames
    /// cannot judge such a row.
    fn leaving(&self, table: Table, verdict: Verdict) -> Verdict {
        let facts = self.image.abi.facts();
        let (Verdict::Wrong(_), Some(row), Some(Ok(Answer::Caller(caller)))) =
            (verdict, self.rules(table), self.answer(table))
        else {
            return verdict;
        };
        let caller_sp = |frame: &Frame| frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
        let live = self.step.frames.iter().any(|frame| frame.ra.0 == caller.ra && caller_sp(frame) == caller.sp);
        match is_based_elsewhere(row.cfa, facts) && !live && self.step.earlier_calls.came_back(caller.ra, caller.sp) {
            true => Verdict::Undecided(UndecidedCause::Leaving),
            false => verdict,
        }
    }

    /// Accepts thunks that jump to an address in a register. They may be described, on purpose, as
    /// if they had already jumped: by a CIE whose return address column is that register, as a
    /// signal frame with all registers unchanged (s390x, `__s390_indirect_jump_r1`).
    fn jumping(&self, verdict: Verdict) -> Verdict {
        let (Verdict::Wrong(_), 0, Some(Ok(Answer::Caller(caller)))) = (verdict, self.depth, &self.given.eh_frame)
        else {
            return verdict;
        };
        let regs = &self.step.regs;
        let own = self.tables.cfi.as_ref().is_some_and(|table| table.has_own_convention(self.pc()));
        let is_here = caller.sp == regs.sp && caller.fp.is_ok_and(|fp| fp == Some(regs.fp));
        if own && caller.signal && is_here { Verdict::Undecided(UndecidedCause::OwnConvention) } else { verdict }
    }

    /// Makes an answer for the caller's frame undecided in code without a symbol that a call within
    /// one descriptor leads to: a function, or a stub of the caller, such as a retpoline. Accepts
    /// an answer for a stub's own frame.
    fn in_nameless_stub(&self, table: Table, old: Verdict) -> Verdict {
        let (Verdict::Wrong(_), 0, Some(answer), Some(frame)) = (old, self.depth, self.answer(table), self.truth)
        else {
            return old;
        };
        let (pc, around) = (self.pc(), self.step.frames.iter().nth(1));
        if self.is_called_stub(answer, pc) {
            return Verdict::Agree;
        }
        let (start, end) = extent(self.image, self.tables, pc);
        let is_inside = start < pc.0 && (start..end).contains(&frame.ra.0.wrapping_sub(1));
        let is_nameless = self.image.function_at(pc).is_none();
        let is_around = || around.is_some() && verdict(answer, around, &self.bounds()) == Verdict::Agree;
        match is_inside && is_nameless && is_around() {
            true => Verdict::Undecided(UndecidedCause::OwnConvention),
            false => old,
        }
    }

    /// Returns true if an answer takes a stub for a function that the code around it called: the
    /// return address is in the link register. Rows for the frame of that code are right too. gcc
    /// emits stubs after the last instruction (`-mharden-sls=blr`), with the rows that hold there.
    fn is_called_stub(&self, answer: &Result<Answer, Fault>, pc: Pc) -> bool {
        let (Ok(Answer::Caller(caller)), regs) = (answer, &self.step.regs) else { return false };
        let facts = self.image.abi.facts();
        let entered = regs.sp.wrapping_add_signed(facts.cfa_minus_sp_at_entry);
        let is_as_called = (caller.cfa, caller.ra, caller.fp) == (entered, regs.ra, Ok(Some(regs.fp)));
        facts.link_register && is_as_called && is_in_stub(self.image, pc, Pc(regs.ra))
    }

    /// Makes a wrong answer undecided that only the convention of a runtime makes wrong.
    fn by_runtime(&self, table: Table, verdict: Verdict, saves: &Saves) -> Verdict {
        let Verdict::Wrong(field) = verdict else { return verdict };
        let function = self.image.function_at(self.pc());
        let Some(convention) = function.and_then(|function| Convention::of_function(function.name.as_str())) else {
            return verdict;
        };
        let is_same = || self.rules(table).is_some_and(|row| row.fp == ValueRule::SameValue);
        let is_lost = || Witness::new(self.step, saves, self.tables, self.image).has_lost_fp();
        let cfa_off_by = match (self.answer(table), self.truth) {
            (Some(Ok(Answer::Caller(caller))), Some(truth)) => Some(caller.cfa.abs_diff(truth.cfa)),
            _ => None,
        };
        let has_lost_fp = || self.depth == 0 && is_same() && is_lost();
        convention.excuses(field, has_lost_fp, cfa_off_by).map_or(verdict, Verdict::Undecided)
    }
}

/// Returns true if a CFA is based on neither SP nor FP.
pub(super) fn is_based_elsewhere(cfa: CfaRule, facts: &AbiFacts) -> bool {
    match cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => reg != facts.sp && reg != facts.fp,
        CfaRule::Expression(_) => true,
        CfaRule::Unspecified => false,
    }
}

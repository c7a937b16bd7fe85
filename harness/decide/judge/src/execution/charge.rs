//! Decides what happens with answers that are not right: blame a tool, leave them undecided, or
//! wait.

use results::Blame;
use spec::Severity;
use types::{AbiFacts, Answer, CfaRule, Fault, Field, Frame, Pc, Reg, UndecidedCause, UnwindRow, ValueRule, Verdict};
use unwind::Unwinder;

use super::doubts::extent;
use super::waiting::{Landing, Wait};
use super::{Answers, Judge, findings};
use crate::blame::{Origin, Table, Verdicts, alike, alone, charges};
use crate::compare::Shared;
use crate::conventions::Convention;
use crate::instructions::is_in_stub;
use crate::slot::Slot;
use crate::tables::origin;
use crate::verdict::judge;
use crate::witness::Witness;

/// A table's wrong answer, with the wrong field.
struct Mistaken<'s> {
    table: Table,
    field: Field,
    answer: &'s Result<Answer, Fault>,
}

/// What the finding about each table waits for, if it waits.
#[derive(Clone, Copy)]
struct Waits {
    sframe: Option<Wait>,
    eh_frame: Option<Wait>,
}

impl Waits {
    const fn for_table(self, table: Table) -> Option<Wait> {
        match table {
            Table::Sframe => self.sframe,
            Table::EhFrame => self.eh_frame,
        }
    }

    /// Makes both tables wait for the same event if either waits.
    fn as_one(self) -> Waits {
        let both = match (self.sframe, self.eh_frame) {
            // Any wrong answer could be a landing; the end of the function decides.
            (Some(Wait::Leaving(_)) | None, Some(other)) => Some(other),
            (one, _) => one,
        };
        Waits { sframe: both, eh_frame: both }
    }

    /// Returns true if this table does not wait, and the other waits and may be right.
    fn only_other(self, table: Table) -> bool {
        let other = match table {
            Table::Sframe => self.eh_frame,
            Table::EhFrame => self.sframe,
        };
        self.for_table(table).is_none() && other.is_some()
    }
}

impl Judge<'_> {
    #[cold]
    pub(super) fn charge(&mut self, answers: &Answers<'_>, sframe: Option<Verdict>, cfi: Option<Verdict>) {
        let sframe = sframe.map(|verdict| self.mid_chain(answers, verdict));
        let sframe = sframe
            .map(|verdict| leaving(self.tables.sframe.as_ref(), answers, answers.slots.0, &answers.sframe, verdict));
        let cfi = cfi.map(|verdict| self.mid_chain(answers, verdict));
        let cfi = cfi.map(|verdict| leaving(self.tables.cfi.as_ref(), answers, answers.slots.1, &answers.cfi, verdict));
        let cfi = cfi.map(|verdict| self.jumping(answers, verdict));
        let sframe = sframe.map(|verdict| self.in_nameless_stub(answers, &answers.sframe, verdict));
        let cfi = cfi.map(|verdict| self.in_nameless_stub(answers, &answers.cfi, verdict));
        let sframe = sframe.map(|verdict| self.by_runtime(answers, Table::Sframe, verdict));
        let cfi = cfi.map(|verdict| self.by_runtime(answers, Table::EhFrame, verdict));
        let (sframe, cfi) = self.without_lost(answers, sframe, cfi);
        let shared = self.shared(answers);
        let waits = self.waits(answers, sframe, cfi, shared);
        let pc = answers.at.lookup();
        let refused = |verdict| matches!(verdict, Some(Verdict::Refused(_)));
        self.counts.refused += u64::from(answers.depth == 0 && (refused(sframe) || refused(cfi)));
        for (table, verdict, wait) in [(Table::Sframe, sframe, waits.sframe), (Table::EhFrame, cfi, waits.eh_frame)] {
            let Some(verdict) = verdict else { continue };
            match (verdict, wait) {
                (Verdict::Wrong(field), Some(wait)) => {
                    self.undecided(wait.why(), pc);
                    if let Some(pending) = self.waiting.pending(wait) {
                        pending.undecided.add(wait.why(), pc);
                    }
                    if let (Wait::Overwritten(level), Some(answer), Some(truth)) =
                        (wait, answers.of(table), answers.truth)
                        && let Some(landing) = Landing::overwritten(answer, field, truth, self.facts)
                    {
                        self.waiting.overwritten.await_landing(level, landing, wait.why(), pc);
                    }
                }
                (Verdict::Undecided(why), _) => {
                    self.undecided(why, pc);
                    self.await_landing(answers, table, why);
                }
                (Verdict::Refused(Fault::UnknownRegister { .. }), _) if answers.depth > 0 => self.counts.stopped += 1,
                (Verdict::Refused(fault), _) => self.refuse(pc, table, fault),
                (Verdict::Agree | Verdict::Wrong(_) | Verdict::Missing, _) => {}
            }
        }
        if answers.is_of_a_caller() && matches!(sframe, Some(Verdict::Refused(Fault::UnknownRegister { .. }))) {
            findings::stopped(self, answers);
        }
        let same = matches!((&answers.sframe, &answers.cfi), (Some(a), Some(b)) if alike(a, b));
        let verdicts = Verdicts { sframe, eh_frame: cfi, alike: same, shared };
        let origin = origin(self.image, answers.at.lookup().0);
        let charges = charges(&verdicts, origin);
        // If both tables are wrong in the same way there is one charge, and it does not decide
        // about a difference between the two rows.
        let wrong = [sframe, cfi].iter().filter(|verdict| matches!(verdict, Some(Verdict::Wrong(_)))).count();
        let settled = charges.iter().flatten().count() == wrong;
        for mut charge in charges.into_iter().flatten() {
            if waits.only_other(charge.table) {
                charge.blame = alone(charge.table, origin);
            }
            let began_here = answers.truth.is_none();
            if charge.verdict == Verdict::Wrong(Field::Outermost) && began_here && !self.outermost_is_real {
                continue;
            }
            let wait = waits.for_table(charge.table);
            if findings::charge(self, answers, charge, (sframe, cfi), wait) == Severity::Error && settled {
                match wait.and_then(|wait| self.waiting.pending(wait)) {
                    Some(pending) => pending.charged.insert(answers.slots),
                    None => self.charged.insert(answers.slots),
                };
            }
        }
        let rowless = sframe == Some(Verdict::Missing) && answers.slots.0 == Slot::NoRow;
        if rowless && !self.tables.is_rowless_signal_frame(answers.at.lookup()) {
            let undescribed = !matches!(answers.slots.1, Slot::Row(_)) && answers.truth.is_some();
            match (cfi, origin) {
                (Some(Verdict::Agree), _) => findings::missing_row(self, answers, origin.blame()),
                (_, Origin::LinkerMade) if undescribed => findings::missing_row(self, answers, Blame::Linker),
                _ if undescribed => findings::missing_row(self, answers, Blame::Undetermined),
                _ => {}
            }
        }
    }

    /// The fields that both rows give by the same rule.
    fn shared(&self, answers: &Answers<'_>) -> Shared {
        let pc = answers.at.lookup();
        match (&self.tables.sframe, answers.slots.0, &self.tables.cfi, answers.slots.1) {
            (Some(table), Slot::Row(a), Some(other), Slot::Row(b)) => {
                Shared::new(self.image.abi.facts(), &table.rules(a, pc), &other.rules(b, pc))
            }
            _ => Shared::default(),
        }
    }

    /// What the findings about a frame wait for, each table's separately: an additional error of
    /// one table is charged now.
    fn waits(&mut self, answers: &Answers<'_>, sframe: Option<Verdict>, cfi: Option<Verdict>, shared: Shared) -> Waits {
        let one_is_right = [sframe, cfi].contains(&Some(Verdict::Agree));
        let wait = |table, verdict, answer: &Option<Result<Answer, Fault>>| match (verdict, answer) {
            (Some(Verdict::Wrong(field)), Some(answer)) => {
                self.wait(answers, &Mistaken { table, field, answer }, one_is_right)
            }
            _ => None,
        };
        let waits = Waits {
            sframe: wait(Table::Sframe, sframe, &answers.sframe),
            eh_frame: wait(Table::EhFrame, cfi, &answers.cfi),
        };
        for (verdict, wait) in [(sframe, waits.sframe), (cfi, waits.eh_frame)] {
            if let (Some(Verdict::Wrong(field)), Some(Wait::Overwritten(level)), Some(truth)) =
                (verdict, wait, answers.truth)
            {
                self.waiting.overwritten.lose(level, field, truth);
            }
        }
        match (sframe, cfi) {
            // By the same rule both are wrong, or both right.
            (Some(Verdict::Wrong(a)), Some(Verdict::Wrong(b))) if a == b && shared.has(a) => waits.as_one(),
            _ => waits,
        }
    }

    /// What a finding about a frame waits for. `one_is_right`: the other table's row is right, so
    /// the true frame is not in doubt.
    fn wait(&self, answers: &Answers<'_>, wrong: &Mistaken<'_>, one_is_right: bool) -> Option<Wait> {
        let level = answers.step.frames.depth().checked_sub(answers.depth)?;
        let truth = answers.truth?;
        if self.is_lowered(level, truth, answers, wrong) {
            return Some(Wait::Lowered(level));
        }
        if one_is_right {
            return None;
        }
        if self.is_overwritten(level, truth, answers, wrong) {
            return Some(Wait::Overwritten(level));
        }
        let kept_elsewhere = || self.restores_context(answers, wrong).then_some(Landing::ANYWHERE);
        let landing = Landing::new(wrong.answer, wrong.field, truth).or_else(kept_elsewhere)?;
        (answers.depth == 0 && self.waiting.may_leave(landing)).then_some(Wait::Leaving(landing))
    }

    /// Returns true if a row describes the target of a jump between contexts, as [`leaving`]
    /// defines it, by values that are on no stack: a `setcontext`.
    fn restores_context(&self, answers: &Answers<'_>, wrong: &Mistaken<'_>) -> bool {
        let facts = answers.step.regs.abi.facts();
        let restores = |row: UnwindRow| row.sp.is_some() && !row.signal && counts_elsewhere(row.cfa, facts);
        matches!(wrong.answer, Err(Fault::UnreadableMemory { .. }))
            && self.rules(answers, wrong.table).is_some_and(restores)
    }

    /// The row of a table that an answer comes from.
    fn rules(&self, answers: &Answers<'_>, table: Table) -> Option<UnwindRow> {
        let pc = answers.at.lookup();
        match (table, answers.slots) {
            (Table::Sframe, (Slot::Row(row), _)) => Some(self.tables.sframe.as_ref()?.rules(row, pc)),
            (Table::EhFrame, (_, Slot::Row(row))) => Some(self.tables.cfi.as_ref()?.rules(row, pc)),
            _ => None,
        }
    }

    /// Makes a wrong answer undecided that only the convention of a runtime makes wrong.
    fn by_runtime(&self, answers: &Answers<'_>, table: Table, verdict: Verdict) -> Verdict {
        let Verdict::Wrong(field) = verdict else { return verdict };
        let function = self.image.function_at(answers.at.lookup());
        let Some(convention) = function.and_then(|function| Convention::of(function.name.as_str())) else {
            return verdict;
        };
        let is_same = || self.rules(answers, table).is_some_and(|row| row.fp == ValueRule::SameValue);
        let is_lost = || Witness::new(answers.step, &self.saves, self.tables, self.image).has_lost_fp();
        let cfa_off_by = match (answers.of(table), answers.truth) {
            (Some(Ok(Answer::Caller(caller))), Some(truth)) => Some(caller.cfa.abs_diff(truth.cfa)),
            _ => None,
        };
        let has_lost_fp = || answers.depth == 0 && is_same() && is_lost();
        convention.excuses(field, has_lost_fp, cfa_off_by).map_or(verdict, Verdict::Undecided)
    }

    /// Returns true if only the CFA is wrong, and has the value that it would have had if the
    /// function had been called where it was jumped to.
    fn is_lowered(&self, level: usize, truth: &Frame, answers: &Answers<'_>, wrong: &Mistaken<'_>) -> bool {
        let Some(cfa) = self.waiting.jump_entries.cfa(level) else { return false };
        let moved = Frame { cfa, ..*truth };
        wrong.field == Field::Cfa && judge(wrong.answer, Some(&moved), &self.bounds_of(answers)) == Verdict::Agree
    }

    /// Returns true if the wrong value is one whose slot was overwritten.
    fn is_overwritten(&self, level: usize, truth: &Frame, answers: &Answers<'_>, wrong: &Mistaken<'_>) -> bool {
        let (last, pc) = (self.waiting.overwritten.last_right(level), answers.at.lookup());
        // A rule refers to the same slot as before only if the CFA is still right.
        let right_cfa = matches!(wrong.answer, Ok(Answer::Caller(caller)) if caller.cfa == truth.cfa);
        let held = |(before, now): (Slot, Slot)| match wrong.table {
            Table::Sframe => held_earlier(self.tables.sframe.as_ref(), wrong.field, (last.pc, before), (pc, now)),
            Table::EhFrame => held_earlier(self.tables.cfi.as_ref(), wrong.field, (last.pc, before), (pc, now)),
        };
        let slots = match wrong.table {
            Table::Sframe => (last.slots.0, answers.slots.0),
            Table::EhFrame => (last.slots.1, answers.slots.1),
        };
        right_cfa && held(slots) || self.waiting.overwritten.has_lost(level, wrong.field)
    }

    /// Makes verdicts undecided that cannot be judged: the program overwrote a return address and
    /// continued at a function's start, or overwrote a saved FP that a frame's CFA is based on.
    fn without_lost(
        &self,
        answers: &Answers<'_>,
        sframe: Option<Verdict>,
        cfi: Option<Verdict>,
    ) -> (Option<Verdict>, Option<Verdict>) {
        let Some(level) = answers.step.frames.depth().checked_sub(answers.depth) else { return (sframe, cfi) };
        let (all, own_fp) =
            (self.waiting.overwritten.has_lost_all(level), self.waiting.overwritten.has_lost_own_fp(level));
        if !all && !own_fp {
            return (sframe, cfi);
        }
        let pc = answers.at.lookup();
        let gone = |verdict: Option<Verdict>, (cfa, fp): (bool, bool)| match verdict {
            Some(Verdict::Wrong(Field::Fp)) if fp => Some(Verdict::Undecided(UndecidedCause::Overwritten)),
            // Values read relative to a wrong CFA are meaningless.
            Some(Verdict::Wrong(_)) if all || cfa => Some(Verdict::Undecided(UndecidedCause::Overwritten)),
            other => other,
        };
        let fp = self.image.abi.facts().fp;
        (
            gone(sframe, counts_from(self.tables.sframe.as_ref(), answers.slots.0, pc, fp)),
            gone(cfi, counts_from(self.tables.cfi.as_ref(), answers.slots.1, pc, fp)),
        )
    }

    /// Accepts thunks that jump to an address in a register. They may be described, on purpose, as
    /// if they had already jumped: by a CIE whose return address column is that register, as a
    /// signal frame with all registers unchanged (s390x, `__s390_indirect_jump_r1`).
    fn jumping(&self, answers: &Answers<'_>, verdict: Verdict) -> Verdict {
        let (Verdict::Wrong(_), 0, Some(Ok(Answer::Caller(caller)))) = (verdict, answers.depth, &answers.cfi) else {
            return verdict;
        };
        let regs = &answers.step.regs;
        let own = self.tables.cfi.as_ref().is_some_and(|table| table.has_own_convention(answers.at.lookup()));
        let is_here = caller.sp == regs.sp && caller.fp.is_ok_and(|fp| fp == Some(regs.fp));
        if own && caller.signal && is_here { Verdict::Undecided(UndecidedCause::OwnConvention) } else { verdict }
    }

    /// Makes an answer for the caller's frame undecided in code without a symbol that a call within
    /// one descriptor leads to: a function, or a stub of the caller, such as a retpoline. Accepts
    /// an answer for a stub's own frame.
    fn in_nameless_stub(
        &self,
        answers: &Answers<'_>,
        answer: &Option<Result<Answer, Fault>>,
        verdict: Verdict,
    ) -> Verdict {
        let (Verdict::Wrong(_), 0, Some(answer), Some(frame)) = (verdict, answers.depth, answer, answers.truth) else {
            return verdict;
        };
        let (pc, around) = (answers.at.lookup(), answers.step.frames.iter().nth(1));
        if self.is_called_stub(answers, answer, pc) {
            return Verdict::Agree;
        }
        let (start, end) = extent(self.image, self.tables, pc);
        let is_inside = start < pc.0 && (start..end).contains(&frame.ra.0.wrapping_sub(1));
        let is_nameless = self.image.function_at(pc).is_none();
        let is_around = || around.is_some() && judge(answer, around, &self.bounds_of(answers)) == Verdict::Agree;
        match is_inside && is_nameless && is_around() {
            true => Verdict::Undecided(UndecidedCause::OwnConvention),
            false => verdict,
        }
    }

    /// Returns true if an answer takes a stub for a function that the code around it called: the
    /// return address is in the link register. Rows for the frame of that code are right too. gcc
    /// emits stubs after the last instruction (`-mharden-sls=blr`), with the rows that hold there.
    fn is_called_stub(&self, answers: &Answers<'_>, answer: &Result<Answer, Fault>, pc: Pc) -> bool {
        let (Ok(Answer::Caller(caller)), regs) = (answer, &answers.step.regs) else { return false };
        let entered = regs.sp.wrapping_add_signed(self.facts.cfa_minus_sp_at_entry);
        let is_as_called = (caller.cfa, caller.ra, caller.fp) == (entered, regs.ra, Ok(Some(regs.fp)));
        self.facts.link_register && is_as_called && is_in_stub(self.image, pc, Pc(regs.ra))
    }

    /// Makes an answer wrong that takes a caller's return address from the link register: in a
    /// caller's frame that register has been overwritten, so the row is wrong and not merely unable
    /// to answer. (It is usable in the innermost frame only.)
    fn mid_chain(&self, answers: &Answers<'_>, verdict: Verdict) -> Verdict {
        let facts = self.image.abi.facts();
        match verdict {
            Verdict::Refused(Fault::UnknownRegister { reg })
                if answers.is_of_a_caller() && facts.link_register && reg == facts.ra =>
            {
                Verdict::Wrong(Field::Ra)
            }
            other => other,
        }
    }

    /// Records a row that could not be evaluated.
    pub(super) fn refuse(&mut self, pc: Pc, table: Table, fault: Fault) {
        self.first_refusal.get_or_insert((pc, table, fault));
        self.counts.refused_answers += 1;
        self.doubts.refused.add(UndecidedCause::Refused, pc);
    }

    pub(super) fn undecided(&mut self, why: UndecidedCause, pc: Pc) {
        self.doubts.open.add(why, pc);
    }

    /// Waits for the landing of a longjmp, a throw or a switch of stacks: a row of a frame that is
    /// being left, or that SP has passed, is right if control lands at its caller.
    fn await_landing(&mut self, answers: &Answers<'_>, table: Table, why: UndecidedCause) {
        let (
            UndecidedCause::Abandoned | UndecidedCause::Leaving | UndecidedCause::OtherStack,
            0,
            Some(answer),
            Some(truth),
        ) = (why, answers.depth, answers.of(table), answers.truth)
        else {
            return;
        };
        let Some(landing) = Landing::new(answer, Field::Cfa, truth) else { return };
        if self.waiting.may_leave(landing)
            && let Some(pending) = self.waiting.pending(Wait::Leaving(landing))
        {
            pending.doubted.add(why, answers.at.lookup());
        }
    }
}

/// Returns true if the rule for a value is the same as in the row that was last right about the
/// frame, and reads memory.
fn held_earlier<U: Unwinder>(table: Option<&U>, field: Field, last: (Pc, Slot), now: (Pc, Slot)) -> bool {
    let rule = |(pc, slot): (Pc, Slot)| {
        let (Some(table), Slot::Row(row)) = (table, slot) else { return None };
        let rules = table.rules(row, pc);
        match field {
            Field::Ra => Some(rules.ra),
            Field::Fp => Some(rules.fp),
            // Only `.eh_frame` has a rule for SP, and only its value is known here.
            Field::Sp | Field::Outermost | Field::DeadStack | Field::Cfa | Field::Signed => None,
        }
    };
    let in_memory = |rule: &ValueRule| matches!(rule, ValueRule::AtCfa(_) | ValueRule::Memory { .. });
    rule(now).is_some_and(|now| in_memory(&now) && rule(last) == Some(now))
}

/// Whether the row's CFA, and whether its rule for the caller's FP, is based on FP.
fn counts_from<U: Unwinder>(table: Option<&U>, slot: Slot, pc: Pc, fp: Reg) -> (bool, bool) {
    let (Some(table), Slot::Row(row)) = (table, slot) else { return (false, false) };
    let rules = table.rules(row, pc);
    let by_cfa = match rules.cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => reg == fp,
        CfaRule::Expression(_) | CfaRule::Unspecified => false,
    };
    (by_cfa, rules.fp == ValueRule::SameValue)
}

/// Returns true if the CFA is based on neither SP nor FP.
fn counts_elsewhere(cfa: CfaRule, facts: &AbiFacts) -> bool {
    match cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => reg != facts.sp && reg != facts.fp,
        CfaRule::Expression(_) => true,
        CfaRule::Unspecified => false,
    }
}

/// Leaves rows of a longjmp's last instructions undecided. They may be described, on purpose, as if
/// the jump were done: the row's CFA is based on neither SP nor FP, and its caller is not a live
/// frame but the return address of an earlier call of a live function. The true frames cannot judge
/// such a row.
fn leaving<U: Unwinder>(
    table: Option<&U>,
    answers: &Answers<'_>,
    slot: Slot,
    answer: &Option<Result<Answer, Fault>>,
    verdict: Verdict,
) -> Verdict {
    let facts = answers.step.regs.abi.facts();
    let (Verdict::Wrong(_), Some(table), Slot::Row(row), Some(Ok(Answer::Caller(caller)))) =
        (verdict, table, slot, answer)
    else {
        return verdict;
    };
    let elsewhere = counts_elsewhere(table.rules(row, answers.at.lookup()).cfa, facts);
    let caller_sp = |frame: &Frame| frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
    let live = answers.step.frames.iter().any(|frame| frame.ra.0 == caller.ra && caller_sp(frame) == caller.sp);
    match elsewhere && !live && answers.step.earlier_calls.came_back(caller.ra, caller.sp) {
        true => Verdict::Undecided(UndecidedCause::Leaving),
        false => verdict,
    }
}

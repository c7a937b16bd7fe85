//! Decides what happens with answers that are not right: blame a tool, leave them undecided, or
//! defer them.

use results::Blame;
use spec::Severity;
use types::{Answer, CfaRule, Fault, Field, Frame, Reg, UndecidedCause, UnwindRow, ValueRule, Verdict};

use super::answers::Answers;
use super::deferred::{Landing, Until};
use super::doubts::Refusal;
use super::excuses::is_based_elsewhere;
use super::findings;
use super::record::Record;
use crate::blame::{Origin, Table, Verdicts, alone, charges};
use crate::compare::Shared;
use crate::per_table::PerTable;
use crate::saves::Saves;
use crate::slot::Slot;
use crate::tables::origin;
use crate::verdict::verdict;

/// A table's wrong answer, with the wrong field.
#[derive(Clone, Copy)]
struct WrongAnswer<'s> {
    table: Table,
    field: Field,
    answer: &'s Result<Answer, Fault>,
}

/// The verdict on each table's answer; `None` for a table that the file lacks.
type BothVerdicts = PerTable<Option<Verdict>>;

impl PerTable<Option<Until>> {
    /// Defers both tables' findings until the same event if either is deferred.
    fn as_one(self) -> Self {
        let both = match (self.sframe, self.eh_frame) {
            // Any wrong answer could be a landing; the end of the function decides.
            (Some(Until::Landing(_)) | None, Some(other)) => Some(other),
            (one, _) => one,
        };
        PerTable { sframe: both, eh_frame: both }
    }

    /// Returns true if this table's finding is not deferred, and the other's is and may be right.
    fn only_other(&self, table: Table) -> bool {
        self.get(table).is_none() && self.get(table.other()).is_some()
    }
}

impl Record {
    /// Charges the answers for a frame that are not right. `outermost_is_real`: the outermost
    /// function of the execution is known to have no caller.
    #[cold]
    pub(super) fn charge(
        &mut self,
        answers: &Answers<'_>,
        verdicts: BothVerdicts,
        saves: &Saves,
        outermost_is_real: bool,
    ) {
        let verdicts = verdicts.map(|table, verdict| verdict.map(|one| answers.corrected(table, one, saves)));
        let verdicts = verdicts.map(|table, verdict| self.without_lost(answers, table, verdict));
        let shared = answers.shared();
        let until = self.deferral(answers, verdicts, shared);
        let pc = answers.pc();
        let is_refused = verdicts.any(|verdict| matches!(verdict, Some(Verdict::Refused(_))));
        self.counts.refused += u64::from(answers.depth == 0 && is_refused);
        for table in Table::ALL {
            self.count_undecided(answers, table, *verdicts.get(table), *until.get(table));
        }
        let stops = matches!(verdicts.sframe, Some(Verdict::Refused(Fault::UnknownRegister { .. })));
        if stops && answers.is_of_a_caller() {
            findings::stopped(self, answers, saves);
        }
        let alike = answers.are_alike();
        let origin = origin(answers.image, pc.0);
        let charges =
            charges(&Verdicts { sframe: verdicts.sframe, eh_frame: verdicts.eh_frame, alike, shared }, origin);
        // If both tables are wrong in the same way there is one charge, and it does not decide
        // about a difference between the two rows.
        let is_wrong = |verdict: &Option<Verdict>| matches!(verdict, Some(Verdict::Wrong(_)));
        let wrong = u8::from(is_wrong(&verdicts.sframe)) + u8::from(is_wrong(&verdicts.eh_frame));
        let decides_both = charges.iter().flatten().count() == usize::from(wrong);
        for mut charge in charges.into_iter().flatten() {
            if until.only_other(charge.table) {
                charge.blame = alone(charge.table, origin);
            }
            let began_here = answers.truth.is_none();
            if charge.verdict == Verdict::Wrong(Field::Outermost) && began_here && !outermost_is_real {
                continue;
            }
            let until = *until.get(charge.table);
            let severity = findings::charge(self, answers, charge, verdicts, until, saves);
            if severity == Severity::Error && decides_both {
                match until.and_then(|until| self.deferred.pending(until)) {
                    Some(pending) => pending.charged.insert(answers.slots),
                    None => self.charged.insert(answers.slots),
                };
            }
        }
        self.charge_rowless(answers, verdicts, origin, saves);
    }

    /// Counts an answer that is undecided, at least until an event.
    fn count_undecided(&mut self, answers: &Answers<'_>, table: Table, verdict: Option<Verdict>, until: Option<Until>) {
        let pc = answers.pc();
        match (verdict, until) {
            (Some(Verdict::Wrong(field)), Some(until)) => {
                self.undecided(until.why(), pc);
                if let Some(pending) = self.deferred.pending(until) {
                    pending.undecided.add(until.why(), pc);
                }
                let facts = answers.image.abi.facts();
                if let (Until::End(level), Some(answer), Some(truth)) = (until, answers.answer(table), answers.truth)
                    && let Some(landing) = Landing::overwritten(answer, field, truth, facts)
                {
                    self.deferred.overwritten.await_landing(level, landing, until.why(), pc);
                }
            }
            (Some(Verdict::Undecided(why)), _) => {
                self.undecided(why, pc);
                self.await_landing(answers, table, why);
            }
            (Some(Verdict::Refused(Fault::UnknownRegister { .. })), _) if answers.depth > 0 => self.counts.stopped += 1,
            (Some(Verdict::Refused(fault)), _) => self.refuse(Refusal { pc, table, fault }),
            (Some(Verdict::Agree | Verdict::Wrong(_) | Verdict::Missing) | None, _) => {}
        }
    }

    /// Reports a function of `.sframe` without a row at a PC that has a caller.
    fn charge_rowless(&mut self, answers: &Answers<'_>, verdicts: BothVerdicts, origin: Origin, saves: &Saves) {
        let is_rowless = verdicts.sframe == Some(Verdict::Missing) && answers.slots.sframe == Slot::NoRow;
        if !is_rowless || answers.tables.is_rowless_signal_frame(answers.pc()) {
            return;
        }
        let undescribed = !matches!(answers.slots.eh_frame, Slot::Row(_)) && answers.truth.is_some();
        let blame = match (verdicts.eh_frame, origin) {
            (Some(Verdict::Agree), _) => origin.blame(),
            (_, Origin::LinkerMade) if undescribed => Blame::Linker,
            _ if undescribed => Blame::Undetermined,
            _ => return,
        };
        findings::missing_row(self, answers, blame, saves);
    }

    /// Until when the findings about a frame are deferred, each table's separately: an additional
    /// error of one table is charged now.
    fn deferral(&mut self, answers: &Answers<'_>, verdicts: BothVerdicts, shared: Shared) -> PerTable<Option<Until>> {
        let one_is_right = verdicts.any(|verdict| *verdict == Some(Verdict::Agree));
        let until = verdicts.map(|table, verdict| match (verdict, answers.answer(table)) {
            (Some(Verdict::Wrong(field)), Some(answer)) => {
                self.until(answers, WrongAnswer { table, field, answer }, one_is_right)
            }
            _ => None,
        });
        for table in Table::ALL {
            if let (Some(Verdict::Wrong(field)), Some(Until::End(level)), Some(truth)) =
                (*verdicts.get(table), *until.get(table), answers.truth)
            {
                self.deferred.overwritten.lose(level, field, truth);
            }
        }
        match (verdicts.sframe, verdicts.eh_frame) {
            // By the same rule both are wrong, or both right.
            (Some(Verdict::Wrong(a)), Some(Verdict::Wrong(b))) if a == b && shared.has(a) => until.as_one(),
            _ => until,
        }
    }

    /// Until when a finding about a frame is deferred. `one_is_right`: the other table's row is
    /// right, so the true frame is not in doubt.
    fn until(&self, answers: &Answers<'_>, wrong: WrongAnswer<'_>, one_is_right: bool) -> Option<Until> {
        let (level, truth) = (answers.level()?, answers.truth?);
        if self.is_lowered(level, truth, answers, wrong) {
            return Some(Until::Return(level));
        }
        if one_is_right {
            return None;
        }
        if self.is_overwritten(level, truth, answers, wrong) {
            return Some(Until::End(level));
        }
        let kept_elsewhere = || restores_context(answers, wrong).then_some(Landing::ANYWHERE);
        let landing = Landing::new(wrong.answer, wrong.field, truth).or_else(kept_elsewhere)?;
        (answers.depth == 0 && self.deferred.may_await(landing)).then_some(Until::Landing(landing))
    }

    /// Returns true if only the CFA is wrong, and has the value that it would have had if the
    /// function had been called where it was jumped to.
    fn is_lowered(&self, level: usize, truth: &Frame, answers: &Answers<'_>, wrong: WrongAnswer<'_>) -> bool {
        let Some(cfa) = self.deferred.jump_entries.cfa(level) else { return false };
        let moved = Frame { cfa, ..*truth };
        wrong.field == Field::Cfa && verdict(wrong.answer, Some(&moved), &answers.bounds()) == Verdict::Agree
    }

    /// Returns true if the wrong value is one whose slot was overwritten: the rule for it reads
    /// memory, and is the same as in the row that was last right about the frame.
    fn is_overwritten(&self, level: usize, truth: &Frame, answers: &Answers<'_>, wrong: WrongAnswer<'_>) -> bool {
        let WrongAnswer { table, field, answer } = wrong;
        // A rule refers to the same slot as before only if the CFA is still right.
        let right_cfa = matches!(answer, Ok(Answer::Caller(caller)) if caller.cfa == truth.cfa);
        let rule = |row: UnwindRow| match field {
            Field::Ra => Some(row.ra),
            Field::Fp => Some(row.fp),
            // Only `.eh_frame` has a rule for SP, and only its value is known here.
            Field::Sp | Field::Outermost | Field::DeadStack | Field::Cfa | Field::Signed => None,
        };
        let last = self.deferred.overwritten.last_right(level);
        let last = answers.tables.rules_in(table, *last.slots.get(table), last.pc).and_then(rule);
        let is_in_memory = |rule: &ValueRule| matches!(rule, ValueRule::AtCfa(_) | ValueRule::Memory { .. });
        let now = answers.rules(table).and_then(rule).filter(is_in_memory);
        right_cfa && now.is_some() && now == last || self.deferred.overwritten.has_lost(level, field)
    }

    /// Makes a verdict undecided that cannot be judged: the program overwrote a return address and
    /// continued at a function's start, or overwrote a saved FP that a frame's CFA is based on.
    fn without_lost(&self, answers: &Answers<'_>, table: Table, verdict: Option<Verdict>) -> Option<Verdict> {
        let (Some(Verdict::Wrong(field)), Some(level)) = (verdict, answers.level()) else { return verdict };
        let overwritten = &self.deferred.overwritten;
        let (all, own_fp) = (overwritten.has_lost_all(level), overwritten.has_lost_own_fp(level));
        if !all && !own_fp {
            return verdict;
        }
        let row = answers.rules(table);
        let keeps_fp = row.as_ref().is_some_and(|row| row.fp == ValueRule::SameValue);
        let from_fp = row.is_some_and(|row| is_based_on(row.cfa, answers.image.abi.facts().fp));
        // Values read relative to a wrong CFA are meaningless.
        let is_lost = all || from_fp || (field == Field::Fp && keeps_fp);
        if is_lost { Some(Verdict::Undecided(UndecidedCause::Overwritten)) } else { verdict }
    }

    /// Awaits the landing of a longjmp, a throw or a switch of stacks: a row of a frame that is
    /// being left, or that SP has passed, is right if control lands at its caller.
    fn await_landing(&mut self, answers: &Answers<'_>, table: Table, why: UndecidedCause) {
        let (
            UndecidedCause::Abandoned | UndecidedCause::Leaving | UndecidedCause::OtherStack,
            0,
            Some(answer),
            Some(truth),
        ) = (why, answers.depth, answers.answer(table), answers.truth)
        else {
            return;
        };
        let last = answers.level().map(|level| self.deferred.overwritten.last_right(level));
        let before = last.and_then(|last| answers.tables.rules_in(table, *last.slots.get(table), last.pc));
        if why == UndecidedCause::Abandoned && before.is_some() && before == answers.rules(table) {
            self.deferred.pass(why, answers.pc());
            return;
        }
        let Some(landing) = Landing::new(answer, Field::Cfa, truth) else { return };
        if self.deferred.may_await(landing)
            && let Some(pending) = self.deferred.pending(Until::Landing(landing))
        {
            pending.doubted.add(why, answers.pc());
        }
    }
}

/// Returns true if a row describes the target of a jump between contexts by values that are on no
/// stack, with a CFA based on neither SP nor FP: a `setcontext`.
fn restores_context(answers: &Answers<'_>, wrong: WrongAnswer<'_>) -> bool {
    let facts = answers.image.abi.facts();
    let restores = |row: UnwindRow| row.sp.is_some() && !row.signal && is_based_elsewhere(row.cfa, facts);
    matches!(wrong.answer, Err(Fault::UnreadableMemory { .. })) && answers.rules(wrong.table).is_some_and(restores)
}

fn is_based_on(cfa: CfaRule, register: Reg) -> bool {
    match cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => reg == register,
        CfaRule::Expression(_) | CfaRule::Unspecified => false,
    }
}

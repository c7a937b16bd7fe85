//! What becomes of answers that are not right: who is charged, what the truth cannot decide, and what has to wait.

use model::{Answer, Blame, CfaRule, Fault, Field, Frame, Severity, Verdict, Why};
use unwind::Unwinder;

use super::{Answers, Judge, findings};
use crate::blame::{Origin, Verdicts, alike, charges};
use crate::compare::Shared;
use crate::slot::Slot;
use crate::tables::origin;
use crate::verdict::judge;

impl Judge<'_> {
    #[cold]
    pub(super) fn charge(&mut self, answers: &Answers<'_>, sframe: Option<Verdict>, cfi: Option<Verdict>) {
        let sframe = sframe.map(|verdict| self.mid_chain(answers, verdict));
        let sframe = sframe
            .map(|verdict| leaving(self.tables.sframe.as_ref(), answers, answers.slots.0, &answers.sframe, verdict));
        let cfi = cfi.map(|verdict| self.mid_chain(answers, verdict));
        let cfi = cfi.map(|verdict| leaving(self.tables.cfi.as_ref(), answers, answers.slots.1, &answers.cfi, verdict));
        let waits = self.waits(answers, sframe, cfi);
        for verdict in [sframe, cfi].into_iter().flatten() {
            match verdict {
                Verdict::Wrong(_) if waits.is_some() => {
                    self.undecided(Why::Lowered.name());
                    if let Some(pending) = waits.and_then(|level| self.jump_entries.pending(level)) {
                        pending.undecided += 1;
                    }
                }
                Verdict::Undecided(why) => self.undecided(why.name()),
                Verdict::Refused(Fault::UnknownRegister { .. }) if answers.depth > 0 => self.counts.stopped += 1,
                Verdict::Refused(_) => self.undecided("refused"),
                Verdict::Agree | Verdict::Wrong(_) | Verdict::Missing => {}
            }
        }
        if answers.depth > 0 && matches!(sframe, Some(Verdict::Refused(Fault::UnknownRegister { .. }))) {
            findings::stopped(self, answers);
        }
        let same = matches!((&answers.sframe, &answers.cfi), (Some(a), Some(b)) if alike(a, b));
        let shared = self.shared(answers);
        let verdicts = Verdicts { sframe, eh_frame: cfi, alike: same, shared };
        let origin = origin(self.image, answers.at.lookup().0);
        for charge in charges(&verdicts, origin).into_iter().flatten() {
            if charge.verdict == Verdict::Wrong(Field::Outermost) && !self.outermost_is_real {
                continue;
            }
            // What is merely worth knowing settles nothing between the tables.
            if findings::charge(self, answers, charge, (sframe, cfi), waits) == Severity::Error {
                match waits.and_then(|level| self.jump_entries.pending(level)) {
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

    /// What both rows give by the same rule.
    fn shared(&self, answers: &Answers<'_>) -> Shared {
        let pc = answers.at.lookup();
        match (&self.tables.sframe, answers.slots.0, &self.tables.cfi, answers.slots.1) {
            (Some(table), Slot::Row(a), Some(other), Slot::Row(b)) => {
                Shared::of(self.image.abi.facts(), &table.rules(a, pc), &other.rules(b, pc))
            }
            _ => Shared::default(),
        }
    }

    /// Whether all that is wrong is a CFA as it would be had the function been called where it was jumped to; if so, for the return
    /// of the function with how many frames around it the findings wait.
    fn waits(&self, answers: &Answers<'_>, sframe: Option<Verdict>, cfi: Option<Verdict>) -> Option<usize> {
        let level = answers.step.frames.depth().checked_sub(answers.depth)?;
        let moved = Frame { cfa: self.jump_entries.cfa(level)?, ..*answers.truth? };
        let bounds = self.bounds(answers.step);
        let (mut wrong, mut as_called) = (0, 0);
        for (verdict, answer) in [(sframe, &answers.sframe), (cfi, &answers.cfi)] {
            if let (Some(Verdict::Wrong(field)), Some(answer)) = (verdict, answer) {
                wrong += 1;
                let right = judge(answer, Some(&moved), &bounds) == Verdict::Agree;
                as_called += u32::from(field == Field::Cfa && right);
            }
        }
        (wrong > 0 && wrong == as_called).then_some(level)
    }

    /// In a caller's frame the link register holds something else by then: a row that still looks for the return address there is
    /// wrong, not merely unable to answer. (It is trusted in the innermost frame only.)
    fn mid_chain(&self, answers: &Answers<'_>, verdict: Verdict) -> Verdict {
        let facts = self.image.abi.facts();
        match verdict {
            Verdict::Refused(Fault::UnknownRegister { reg })
                if answers.depth > 0 && facts.link_register && reg == facts.ra =>
            {
                Verdict::Wrong(Field::Ra)
            }
            other => other,
        }
    }

    fn undecided(&mut self, why: &'static str) {
        self.counts.undecided += 1;
        *self.undecided.entry(why).or_default() += 1;
    }
}

/// A longjmp's last instructions may be described, on purpose, as if they had landed: the row's CFA is in neither SP nor FP, and its
/// caller is no live frame but a place where a live function's earlier call came back. The truth has no say about such a row.
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
    let elsewhere = match table.rules(row, answers.at.lookup()).cfa {
        CfaRule::Register { reg, .. } | CfaRule::Memory { reg, .. } => reg != facts.sp && reg != facts.fp,
        CfaRule::Expression(_) => true,
        CfaRule::Unspecified => false,
    };
    let caller_sp = |frame: &Frame| frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
    let live = answers.step.frames.iter().any(|frame| frame.ra.0 == caller.ra && caller_sp(frame) == caller.sp);
    match elsewhere && !live && answers.step.earlier_calls.came_back(caller.ra, caller.sp) {
        true => Verdict::Undecided(Why::Leaving),
        false => verdict,
    }
}

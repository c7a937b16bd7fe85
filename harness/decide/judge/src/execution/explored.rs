//! Judges states of functions that are explored: executed without their inputs.

use types::{
    Answer, AssumedEntry, CfaRule, CodePoint, Compared, Event, ExploredCounts, Fault, Field, Frame, Handed, Past, Pc,
    Probe, Step, UndecidedCause, UnwindRow, ValueRule, Verdict,
};

use unwind::{CfiUnwinder, Unwinder};

use super::handed::in_handed_frame;
use super::{Answers, Judge, answer};
use crate::blame::Table;
use crate::memo::PcFacts;
use crate::slot::Slot;
use crate::verdict::judge;
use crate::witness::Witness;

impl Probe for Judge<'_> {
    fn compare(&mut self, step: &Step<'_>) -> Compared {
        let at = CodePoint::Exact(step.pc);
        // Not stored in the memo: a large library has a million such PCs, and most occur once.
        let slots = self.tables.slots(at);
        let (truth, bounds) = (step.frames.innermost(), self.bounds(step));
        let verdict = |answer: Option<Result<Answer, _>>| answer.map(|answer| judge(&answer, truth, &bounds));
        let verdicts = [
            (Table::Sframe, verdict(answer(self.tables.sframe.as_ref(), slots.0, at, step))),
            (Table::EhFrame, verdict(answer(self.tables.cfi.as_ref(), slots.1, at, step))),
        ];
        for (table, verdict) in verdicts {
            if let Some(Verdict::Refused(fault)) = verdict {
                self.explored_refusal.get_or_insert((step.pc, table, fault));
                self.explored_refusals.insert(step.pc);
            }
        }
        let count = |is: fn(Verdict) -> bool| verdicts.iter().filter(|(_, verdict)| verdict.is_some_and(is)).count();
        Compared {
            judged: matches!(slots.0, Slot::Row(_)) || matches!(slots.1, Slot::Row(_)),
            refused: count(|verdict| matches!(verdict, Verdict::Refused(_))) as u64,
            wrong: count(|verdict| matches!(verdict, Verdict::Wrong(_))) > 0,
        }
    }

    fn charge(&mut self, step: &Step<'_>, pcs: &[Pc], past: Past, handed: &Handed<'_>) -> bool {
        let mut charged = false;
        for pc in pcs {
            let step = Step { pc: *pc, event: Event::Sequential, ..*step };
            let at = CodePoint::Exact(*pc);
            let facts = PcFacts::new(self.image, self.tables, *pc);
            if self.memo.find(*pc).is_none() {
                let id = self.memo.insert(*pc, facts);
                self.memo.witness(id, *pc, Witness::new(&step, &self.saves, self.tables, self.image));
                self.explored_alone.insert(*pc);
            }
            let mut sframe = answer(self.tables.sframe.as_ref(), facts.sframe, at, &step);
            let mut cfi = answer(self.tables.cfi.as_ref(), facts.cfi, at, &step);
            let entry = if handed.by_call { None } else { self.own_entry(&step, handed, [sframe, cfi]) };
            // A run showed how the function is really entered, and takes precedence.
            if entry.is_some() && !self.explored_alone.contains(pc) {
                continue;
            }
            let frame = if let Some(Some(assumed)) = entry {
                self.assume_first_row(*pc);
                Some(assumed)
            } else {
                step.frames.innermost().copied()
            };
            if self.begins(*pc, past, [sframe, cfi]) {
                continue;
            }
            let seen = Seen {
                step: &step,
                frame: frame.as_ref(),
                own_entry: entry.is_some(),
                unknown_entry: entry == Some(None),
                past,
                handed,
            };
            let doubts = [
                self.take_doubtful(&mut sframe, self.tables.sframe.as_ref(), facts.sframe, &seen),
                self.take_doubtful(&mut cfi, self.tables.cfi.as_ref(), facts.cfi, &seen),
            ];
            for why in doubts.into_iter().flatten() {
                self.undecided(why, *pc);
            }
            if (sframe, cfi) == (None, None) {
                continue;
            }
            charged = true;
            // Exploration counts its states separately.
            let (refused, answers) = (self.counts.refused, self.counts.refused_answers);
            let refusals = std::mem::take(&mut self.doubts.refused);
            self.judge_frame(&Answers {
                step: &step,
                at,
                depth: 0,
                truth: frame.as_ref(),
                slots: (facts.sframe, facts.cfi),
                sframe,
                cfi,
            });
            (self.counts.refused, self.counts.refused_answers) = (refused, answers);
            self.doubts.refused = refusals;
            // No later step could decide it.
            self.end();
        }
        charged
    }

    fn leave_open(&mut self, why: UndecidedCause, pcs: &[Pc]) {
        // A run that reached the PC has judged it; code that a signal enters is not entered by a
        // call. States with made-up values were executed with several values.
        let of_states = why != UndecidedCause::MadeUp;
        for pc in pcs {
            let why = match why {
                UndecidedCause::MayBegin if !self.denies_caller(*pc) => UndecidedCause::OwnConvention,
                other => other,
            };
            let executed = self.memo.find(*pc).is_some() && !self.explored_alone.contains(pc);
            if !(of_states && (executed || self.is_of_a_signal(*pc) || self.begins_there(why, *pc))) {
                self.undecided(why, *pc);
            }
        }
    }
}

impl Judge<'_> {
    /// Adds the results of exploration: its counts of states, its judged instructions, each once,
    /// and the entries that it assumes. `reached` returns true if exploration reached any PC of a
    /// range.
    pub fn explored(
        &mut self,
        judged: ExploredCounts,
        judged_pcs: impl Iterator<Item = Pc>,
        assumed: impl IntoIterator<Item = (Pc, AssumedEntry)>,
        reached: impl Fn(Pc, Pc) -> bool + 'static,
    ) {
        self.assume(assumed);
        let ExploredCounts { states, refused, refused_answers } = judged;
        self.counts.judged += states;
        self.counts.refused += refused;
        self.counts.refused_answers += refused_answers;
        self.first_refusal = self.first_refusal.or(self.explored_refusal.filter(|_| refused > 0));
        for pc in judged_pcs {
            self.counts.pcs += u64::from(!self.was_run(pc));
            if self.explored_refusals.contains(&pc) {
                self.doubts.refused.add_first(UndecidedCause::Refused, pc);
            }
        }
        self.memo.explored(reached);
    }

    /// Drops a finding that is not certain, and returns the cause.
    fn take_doubtful<U: Unwinder>(
        &self,
        answer: &mut Option<Result<Answer, Fault>>,
        table: Option<&U>,
        slot: Slot,
        seen: &Seen<'_>,
    ) -> Option<UndecidedCause> {
        let (table, given) = (table?, (*answer)?);
        let judged = |given| judge(&given, seen.frame, &self.bounds(seen.step));
        let verdict = judged(given);
        let agrees = verdict == Verdict::Agree;
        let frame = seen.frame.filter(|_| !agrees);
        let in_handed = frame.and_then(|frame| in_handed_frame(table, slot, seen.step, frame, seen.handed));
        let may_begin = is_unseen(seen.past) && given == Ok(Answer::Outermost);
        let without_fp = seen.past == Past::ButForFp && verdict == Verdict::Wrong(Field::Fp);
        let why = if seen.unknown_entry || (seen.own_entry && agrees) {
            UndecidedCause::OwnConvention
        } else if agrees {
            return None;
        } else if in_handed.is_some_and(|given| judged(given) == Verdict::Agree) {
            UndecidedCause::HandedFrame
        } else if may_begin {
            UndecidedCause::MayBegin
        } else if without_fp {
            UndecidedCause::UnknownFp
        } else {
            *answer = in_handed.or(*answer);
            return None;
        };
        *answer = None;
        Some(why)
    }

    /// Returns true if a table's row for a PC is that of a signal frame.
    fn is_of_a_signal(&self, pc: Pc) -> bool {
        self.has_row(pc, |row| row.signal) || self.tables.is_rowless_signal_frame(pc)
    }

    /// Returns true if the row is that of a PC without a caller, which no call enters: for dropped
    /// words, as where a new thread begins, that of the function's first instruction.
    fn begins_there(&self, why: UndecidedCause, pc: Pc) -> bool {
        let at = match why {
            UndecidedCause::OwnConvention => pc,
            UndecidedCause::Lowered => Pc(self.tables.function_start(self.image, pc.0)),
            _ => return false,
        };
        self.denies_caller(at)
    }

    /// Returns true if a table's row for a PC denies a caller.
    fn denies_caller(&self, pc: Pc) -> bool {
        self.has_row(pc, |row| row.ra == ValueRule::Undefined)
    }

    /// Returns true if a table's row for a PC has this property.
    fn has_row(&self, pc: Pc, is_so: impl Fn(&UnwindRow) -> bool) -> bool {
        self.tables.rows(CodePoint::Exact(pc)).iter().any(is_so)
    }

    /// Returns true if a table marks the frame as outermost, and the system enters the function or
    /// a run reached and judged it. The caller in exploration is then made up, for both tables.
    fn begins(&self, pc: Pc, past: Past, answers: [Option<Result<Answer, Fault>>; 2]) -> bool {
        let start = |pc: Pc| self.tables.function_start(self.image, pc.0);
        is_unseen(past)
            && answers.contains(&Some(Ok(Answer::Outermost)))
            && (start(pc) == start(self.image.entry) || !self.explored_alone.contains(&pc))
    }

    /// The frame of a function that is entered by its own convention, as its CIE or the location of
    /// its return address shows: the frame that its first row describes, which is assumed to be
    /// right. `Some(None)` if that row does not determine it.
    fn own_entry(
        &self,
        step: &Step<'_>,
        handed: &Handed<'_>,
        answers: [Option<Result<Answer, Fault>>; 2],
    ) -> Option<Option<Frame>> {
        let cfi = self.tables.cfi.as_ref();
        let ra = handed.ra.and_then(|slot| step.stack.read(slot).ok());
        let [sframe_is_handed, cfi_is_handed] = answers.map(
            |answer| matches!(answer, Some(Ok(Answer::Caller(caller))) if ra.is_some() && Some(caller.raw_ra) == ra),
        );
        // A return to where the ABI has the return address refutes another column.
        let is_refuted = |table: &CfiUnwinder| handed.returns && table.has_own_column(step.pc);
        if cfi_is_handed || cfi.is_some_and(|table| table.has_own_convention(step.pc) && !is_refuted(table)) {
            Some(cfi.and_then(|table| assumed(table, step, ra.filter(|_| cfi_is_handed))))
        } else if sframe_is_handed {
            Some(self.tables.sframe.as_ref().and_then(|table| assumed(table, step, ra)))
        } else {
            None
        }
    }
}

/// A state in which a table is not right.
struct Seen<'s> {
    step: &'s Step<'s>,
    /// The true frame, or the one that the function's first row describes.
    frame: Option<&'s Frame>,
    own_entry: bool,
    unknown_entry: bool,
    past: Past,
    handed: &'s Handed<'s>,
}

/// The frame that a table's row for the first instruction of a function describes, if the CFA is
/// based on SP. `handed`: the return address, if the caller stored it.
fn assumed<U: Unwinder>(table: &U, step: &Step<'_>, handed: Option<u64>) -> Option<Frame> {
    let (facts, truth) = (step.regs.abi.facts(), step.frames.innermost()?);
    let start = table.function_at(step.pc)?.start;
    let UnwindRow { cfa, ra, fp, .. } = table.rules(table.row(CodePoint::Exact(start)).ok()?, start);
    let CfaRule::Register { reg, offset } = cfa else { return None };
    let entry_sp = truth.cfa.wrapping_add_signed(-facts.cfa_minus_sp_at_entry);
    let cfa = (reg == facts.sp).then(|| entry_sp.wrapping_add_signed(offset))?;
    let saved = |offset| step.stack.read(cfa.wrapping_add_signed(offset)).ok();
    let raw_ra = match (handed, ra) {
        (Some(handed), _) => handed,
        (None, ValueRule::AtCfa(offset)) => saved(offset)?,
        (None, ValueRule::SameValue) => truth.raw_ra,
        (None, _) => return None,
    };
    // A part of a function that is jumped to: the caller's FP is on the stack.
    let fp = match fp {
        ValueRule::AtCfa(offset) => saved(offset)?,
        ValueRule::SameValue | ValueRule::Undefined => truth.fp,
        _ => return None,
    };
    Some(Frame { cfa, ra: Pc(raw_ra), raw_ra, fp, ..*truth })
}

/// Returns true if no entry of the function was seen, or a new thread may begin at the step.
fn is_unseen(past: Past) -> bool {
    matches!(past, Past::Unseen | Past::SystemCall)
}

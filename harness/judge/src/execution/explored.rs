//! Judges states of functions that are executed without their inputs.

use types::{
    Answer, CfaRule, CodePoint, Event, Field, Frame, Past, Pc, Probe, RegFile as _, Step, UndecidedCause, UnwindRow,
    Verdict,
};

use unwind::Unwinder as _;

use super::{Answers, Judge, answer};
use crate::blame::Table;
use crate::memo::PcFacts;
use crate::slot::Slot;
use crate::verdict::judge;
use crate::witness::Witness;

impl Probe for Judge<'_> {
    fn is_right(&mut self, step: &Step<'_>, pcs: &[Pc]) -> bool {
        let at = CodePoint::Exact(step.pc);
        // Not kept in the memo: a large library has a million such PCs, and most are seen once.
        let slots = self.tables.slots(at);
        let judged = matches!(slots.0, Slot::Row(_)) || matches!(slots.1, Slot::Row(_));
        let count = pcs.len() as u64;
        self.counts.explored += count;
        self.counts.explored_judged += if judged { count } else { 0 };
        let (truth, bounds) = (step.frames.innermost(), self.bounds(step));
        let verdict = |answer: Option<Result<Answer, _>>| answer.map(|answer| judge(&answer, truth, &bounds));
        let verdicts = [
            (Table::Sframe, verdict(answer(self.tables.sframe.as_ref(), slots.0, at, step))),
            (Table::EhFrame, verdict(answer(self.tables.cfi.as_ref(), slots.1, at, step))),
        ];
        let mut refused = false;
        for (table, verdict) in verdicts {
            if let Some(Verdict::Refused(fault)) = verdict {
                self.refuse(step.pc, table, fault);
                refused = true;
            }
        }
        self.counts.refused += if refused { count } else { 0 };
        !verdicts.iter().any(|(_, verdict)| matches!(verdict, Some(Verdict::Wrong(_))))
    }

    fn charge(&mut self, step: &Step<'_>, pcs: &[Pc], past: Past, handed_ra: Option<u64>) -> bool {
        let mut charged = false;
        for pc in pcs {
            let step = Step { pc: *pc, event: Event::Sequential, ..*step };
            let at = CodePoint::Exact(*pc);
            let facts = PcFacts::new(self.image, self.tables, *pc);
            if self.memo.find(*pc).is_none() {
                let id = self.memo.insert(*pc, facts);
                self.memo.witness(id, *pc, Witness::new(&step));
            }
            let truth: Option<&Frame> = step.frames.innermost();
            let mut answers = (
                answer(self.tables.sframe.as_ref(), facts.sframe, at, &step),
                answer(self.tables.cfi.as_ref(), facts.cfi, at, &step),
            );
            let begins = matches!(past, Past::Unseen | Past::SystemCall);
            let says_begin =
                begins && [answers.0, answers.1].iter().flatten().any(|answer| matches!(answer, Ok(Answer::Outermost)));
            let handed = handed_ra.and_then(|slot| step.stack.read(slot).ok());
            let is_handed = |answer: &Result<Answer, _>| matches!(answer, Ok(Answer::Caller(caller)) if Some(caller.raw_ra) == handed);
            let own_convention = self.tables.cfi.as_ref().is_some_and(|table| table.has_own_convention(*pc))
                || [answers.0, answers.1].iter().flatten().any(is_handed);
            let mut unsaid = own_convention || says_begin || self.is_handed_its_frame(&facts, &step);
            if past == Past::ButForFp {
                let bounds = self.bounds(&step);
                for answer in [&mut answers.0, &mut answers.1] {
                    let verdict = answer.map(|answer| judge(&answer, truth, &bounds));
                    if matches!(verdict, Some(Verdict::Wrong(Field::Fp))) {
                        *answer = None;
                        unsaid = true;
                    }
                }
                unsaid &= answers == (None, None);
            }
            if unsaid {
                if own_convention {
                    self.undecided(UndecidedCause::OwnConvention, *pc);
                }
                continue;
            }
            charged = true;
            // It was counted when it was asked whether it is right.
            let refused = self.counts.refused;
            self.judge_frame(&Answers {
                step: &step,
                at,
                depth: 0,
                truth,
                slots: (facts.sframe, facts.cfi),
                sframe: answers.0,
                cfi: answers.1,
            });
            self.counts.refused = refused;
            // Nothing comes after it that could decide it.
            self.end();
        }
        charged
    }
}

impl Judge<'_> {
    /// Returns true if `.eh_frame` takes the CFA from a register that the function keeps, and that
    /// is not on the stack: from the address of a frame that it was handed to continue with, as
    /// what calls with arguments of any number is (libffi's `ffi_call_SYSV`). Here that is made up.
    fn is_handed_its_frame(&self, facts: &PcFacts, step: &Step<'_>) -> bool {
        let (Some(table), Slot::Row(row)) = (&self.tables.cfi, facts.cfi) else { return false };
        let UnwindRow { cfa: CfaRule::Register { reg, .. }, .. } = table.rules(row, step.pc) else { return false };
        let (stack, abi) = (self.bounds(step), step.regs.abi.facts());
        let outside = step.regs.read(reg).is_some_and(|value| value < stack.start || value > stack.end);
        table.is_kept(reg) && reg != abi.sp && reg != abi.fp && outside
    }
}

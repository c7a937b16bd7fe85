//! Findings that are deferred: only the end of the function shows whether the table or the program
//! was wrong.

use types::{AbiFacts, Answer, Caller, Event, Fault, Field, Frame, Pc, Step, UndecidedCause};

use super::doubts::Tally;
use super::jump_entries::{Decided, JumpEntries, Pending};
use super::overwritten::Overwritten;

/// Maximum number of answers that await a landing; a function leaves its frame within a few
/// instructions.
pub(super) const ANSWERS: usize = 16;

/// The event until which a finding is deferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Until {
    /// The return of the function at this depth: does it restore SP?
    Return(usize),
    /// The end of the function at this depth: does it restore the value that its slot no longer
    /// holds?
    End(usize),
    /// The landing of a longjmp or a throw in progress.
    Landing(Landing),
}

/// The caller that a table gives. If it is not the true caller, control may land there next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    /// The values that differ from the true ones.
    ra: Option<u64>,
    sp: Option<u64>,
    fp: Option<u64>,
    /// The complete answer.
    caller: Option<Caller>,
}

/// All deferred findings.
#[derive(Default)]
pub(super) struct Deferred {
    pub(super) jump_entries: JumpEntries,
    pub(super) overwritten: Overwritten,
    leaving: Vec<(Landing, Pending)>,
    /// Answers about a frame that SP has passed, by the row that was right about it before: no row
    /// describes it any more, if control then lands elsewhere.
    passed: Tally,
    /// Deferred findings in interrupted functions, by the number of frames around the signal
    /// handler.
    interrupted: Vec<(usize, Vec<(Landing, Pending)>)>,
}

impl Until {
    /// Cause for which the answers are undecided meanwhile.
    pub(super) const fn why(self) -> UndecidedCause {
        match self {
            Until::Return(_) => UndecidedCause::Lowered,
            Until::End(_) => UndecidedCause::Overwritten,
            Until::Landing(_) => UndecidedCause::Leaving,
        }
    }
}

impl Landing {
    /// A landing of unknown address: the row reads it from memory that cannot be read.
    pub(super) const ANYWHERE: Landing = Landing { ra: None, sp: None, fp: None, caller: None };

    /// The landing of a wrong answer: its values that differ from the true caller.
    pub(super) fn new(answer: &Result<Answer, Fault>, wrong: Field, truth: &Frame) -> Option<Landing> {
        let Ok(Answer::Caller(caller)) = answer else { return None };
        let fp = caller.fp.ok().flatten().filter(|fp| *fp != truth.fp);
        let (ra, sp) = (Some(caller.ra), Some(caller.sp));
        let only_fp = Landing { ra: None, sp: None, fp, caller: Some(*caller) };
        match wrong {
            Field::Cfa => Some(Landing { ra, sp, ..only_fp }),
            Field::Ra => Some(Landing { ra, ..only_fp }),
            Field::Fp => fp.map(|_| only_fp),
            Field::Sp => Some(Landing { sp, ..only_fp }),
            Field::Signed | Field::DeadStack | Field::Outermost => None,
        }
    }

    /// The landing of control if an overwritten slot of the caller's values is the one that is
    /// restored.
    pub(super) fn overwritten(
        answer: &Result<Answer, Fault>,
        wrong: Field,
        truth: &Frame,
        facts: &AbiFacts,
    ) -> Option<Landing> {
        let Ok(Answer::Caller(caller)) = answer else { return None };
        let other = |given: u64, is: u64| (given != is).then_some(given);
        let fp = match caller.fp {
            Ok(fp) => fp.and_then(|fp| other(fp, truth.fp)),
            Err(Fault::UnknownRegister { .. }) => None,
            Err(_) => return None,
        };
        let ra = other(caller.ra, truth.ra.0);
        let sp = other(caller.sp, truth.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa));
        let is_known = match wrong {
            Field::Ra => ra.is_some(),
            Field::Fp => fp.is_some(),
            Field::Sp => sp.is_some(),
            Field::Cfa | Field::Signed | Field::DeadStack | Field::Outermost => false,
        };
        is_known.then_some(Landing { ra, sp, fp, caller: Some(*caller) })
    }

    /// Returns true if control is where the answer differs from the truth, or has landed there: a
    /// throw continues in the frame, not at its return address.
    pub(super) fn is_in_its_frame(&self, step: &Step<'_>) -> bool {
        let called_there = |ra| step.earlier_calls.came_back(ra, step.regs.sp);
        let in_frame = self.ra.is_some_and(called_there);
        self.may_be_at(step) || (in_frame && Landing { ra: None, ..*self }.may_be_at(step))
    }

    /// Returns true if control agrees with the values in which the answer differs from the truth.
    fn may_be_at(&self, step: &Step<'_>) -> bool {
        let same = |given: Option<u64>, is: u64| given.is_none_or(|given| given == is);
        same(self.ra, step.pc.0) && same(self.sp, step.regs.sp) && same(self.fp, step.regs.fp)
    }

    /// Returns true if only FP differs from the true caller's, and is FP now.
    fn is_at_fp(&self, step: &Step<'_>) -> bool {
        (self.ra, self.sp) == (None, None) && self.fp == Some(step.regs.fp)
    }

    /// Returns true if control agrees with the complete answer.
    fn is_at(&self, step: &Step<'_>) -> bool {
        self.caller.is_some_and(|caller| {
            let fp = match caller.fp {
                Ok(fp) => fp.is_none_or(|fp| fp == step.regs.fp),
                Err(Fault::UnknownRegister { .. }) => true,
                Err(_) => false,
            };
            (caller.ra, caller.sp) == (step.pc.0, step.regs.sp) && fp
        })
    }
}

impl Deferred {
    /// The findings that are deferred until an event.
    pub(super) fn pending(&mut self, until: Until) -> Option<&mut Pending> {
        match until {
            Until::Return(level) => self.jump_entries.pending(level),
            Until::End(level) => self.overwritten.pending(level),
            Until::Landing(landing) => {
                let found = self.leaving.iter().position(|(other, _)| *other == landing);
                let at = found.unwrap_or_else(|| {
                    self.leaving.push((landing, Pending::default()));
                    self.leaving.len().saturating_sub(1)
                });
                self.leaving.get_mut(at).map(|(_, pending)| pending)
            }
        }
    }

    /// Returns true if another answer can await a landing.
    pub(super) fn may_await(&self, landing: Landing) -> bool {
        self.leaving.len() < ANSWERS || self.leaving.iter().any(|(other, _)| *other == landing)
    }

    /// Adds an answer about a frame that SP has passed, by the row that was right about it before.
    pub(super) fn pass(&mut self, why: UndecidedCause, pc: Pc) {
        self.passed.add(why, pc);
    }

    /// Returns true if a finding or an answer awaits a landing.
    #[inline]
    pub(super) fn awaits_landing(&self) -> bool {
        !self.leaving.is_empty() || !self.passed.is_empty()
    }

    /// Returns true if any step may decide a deferred finding: by a landing, or by SP raised in a
    /// function that was jumped to.
    #[inline]
    pub(super) fn may_be_decided(&self) -> bool {
        self.awaits_landing() || !self.jump_entries.is_empty()
    }

    /// Returns true if no finding is deferred.
    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.leaving.is_empty() && self.jump_entries.is_empty() && self.overwritten.is_empty()
    }

    /// Decides findings that await a landing: right if control is at it, wrong if it cannot
    /// be. `right`: a table is right at this step about a frame that is then not being left.
    pub(super) fn landed(&mut self, step: &Step<'_>, right: bool) -> Vec<Decided> {
        let goes_on = matches!(step.event, Event::Sequential | Event::Jump | Event::Resumed);
        if goes_on && !right {
            return Vec::new();
        }
        let passed = std::mem::take(&mut self.passed);
        let passed = (step.event == Event::Unwound).then_some(Decided::Gone(passed));
        let (left, kept) = std::mem::take(&mut self.leaving).into_iter().partition::<Vec<_>, _>(|(_, pending)| {
            // Being right about a frame that SP has passed shows nothing.
            !goes_on || !pending.undecided.is_empty()
        });
        self.leaving = kept;
        // A shared part of prologues sets the frame pointer of its caller.
        let has_frame = step.regs.fp >= step.regs.sp && step.stack.read(step.regs.fp).is_ok();
        let decided = |(landing, pending): (Landing, Pending)| match step.event {
            // Only FP is wrong, and has the value that it lands with: no longjmp keeps the
            // caller's.
            Event::Unwound if landing.is_at(step) || landing.is_at_fp(step) => Some(Decided::Right(pending)),
            Event::Return if has_frame && landing.is_at(step) => Some(Decided::Right(pending)),
            Event::Unwound if landing.may_be_at(step) => None,
            _ => Some(Decided::Wrong(pending)),
        };
        left.into_iter().filter_map(decided).chain(passed).collect()
    }

    /// Decides findings that await a landing on another stack: those that are at the current
    /// position are right.
    #[cold]
    pub(super) fn switched(&mut self, step: &Step<'_>) -> Vec<Decided> {
        let landed = std::mem::take(&mut self.leaving).into_iter().filter(|(landing, _)| landing.is_at(step));
        landed.map(|(_, pending)| Decided::Right(pending)).collect()
    }

    /// A handler begins: keeps the findings that await a landing of the interrupted
    /// function.
    pub(super) fn interrupt(&mut self, depth: usize) {
        self.forget(depth);
        self.passed = Tally::default();
        if !self.leaving.is_empty() {
            self.interrupted.push((depth, std::mem::take(&mut self.leaving)));
        }
    }

    /// A handler ended, and with it the findings that are deferred in it.
    pub(super) fn resume(&mut self, depth: usize) {
        self.forget(depth.saturating_add(3));
        self.leaving = match self.interrupted.last() {
            Some((of, _)) if *of == depth.saturating_add(2) => self.interrupted.pop().map(|(_, kept)| kept),
            _ => None,
        }
        .unwrap_or_default();
    }

    /// Handlers at this depth or deeper were left without a return: how the interrupted functions
    /// would have continued is unknown.
    fn forget(&mut self, depth: usize) {
        while self.interrupted.last().is_some_and(|(of, _)| *of >= depth) {
            self.interrupted.pop();
        }
    }

    /// Execution switched to another stack: the functions on the old stack are not followed.
    #[cold]
    pub(super) fn forget_all(&mut self) {
        self.jump_entries.clear();
        self.overwritten.clear();
        self.interrupted.clear();
        self.leaving.clear();
        self.passed = Tally::default();
    }

    /// Takes the findings that still await a landing when the execution ends.
    pub(super) fn end(&mut self) -> Vec<Pending> {
        self.jump_entries.clear();
        self.overwritten.clear();
        self.interrupted.clear();
        std::mem::take(&mut self.leaving).into_iter().map(|(_, pending)| pending).collect()
    }
}

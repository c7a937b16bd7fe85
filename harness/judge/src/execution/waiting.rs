//! Findings that cannot be reported yet: only how the function ends shows whether the
//! table or the program was wrong.

use types::{AbiFacts, Answer, Caller, Event, Fault, Field, Frame, Step, UndecidedCause};

use super::jump_entries::{Decided, JumpEntries, Pending};
use super::overwritten::Overwritten;

/// Most answers that wait at once for a landing; a function leaves its frame in a few instructions.
pub(super) const ANSWERS: usize = 16;

/// What a finding waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// The return of the function with that many frames around it: did it restore SP?
    Lowered(usize),
    /// The end of the function with that many frames around it: did it restore the value that its
    /// slot no longer holds?
    Overwritten(usize),
    /// The landing of a longjmp or a throw under way.
    Leaving(Landing),
}

/// The caller that a table gives. If that is not the true caller, it may be where
/// control lands next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Landing {
    /// What differs from the truth.
    ra: Option<u64>,
    sp: Option<u64>,
    fp: Option<u64>,
    /// The whole answer.
    caller: Option<Caller>,
}

/// All findings that wait.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) jump_entries: JumpEntries,
    pub(super) overwritten: Overwritten,
    leaving: Vec<(Landing, Pending)>,
    /// The same for functions that a signal interrupted, by the frames around its handler.
    interrupted: Vec<(usize, Vec<(Landing, Pending)>)>,
}

impl Wait {
    /// Answers that the truth cannot decide meanwhile.
    pub(super) const fn why(self) -> UndecidedCause {
        match self {
            Wait::Lowered(_) => UndecidedCause::Lowered,
            Wait::Overwritten(_) => UndecidedCause::Overwritten,
            Wait::Leaving(_) => UndecidedCause::Leaving,
        }
    }
}

impl Landing {
    /// The table says where, but in memory that cannot be read.
    pub(super) const ANYWHERE: Landing = Landing { ra: None, sp: None, fp: None, caller: None };

    /// What a wrong answer gives for the caller instead of the truth.
    pub(super) fn new(answer: &Result<Answer, Fault>, wrong: Field, truth: &Frame) -> Option<Landing> {
        let Ok(Answer::Caller(caller)) = answer else { return None };
        let fp = caller.fp.ok().flatten().filter(|fp| *fp != truth.fp);
        let (ra, sp) = (Some(caller.ra), Some(caller.sp));
        let said = Landing { ra: None, sp: None, fp, caller: Some(*caller) };
        match wrong {
            Field::Cfa => Some(Landing { ra, sp, ..said }),
            Field::Ra => Some(Landing { ra, ..said }),
            Field::Fp => fp.map(|_| said),
            Field::Sp => Some(Landing { sp, ..said }),
            Field::Signed | Field::DeadStack | Field::Outermost => None,
        }
    }

    /// Where control goes if a slot of the caller's values, which the program wrote over, is the one
    /// that is restored.
    pub(super) fn overwritten(
        answer: &Result<Answer, Fault>,
        wrong: Field,
        truth: &Frame,
        facts: &AbiFacts,
    ) -> Option<Landing> {
        let Ok(Answer::Caller(caller)) = answer else { return None };
        let other = |said: u64, is: u64| (said != is).then_some(said);
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

    /// Control is where the answer differs from the truth, or has landed there: a throw goes to the
    /// frame, and not to its return address.
    pub(super) fn is_in_its_frame(&self, step: &Step<'_>) -> bool {
        let called_there = |ra| step.earlier_calls.came_back(ra, step.regs.sp);
        let in_frame = self.ra.is_some_and(called_there);
        self.may_be_at(step) || (in_frame && Landing { ra: None, ..*self }.may_be_at(step))
    }

    /// Control is where the answer differs from the truth.
    fn may_be_at(&self, step: &Step<'_>) -> bool {
        let same = |said: Option<u64>, is: u64| said.is_none_or(|said| said == is);
        same(self.ra, step.pc.0) && same(self.sp, step.regs.sp) && same(self.fp, step.regs.fp)
    }

    /// Control is where the whole answer has it.
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

impl Waiting {
    /// Findings that wait for the same event.
    pub(super) fn pending(&mut self, wait: Wait) -> Option<&mut Pending> {
        match wait {
            Wait::Lowered(level) => self.jump_entries.pending(level),
            Wait::Overwritten(level) => self.overwritten.pending(level),
            Wait::Leaving(landing) => {
                let found = self.leaving.iter().position(|(other, _)| *other == landing);
                let at = found.unwrap_or_else(|| {
                    self.leaving.push((landing, Pending::default()));
                    self.leaving.len().saturating_sub(1)
                });
                self.leaving.get_mut(at).map(|(_, pending)| pending)
            }
        }
    }

    /// Returns true if one more answer can wait for a landing.
    pub(super) fn may_leave(&self, landing: Landing) -> bool {
        self.leaving.len() < ANSWERS || self.leaving.iter().any(|(other, _)| *other == landing)
    }

    /// Returns true if a finding waits for a landing.
    #[inline]
    pub(super) fn leaves(&self) -> bool {
        !self.leaving.is_empty()
    }

    /// Returns true if any step may settle what waits: a landing, or SP raised in a function that
    /// was jumped to.
    #[inline]
    pub(super) fn may_settle(&self) -> bool {
        self.leaves() || !self.jump_entries.is_empty()
    }

    /// Returns true if no finding waits.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        self.leaving.is_empty() && self.jump_entries.is_empty() && self.overwritten.is_empty()
    }

    /// What waited for a landing: right where control is at it, wrong where it cannot be. `right`:
    /// a table is right at this step, of a frame that is not left then.
    pub(super) fn landed(&mut self, step: &Step<'_>, right: bool) -> Vec<Decided> {
        let goes_on = matches!(step.event, Event::Sequential | Event::Jump | Event::Resumed);
        if goes_on && !right {
            return Vec::new();
        }
        let (left, kept) = std::mem::take(&mut self.leaving).into_iter().partition::<Vec<_>, _>(|(_, pending)| {
            // Of a frame that SP has passed, being right says nothing.
            !goes_on || !pending.undecided.is_empty()
        });
        self.leaving = kept;
        let unwound = step.event == Event::Unwound;
        let decided = |(landing, pending): (Landing, Pending)| match unwound {
            true if landing.is_at(step) => Some(Decided::Right(pending)),
            true if landing.may_be_at(step) => None,
            _ => Some(Decided::Wrong(pending)),
        };
        left.into_iter().filter_map(decided).collect()
    }

    /// What waited for a landing that another stack shows to be one.
    #[cold]
    pub(super) fn switched(&mut self, step: &Step<'_>) -> Vec<Decided> {
        let landed = std::mem::take(&mut self.leaving).into_iter().filter(|(landing, _)| landing.is_at(step));
        landed.map(|(_, pending)| Decided::Right(pending)).collect()
    }

    /// A handler begins: sets aside the findings that wait for a landing of the function that it
    /// interrupted.
    pub(super) fn interrupt(&mut self, depth: usize) {
        self.forget(depth);
        if !self.leaving.is_empty() {
            self.interrupted.push((depth, std::mem::take(&mut self.leaving)));
        }
    }

    /// A handler is over, and with it the findings that waited in it.
    pub(super) fn resume(&mut self, depth: usize) {
        self.forget(depth.saturating_add(3));
        self.leaving = match self.interrupted.last() {
            Some((of, _)) if *of == depth.saturating_add(2) => self.interrupted.pop().map(|(_, kept)| kept),
            _ => None,
        }
        .unwrap_or_default();
    }

    /// Handlers with at least that many frames around them were left without a return: how their
    /// functions would have continued is unknown.
    fn forget(&mut self, depth: usize) {
        while self.interrupted.last().is_some_and(|(of, _)| *of >= depth) {
            self.interrupted.pop();
        }
    }

    /// Another stack is in use: the functions on the stack that was left are not followed.
    #[cold]
    pub(super) fn forget_all(&mut self) {
        self.jump_entries.clear();
        self.overwritten.clear();
        self.interrupted.clear();
        self.leaving.clear();
    }

    /// The findings that wait for a landing when the execution ends: there was none.
    pub(super) fn end(&mut self) -> Vec<Pending> {
        self.jump_entries.clear();
        self.overwritten.clear();
        self.interrupted.clear();
        std::mem::take(&mut self.leaving).into_iter().map(|(_, pending)| pending).collect()
    }
}

//! How often `.eh_frame` restores the registers that a call preserves, other than FP and SP.

use results::RestoredRegisters;
use types::{AbiFacts, CodePoint, Event, Reg, RegFile as _, Step, ValueRule};
use unwind::Unwinder as _;

use crate::Parts;

/// Number of calls below which the registers are recorded: deeper recursion is not sampled.
const MOST_LEVELS: usize = 1 << 12;

/// The values that registers had when the live functions were called, and the counts.
pub(crate) struct Restored {
    preserved: Vec<Reg>,
    entered: Vec<Entered>,
    counts: RestoredRegisters,
}

/// A function that was called.
struct Entered {
    /// Number of frames around it, and of its own.
    level: usize,
    number: u64,
    /// Values in the order of the preserved registers.
    values: Vec<Option<u64>>,
}

impl Restored {
    pub(crate) fn new(facts: &AbiFacts) -> Restored {
        let counts = RestoredRegisters { samples: 0, right: 0 };
        Restored { preserved: facts.preserved().collect(), entered: Vec::new(), counts }
    }

    /// Observes a step that may be a call.
    #[inline]
    pub(crate) fn observe(&mut self, step: &Step<'_>) {
        if step.event == Event::Call {
            self.enter(step);
        } else if step.event == Event::Switched {
            self.entered.clear();
        }
    }

    fn enter(&mut self, step: &Step<'_>) {
        let (level, Some(frame)) = (step.frames.depth(), step.frames.innermost()) else { return };
        while self.entered.pop_if(|last| last.level >= level).is_some() {}
        if self.entered.len() < MOST_LEVELS {
            let values = self.preserved.iter().map(|reg| step.regs.read(*reg)).collect();
            self.entered.push(Entered { level, number: frame.number, values });
        }
    }

    /// Counts a sample, if its function was called.
    pub(crate) fn sample(&mut self, step: &Step<'_>, parts: &Parts<'_>) {
        let (level, Some(frame)) = (step.frames.depth(), step.frames.innermost()) else { return };
        while self.entered.pop_if(|last| last.level > level).is_some() {}
        let is_it = |last: &&Entered| (last.level, last.number) == (level, frame.number);
        let Some(entered) = self.entered.last().filter(is_it) else { return };
        self.counts.samples += 1;
        let at = CodePoint::Exact(step.pc);
        let Some(cfi) = parts.at(step.pc).and_then(|(_, part)| part.tables.cfi.as_ref()) else { return };
        let Ok(row) = cfi.row(at) else { return };
        let cfa = cfi.own_cfa(row, at, &step.regs, &step.stack).unwrap_or(frame.cfa);
        let is_right = |reg: Reg, value: Option<u64>| {
            let rule = cfi.rule(row, reg).unwrap_or(ValueRule::SameValue);
            cfi.value((reg, rule), cfa, at, &step.regs, &step.stack).ok() == value
        };
        let mut all = self.preserved.iter().zip(&entered.values);
        self.counts.right += u64::from(all.all(|(reg, value)| is_right(*reg, *value)));
    }

    /// The counts; `None` if no function of a sample was called.
    pub(crate) fn finish(self) -> Option<RestoredRegisters> {
        Some(self.counts).filter(|counts| counts.samples > 0)
    }
}

//! Counts of what exploration executed and judged, all in one file so that they do not contradict
//! each other: a judged instruction is a reached one, and a reached one was executed.

use std::ops::Range;

use types::{Compared, ExploredCounts, Reach, Unreached};

use super::bits::Bits;
use super::survey::Survey;
use super::territory::Explored;

/// Executed states and their instructions.
pub(super) struct Counts<'a> {
    survey: &'a Survey,
    states: u64,
    executed: Bits,
    /// Instructions in a state that a real execution can reach.
    reached: Bits,
    judged: ExploredCounts,
    judged_pcs: Bits,
}

impl<'a> Counts<'a> {
    pub(super) fn new(survey: &'a Survey) -> Counts<'a> {
        let [executed, reached, judged_pcs] = [(); 3].map(|()| survey.functions.nothing());
        Counts { survey, states: 0, executed, reached, judged: ExploredCounts::default(), judged_pcs }
    }

    /// Counts an instruction executed in some state.
    pub(super) fn executed(&mut self, pc: u64) {
        self.states += 1;
        self.executed.set(pc);
    }

    /// Counts a state that a real execution can reach. A table is judged only there.
    pub(super) fn confirmed(&mut self, pc: u64, compared: Compared) {
        self.reached.set(pc);
        if compared.judged {
            self.judged.states += 1;
            self.judged.refused += u64::from(compared.refused > 0);
            self.judged.refused_answers += compared.refused;
            self.judged_pcs.set(pc);
        }
    }

    /// Returns true if a real execution can reach an instruction.
    pub(super) fn is_confirmed(&self, pc: u64) -> bool {
        self.reached.has(pc)
    }

    /// Returns true if an instruction of a range was executed in any state.
    pub(super) fn any(&self, range: &Range<u64>) -> bool {
        self.executed.any(range.clone())
    }

    /// Fills the counts into `explored`. What a run executed was reached too. `stopped`: the
    /// instructions that ended a path.
    pub(super) fn finish(self, explored: Explored, ran: &Bits, stopped: &Bits) -> Explored {
        let Counts { survey, states, executed, reached, judged, judged_pcs } = self;
        let mut reach = Reach { covered: survey.places.covered, states, judged: judged.states, ..Reach::default() };
        let mut unreached = Vec::new();
        for extent in &survey.functions.extents {
            let entered = executed.any(extent.clone()) || ran.any(extent.clone());
            let mut function = Unreached { start: extent.start, end: extent.end, ..Unreached::default() };
            for pc in survey.places.work.within(extent.clone()) {
                function.instructions += 1;
                match (reached.has(pc) || ran.has(pc), executed.has(pc)) {
                    (true, _) => reach.executed += 1,
                    (false, true) => function.unconfirmed += 1,
                    (false, false) => function.unreached += 1,
                }
            }
            reach.unconfirmed += function.unconfirmed;
            reach.not_entered += if entered { 0 } else { function.unreached };
            if function.unconfirmed + function.unreached > 0 {
                function.stopped_at = stopped.within(extent.clone()).next();
                unreached.push(function);
            }
        }
        reach.padding = reached.iter().filter(|pc| !survey.places.work.has(*pc)).count() as u64;
        Explored { reach, unreached, judged, judged_pcs, pcs: reached, ..explored }
    }
}

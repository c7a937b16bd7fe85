//! Consistency of the counts of one report: a contradiction is a bug of the harness.

use crate::{Finding, Report, Summary, UndecidedIn};
use types::{Aspect, Reach};

impl Report {
    /// Returns the statements about the counts that do not hold; empty for a consistent report.
    pub fn contradictions(&self) -> Vec<&'static str> {
        let all = self.summary.statements().into_iter().chain(self.statements());
        all.filter(|(holds, _)| !holds).map(|(_, statement)| statement).collect()
    }

    /// Statements that relate lists and counts.
    fn statements(&self) -> [(bool, &'static str); 5] {
        let Summary { undecided, steps_judged, frames_walked, .. } = self.summary;
        let answers: u64 = self.undecided_in.iter().map(|one| one.answers).sum();
        let is_listed = |one: &UndecidedIn| {
            let is_inside = |pc: &u64| (one.code.0..one.code.1).contains(pc);
            (1..=one.answers).contains(&(one.pcs.len() as u64)) && one.pcs.iter().all(is_inside)
        };
        let judged = steps_judged + frames_walked;
        let executed = |found: &&Finding| found.evidence.executed && found.evidence.field != Aspect::Coverage;
        let mut shown = self.discrepancies.iter().filter(executed);
        [
            (answers <= undecided, "an undecided answer is in one function"),
            (self.undecided.is_empty() == (self.count_undecided() == 0), "what is undecided has a reason"),
            (self.undecided_in.iter().all(is_listed), "the undecided answers of a function are given at its PCs"),
            (judged > 0 || shown.clone().next().is_none(), "what execution shows was judged"),
            (shown.all(|found| found.evidence.steps <= judged), "each step that shows a finding was judged"),
        ]
    }
}

impl Summary {
    /// Statements that relate counts.
    fn statements(&self) -> Vec<(bool, &'static str)> {
        let Summary { steps_executed, steps_judged, pcs_judged, refused, undecided, frames_walked, .. } = *self;
        let mut all = vec![
            (steps_judged <= steps_executed, "a judged step was executed"),
            (pcs_judged <= steps_judged, "a PC is judged by a step"),
            ((pcs_judged == 0) == (steps_judged == 0), "a judged step has a PC"),
            (refused <= steps_judged, "a step with a refused row was judged"),
            (undecided == 0 || steps_executed > 0, "an undecided answer is of an executed step"),
            (frames_walked == 0 || steps_executed > 0, "a walk begins at a step"),
        ];
        if let Some(Reach { covered, executed, unconfirmed, not_entered, padding, states, judged }) = self.reach {
            let (reached, ran) = (executed + padding, steps_executed.saturating_sub(states));
            all.extend([
                (executed + unconfirmed + not_entered <= covered, "an instruction is counted once"),
                (reached + unconfirmed <= steps_executed, "a reached instruction was executed"),
                (judged <= states.min(steps_judged), "a judged state was executed"),
                (states <= steps_executed, "a state is a step"),
                (pcs_judged <= reached + ran, "a judged PC was reached or run"),
                (steps_judged <= ran || reached > 0, "a judged state is of a reached instruction"),
            ]);
        }
        all
    }
}

//! Answers that the truth could not decide, by reason and instruction; what follows in the
//! execution may settle them.

use std::collections::BTreeMap;

use types::{Pc, UndecidedCause};

/// How many answers, by reason and instruction.
#[derive(Debug, Default)]
pub struct Tally(BTreeMap<(UndecidedCause, Pc), u64>);

/// All undecided answers of the executions.
#[derive(Debug, Default)]
pub struct Doubts {
    /// Nothing that followed decided them.
    pub open: Tally,
    /// How the function ended, or where control landed, shows that the rows were right.
    pub settled: Tally,
}

impl Tally {
    /// Counts one more answer.
    pub(super) fn add(&mut self, why: UndecidedCause, pc: Pc) {
        *self.0.entry((why, pc)).or_default() += 1;
    }

    /// The number of answers.
    pub fn answers(&self) -> u64 {
        self.0.values().sum()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The number of answers for each reason, and the instructions at which they were given.
    pub fn by_reason(&self) -> BTreeMap<UndecidedCause, (u64, Vec<Pc>)> {
        let mut by_reason: BTreeMap<UndecidedCause, (u64, Vec<Pc>)> = BTreeMap::new();
        for ((why, pc), answers) in &self.0 {
            let of_reason = by_reason.entry(*why).or_default();
            of_reason.0 += answers;
            of_reason.1.push(*pc);
        }
        by_reason
    }

    fn take(&mut self, other: &Tally) {
        for (key, answers) in &other.0 {
            if let Some(count) = self.0.get_mut(key) {
                *count = count.saturating_sub(*answers);
            }
        }
        self.0.retain(|_, count| *count > 0);
    }

    pub(super) fn give(&mut self, other: Tally) {
        for (key, answers) in other.0 {
            *self.0.entry(key).or_default() += answers;
        }
    }
}

impl Doubts {
    /// What was open is decided: it was wrong.
    pub(super) fn charge(&mut self, answers: &Tally) {
        self.open.take(answers);
    }

    /// What was open is decided: it was right.
    pub(super) fn settle(&mut self, answers: Tally) {
        self.open.take(&answers);
        self.settled.give(answers);
    }
}

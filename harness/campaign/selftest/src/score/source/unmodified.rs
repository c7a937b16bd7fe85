//! The trials of the programs as they are without bugs: what they make and how they are judged,
//! each worked out when a program with a bug first needs it.

use std::collections::BTreeMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ledger::Ledger;
use ledger::earlier::EarlierRun;
use matrix::trial::{Outputs, Trial};
use results::{Status, TrialLine};

/// The trials of the unmodified programs.
#[derive(Debug)]
pub(super) struct Unmodified {
    trials: BTreeMap<String, Trial>,
    ledger: Ledger,
    sums: Once<(String, Outputs), Option<String>>,
    lines: Once<String, TrialLine>,
}

/// Values that are worked out once.
type Once<K, V> = Mutex<BTreeMap<K, Arc<OnceLock<V>>>>;

impl Unmodified {
    /// Trials of unmodified programs.
    pub(super) fn new(trials: Vec<Trial>, ledger: Ledger) -> Unmodified {
        let trials = trials.into_iter().map(|trial| (trial.key.to_string(), trial)).collect();
        Unmodified { trials, ledger, sums: Mutex::default(), lines: Mutex::default() }
    }

    /// Result of a trial that fails and does not with the unmodified programs. One in which the
    /// tools make what those made is not judged.
    pub(super) fn failure(&self, trial: &Trial, outputs: Outputs) -> Option<TrialLine> {
        let key = trial.key.to_string();
        let unmodified = self.trials.get(&key)?;
        let sum = once(&self.sums, (key.clone(), outputs), || unmodified.sum_of(outputs));
        if sum.is_some() && trial.sum_of(outputs) == sum {
            return None;
        }
        let before = once(&self.lines, key, || unmodified.run(&self.ledger));
        let ledger = Ledger { earlier: Some(EarlierRun::new([before])), ..self.ledger.clone() };
        let line = trial.run(&ledger);
        matches!(line.status, Status::Fail | Status::Xpass | Status::Unresolved).then_some(line)
    }
}

/// The value of a key, which two threads do not work out at the same time.
fn once<K: Ord + Hash, V: Clone>(values: &Once<K, V>, key: K, make: impl FnOnce() -> V) -> V {
    let place = Arc::clone(values.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
    place.get_or_init(make).clone()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::{Once, once};

    #[test]
    fn a_value_is_worked_out_once() {
        let values: Once<u8, u8> = Mutex::default();
        assert_eq!(once(&values, 1, || 5), 5);
        assert_eq!(once(&values, 1, || 6), 5);
        assert_eq!(once(&values, 2, || 6), 6);
    }
}

//! What a run comes to: verdicts by reader, and of every way to be wrong the smallest section that shows it.

use std::collections::BTreeMap;

use super::{Outcome, Verdict};

/// How often each verdict was given to a reader.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// Sections by reader and their worst verdict, answers by reader and verdict.
    pub counts: BTreeMap<String, BTreeMap<Verdict, (usize, usize)>>,
}

impl Summary {
    /// Counts outcomes.
    pub fn of(outcomes: &[Outcome<'_>]) -> Summary {
        let mut summary = Summary::default();
        for outcome in outcomes {
            let verdicts = summary.counts.entry(outcome.reader.consumer.name.clone()).or_default();
            for judged in &outcome.judged {
                verdicts.entry(judged.verdict).or_default().1 += 1;
            }
            if let Some(worst) = outcome.worst() {
                verdicts.entry(worst.verdict).or_default().0 += 1;
            }
        }
        summary
    }

    /// How many sections a reader, or any reader, came to that with.
    pub fn sections(&self, which: impl Fn(Verdict) -> bool) -> usize {
        let all = self.counts.values().flatten();
        all.filter(|(verdict, _)| which(**verdict)).map(|(_, (sections, _))| sections).sum()
    }
}

/// Of each reader, version, ABI and accusing verdict, the smallest section: where the accusation is looked at first.
pub fn smallest<'o, 'a>(outcomes: &'o [Outcome<'a>]) -> Vec<&'o Outcome<'a>> {
    let mut least: BTreeMap<_, &Outcome<'a>> = BTreeMap::new();
    for outcome in outcomes {
        let Some(worst) = outcome.worst().filter(|worst| worst.verdict.accuses()) else { continue };
        let vector = outcome.vector;
        let key = (&outcome.reader.consumer.name, worst.verdict, vector.version, vector.abi);
        let is_less =
            |other: &&Outcome<'_>| (vector.bytes.len(), &vector.id) < (other.vector.bytes.len(), &other.vector.id);
        if least.get(&key).is_none_or(is_less) {
            least.insert(key, outcome);
        }
    }
    least.into_values().collect()
}

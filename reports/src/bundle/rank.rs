//! Ranking of findings: each fingerprint once, by the number of trials that show it.

use std::collections::BTreeMap;

use results::{Blame, TrialLine};
use spec::RuleId;

/// A ranked finding of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranked {
    /// 16 hex digits over rule, blame, function and shape.
    pub fingerprint: String,
    /// The rule that is broken.
    pub rule: RuleId,
    /// The blamed producer.
    pub blame: Blame,
    /// The trials that show the finding, in order of names.
    pub trials: Vec<String>,
}

/// The findings of a run, most trials first.
pub fn rank<'a>(lines: impl IntoIterator<Item = &'a TrialLine>) -> Vec<Ranked> {
    let mut found: BTreeMap<&str, Ranked> = BTreeMap::new();
    for line in lines {
        for finding in &line.findings {
            let ranked = found.entry(finding.fingerprint()).or_insert_with(|| Ranked {
                fingerprint: finding.fingerprint().to_owned(),
                rule: finding.rule(),
                blame: finding.blame(),
                trials: Vec::new(),
            });
            if ranked.trials.last() != Some(&line.key) {
                ranked.trials.push(line.key.clone());
            }
        }
    }
    let mut all: Vec<Ranked> = found.into_values().collect();
    for ranked in &mut all {
        ranked.trials.sort();
        ranked.trials.dedup();
    }
    all.sort_by(|a, b| b.trials.len().cmp(&a.trials.len()).then_with(|| a.fingerprint.cmp(&b.fingerprint)));
    all
}

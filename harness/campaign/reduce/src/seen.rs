//! Result of judging a candidate, and whether it shows the finding.

use std::collections::BTreeSet;

use results::{Blame, Finding, Report, Summary, TrialLine, without_numbers};
use spec::{RuleGroup, RuleId, Severity};

use super::identity::Identity;

/// The errors that a tool printed, without files and numbers.
fn complaints(printed: &str) -> BTreeSet<String> {
    let lines = printed.lines().flat_map(|line| line.split("; "));
    lines.filter_map(|line| line.split_once("rror: ")).map(|(_, error)| without_numbers(error)).collect()
}

/// Result of judging a candidate.
#[derive(Clone, Debug, Default)]
pub struct Observation {
    /// Findings of severity error.
    pub findings: Vec<Finding>,
    /// Findings of lower severity.
    pub milder: Vec<Finding>,
    pub problems: Vec<String>,
    /// Counts; `None` if there was nothing to judge.
    pub summary: Option<Summary>,
    /// Commands that made it.
    pub commands: Vec<String>,
    /// True if a run ended early.
    pub stopped_early: bool,
}

impl From<TrialLine> for Observation {
    fn from(line: TrialLine) -> Observation {
        let TrialLine { findings, problems, summary, commands, stopped_early, .. } = line;
        Observation { findings, milder: Vec::new(), problems, summary, commands, stopped_early }
    }
}

impl From<Report> for Observation {
    fn from(report: Report) -> Observation {
        let is_error = |found: &Finding| found.severity == Severity::Error;
        let (findings, milder) = report.discrepancies.into_iter().partition(is_error);
        let problems = report.error.into_iter().map(|error| error.message).collect();
        Observation { findings, milder, problems, summary: Some(report.summary), ..Observation::default() }
    }
}

impl Observation {
    /// Returns true if it was built and judged.
    pub fn is_made(&self) -> bool {
        self.summary.is_some() && self.failed().is_none()
    }

    /// Message of a tool that failed.
    pub fn failure(&self) -> Option<&str> {
        let printed = self.failed().map(|found| found.shown.message.as_str());
        printed.or_else(|| self.problems.first().map(String::as_str).filter(|_| !self.is_made()))
    }

    /// The finding about a build that failed.
    fn failed(&self) -> Option<&Finding> {
        self.findings.iter().find(|found| found.rule().group() == RuleGroup::Build)
    }

    pub fn finding(&self, identity: &Identity) -> Option<&Finding> {
        self.all().find(|found| Identity::from_finding(found) == *identity)
    }

    /// The finding with a fingerprint, its own or that of one of its causes, of any severity.
    pub fn fingerprinted(&self, fingerprint: &str) -> Option<&Finding> {
        self.all().find(|found| found.is_named(fingerprint))
    }

    fn all(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().chain(&self.milder)
    }

    /// Returns true if the identity is shown.
    pub fn shows(&self, identity: &Identity) -> bool {
        match identity {
            Identity::Finding(_) => self.finding(identity).is_some(),
            Identity::Failure(_) => self.failure().is_some_and(|printed| Identity::from_failure(printed) == *identity),
        }
    }

    /// Returns true if every run ended by itself.
    pub fn ends(&self) -> bool {
        !self.stopped_early
    }

    /// Returns true if there are no errors that the original does not have: otherwise the candidate
    /// has become meaningless. Findings of the rules in `apart` do not count.
    pub fn adds_nothing_to(&self, whole: &Observation, apart: &[RuleId]) -> bool {
        let kinds = |seen: &Observation| -> BTreeSet<(RuleId, Blame)> {
            let counted = seen.findings.iter().filter(|found| !apart.contains(&found.rule()));
            counted.map(|found| (found.rule(), found.blame())).collect()
        };
        let undecided = |seen: &Observation| seen.summary.map_or(0, |summary| summary.undecided);
        let complaints = |seen: &Observation| seen.failure().map(complaints).unwrap_or_default();
        kinds(self).is_subset(&kinds(whole))
            && undecided(self) <= undecided(whole)
            && complaints(self).is_subset(&complaints(whole))
    }

    /// The most specific finding: a failure of a tool, then rows before broken chains, which follow
    /// from them; executed ones first.
    pub fn foremost(&self) -> Option<&Finding> {
        self.findings.iter().min_by_key(|found| {
            (
                found.rule().group() != RuleGroup::Build,
                found.rule().group() == RuleGroup::Chain,
                !found.evidence.executed,
                found.fingerprint(),
            )
        })
    }

    /// List of the findings of severity error, to choose from.
    pub fn listed(&self) -> String {
        let printed = |found: &Finding| format!("{} ({})", found.fingerprint(), found.rule());
        let found: Vec<String> = self.findings.iter().map(printed).collect();
        if found.is_empty() { "none".to_owned() } else { found.join(", ") }
    }
}

#[cfg(test)]
mod tests {
    use super::Observation;

    /// What fails with another error beside the first is another text.
    #[test]
    fn a_candidate_with_another_error_adds_something() {
        let failing = |printed: &str| Observation { problems: vec![printed.to_owned()], ..Observation::default() };
        let whole = failing("as x.s failed: x.s: Assembler messages:; x.s:4: Error: bad register expression");
        assert!(failing("x.s:2: Error: bad register expression").adds_nothing_to(&whole, &[]));
        let open = "x.s:2: Error: bad register expression; x.s: Error: open CFI at the end of file";
        assert!(!failing(open).adds_nothing_to(&whole, &[]));
    }
}

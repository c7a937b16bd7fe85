//! The results of an earlier run as what is known: `run --against DIR`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use results::{Blame, Finding, GapLine, Key, Problem, Report, Status, TrialLine};
use spec::Severity;
use toolchain::complaint::without_numbers;

use crate::known::{Coverage, New};
use crate::run_files::{self, ReadError};

/// What findings that an earlier run had are known by.
pub const KNOWN: &str = "earlier-results";

/// The trials of an earlier run, by their names without versions of tools and of SFrame.
#[derive(Clone, Debug, Default)]
pub struct EarlierRun(BTreeMap<String, Vec<(Key, TrialLine)>>);

impl EarlierRun {
    pub fn read(folder: &Path) -> Result<EarlierRun, ReadError> {
        Ok(EarlierRun::new(run_files::read(&[PathBuf::from(folder)])?.trials))
    }

    /// The run of these trials, without those that did not run.
    pub fn new(trials: impl IntoIterator<Item = TrialLine>) -> EarlierRun {
        let mut named: BTreeMap<String, Vec<(Key, TrialLine)>> = BTreeMap::new();
        for trial in trials.into_iter().filter(|trial| trial.status != Status::Unsupported) {
            let Ok(key) = trial.key.parse::<Key>() else { continue };
            named.entry(unversioned(&key)).or_default().push((key, trial));
        }
        EarlierRun(named)
    }

    /// What a trial showed then; `None` if there was no such trial. Of several, the one with the
    /// same versions of the other tools (two compilers give one assembler different text), then the
    /// one with the newest version of its tool.
    pub fn trial(&self, key: &Key) -> Option<EarlierTrial<'_>> {
        let all =
            || self.0.get(&unversioned(key)).into_iter().flatten().filter(|(other, _)| other.sframe == key.sframe);
        let with_same = all().filter(|(other, _)| other.case == key.case);
        newest(with_same).or_else(|| newest(all())).map(EarlierTrial)
    }

    /// Why a trial cannot be compared, if there was one only with another SFrame version: another
    /// version has other rows.
    pub fn not_comparable(&self, key: &Key) -> Option<String> {
        let then: BTreeSet<&str> =
            self.0.get(&unversioned(key))?.iter().map(|(other, _)| other.sframe.as_str()).collect();
        if then.contains(key.sframe.as_str()) {
            return None;
        }
        let then: Vec<&str> = then.into_iter().collect();
        Some(format!("another SFrame version: it is {}, the earlier results have {}", key.sframe, then.join(", ")))
    }
}

/// The name of a trial without the versions of tools and of SFrame.
fn unversioned(key: &Key) -> String {
    Key { sframe: String::new(), ..key.clone() }.without_versions()
}

fn newest<'a>(trials: impl Iterator<Item = &'a (Key, TrialLine)>) -> Option<&'a TrialLine> {
    let newer = |one: &'a (Key, TrialLine), other: &'a (Key, TrialLine)| {
        if other.0.version.at_least(&one.0.version) { other } else { one }
    };
    trials.reduce(newer).map(|(_, trial)| trial)
}

/// What a trial showed in an earlier run: that is known, and all else is new.
#[derive(Clone, Copy, Debug)]
pub struct EarlierTrial<'a>(&'a TrialLine);

impl EarlierTrial<'_> {
    /// The same findings: those that were there then are known, whatever the ledger has, and those
    /// that were not are new, also where the ledger expects them. Nothing has to recur.
    pub fn standing(self, by_ledger: &Coverage, findings: &[Finding]) -> Coverage {
        let mut standing = Coverage::default();
        for (index, finding) in findings.iter().enumerate() {
            if !self.0.findings.iter().any(|before| shows(before, finding)) {
                let unlisted = by_ledger.new.iter().find(|new| new.finding == index).and_then(|new| new.unlisted);
                standing.new.push(New { finding: index, unlisted });
            } else {
                standing.known.extend(by_ledger.known.iter().filter(|(known, _)| *known == index));
            }
        }
        standing
    }

    /// Returns true for a problem that it had then.
    pub fn had(self, problem: &str) -> bool {
        let problem = without_numbers(problem);
        self.0.problems.iter().any(|before| without_numbers(before) == problem)
    }

    /// What was right then and is not now, besides findings: functions that lost their descriptor,
    /// rules that nothing broke, and files that are not made. `lost_by` is the tool that omitted a
    /// function.
    pub fn lost(self, report: &Report, not_made: &[String], lost_by: impl Fn(&str) -> Option<Blame>) -> Vec<Problem> {
        let before: BTreeSet<&str> = self.0.gaps.iter().map(|GapLine { function, .. }| function.as_str()).collect();
        let gaps = report.gaps.iter().filter(|gap| !before.contains(gap.function.as_str()));
        let mut lost: Vec<Problem> = gaps
            .map(|gap| {
                let why = gap.reason.as_deref().unwrap_or("this version could describe it");
                let text =
                    format!("{} has no function descriptor ({why}), and had one in the earlier results", gap.function);
                Problem { text, blame: lost_by(&gap.function) }
            })
            .collect();
        let milder = report.discrepancies.iter().filter(|found| found.severity < Severity::Error);
        let rules: BTreeMap<String, &Finding> = milder.map(|found| (found.rule().to_string(), found)).collect();
        let broken = rules.into_iter().filter(|(rule, _)| !self.0.warnings.contains_key(rule));
        lost.extend(broken.map(|(rule, found)| {
            let what = if found.severity == Severity::Warning { "warning" } else { "note" };
            Problem::new(found.blame(), format!("{rule}: a {what} that the earlier results did not have"))
        }));
        let file = |line: &str| line.split(':').next().unwrap_or_default().to_owned();
        let made = |line: &&String| self.0.not_made.iter().all(|before| file(before) != file(line));
        lost.extend(
            not_made
                .iter()
                .filter(made)
                .map(|line| Problem::new(Blame::Linker, format!("{line} (the earlier results have this file)"))),
        );
        lost
    }
}

/// Returns true if the finding is one that was there, with no row besides those that were.
fn shows(before: &Finding, finding: &Finding) -> bool {
    let rows = |finding: &Finding| finding.evidence.rows.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    before.fingerprint() == finding.fingerprint()
        && finding.evidence.rows_cut == before.evidence.rows_cut
        && rows(finding).is_subset(&rows(before))
}

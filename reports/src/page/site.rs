//! A site of several nights: the result of each, the history of findings, gaps and sizes, and
//! downloads. It needs no server, and is whole without its script; the same results give the same
//! bytes, for days come from the results.

mod badge;
mod beside;
mod feed;
mod index;
mod trend;

use std::collections::{BTreeMap, BTreeSet};

use maud::Markup;
use results::{Status, ToolName};

use super::Days;
use super::matrix::Matrix;
use super::totals::verdict;
use crate::causes::new_causes;
use crate::findings::{KnownBug, Recorded, ranked, recorded};
use crate::sentence::sentence;
use crate::sizes::{Cost, compared};
use results::RunResults;
use results::tally::Tally;

pub use self::badge::badge;
pub use self::feed::feed;
pub use self::index::{Corpus, index};

/// Summary of a night's results.
#[derive(Clone, Debug)]
pub struct Night {
    /// Directory of the night in the site.
    pub folder: String,
    /// The day of the night's run.
    pub day: String,
    /// Name and version of the program.
    tool: String,
    /// The options of the run, if it was not the whole matrix.
    asked: String,
    status: Status,
    sentence: String,
    tally: Tally,
    /// Titles of the new bugs, by fingerprint.
    new: BTreeMap<String, String>,
    /// The recurring ledger entries, by file.
    known: BTreeMap<String, RecurringEntry>,
    /// Results by producer; snapshots of one version are combined.
    producers: BTreeMap<String, Sums>,
    /// The matrix of its page; its links lead to places of that page.
    matrix: Markup,
}

/// A recurring ledger entry.
#[derive(Clone, Debug)]
struct RecurringEntry {
    title: String,
    /// Number of trials that show findings of the entry.
    trials: usize,
    /// False for unimplemented features and contested behaviour.
    is_bug: bool,
}

/// The results of one producer's trials.
#[derive(Clone, Debug, Default)]
struct Sums {
    trials: u64,
    findings: u64,
    gaps: u64,
    cost: Cost,
}

impl Night {
    /// Summarizes the results of a night, with its directory in the site.
    pub fn new(folder: &str, run: &RunResults) -> Night {
        let groups = ranked(&run.trials);
        let entry = |file: &str| run.facts.ledger.iter().find(|entry| entry.file == file);
        let title = |file: &str| entry(file).map_or_else(|| file.to_owned(), |entry| entry.title.clone());
        let of = |one: &KnownBug<'_>, is_bug| {
            (one.file.to_owned(), RecurringEntry { title: title(one.file), trials: one.trials, is_bug })
        };
        let Recorded { bugs, others } = recorded(&groups, &run.facts);
        let known = bugs.iter().map(|one| of(one, true)).chain(others.iter().map(|one| of(one, false)));
        let tally = Tally::new(&run.trials);
        let causes = new_causes(&run.trials);
        Night {
            folder: folder.to_owned(),
            day: run.facts.day.clone(),
            tool: run.facts.tool_version.clone(),
            asked: run.facts.asked.words().join(" "),
            status: verdict(&tally, &run.facts),
            sentence: sentence(&run.trials, &run.facts),
            tally,
            new: causes.iter().map(|cause| (cause.best.fingerprint().to_owned(), cause.best.headline())).collect(),
            known: known.collect(),
            producers: sums(run),
            matrix: Matrix::new(&run.trials, &causes, &run.facts).table(),
        }
    }

    /// Number of recurring bugs, or of other recurring entries.
    fn recurring(&self, is_bug: bool) -> u64 {
        self.known.values().filter(|known| known.is_bug == is_bug).count() as u64
    }
}

fn sums(run: &RunResults) -> BTreeMap<String, Sums> {
    let mut sums: BTreeMap<String, Sums> = BTreeMap::new();
    let mut found: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for trial in run.trials.iter().filter(|trial| trial.status != Status::Unsupported) {
        let name = trial.producer.parse::<ToolName>().map_or_else(|_| trial.producer.clone(), |tool| tool.any_day());
        found.entry(name.clone()).or_default().extend(trial.findings.iter().map(|found| found.fingerprint()));
        let of = sums.entry(name).or_default();
        of.trials += 1;
        of.gaps += trial.gaps.len() as u64;
        if let Some(sizes) = compared(trial) {
            of.cost.add(sizes);
        }
    }
    for (name, found) in found {
        if let Some(of) = sums.get_mut(&name) {
            of.findings = found.len() as u64;
        }
    }
    sums
}

/// First and last day on which each ledger entry was seen, by the entry's file. Nights must be in
/// order of their days.
pub fn seen(nights: &[Night]) -> BTreeMap<String, Days> {
    let mut seen: BTreeMap<String, Days> = BTreeMap::new();
    for night in nights {
        for file in night.known.keys() {
            let days = seen.entry(file.clone()).or_insert_with(|| (night.day.clone(), night.day.clone()));
            days.1.clone_from(&night.day);
        }
    }
    seen
}

//! The data for the script: trials in columns, findings by fingerprint, every string and list once.
//!
//! `assets/data.js` reads these keys; both files must change together.

use std::collections::{BTreeMap, BTreeSet};

use results::{CaseName, Finding, RunFacts, Status, TrialLine};
use serde_json::{Value, json};
use spec::{Clause, clause_named};

use super::intern::Interner;
use super::text::clean;
use super::written::Detail;
use super::{PageExtras, catalogue};
use crate::causes::new_causes;
use crate::findings::Group;
use crate::places::{Places, Steps};
use results::exercised;

/// Maximum number of trials of one finding that are written in full: a few targets show the
/// variation, the results file has the rest.
const EXAMPLES: usize = 4;

/// Maximum number of findings that are written in full, by rank; others have only the message and
/// rows of the first trial.
const IN_FULL: usize = 2000;

/// Placeholder for the case in an interned command: no cleaned text contains it.
const CASE: &str = "\u{1}";

/// Placeholder for the case without its variant.
const STEM: &str = "\u{2}";

/// The data of the page as one JSON object.
pub(super) fn data(trials: &[TrialLine], facts: &RunFacts, groups: &[Group<'_>], beside: PageExtras<'_>) -> Value {
    let mut pool = Pool { strings: Interner::new(), lists: Interner::new() };
    let index: BTreeMap<&str, usize> = trials.iter().zip(0..).map(|(trial, at)| (trial.key.as_str(), at)).collect();
    let causes = new_causes(trials);
    let alike: BTreeMap<&str, &[&str]> =
        causes.iter().flat_map(|cause| cause.fingerprints.iter().map(|name| (*name, &*cause.fingerprints))).collect();
    let steps = |trial: &TrialLine, found: &Finding| {
        let own = [found.fingerprint()];
        let all = alike.get(found.fingerprint()).copied().unwrap_or(&own);
        beside.places.map_or_else(Steps::new, |places| places.steps(trial, found, all, facts))
    };
    let mut examples: Examples<'_> = BTreeMap::new();
    let mut written = Vec::new();
    for (number, group) in groups.iter().enumerate() {
        let (most, detail) = if number < IN_FULL { (EXAMPLES, Detail::Full) } else { (1, Detail::Rows) };
        let mut shown = Vec::new();
        for (trial, found) in choose(group, most) {
            let Some(at) = index.get(trial.key.as_str()) else { continue };
            examples.entry((&trial.key, group.fingerprint)).or_insert(shown.len());
            shown.push(pool.example(*at, trial, found, &steps(trial, found), detail));
        }
        written.push(pool.group(group, &shown));
    }
    let numbers: BTreeMap<&str, u64> = groups.iter().map(|group| group.fingerprint).zip(0..).collect();
    let mut columns = pool.trials(trials, &numbers, &examples, beside.places);
    let shown = pool.clauses(trials, facts);
    columns["col"]["q"] = shown.into();
    let ledger = pool.ledger(groups, facts, beside);
    json!({
        "k": ledger, "c": catalogue::clauses(facts), "t": columns, "g": written, "r": catalogue::rules(),
        "s": pool.strings.values(), "l": pool.lists.values(),
    })
}

/// Index of a finding's example, by the trial's name and the fingerprint.
type Examples<'a> = BTreeMap<(&'a str, &'a str), usize>;

/// The first occurrence for each target: new ones before others, and executed ones, which have
/// pictures, before others.
fn choose<'a>(group: &Group<'a>, most: usize) -> Vec<(&'a TrialLine, &'a Finding)> {
    let mut order = group.occurrences.clone();
    order.sort_by_key(|(_, found)| (found.standing.known.is_some(), !found.evidence.executed));
    let mut seen = BTreeSet::new();
    order.retain(|(trial, _)| seen.insert((&trial.abi, &trial.sframe)));
    order.truncate(most);
    order
}

/// Texts and lists of numbers, each written once.
pub(super) struct Pool {
    pub(super) strings: Interner<String>,
    pub(super) lists: Interner<Vec<u64>>,
}

impl Pool {
    fn texts<'a>(&mut self, texts: impl IntoIterator<Item = &'a String>) -> u64 {
        let list = texts.into_iter().map(|text| self.strings.text(text)).collect();
        self.lists.number(list)
    }

    /// The trials as one list for each property. Lists are written as their number.
    fn trials(
        &mut self,
        trials: &[TrialLine],
        groups: &BTreeMap<&str, u64>,
        examples: &Examples<'_>,
        places: Option<&Places>,
    ) -> Value {
        let mut columns: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
        let mut keys: BTreeMap<usize, u64> = BTreeMap::new();
        let mut statuses = String::new();
        for (index, trial) in trials.iter().enumerate() {
            statuses.push(letter(trial.status));
            let parts = [&trial.producer, &trial.abi, &trial.sframe, &trial.topic, &trial.case];
            if trial.key != parts.map(String::as_str).join("::") {
                keys.insert(index, self.strings.text(&trial.key));
            }
            let findings: Vec<u64> = trial
                .findings
                .iter()
                .filter_map(|found| {
                    let group = *groups.get(found.fingerprint())?;
                    let example = examples.get(&(trial.key.as_str(), found.fingerprint()));
                    let example = example.map_or(0, |nth| *nth as u64 + 1);
                    let known = found.standing.known.as_deref().map_or(0, |known| self.strings.text(known));
                    let stage = self.strings.text(found.stage.name());
                    Some(self.lists.number(vec![group, known, stage, found.evidence.steps, example]))
                })
                .collect();
            let mut put = |name, number| columns.entry(name).or_default().push(number);
            for (name, part) in ["p", "a", "v", "t", "c"].into_iter().zip(parts) {
                put(name, self.strings.text(part));
            }
            put("f", self.lists.number(findings));
            put("k", self.commands(trial));
            let steps = places.map_or_else(Steps::new, |places| places.steps_of_trial(trial));
            put("h", self.steps(&steps, "", &trial.key));
            put("r", self.texts(&trial.problems));
            put("o", self.texts(&trial.covers));
            put("z", self.texts(trial.tools.iter().flat_map(|(kind, tool)| [kind, tool])));
            let warnings = trial.warnings.iter().flat_map(|(rule, count)| [self.strings.text(rule), *count]).collect();
            put("w", self.lists.number(warnings));
            let gaps = trial.gaps.iter();
            let gaps = gaps
                .flat_map(|gap| {
                    [self.strings.text(&gap.function), gap.reason.as_deref().map_or(0, |why| self.strings.text(why))]
                })
                .collect();
            put("g", self.lists.number(gaps));
            let summary = trial.summary.map(|s| {
                let counts = [s.functions, s.steps_executed, s.steps_judged, s.pcs_judged, s.pcs_compared_static];
                [counts.as_slice(), &[s.frames_walked, s.max_depth, s.warnings, s.undecided, s.missing]].concat()
            });
            put("b", self.tables(trial));
            put("m", self.lists.number(summary.unwrap_or_default()));
            let sizes = trial.sizes.map(|s| vec![s.sframe, s.eh_frame, s.eh_frame_hdr, s.functions, s.rows, s.text]);
            put("y", self.lists.number(sizes.unwrap_or_default()));
        }
        json!({ "st": statuses, "key": keys, "col": columns })
    }

    /// The judged tables, one per line.
    fn tables(&mut self, trial: &TrialLine) -> u64 {
        let lines = trial.tables.iter().map(|table| format!("{}: {}", table.version, table.features.join(", ")));
        let lines: Vec<String> = lines.collect();
        self.texts(&lines)
    }

    /// The clauses that each trial covers, by index in the run's list: the number of a list for
    /// each trial. Trials with equal tables share a list.
    fn clauses(&mut self, trials: &[TrialLine], facts: &RunFacts) -> Vec<u64> {
        let clauses: Vec<(u64, &Clause)> =
            facts.clauses.iter().zip(0..).filter_map(|(facts, at)| Some((at, clause_named(&facts.id)?))).collect();
        let mut known: BTreeMap<(u64, u64, Status, bool), u64> = BTreeMap::new();
        let mut numbers = Vec::new();
        for trial in trials {
            // Everything that coverage depends on, by number.
            let key = (self.tables(trial), self.texts(&trial.covers), trial.status, trial.summary.is_some());
            let number = *known.entry(key).or_insert_with(|| {
                let exercised = exercised(trial);
                let covered = clauses.iter().filter(|(_, clause)| exercised.iter().any(|trial| trial.covers(clause)));
                self.lists.number(covered.map(|(at, _)| *at).collect())
            });
            numbers.push(number);
        }
        numbers
    }

    /// The commands without the case's name, so that trials of many cases share them.
    fn commands(&mut self, trial: &TrialLine) -> u64 {
        let case = clean(&trial.case);
        let stem = CaseName(&case).plain().to_owned();
        let commands: Vec<u64> = trial
            .commands
            .iter()
            .map(|command| {
                let mut command = clean(command);
                for (name, sign) in [(&case, CASE), (&stem, STEM)] {
                    if name.len() > 2 {
                        command = command.replace(name.as_str(), sign);
                    }
                }
                self.strings.number(command)
            })
            .collect();
        self.lists.number(commands)
    }
}

fn letter(status: Status) -> char {
    match status {
        Status::Pass => 'P',
        Status::Xfail => 'K',
        Status::Xpass => 'X',
        Status::Fail => 'F',
        Status::Unresolved => 'U',
        Status::Unsupported => 'N',
    }
}

//! Trials of the matrix as tests: a suite is a producer on a target with an SFrame version.

use std::collections::{BTreeMap, BTreeSet};

use results::{Finding, RunFacts, Status, TrialLine};
use serde_json::json;
use spec::{RuleId, Severity};
use types::{SframeVersion, counted};

use super::{Bugs, Issue, IssuePlace, Kind, Pin, ShownIn, Test, TestRun, TestStatus, finding};
use crate::causes::new_causes;
use crate::escape::line;
use crate::findings::{Group, ranked, recorded};
use crate::format::markdown::{cut_cell, more};
use crate::place::case_file;
use crate::sentence::sentence;
use results::tally::{STATUSES, Tally, UNFINISHED, word};

/// The fingerprint's key for rules of lower severity; the fingerprint is rule and producer.
const MILDER: &str = "sframeConformanceMilder/v1";

/// Locations of annotations: GitHub shows one only at a line of a file in the workflow's
/// repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pinned {
    /// The directory of the checkout with the cases in the repository: empty if it is the
    /// repository itself. `None` if the cases are in another repository.
    pub checkout: Option<String>,
    /// The producers' file of the run in that repository, and the line of each entry.
    pub producers: Option<(String, BTreeMap<String, u64>)>,
}

impl Pinned {
    /// File and line for a trial: the producer's entry in a file that the user wrote, else the
    /// case.
    fn at(&self, trial: &TrialLine) -> Option<Pin> {
        let name = trial.producer.split('@').next().unwrap_or_default();
        if let Some((file, lines)) = &self.producers {
            return Some((file.clone(), lines.get(name).copied().unwrap_or(1)));
        }
        let checkout = self.checkout.as_ref()?;
        let below = if checkout.is_empty() { String::new() } else { format!("{checkout}/") };
        Some((format!("{below}{}", case_file(trial)), 1))
    }
}

pub fn of_matrix(trials: &[TrialLine], facts: &RunFacts, pinned: &Pinned) -> TestRun {
    let groups = ranked(trials);
    let unfinished = facts.unfinished.then(|| {
        let test = Test::new("run", "run", "finished".to_owned(), TestStatus::Unresolved).because(UNFINISHED);
        Test { details: UNFINISHED.to_owned(), ..test }
    });
    let mut tests: Vec<Test> = trials.iter().map(|trial| test(trial, facts, pinned)).collect();
    tests.sort_by(|a, b| (&a.suite, &a.name).cmp(&(&b.suite, &b.name)));
    TestRun {
        kind: Kind::Matrix,
        tool_version: facts.tool_version.clone(),
        day: facts.day.clone(),
        seconds: Some(facts.seconds),
        sentence: sentence(trials, facts),
        table: table(trials),
        remark: clauses(facts),
        tests: unfinished.into_iter().chain(tests).collect(),
        issues: groups.iter().map(|group| issue(group, pinned)).chain(milder(trials)).collect(),
        bugs: Some(by_bug(trials, facts, &groups, pinned)),
    }
}

/// New bugs by cause, as on a terminal, and known ones by ledger entry.
fn by_bug(trials: &[TrialLine], facts: &RunFacts, groups: &[Group<'_>], pinned: &Pinned) -> Bugs {
    let causes = new_causes(trials);
    let new = causes.iter().filter_map(|cause| {
        let group = groups.iter().find(|group| group.fingerprint == cause.best.fingerprint())?;
        let (best, best_trial, trials) = (cause.best, cause.best_trial, cause.trials.len());
        Some(issue(&Group { best, best_trial, trials, ..group.clone() }, pinned))
    });
    let known = recorded(groups, facts).bugs.into_iter().filter_map(|bug| {
        let issue = issue(bug.groups.first()?, pinned);
        let entry = facts.ledger.iter().find(|entry| entry.file == bug.file);
        let headline = entry.map_or(issue.headline, |entry| entry.title.clone());
        Some(Issue { headline, known: BTreeSet::from([bug.file.to_owned()]), tests: bug.trials, ..issue })
    });
    Bugs { new: new.collect(), known: known.collect() }
}

fn test(trial: &TrialLine, facts: &RunFacts, pinned: &Pinned) -> Test {
    let suite = format!("{}::{}::{}", trial.producer, trial.abi, trial.sframe);
    let known: BTreeSet<&str> = trial.findings.iter().filter_map(|found| found.standing.known.as_deref()).collect();
    let reasons = match trial.status {
        Status::Xfail if !known.is_empty() => vec![format!("known: {}", Vec::from_iter(known).join(", "))],
        _ => trial.reasons().collect(),
    };
    let new = || trial.findings.iter().filter(|found| found.standing.known.is_none());
    let problems = (!trial.problems.is_empty()).then(|| trial.problems.join("\n"));
    Test {
        file: Some(case_file(trial)),
        seconds: facts.times.get(&trial.key).copied(),
        reasons,
        details: problems.into_iter().chain(new().map(finding::details)).collect::<Vec<_>>().join("\n"),
        commands: trial.commands.clone(),
        pin: pinned.at(trial),
        shown_in: if new().next().is_some() { ShownIn::Issues } else { ShownIn::Test },
        ..Test::new(&suite, &trial.topic, trial.key.clone(), trial.status.into())
    }
}

fn issue(group: &Group<'_>, pinned: &Pinned) -> Issue {
    let place = |trial: &TrialLine, found: &Finding| {
        let properties = json!({
            "status": word(trial.status), "stage": found.stage, "place": found.shown.place, "known": found.standing.known,
        });
        finding::place(found, &trial.key, (case_file(trial), 1), properties)
    };
    // New ones first: they need attention.
    let mut occurrences = group.occurrences.clone();
    occurrences.sort_by_key(|(_, found)| found.standing.known.is_some());
    let version = SframeVersion::named(&group.best_trial.sframe);
    let best = place(group.best_trial, group.best);
    let mut issue = finding::issue(group.best, version, group.rows_fingerprint(), best);
    issue.places = occurrences.iter().map(|(trial, found)| place(trial, found)).collect();
    let ours = json!({ "trials": group.trials, "trialsWhereNew": group.new, "producers": group.producers() });
    if let (Some(all), Some(ours)) = (issue.properties.as_object_mut(), ours.as_object()) {
        all.extend(ours.clone());
    }
    Issue {
        known: group.known.iter().map(|file| (*file).to_owned()).collect(),
        is_new: group.is_new(),
        tests: group.trials,
        occurrences: group.occurrences.len() as u64,
        pin: pinned.at(group.best_trial),
        ..issue
    }
}

/// Rules of lower severity than error: permitted, and counted for each rule and producer.
fn milder(trials: &[TrialLine]) -> Vec<Issue> {
    let mut shown: BTreeMap<(&str, &str), (Vec<&TrialLine>, u64)> = BTreeMap::new();
    for trial in trials {
        for (rule, count) in &trial.warnings {
            let (trials, sum) = shown.entry((rule, &trial.producer)).or_default();
            trials.push(trial);
            *sum = sum.saturating_add(*count);
        }
    }
    let issue = |((id, producer), (trials, count)): ((&str, &str), (Vec<&TrialLine>, u64))| {
        let rule = id.parse().ok().map(RuleId::facts);
        let statement = rule.map_or("A rule that this version does not know.", |rule| rule.statement);
        let of = counted(trials.len(), "trial");
        let place = |trial: &&TrialLine| IssuePlace {
            test: trial.key.clone(),
            at: String::new(),
            file: (case_file(trial), 1),
            function: None,
            properties: json!(null),
        };
        Some(Issue {
            rule: id.to_owned(),
            // The results have no error of this rule; a rule that this version does not know is no
            // alarm.
            severity: rule.map_or(Severity::Info, |rule| rule.severity.min(Severity::Warning)),
            title: format!("{producer}: {id}"),
            headline: String::new(),
            message: format!("{statement} ({count} violations in {of} of {})", line(producer)),
            blame: String::new(),
            facts: Vec::new(),
            fingerprints: BTreeMap::from([(MILDER, format!("{id} {}", line(producer)))]),
            known: BTreeSet::new(),
            is_new: true,
            counted: true,
            best: trials.first().map(place)?,
            places: trials.iter().map(place).collect(),
            tests: trials.len(),
            occurrences: count.max(1),
            pin: None,
            properties: json!({ "producers": [line(producer)], "trials": trials.len() }),
        })
    };
    shown.into_iter().filter_map(issue).collect()
}

/// A table with producers as rows and statuses as columns.
fn table(trials: &[TrialLine]) -> String {
    const MOST: usize = 30;
    let mut producers: BTreeMap<&str, Vec<&TrialLine>> = BTreeMap::new();
    for trial in trials {
        producers.entry(&trial.producer).or_default().push(trial);
    }
    let mut rows: Vec<(&str, Tally)> =
        producers.iter().map(|(name, of)| (*name, Tally::new(of.iter().copied()))).collect();
    // Rows that need action first, in case the list is truncated.
    rows.sort_by_key(|(_, tally)| match tally.exit_code() {
        1 => 0,
        2 => 1,
        _ => 2,
    });
    if rows.is_empty() {
        return String::new();
    }
    let heads = STATUSES.map(word).join(" | ");
    let mut table = format!("| producer | {heads} |\n|---|{}\n", "---:|".repeat(STATUSES.len()));
    for (name, tally) in rows.iter().take(MOST) {
        let counts: Vec<String> =
            tally.iter().map(|(_, count)| if count == 0 { String::new() } else { count.to_string() }).collect();
        table += &format!("| {} | {} |\n", cut_cell(name), counts.join(" | "));
    }
    table + &more(rows.len(), MOST, "producer")
}

fn clauses(facts: &RunFacts) -> String {
    if facts.clauses.is_empty() {
        return String::new();
    }
    // A definition that nothing can break cannot be covered.
    let owed = facts.clauses.iter().filter(|clause| clause.shown_by != "nobody");
    let (covered, all) = owed.fold((0, 0), |(covered, all), clause| (covered + u64::from(clause.trials > 0), all + 1));
    format!("{covered} of {all} clauses that a tool can break are covered by these trials.")
}

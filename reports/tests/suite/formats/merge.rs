//! Merging of shards: each trial once, contradictions reported with file and line, facts added up.

use proptest::prelude::*;
use results::{ClauseFacts, Status, TrialLine};
use results::{MergeError, ResultsSource, RunResults, merge};

use super::sample::{self, PASS, run};

fn source(name: &str, run: &RunResults) -> ResultsSource {
    let trials = run.trials.iter().cloned().enumerate().map(|(index, trial)| (index + 1, trial)).collect();
    ResultsSource { name: name.to_owned(), facts: Some(run.facts.clone()), trials }
}

/// The run split into shards: `part` selects the shard of each trial, clauses are counted again, as
/// a sharded run does.
fn shards(parts: usize, part: impl Fn(usize) -> usize) -> Vec<RunResults> {
    let whole = run();
    (0..parts)
        .map(|number| {
            let mine = |index: &usize| part(*index) == number;
            let trials: Vec<TrialLine> = whole
                .trials
                .iter()
                .enumerate()
                .filter(|(index, _)| mine(index))
                .map(|(_, trial)| trial.clone())
                .collect();
            let mut facts = whole.facts.clone();
            count(&mut facts.clauses, &trials);
            facts.seconds = 1.5;
            RunResults { facts, trials }
        })
        .collect()
}

fn count(clauses: &mut [ClauseFacts], trials: &[TrialLine]) {
    for clause in clauses {
        clause.trials = trials.iter().filter(|trial| trial.covers.contains(&clause.id)).count() as u64;
    }
}

#[test]
fn one_run_alone_stays_as_it_is() {
    assert_eq!(merge(&[source("a", &run())]), Ok(run()));
}

#[test]
fn shards_make_the_whole() {
    let parts = shards(3, |index| index % 3);
    let sources: Vec<ResultsSource> =
        parts.iter().enumerate().map(|(index, part)| source(&index.to_string(), part)).collect();
    let merged = merge(&sources).expect("they fit");
    assert_eq!(merged.trials, run().trials, "in order of names");
    assert_eq!(merged.facts.clauses, run().facts.clauses);
    assert_eq!(merged.facts.producers, run().facts.producers);
    assert_eq!(merged.facts.seconds, 4.5);
    let reversed: Vec<ResultsSource> = sources.into_iter().rev().collect();
    assert_eq!(merge(&reversed), Ok(merged));
}

#[test]
fn the_same_trial_twice_is_one() {
    let merged = merge(&[source("a", &run()), source("b", &run())]).expect("they agree");
    assert_eq!(merged.trials, run().trials);
    assert_eq!(merged.facts.clauses, run().facts.clauses, "a trial covers a clause once");
    assert_eq!(merged.facts.seconds, 2.0 * run().facts.seconds);
}

#[test]
fn a_trial_that_came_out_otherwise_names_both_files() {
    let mut other = run();
    let place = other.trials.iter().position(|trial| trial.key == PASS).expect("a trial");
    other.trials[place].status = Status::Fail;
    let error =
        merge(&[source("a/results.jsonl", &run()), source("b/results.jsonl", &other)]).expect_err("they differ");
    let line = place + 1;
    assert_eq!(
        error.to_string(),
        format!("trial {PASS} differs between a/results.jsonl:{line} and b/results.jsonl:{line}")
    );
    // Also within one file.
    let mut one = source("a", &run());
    one.trials.push((99, other.trials[place].clone()));
    let MergeError::Trial { second, .. } = merge(&[one]).expect_err("they differ") else { panic!("another error") };
    assert_eq!(second, "a:99");
}

#[test]
fn facts_that_contradict_each_other_are_refused() {
    let mut other = run();
    other.facts.tool_version = "sframe-conformance 9.9.9".to_owned();
    let error = merge(&[source("a", &run()), source("b", &other)]).expect_err("two judges");
    assert_eq!(error.to_string(), "the version of sframe-conformance differs between a and b");
    let mut other = run();
    other.facts.clauses[0].demand = "Something else.".to_owned();
    let error = merge(&[source("a", &run()), source("b", &other)]).expect_err("two texts");
    assert_eq!(error.to_string(), "clause v2/fre-offsets differs between a and b");
}

#[test]
fn producers_of_several_machines_are_united() {
    let mut other = run();
    other.facts.producers[0].version = Some("2.45".to_owned());
    other.facts.day = "2026-11-22".to_owned();
    let merged = merge(&[source("a", &run()), source("b", &other)]).expect("they fit");
    let names: Vec<_> = merged.facts.producers.iter().map(|one| (one.name.as_str(), one.version.as_deref())).collect();
    assert_eq!(names, [("gas", Some("2.44")), ("gas", Some("2.45")), ("mold", None)]);
    assert_eq!(merged.facts.day, "2026-11-22", "the last day");
}

#[test]
fn nothing_merged_is_nothing() {
    assert!(merge(&[]).expect("nothing to contradict").trials.is_empty());
}

proptest! {
    /// Any distribution of the trials, with any trials in two shards, merges to the whole run.
    #[test]
    fn any_dealing_makes_the_whole(parts in prop::collection::vec(0usize..4, 8), twice in 0usize..8) {
        let mut shards = shards(4, |index| parts[index]);
        let again = run().trials[twice].clone();
        let elsewhere = &mut shards[(parts[twice] + 1) % 4];
        elsewhere.trials.push(again);
        count(&mut elsewhere.facts.clauses, &elsewhere.trials);
        let sources: Vec<ResultsSource> = shards.iter().map(|shard| source("shard", shard)).collect();
        let merged = merge(&sources).expect("they fit");
        prop_assert_eq!(&merged.trials, &run().trials);
        prop_assert_eq!(&merged.facts.clauses, &run().facts.clauses);
        let places = reports::places::Places::default();
        let options = reports::console::ConsoleOptions { screen: Default::default(), places: &places, clauses: false };
        prop_assert_eq!(sample::text(|out| reports::console::write(&merged.trials, &merged.facts, options, out)),
            sample::text(|out| reports::console::write(&run().trials, &merged.facts, options, out)));
    }
}

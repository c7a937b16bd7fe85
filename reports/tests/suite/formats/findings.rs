//! Findings grouped by fingerprint and ranked by number of trials.

use reports::findings::ranked;
use results::{Blame, Status};

use super::sample::{CFA, FAIL, OUTERMOST, XFAIL, XFAIL_TOO, finding, run, trial};

#[test]
fn one_group_a_fingerprint_most_trials_first() {
    let run = run();
    let groups = ranked(&run.trials);
    let rules: Vec<(&str, usize, usize)> =
        groups.iter().map(|group| (group.best.rule().name(), group.trials, group.new)).collect();
    assert_eq!(rules, [("row/outermost", 3, 0), ("row/cfa-matches-truth", 1, 1)]);
    assert_eq!(groups[0].trial_names().collect::<Vec<_>>(), [XFAIL, XFAIL_TOO, FAIL]);
    assert_eq!(groups[0].producers().into_iter().collect::<Vec<_>>(), ["gas@2.40", "ld@2.44"]);
    assert_eq!(groups[0].known.iter().copied().collect::<Vec<_>>(), ["outermost-amd64.yaml"]);
    assert!(!groups[0].is_new() && groups[1].is_new());
    assert_eq!(groups[0].rule().id, OUTERMOST);
    assert_eq!(groups[1].title(), "linker: row/cfa-matches-truth in parse");
}

#[test]
fn equals_stand_in_order_of_rule_and_function() {
    let mut one = trial("gas@1::amd64::v2::a::b", Status::Fail);
    one.findings = [(OUTERMOST, "f"), (CFA, "z"), (CFA, "a")]
        .map(|(rule, function)| finding(rule, Blame::Assembler, function, None))
        .into();
    let trials = [one];
    let names: Vec<String> = ranked(&trials).iter().map(reports::findings::Group::title).collect();
    assert_eq!(
        names,
        [
            "assembler: row/cfa-matches-truth in a",
            "assembler: row/cfa-matches-truth in z",
            "assembler: row/outermost in f"
        ]
    );
}

/// Two functions with one name in one trial: one trial, two occurrences.
#[test]
fn a_trial_counts_once() {
    let mut one = trial("gas@1::amd64::v2::a::b", Status::Fail);
    one.findings = vec![finding(CFA, Blame::Assembler, "f", None), finding(CFA, Blame::Assembler, "f", None)];
    let trials = [one];
    let groups = ranked(&trials);
    assert_eq!((groups.len(), groups[0].trials, groups[0].new, groups[0].occurrences.len()), (1, 1, 1, 2));
}

/// A new finding comes before a known one, an executed one before a compared one, and then
/// the first name.
#[test]
fn the_occurrence_that_stands_for_all() {
    let occurrence = |key: &str, known: Option<&str>, executed| {
        let mut one = trial(key, Status::Fail);
        let mut found = finding(CFA, Blame::Assembler, "f", known);
        found.evidence.executed = executed;
        one.findings = vec![found];
        one
    };
    let trials = [
        occurrence("gas@1::amd64::v2::a::a", Some("k.yaml"), true),
        occurrence("gas@1::amd64::v2::a::b", None, false),
        occurrence("gas@1::amd64::v2::a::d", None, true),
        occurrence("gas@1::amd64::v2::a::c", None, true),
    ];
    let groups = ranked(&trials);
    assert_eq!(groups[0].best_trial.key, "gas@1::amd64::v2::a::c");
    assert_eq!((groups[0].trials, groups[0].new), (4, 3));
    assert!(groups[0].is_new(), "known in one trial is not known in all");
}

//! The judge passes its own test: every mutant that changes the meaning of a table, and every one
//! that only violates the format, is reported as required, with the right blame. The test can fail:
//! a judge that misses, or blames at random, does not pass.

use std::collections::BTreeSet;

use check::{Options, check};
use generators::mutate::{Effect, operators};
use results::{Blame, Report};
use selftest::score::{Fate, MutantResult, Score, Selection, print, score, score_judge, to_json};
use spec::Severity;
use testing::samples;
use types::{Abi, Bytes, SframeVersion};

/// One mutant of each operator for each target, version and kind of file; two for larger samples.
/// `score` without `--most` makes all, twenty thousand.
fn some() -> Selection {
    Selection { filter: String::new(), most: Some(if samples::all() { 2 } else { 1 }) }
}

fn names<'s>(mutants: impl Iterator<Item = &'s MutantResult>) -> String {
    let printed = |mutant: &MutantResult| format!("{:?} {}: {}", mutant.fate, mutant.name, mutant.findings.join(", "));
    mutants.map(printed).collect::<Vec<_>>().join("\n")
}

#[test]
fn every_mutant_is_caught_with_the_right_blame() {
    let score = score(&some()).expect("mutants can be made");
    assert_eq!(score.failures().count(), 0, "{}", names(score.failures()));
    let struck: BTreeSet<&str> =
        score.mutants.iter().filter(|mutant| mutant.fate == Fate::Caught).map(|mutant| mutant.operator).collect();
    // A field that is only wider or longer than needed is not an error.
    let harmless = ["fde-row-type-wide", "fde-rep-size-unused"];
    let idle: Vec<&str> = operators()
        .iter()
        .map(|operator| operator.name)
        .filter(|name| !struck.contains(name) && !harmless.contains(name))
        .collect();
    assert!(idle.is_empty(), "no mutant of {idle:?} was caught");
    assert!(struck.len() >= 40, "{} operators", struck.len());
    let pairs: BTreeSet<(Abi, SframeVersion)> =
        score.mutants.iter().map(|mutant| (mutant.abi, mutant.version)).collect();
    // Three targets with four versions, s390x with the two that have it.
    assert_eq!(pairs.len(), 14, "{pairs:?}");
    let all = score.counts(|_| true);
    assert!(all.caught > 1_800, "{all:?}");
    // Structural rules alone are not sufficient: execution and the other table are the purpose of
    // the harness.
    assert!(all.by_structure < all.caught * 2 / 3, "{all:?}");
    prints_what_was_counted(&score);
    no_equivalent_mutant_is_shown_wrong(&score);
}

fn prints_what_was_counted(score: &Score) {
    let mut text = Vec::new();
    print(score, &mut text).expect("a vector takes all");
    let text = String::from_utf8(text).expect("text");
    let all = score.counts(|_| true);
    assert!(
        text.contains(&format!("caught {} of {}, 0 missed, 0 with the wrong blame", all.caught, all.caught)),
        "{text}"
    );
    let json = to_json(score);
    assert_eq!(json["total"]["caught"], all.caught);
    assert_eq!(json["failures"], serde_json::json!([]));
}

/// No mutant proved equivalent is shown wrong by execution, which is the authority on the proofs.
fn no_equivalent_mutant_is_shown_wrong(score: &Score) {
    let equivalent = || score.mutants.iter().filter(|mutant| matches!(mutant.effect, Effect::Equivalent(_)));
    assert!(equivalent().count() > 40);
    let shown = |mutant: &&MutantResult| mutant.findings.iter().any(|finding| finding.contains("matches-truth"));
    assert_eq!(equivalent().filter(shown).count(), 0, "{}", names(equivalent().filter(shown)));
}

/// Addresses and sizes in objects, where another function's descriptor may end where the wrong one
/// begins, or begin where it ends.
#[test]
fn every_start_and_size_is_caught_beside_other_functions() {
    for filter in ["fde-start", "fde-size"] {
        let score = score(&Selection { filter: filter.to_owned(), most: Some(6) }).expect("mutants can be made");
        assert_eq!(score.failures().count(), 0, "{}", names(score.failures()));
        assert!(score.mutants.len() > 100, "{filter}: {}", score.mutants.len());
    }
}

/// A judge without any findings detects nothing.
#[test]
fn a_blind_judge_catches_nothing() {
    let blind = |_: &str, _: &[u8]| Report::default();
    // Mutants of the section, of either table, of both.
    let selection = Selection { filter: "cfa".to_owned(), most: Some(1) };
    let counts = score_judge(&selection, &blind).expect("mutants can be made").counts(|_| true);
    assert_eq!((counts.caught, counts.wrong_blame), (0, 0), "{counts:?}");
    assert!(counts.missed > 100, "{counts:?}");
}

/// A judge that sees only warnings misses what must be errors.
#[test]
fn a_mild_judge_misses() {
    let mild = |name: &str, bytes: &[u8]| {
        let mut report = check(name, &Bytes::copy_from_slice(bytes), &Options::static_only()).report;
        for found in &mut report.discrepancies {
            found.severity = found.severity.min(Severity::Warning);
        }
        report
    };
    let selection = Selection { filter: "row-cfa".to_owned(), most: Some(1) };
    let counts = score_judge(&selection, &mild).expect("mutants can be made").counts(|_| true);
    assert!(counts.caught == 0 && counts.missed > 50, "{counts:?}");
}

/// A judge that blames the compiler for everything is right about the compiler only.
#[test]
fn a_judge_with_a_grudge_is_found_out() {
    let grudge = |name: &str, bytes: &[u8]| {
        let mut report = check(name, &Bytes::copy_from_slice(bytes), &Options::default()).report;
        for found in &mut report.discrepancies {
            *found = found.clone().blamed(Blame::Compiler);
        }
        report
    };
    let blamed = |filter: &str| {
        let selection = Selection { filter: filter.to_owned(), most: Some(1) };
        score_judge(&selection, &grudge).expect("mutants can be made").counts(|_| true)
    };
    let (table, cfi, both) = (blamed("row-cfa-above"), blamed("eh-cfa"), blamed("both-cfa"));
    assert!(table.caught == 0 && table.wrong_blame > 0, "{table:?}");
    assert!(cfi.caught == 0 && cfi.wrong_blame > 0, "{cfi:?}");
    assert!(both.caught > 0 && both.wrong_blame == 0, "{both:?}");
}

/// Without execution neither of two tables can be shown wrong: an error that both share is not
/// detected.
#[test]
fn both_tables_alike_need_execution() {
    let unexecuted =
        |name: &str, bytes: &[u8]| check(name, &Bytes::copy_from_slice(bytes), &Options::static_only()).report;
    let selection = Selection { filter: "both-fp".to_owned(), most: Some(1) };
    let counts = score_judge(&selection, &unexecuted).expect("mutants can be made").counts(|_| true);
    assert!(counts.missed > counts.caught, "{counts:?}");
}

//! The judge passes its own test: bugs planted in generated programs of every target and version
//! are reported as required, with the right blame. The test can fail: a judge that sees nothing, or
//! does not execute, does not pass.

use std::collections::BTreeSet;

use check::{Options, check};
use generators::blind::DamagedPart;
use results::Report;
use selftest::score::blind::{BlindResult, Counts, operators_to_json, print_operators, show};
use selftest::score::{DRAWS, Selection, score};
use testing::samples;
use types::{Abi, Bytes, SframeVersion};

use crate::judges;

/// One bug of each operator for each file, of a sixteenth of the command's; two of all for larger
/// samples.
fn some(filter: &str) -> Selection {
    let (most, draws) = if samples::all() { (2, DRAWS) } else { (1, DRAWS / 16) };
    Selection { filter: filter.to_owned(), most: Some(most), draws }
}

/// Few draws: enough for a judge that detects nothing.
fn few(filter: &str) -> Selection {
    Selection { filter: filter.to_owned(), most: Some(1), draws: DRAWS / 10 }
}

/// The kinds of bugs in frames, for `.sframe` (`row-`), `.eh_frame` (`eh-`) and both.
const FRAME_BUGS: [&str; 13] = [
    "cfa",
    "base",
    "ra",
    "ra-dropped",
    "fp",
    "fp-dropped",
    "outermost",
    "signed",
    "key",
    "late",
    "all-late",
    "early",
    "missing",
];

#[test]
fn every_planted_bug_is_caught_with_the_right_blame() {
    let score = score(&some(""), &judges::own);
    let mut failures = Vec::new();
    score.failures().for_each(|failure| show(failure, &mut failures).expect("a vector takes all"));
    assert!(failures.is_empty(), "{}", String::from_utf8_lossy(&failures));
    let caught = |mutant: &&BlindResult| Counts::new([*mutant].into_iter()).caught == 1;
    let struck: BTreeSet<&str> = score.mutants.iter().filter(caught).map(BlindResult::operator).collect();
    // A key can be wrong in few programs.
    let least = if samples::all() { 3 } else { 1 };
    for bug in FRAME_BUGS {
        let operators = ["row", "eh", "both"].map(|table| format!("{table}-{bug}"));
        let caught = operators.iter().filter(|operator| struck.contains(operator.as_str())).count();
        assert!(caught >= least, "{bug} is caught in {caught} tables: {struck:?}");
    }
    // No execution contradicts it if both tables have it.
    assert!(struck.contains("row-caller") && struck.contains("header-byte-order"), "{struck:?}");
    let of = |prefix: &str| struck.iter().filter(|operator| operator.starts_with(prefix)).count();
    assert!(of("header-") >= 10 && of("fde-") >= 10 && of("linker-") >= 9, "{struck:?}");
    let pairs: BTreeSet<(Abi, SframeVersion)> =
        score.mutants.iter().map(|mutant| (mutant.abi, mutant.version)).collect();
    // Three targets with four versions, s390x with the two that have it and one by its flags.
    assert_eq!(pairs.len(), 15, "{pairs:?}");
    let all = Counts::new(score.mutants.iter());
    assert!(all.caught > 600, "{all:?}");
    // Structural rules alone are not sufficient: execution and the other table are the purpose of
    // the harness.
    assert!(all.by_structure < all.caught * 2 / 3, "{all:?}");
    let mut text = Vec::new();
    print_operators(&score, &mut text).expect("a vector takes all");
    let text = String::from_utf8_lossy(&text);
    let last = format!("caught {} of {}, 0 missed, 0 with the wrong blame", all.caught, all.caught);
    assert!(text.contains(&last), "{text}");
    assert_eq!(operators_to_json(&score)["total"]["caught"], all.caught);
}

/// A judge without any findings detects nothing, of either table or of both.
#[test]
fn a_blind_judge_catches_nothing() {
    let counts = Counts::new(score(&few("cfa"), &|_, _, _| Report::default()).mutants.iter());
    assert_eq!((counts.caught, counts.wrong_blame), (0, 0), "{counts:?}");
    assert!(counts.missed > 20, "{counts:?}");
}

/// Without execution neither of two tables can be shown wrong: a bug that both share is not
/// detected.
#[test]
fn both_tables_alike_need_execution() {
    let unexecuted = |name: &str, bytes: &[u8], _: &Options| {
        check(name, &Bytes::copy_from_slice(bytes), &Options::static_only()).report
    };
    let planted = score(&few("both-fp"), &unexecuted);
    assert!(planted.mutants.iter().all(|mutant| mutant.mutant.damage.target == DamagedPart::Both));
    let counts = Counts::new(planted.mutants.iter());
    assert!(counts.missed > counts.caught, "{counts:?}");
}

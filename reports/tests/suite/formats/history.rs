//! Comparison of two runs: reported changes, and differences that are not reported because only one
//! run tried the trial.

use reports::history::{self, Changes, CompareOptions, compare};
use results::RunResults;
use results::{Blame, Finding, Status, TrialLine};
use types::Claim;

use super::sample::{self, CFA, FAIL, OUTERMOST, PASS, UNSUPPORTED, VACUOUS, XFAIL, XFAIL_TOO, finding, hostile, run};
use crate::typed::reread;

fn of<'a>(run: &'a mut RunResults, key: &str) -> &'a mut TrialLine {
    run.trials.iter_mut().find(|trial| trial.key == key).expect(key)
}

fn changes(old: &RunResults, new: &RunResults) -> Changes {
    compare(old, new, CompareOptions::default())
}

fn text(changes: &Changes) -> String {
    sample::text(|out| history::text::write(changes, out))
}

fn markdown(changes: &Changes) -> String {
    sample::text(|out| history::markdown::write(changes, out))
}

#[test]
fn the_same_results_show_no_change() {
    let mut later = run();
    later.facts.day = "2027-01-01".to_owned();
    later.facts.seconds = 99.0;
    let none = changes(&run(), &later);
    assert!(none.is_empty(), "{none:?}");
    assert_eq!(text(&none), "nothing changed\n");
    assert_eq!(markdown(&none), "### SFrame conformance: nothing changed\n");
}

#[test]
fn a_finding_that_was_not_there_is_new_and_one_that_left_has_vanished() {
    let (old, mut new) = (run(), run());
    let failed = of(&mut new, FAIL);
    failed.findings = vec![finding(CFA, Blame::Assembler, "other", None)];
    let found = changes(&old, &new);
    assert_eq!(found.new.len(), 1);
    assert_eq!((found.new[0].function.as_str(), found.new[0].trials.as_slice()), ("other", &[FAIL.to_owned()][..]));
    assert!(found.new[0].in_both && !found.new[0].known);
    assert_eq!(found.vanished.len(), 1);
    assert_eq!(found.vanished[0].function, "parse");
    assert!(found.moved.is_empty() && found.not_judged.is_empty() && found.statuses.is_empty());
    // The known finding no longer occurs in that trial, but does in the two others.
    assert_eq!(found.spread.len(), 1);
    assert_eq!(found.spread[0].finding.rule, OUTERMOST);
    assert_eq!((found.spread[0].lost.as_slice(), found.spread[0].gained.len()), (&[FAIL.to_owned()][..], 0));
    let both = format!("{}\nAs Markdown:\n\n{}", text(&found), markdown(&found));
    testing::printed!("changes.txt", &both);

    let back = changes(&new, &old);
    assert_eq!((back.new[0].function.as_str(), back.vanished[0].function.as_str()), ("parse", "other"));
    assert_eq!(back.spread[0].gained, [FAIL]);
}

/// The same finding of the same trial with one more row is a change.
#[test]
fn a_row_that_the_old_run_lacked_is_a_change() {
    let (old, mut new) = (run(), run());
    let found = &mut of(&mut new, FAIL).findings[0];
    let mut row = found.evidence.rows[0].clone();
    row.sframe = Claim::Nothing;
    found.evidence.rows.push(row);
    let changed = changes(&old, &new);
    assert_eq!(changed.rows.len(), 1, "{changed:?}");
    let rows = &changed.rows[0];
    assert_eq!(
        (rows.finding.rule, &rows.gained, &rows.lost),
        (CFA, &vec!["- where 1 frame up".to_owned()], &Vec::new())
    );
    assert_eq!(changed, Changes { rows: changed.rows.clone(), ..Changes::default() });
    assert!(text(&changed).contains("now also wrong: - where 1 frame up"), "{}", text(&changed));
    assert!(markdown(&changed).contains("now also wrong: `- where 1 frame up`"), "{}", markdown(&changed));
    assert_eq!(history::text::sentence(&changed), "Findings: 1 with other wrong rows than before.");
    assert_eq!(changes(&new, &old).rows[0].lost, rows.gained);
    // A trial that only one of the runs has is not a change.
    new.trials.retain(|trial| trial.key != FAIL);
    assert!(changes(&old, &new).rows.is_empty());
}

/// A trial that did not run is not fixed.
#[test]
fn what_was_not_judged_again_has_not_vanished() {
    for change in [
        &(|new: &mut RunResults| new.trials.retain(|trial| trial.key != FAIL)) as &dyn Fn(&mut RunResults),
        &|new| {
            let trial = of(new, FAIL);
            (trial.status, trial.findings) = (Status::Unresolved, Vec::new());
        },
        &|new| {
            let trial = of(new, FAIL);
            (trial.status, trial.findings) = (Status::Unsupported, Vec::new());
        },
    ] {
        let (old, mut new) = (run(), run());
        change(&mut new);
        let found = changes(&old, &new);
        assert!(found.vanished.is_empty() && found.spread.is_empty(), "{found:?}");
        assert_eq!(found.not_judged.len(), 1);
        assert_eq!(found.not_judged[0].function, "parse");
    }
}

/// A newly completed trial shows nothing new if it shows what others show.
#[test]
fn a_finding_does_not_spread_to_where_nobody_had_looked() {
    let (mut old, new) = (run(), run());
    for status in [Status::Unresolved, Status::Unsupported, Status::Pass] {
        let trial = of(&mut old, XFAIL_TOO);
        (trial.status, trial.findings) = (status, Vec::new());
        let spread: Vec<Vec<String>> = changes(&old, &new).spread.into_iter().map(|spread| spread.gained).collect();
        let expected = if status == Status::Pass { vec![vec![XFAIL_TOO.to_owned()]] } else { Vec::new() };
        assert_eq!(spread, expected, "{status:?}");
    }
}

#[test]
fn a_finding_of_a_new_trial_is_marked_as_such() {
    let (mut old, new) = (run(), run());
    old.trials.retain(|trial| trial.key != FAIL);
    let found = changes(&old, &new);
    assert_eq!(found.new.len(), 1);
    assert!(!found.new[0].in_both, "nobody had looked there before");
    assert_eq!(found.appeared.len(), 1);
    assert_eq!((found.appeared[0].key.as_str(), found.appeared[0].status), (FAIL, Status::Fail));
    assert!(found.spread.is_empty(), "the known one is in a new trial, not in another of the same");
    let back = changes(&new, &old);
    assert_eq!(back.disappeared[0].key, FAIL);
}

#[test]
fn another_blame_for_the_same_thing_is_a_move() {
    let (old, mut new) = (run(), run());
    let moved = &mut of(&mut new, FAIL).findings[0];
    *moved = moved.clone().blamed(Blame::Assembler);
    let found = changes(&old, &new);
    assert!(found.new.is_empty() && found.vanished.is_empty());
    assert_eq!(found.moved.len(), 1);
    assert_eq!((found.moved[0].old.blame, found.moved[0].new.blame), (Blame::Linker, Blame::Assembler));
    assert!(text(&found).contains("  linker -> assembler: row/cfa-matches-truth in parse\n"));

    // Another shape is another finding.
    let moved = &mut of(&mut new, FAIL).findings[0];
    let another = Finding::new(CFA, Blame::Assembler, "parse", "another");
    *moved = reread(moved, |json| {
        json["shape"] = "another".into();
        json["fingerprint"] = another.fingerprint().into();
    });
    let found = changes(&old, &new);
    assert_eq!((found.new.len(), found.vanished.len(), found.moved.len()), (1, 1, 0));
}

#[test]
fn statuses_are_compared_trial_by_trial() {
    let (old, mut new) = (run(), run());
    of(&mut new, PASS).status = Status::Fail;
    of(&mut new, PASS).problems = vec!["vacuous\nmore".to_owned()];
    of(&mut new, UNSUPPORTED).status = Status::Pass;
    let found = changes(&old, &new);
    let statuses: Vec<_> = found.statuses.iter().map(|change| (change.key.as_str(), change.old, change.new)).collect();
    assert_eq!(statuses, [(PASS, Status::Pass, Status::Fail), (UNSUPPORTED, Status::Unsupported, Status::Pass)]);
    let printed = text(&found);
    assert!(printed.contains(&format!("  PASS -> FAIL {PASS}: vacuous\n")), "{printed}");
    assert!(!printed.contains(VACUOUS), "only what changed");
}

#[test]
fn clauses_come_and_go() {
    let (old, mut new) = (run(), run());
    new.facts.clauses[0].trials = 0;
    new.facts.clauses[1].trials = 4;
    let found = changes(&old, &new);
    assert_eq!((found.clauses_lost[0].id.as_str(), found.clauses_lost[0].old), ("v2/fre-offsets", 8));
    assert_eq!((found.clauses_gained[0].id.as_str(), found.clauses_gained[0].new), ("v2/fde-order", 4));
    new.facts.clauses[0].trials = 7;
    new.facts.clauses.remove(1);
    assert!(changes(&old, &new).is_empty(), "fewer trials, or a clause that nothing covered, is no loss");
}

#[test]
fn sizes_are_listed_beyond_a_share() {
    let (old, mut new) = (run(), run());
    let sizes = of(&mut new, PASS).sizes.as_mut().expect("sizes");
    (sizes.sframe, sizes.rows) = (106, 8);
    sizes.eh_frame = 210;
    let listed = |percent| {
        let found = compare(&old, &new, CompareOptions { size_percent: percent });
        found.sizes.iter().map(|change| (change.what, change.old, change.new)).collect::<Vec<_>>()
    };
    // An increase of 6 %, a decrease of 11 %, and exactly 5 %, which is not more.
    assert_eq!(listed(5.0), [("sframe", 100, 106), ("rows", 9, 8)]);
    assert_eq!(listed(50.0), []);
    assert_eq!(listed(0.0), [("sframe", 100, 106), ("eh_frame", 200, 210), ("rows", 9, 8)]);
    assert!(text(&changes(&old, &new)).contains(&format!("  sframe 100 -> 106 (+6.0 %) {PASS}\n")));
}

/// The nightly build of an assembler has another version every day.
#[test]
fn snapshots_of_two_days_are_the_same_trial() {
    let dated = |day: &str| {
        let mut run = run();
        of(&mut run, XFAIL).key = format!("gas@2.47.50.{day}::amd64::v3::frames::leaf");
        run
    };
    assert!(changes(&dated("20261021"), &dated("20261022")).is_empty());
    // Two snapshots in one run are two trials, distinguished only by their names.
    let mut two = dated("20261021");
    let mut second = of(&mut two, "gas@2.47.50.20261021::amd64::v3::frames::leaf").clone();
    second.key = "gas@2.47.50.20261022::amd64::v3::frames::leaf".to_owned();
    two.trials.push(second);
    let found = changes(&two, &dated("20261023"));
    assert_eq!((found.appeared.len(), found.disappeared.len()), (1, 2));
}

#[test]
fn hostile_text_stays_text() {
    let found = changes(&hostile(), &run());
    assert!(!found.is_empty());
    sample::assert_tame(&text(&found));
    let found = changes(&RunResults::default(), &hostile());
    assert_eq!(found.appeared.len(), 8);
    sample::assert_tame(&text(&found));
    sample::assert_tame(&markdown(&found));
    for line in markdown(&found).lines() {
        assert!(line.is_empty() || ["#", "- "].iter().any(|start| line.starts_with(start)), "{line}");
    }
}

#[test]
fn two_known_trials_stay_out_of_it() {
    let (old, mut new) = (run(), run());
    of(&mut new, XFAIL_TOO).findings[0].standing.known = Some("renamed.yaml".to_owned());
    assert!(changes(&old, &new).is_empty(), "a ledger file of another name is no change of the results");
}

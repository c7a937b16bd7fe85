//! A trial held against an earlier run of it: what was wrong then is known, all else is new.

use std::collections::BTreeMap;

use ledger::earlier::EarlierRun;
use ledger::known::{Coverage, New};
use results::{Blame, Finding, Gap, GapLine, Key, Report, SCHEMA, Shape, Status, TrialLine};
use spec::RuleId;

use crate::known::support::{CFA, finding};

fn trial(key: &str, findings: Vec<Finding>) -> TrialLine {
    TrialLine {
        schema: SCHEMA,
        key: key.to_owned(),
        status: Status::Xfail,
        producer: String::new(),
        abi: String::new(),
        sframe: String::new(),
        topic: String::new(),
        case: String::new(),
        tools: BTreeMap::new(),
        commands: Vec::new(),
        summary: None,
        sizes: None,
        findings,
        warnings: BTreeMap::new(),
        gaps: vec![GapLine { function: "omitted".to_owned(), reason: None }],
        problems: vec!["exit status: 3, recorded is 4".to_owned()],
        covers: Vec::new(),
        tables: Vec::new(),
        blamed: None,
        not_made: Vec::new(),
        stopped_early: false,
        host_failure: false,
    }
}

fn key(text: &str) -> Key {
    text.parse().expect("a key")
}

#[test]
fn what_was_wrong_then_is_known_and_all_else_is_new() {
    let run = EarlierRun::new([trial("gas@2.47::amd64::v3::cfi::x", vec![finding(&[16, 32])])]);
    let before = run.trial(&key("gas@2.47.50::amd64::v3::cfi::x")).expect("another version of the same tool");
    let other = Finding::new(RuleId::BuildFails, Blame::Assembler, "", Shape::Rule);
    // Fewer rows are not new; one more row is, and so is a finding that only the ledger expects.
    let ledger = Coverage { known: vec![(0, 7), (2, 7)], ..Coverage::default() };
    let standing = before.standing(&ledger, &[finding(&[16]), finding(&[16, 48]), other]);
    let new = |finding| New { finding, unlisted: None };
    assert_eq!(standing, Coverage { new: vec![new(1), new(2)], known: vec![(0, 7)], ..Coverage::default() });
    assert!(before.had("exit status: 5, recorded is 4") && !before.had("vacuous: never entered: f"));
    assert!(run.trial(&key("gas@2.47::amd64::v3::cfi::y")).is_none());
}

/// Rows of another SFrame version are other rows: neither known nor new.
#[test]
fn another_sframe_version_is_not_compared() {
    let run =
        EarlierRun::new(["v1", "v2"].map(|version| trial(&format!("gas@2.44::amd64::{version}::c::x"), Vec::new())));
    let why = |text: &str| run.not_comparable(&key(text));
    let newer = why("gas@2.47::amd64::v3::c::x").expect("a reason");
    assert_eq!(newer, "another SFrame version: it is v3, the earlier results have v1, v2");
    assert!(run.trial(&key("gas@2.47::amd64::v3::c::x")).is_none());
    // The same version, and a trial that was not there at all.
    assert_eq!([why("gas@2.47::amd64::v2::c::x"), why("gas@2.47::amd64::v3::c::y")], [None, None]);
}

#[test]
fn a_descriptor_that_is_lost_a_warning_a_note_and_a_file_are_reported() {
    let then = TrialLine {
        not_made: vec!["bare: has no such option".to_owned()],
        ..trial("gas@2.47::amd64::v3::cfi::x", Vec::new())
    };
    let run = EarlierRun::new([then]);
    let before = run.trial(&key("gas@2.47::amd64::v3::cfi::x")).expect("the trial");
    let gap = |function: &str| Gap {
        function: function.to_owned(),
        code: (0, 1),
        place: String::new(),
        reason: None,
        executed: false,
    };
    let mut warning = finding(&[16]);
    warning.severity = spec::Severity::Warning;
    let note = Finding::new(RuleId::RowWordSizeMinimal, Blame::Assembler, "f", Shape::Rule);
    assert_eq!(note.severity, spec::Severity::Info);
    let discrepancies = vec![warning, note];
    let report = Report { gaps: vec![gap("omitted"), gap("lost")], discrepancies, ..Report::default() };
    let not_made = ["bare: not supported", "out: no such relocation"].map(str::to_owned);
    let lost = before.lost(&report, &not_made, |function| (function == "lost").then_some(Blame::Linker));
    let text = |index: usize| lost[index].text.as_str();
    assert_eq!(lost.len(), 4, "{lost:?}");
    assert!(text(0).starts_with("lost has no function descriptor"), "{lost:?}");
    assert!(text(1).starts_with(CFA.name()), "{lost:?}");
    assert_eq!(text(2), "row/word-size-minimal: a note that the earlier results did not have");
    assert_eq!(text(3), "out: no such relocation (the earlier results have this file)");
    let blamed: Vec<_> = lost.iter().map(|problem| problem.blame).collect();
    assert_eq!(blamed, [Blame::Linker, finding(&[16]).blame(), Blame::Assembler, Blame::Linker].map(Some));
}

#[test]
fn of_several_versions_the_newest_is_compared_with() {
    let trials = ["2.44", "2.47", "2.40"].map(|version| {
        let found = if version == "2.47" { vec![finding(&[16])] } else { Vec::new() };
        trial(&format!("ld@{version}::amd64::v3::link::x+gas@{version}"), found)
    });
    let run = EarlierRun::new(trials);
    let before = run.trial(&key("ld@2.48::amd64::v3::link::x+gas@2.48")).expect("the trial");
    assert!(before.standing(&Coverage::default(), &[finding(&[16])]).new.is_empty());
}

#[test]
fn of_several_compilers_the_same_is_compared_with() {
    let trials = ["12.2.0", "16.2.0"].map(|compiler| {
        let found = if compiler == "12.2.0" { vec![finding(&[16])] } else { Vec::new() };
        trial(&format!("gas@2.47::amd64::v3::c::x+gcc@{compiler}+O0"), found)
    });
    let run = EarlierRun::new(trials);
    for (compiler, known) in [("12.2.0", true), ("16.2.0", false), ("17.1.0", false)] {
        let before = run.trial(&key(&format!("gas@2.48::amd64::v3::c::x+gcc@{compiler}+O0"))).expect("the trial");
        let standing = before.standing(&Coverage::default(), &[finding(&[16])]);
        assert_eq!(standing.new.is_empty(), known, "{compiler}");
    }
}

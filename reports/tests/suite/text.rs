//! The report for people: verdict, blame, function, clause, the truth and both tables, and
//! omissions.

use reports::text::{Detail, print};
use results::{Gap, Outcome, Report, Undecided};
use spec::{RuleId, Severity};
use types::{Abi, FileError, FileErrorKind, SframeVersion, StopReason, UndecidedReason};

use crate::support::{finding, full_finding};

fn printed(report: &Report, outcome: Outcome, info: bool) -> String {
    let mut out = Vec::new();
    print(report, outcome, Detail { info, ..Detail::default() }, &mut out).expect("memory takes everything");
    String::from_utf8(out).expect("text")
}

fn report() -> Report {
    Report {
        file: "a.out".to_owned(),
        abi: Some(Abi::Amd64),
        sframe_version: Some(SframeVersion::V3),
        ..Report::default()
    }
}

#[test]
fn the_first_line_is_file_target_version_and_verdict() {
    for (outcome, word) in
        [(Outcome::Clean, "CLEAN"), (Outcome::Discrepancy, "DISCREPANCY"), (Outcome::Undecided, "UNDECIDED")]
    {
        let text = printed(&report(), outcome, false);
        assert_eq!(text.lines().next(), Some(format!("a.out: amd64, SFrame v3: {word}, static only").as_str()));
    }
    let without = Report { sframe_version: None, ..report() };
    assert!(printed(&without, Outcome::Clean, false).starts_with("a.out: amd64, no .sframe: CLEAN, static only\n"));
}

/// Compares the output with its golden file in `printed`, whose first line has the reason why it is
/// right.
#[track_caller]
fn read(name: &str, text: &str) {
    testing::printed!(name, text);
}

#[test]
fn findings_show_who_where_why_the_truth_and_both_tables() {
    let mut unseen = finding(RuleId::CfiCfaDiffers, Severity::Error, "f");
    (unseen.evidence.executed, unseen.evidence.steps) = (false, 0);
    let report = Report { discrepancies: vec![full_finding(), unseen], ..report() };
    read("findings.txt", &printed(&report, Outcome::Discrepancy, false));
}

#[test]
fn infos_are_counted_and_shown_to_who_asks() {
    let infos = ["first", "second"].map(|name| finding(RuleId::ChainStops, Severity::Info, name));
    let report = Report { discrepancies: infos.to_vec(), ..report() };
    let [hidden, shown] = [false, true].map(|info| printed(&report, Outcome::Clean, info));
    read("infos.txt", &format!("{hidden}\nWith --info:\n\n{shown}"));
}

#[test]
fn the_window_marks_the_wrong_instruction_and_aligns_the_three_rows() {
    let text = printed(&Report { discrepancies: vec![full_finding()], ..report() }, Outcome::Discrepancy, false);
    let marked: Vec<&str> = text.lines().filter(|line| line.trim_start().starts_with("=>")).collect();
    assert_eq!(marked.len(), 1, "{text}");
    let head = text.lines().find(|line| line.contains(".sframe") && line.contains("truth")).expect("a head line");
    for (column, cell) in
        [("truth", "cfa=rsp+16 by-truth"), (".sframe", "cfa=rsp+8 by-sframe"), (".eh_frame", "cfa=rsp+16 by-eh-frame")]
    {
        assert_eq!(head.find(column), marked[0].find(cell), "column {column}:\n{head}\n{}", marked[0]);
    }
    assert!(marked[0].contains("parse+0x0") && marked[0].contains("push rbp"));
}

#[test]
fn gaps_notes_and_indecision_are_printed() {
    let gap = |function: &str, reason: Option<&str>, executed| Gap {
        function: function.to_owned(),
        code: (0x2000, 0x2010),
        place: "0x2000..0x2010".to_owned(),
        reason: reason.map(str::to_owned),
        executed,
    };
    let report = Report {
        undecided: vec![Undecided {
            reason: UndecidedReason::Stopped(StopReason::Syscall),
            pc: None,
            message: "number 9".to_owned(),
        }],
        gaps: vec![gap("left_out", Some("the CFA is r10"), true), gap("forgotten", None, false)],
        notes: vec!["ran 5 instructions".to_owned()],
        ..report()
    };
    read("undecided.txt", &printed(&report, Outcome::Undecided, false));
}

#[test]
fn a_file_that_cannot_be_judged_says_why_and_nothing_else() {
    let error = FileError { kind: FileErrorKind::NotElf, offset: Some(0), message: "not an ELF file".to_owned() };
    assert_eq!(printed(&Report::failed("x", error), Outcome::Error, false), "x: error: not an ELF file\n");
}

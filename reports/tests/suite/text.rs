//! The report for people: verdict, blame, function, clause, the truth and both tables, and what is left out.

use model::{
    Abi, FileError, FileErrorKind, Gap, Outcome, Report, RuleId, Severity, SframeVersion, StopReason, Undecided,
    UndecidedReason,
};
use reports::text::{Detail, print};

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
        assert_eq!(text.lines().next(), Some(format!("a.out: amd64, SFrame v3: {word}").as_str()));
    }
    let without = Report { sframe_version: None, ..report() };
    assert!(printed(&without, Outcome::Clean, false).starts_with("a.out: amd64, no .sframe: CLEAN\n"));
}

#[test]
fn a_finding_shows_who_where_why_the_truth_and_both_tables() {
    let found = full_finding();
    let text = printed(&Report { discrepancies: vec![found.clone()], ..report() }, Outcome::Discrepancy, false);
    let lines: Vec<&str> = text.lines().collect();
    let has = |needle: &str| assert!(text.contains(needle), "no '{needle}' in:\n{text}");
    has("error: row/cfa-matches-truth: parse is wrong");
    has("blame: assembler");
    has("function: parse");
    has("0x401000..0x401004 and 1 more range");
    has("shown by 3 steps");
    has("at byte 0x2a of .sframe");
    has(RuleId::RowCfaMatchesTruth.facts().clause);
    has(found.fingerprint());
    for (source, cfa, ra, fp, row) in [
        ("truth:", "cfa=0x7010", "ra=0x402000", "fp=0x7100", "(cfa=rsp+16 ra=[cfa-8] fp=[cfa-16])"),
        ("sframe:", "cfa=0x7008", "ra=0x402001", "fp=0x7101", "(cfa=rsp+8 ra=[cfa-8] fp=same)"),
        ("eh_frame:", "cfa=0x7018", "ra=0x402002", "fp=0x7102", "(cfa=rbp+24 ra=[cfa-8] fp=[cfa-16])"),
    ] {
        let line = lines.iter().find(|line| line.trim_start().starts_with(source)).expect(source);
        for part in [cfa, ra, fp, row] {
            assert!(line.contains(part), "no '{part}' in '{line}'");
        }
    }
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
fn what_was_not_executed_is_said_so() {
    let mut found = finding(RuleId::CfiCfaDiffers, Severity::Error, "f");
    (found.executed, found.steps) = (false, 0);
    let text = printed(&Report { discrepancies: vec![found], ..report() }, Outcome::Discrepancy, false);
    assert!(text.contains("not executed"), "{text}");
    assert!(!text.contains("shown by"), "{text}");
}

#[test]
fn infos_are_hidden_but_counted_unless_asked_for() {
    let infos = ["first", "second"].map(|name| finding(RuleId::ChainStops, Severity::Info, name));
    let report = Report { discrepancies: infos.to_vec(), ..report() };
    let hidden = printed(&report, Outcome::Clean, false);
    assert!(!hidden.contains("first is wrong") && hidden.contains("2 findings of severity info not shown"), "{hidden}");
    let shown = printed(&report, Outcome::Clean, true);
    assert!(shown.contains("first is wrong") && shown.contains("second is wrong"), "{shown}");
    assert!(!shown.contains("not shown"), "{shown}");
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
            reason: UndecidedReason::Stopped(StopReason::Syscall(9)),
            pc: None,
            message: "number 9".to_owned(),
        }],
        gaps: vec![gap("left_out", Some("the CFA is r10"), true), gap("forgotten", None, false)],
        notes: vec!["ran 5 instructions".to_owned()],
        ..report()
    };
    let text = printed(&report, Outcome::Undecided, false);
    for part in ["note: ran 5 instructions", "undecided (syscall): number 9", "2 functions without .sframe"] {
        assert!(text.contains(part), "no '{part}' in:\n{text}");
    }
    let line = |name: &str| text.lines().find(|line| line.contains(name)).expect("the function's line");
    assert!(line("left_out").contains("executed") && line("left_out").contains("the CFA is r10"));
    assert!(!line("left_out").contains("not executed"));
    assert!(line("forgotten").contains("not executed") && line("forgotten").contains("0x2000..0x2010"));
    assert!(line("forgotten").contains("could describe it"), "a silent gap is no refusal");
}

#[test]
fn a_file_that_cannot_be_judged_says_why_and_nothing_else() {
    let error = FileError { kind: FileErrorKind::NotElf, offset: Some(0), message: "not an ELF file".to_owned() };
    assert_eq!(printed(&Report::failed("x", error), Outcome::Error, false), "x: error: not an ELF file\n");
}

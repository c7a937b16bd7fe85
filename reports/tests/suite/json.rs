//! The JSON object of `check`: a golden with every list, and an empty report.

use reports::json::to_json;
use results::{AssumedIn, Gap, Outcome, Outside, OutsideFunction, Report, Source, Summary};
use results::{Undecided, UndecidedIn, UnreachedIn, Values, WrongRow};
use serde_json::Value;
use testing::printed;
use types::{
    Abi, AssumedEntry, Claim, FileError, FileErrorKind, SframeVersion, StopReason, UndecidedCause, UndecidedReason,
    Unreached,
};

use super::formats::schema::{fits, refuses};
use crate::support::full_finding;

/// A report with a value in every list.
fn full_report() -> Report {
    let (code, place) = ((0x40_2000, 0x40_2010), String::from("0x402000..0x402010"));
    let mut found = full_finding();
    let claim = |values: &Option<Values>| values.as_ref().map_or(Claim::Nothing, |values| values.row.clone());
    found.evidence.rows = vec![WrongRow {
        ranges: found.evidence.ranges.clone(),
        wrong: Source::Sframe,
        right: Some(Source::EhFrame),
        sframe: claim(&found.evidence.sframe),
        eh_frame: claim(&found.evidence.eh_frame),
        truth: Some(claim(&found.evidence.truth)),
        before: Some(Claim::NoRow),
        after: None,
    }];
    let function = String::from("g");
    let bare = OutsideFunction { function: String::new(), code, place: place.clone() };
    Report {
        file: "a.out".to_owned(),
        abi: Some(Abi::Amd64),
        sframe_version: Some(SframeVersion::V2Errata1),
        summary: Summary { functions: 3, steps_executed: 41, max_depth: 7, ..Summary::default() },
        discrepancies: vec![found],
        undecided: vec![
            Undecided {
                reason: UndecidedReason::Stopped(StopReason::Syscall),
                pc: Some(0x40_1010),
                message: "system call 9 is not served".to_owned(),
            },
            Undecided { reason: UndecidedReason::NothingJudged, pc: None, message: "nothing".to_owned() },
        ],
        undecided_in: vec![UndecidedIn {
            why: UndecidedCause::OtherStack,
            function: function.clone(),
            code,
            place: place.clone(),
            pcs: vec![0x40_2000, 0x40_2004],
            answers: 3,
        }],
        assumed: vec![AssumedIn { why: AssumedEntry::ByName, function: function.clone(), code, place: place.clone() }],
        unreached: vec![UnreachedIn {
            function: function.clone(),
            place: place.clone(),
            counts: Unreached {
                start: code.0,
                end: code.1,
                instructions: 3,
                unconfirmed: 1,
                unreached: 2,
                stopped_at: Some(code.0),
            },
            stopped_by: Some("0f0b ud2".to_owned()),
        }],
        gaps: vec![Gap { function, code, place, reason: None, executed: true }],
        outside: vec![Outside { section: ".text".to_owned(), bytes: 16, of: 64, functions: vec![bare] }],
        exit_status: Some(7),
        output: Some("printed\n".to_owned()),
        notes: vec!["note".to_owned()],
        ..Report::default()
    }
}

#[test]
fn a_report_with_every_list() {
    let report = full_report();
    let json = to_json(&report, Outcome::Discrepancy, "1.2.3");
    printed!("check-json.txt", &format!("{json:#}\n"));
    fits("check.schema.json", &json);
    for (pointer, value) in [
        ("/schema", 2.into()),
        ("/verdict", "fine".into()),
        ("/abi", "arm".into()),
        ("/discrepancies/0/offset", "0x2a".into()),
        ("/discrepancies/0/rows/0/sframe", "cfa=rsp+8".into()),
        ("/discrepancies/0/truth", Value::Object(serde_json::Map::new())),
        ("/coverage/0/executed", "no".into()),
        ("/undecided/0/pc", "3".into()),
        ("/undecided/0/reason", "tired".into()),
    ] {
        refuses("check.schema.json", &json, pointer, value);
    }
    // Worker processes send the same object.
    assert_eq!(serde_json::from_value::<Report>(json).expect("a report"), without_place_of_values(report));
}

/// The report without the address of the values, which is not written.
fn without_place_of_values(mut report: Report) -> Report {
    report.discrepancies.iter_mut().for_each(|found| found.evidence.at = None);
    report
}

#[test]
fn a_report_without_anything_has_every_list_too() {
    let json = to_json(&Report::default(), Outcome::Clean, "");
    fits("check.schema.json", &json);
    assert!(json["error"].is_null() && json["abi"].is_null() && json["sframe_version"].is_null());
    for list in ["discrepancies", "undecided", "undecided_in", "assumed_entries", "unreached", "coverage", "outside"] {
        assert!(json[list].is_array(), "{list}");
    }
    let error = FileError { kind: FileErrorKind::Truncated, offset: Some(64), message: "too short".to_owned() };
    let json = to_json(&Report::failed("x", error), Outcome::Error, "");
    fits("check.schema.json", &json);
    assert_eq!((&json["verdict"], &json["error"]["offset"]), (&"error".into(), &64.into()));
}

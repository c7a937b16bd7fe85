//! The JSON object of `check` against the command's contract: every key exists with its type.
//! Additional keys are allowed.

use reports::json::to_json;
use results::{Gap, Outcome, Report, Summary, Undecided};
use serde_json::Value;
use spec::{RuleId, Severity};
use types::{Abi, FileError, FileErrorKind, SframeVersion, StopReason, UndecidedReason};

use crate::support::{finding, full_finding};

/// The type of a key's value.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Number,
    Text,
    /// `"0x…"`.
    Hex,
    Flag,
    List,
    Object,
    /// The given type, or null.
    NullOr(&'static Kind),
}

use Kind::{Flag, Hex, List, NullOr, Number, Object, Text};

const TOP: [(&str, Kind); 11] = [
    ("schema", Number),
    ("file", Text),
    ("abi", NullOr(&Text)),
    ("sframe_version", NullOr(&Text)),
    ("verdict", Text),
    ("summary", Object),
    ("discrepancies", List),
    ("undecided", List),
    ("tool_version", Text),
    ("error", NullOr(&Object)),
    ("coverage", List),
];

const SUMMARY: [&str; 10] = [
    "functions",
    "steps_executed",
    "steps_judged",
    "pcs_judged",
    "pcs_compared_static",
    "max_depth",
    "discrepancies",
    "warnings",
    "undecided",
    "missing",
];

const FINDING: [(&str, Kind); 19] = [
    ("fingerprint", Text),
    ("rule", Text),
    ("severity", Text),
    ("blame", Text),
    ("function", Text),
    ("pc_start", NullOr(&Hex)),
    ("pc_end", NullOr(&Hex)),
    ("steps", Number),
    ("field", Text),
    ("truth", NullOr(&Object)),
    ("sframe", NullOr(&Object)),
    ("eh_frame", NullOr(&Object)),
    ("message", Text),
    ("section", Text),
    ("offset", NullOr(&Hex)),
    ("executed", Flag),
    ("rows", List),
    ("rows_cut", Flag),
    ("rows_fingerprint", NullOr(&Text)),
];

fn holds(value: &Value, kind: Kind) -> bool {
    match kind {
        Number => value.is_u64(),
        Text => value.is_string(),
        Hex => value
            .as_str()
            .and_then(|text| text.strip_prefix("0x"))
            .is_some_and(|digits| !digits.is_empty() && u64::from_str_radix(digits, 16).is_ok()),
        Flag => value.is_boolean(),
        List => value.is_array(),
        Object => value.is_object(),
        NullOr(kind) => value.is_null() || holds(value, *kind),
    }
}

fn check(object: &Value, keys: &[(&str, Kind)]) {
    for (key, kind) in keys {
        let value = object.get(key).unwrap_or_else(|| panic!("no key {key} in {object}"));
        assert!(holds(value, *kind), "{key} should be {kind:?}, is {value}");
    }
}

fn full_report() -> Report {
    Report {
        file: "a.out".to_owned(),
        abi: Some(Abi::Amd64),
        sframe_version: Some(SframeVersion::V2Errata1),
        summary: Summary { functions: 3, steps_executed: 41, max_depth: 7, ..Summary::default() },
        discrepancies: vec![full_finding()],
        undecided: vec![Undecided {
            reason: UndecidedReason::Stopped(StopReason::Syscall(9)),
            pc: Some(0x40_1010),
            message: "syscall 9 is not served".to_owned(),
        }],
        gaps: vec![Gap {
            function: "g".to_owned(),
            code: (0x40_2000, 0x40_2010),
            place: String::new(),
            reason: None,
            executed: true,
        }],
        ..Report::default()
    }
}

#[test]
fn every_key_of_the_contract_is_there_with_its_type() {
    let json = to_json(&full_report(), Outcome::Discrepancy, "1.2.3");
    check(&json, &TOP);
    check(&json["summary"], &SUMMARY.map(|key| (key, Number)));
    check(&json["discrepancies"][0], &FINDING);
    for source in ["truth", "sframe", "eh_frame"] {
        check(&json["discrepancies"][0][source], &[("cfa", Hex), ("ra", Hex), ("fp", Hex), ("row", Text)]);
    }
    check(&json["undecided"][0], &[("reason", Text), ("pc", NullOr(&Hex)), ("message", Text)]);
}

#[test]
fn an_empty_report_has_every_key_too() {
    let json = to_json(&Report::default(), Outcome::Clean, "");
    check(&json, &TOP);
    check(&json["summary"], &SUMMARY.map(|key| (key, Number)));
    assert!(json["error"].is_null() && json["abi"].is_null() && json["sframe_version"].is_null());
}

#[test]
fn values_are_carried_as_they_are() {
    let json = to_json(&full_report(), Outcome::Discrepancy, "1.2.3");
    assert_eq!(json["schema"], 2);
    assert_eq!(json["file"], "a.out");
    assert_eq!(json["abi"], "amd64");
    assert_eq!(json["sframe_version"], "v2e1");
    assert_eq!(json["verdict"], "discrepancy");
    assert_eq!(json["tool_version"], "1.2.3");
    assert_eq!(json["summary"]["functions"], 3);
    assert_eq!(json["summary"]["steps_executed"], 41);
    assert_eq!(json["summary"]["max_depth"], 7);
    let found = &json["discrepancies"][0];
    assert_eq!(found["rule"], "row/cfa-matches-truth");
    assert_eq!(found["severity"], "error");
    assert_eq!(found["blame"], "assembler");
    assert_eq!(found["function"], "parse");
    assert_eq!(found["field"], "cfa");
    assert_eq!(found["steps"], 3);
    assert_eq!((&found["pc_start"], &found["pc_end"]), (&"0x401000".into(), &"0x401011".into()), "over all ranges");
    assert_eq!(found["section"], ".sframe");
    assert_eq!(found["offset"], "0x2a");
    assert_eq!(found["executed"], true);
    assert_eq!(found["truth"]["cfa"], "0x7010");
    assert_eq!(found["sframe"]["ra"], "0x402001");
    assert_eq!(found["eh_frame"]["fp"], "0x7102");
    assert_eq!(json["undecided"][0]["pc"], "0x401010");
}

#[test]
fn what_is_not_known_is_null() {
    let mut found = finding(RuleId::HeaderMagic, Severity::Error, ".sframe");
    (found.evidence.ranges, found.shown.offset) = (Vec::new(), None);
    let json = to_json(&Report { discrepancies: vec![found], ..Report::default() }, Outcome::Discrepancy, "");
    let found = &json["discrepancies"][0];
    for key in ["pc_start", "pc_end", "truth", "sframe", "eh_frame", "offset"] {
        assert!(found[key].is_null(), "{key}");
    }
}

#[test]
fn an_error_has_kind_offset_and_message() {
    let error = FileError { kind: FileErrorKind::Truncated, offset: Some(64), message: "too short".to_owned() };
    let json = to_json(&Report::failed("x", error), Outcome::Error, "");
    check(&json["error"], &[("kind", Text), ("offset", NullOr(&Number)), ("message", Text)]);
    assert_eq!((&json["verdict"], &json["error"]["offset"]), (&"error".into(), &64.into()));
    let error = FileError { kind: FileErrorKind::Io, offset: None, message: "no such file".to_owned() };
    assert!(to_json(&Report::failed("x", error), Outcome::Error, "")["error"]["offset"].is_null());
}

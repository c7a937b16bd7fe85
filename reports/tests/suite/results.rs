//! Findings in results: written findings read back equal; an unknown rule is refused.

use results::{Blame, Cause, Finding, Shape, Source, Stage, Status, TrialLine, Values, WrongRow};
use spec::RuleId;
use types::{Aspect, Claim};

use crate::page_text::{finding, trial};
use crate::support::full_finding;
use crate::typed::every_claim;

fn written<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("JSON")
}

fn read(text: &str) -> Finding {
    serde_json::from_str(text).expect("a finding")
}

/// Every claim, as values of a table and in a wrong row, on every target and at every stage.
#[test]
fn a_finding_reads_back_as_it_was() {
    for (index, claim) in every_claim().into_iter().enumerate() {
        let mut found = Finding::new(RuleId::RowRaMatchesTruth, Blame::Linker, "f", "what is wrong");
        found.stage = [Stage::Object, Stage::Relocatable, Stage::Linked, Stage::Stripped][index % 4];
        found.evidence.field = Aspect::Ra;
        found.evidence.sframe = Some(Values { cfa: Some(1), ra: None, fp: Some(u64::MAX), row: claim.clone() });
        found.evidence.eh_frame = Some(Values::from_row(claim.clone()));
        found.evidence.rows = vec![WrongRow {
            ranges: vec![(0x40_1000, 0x40_1004)],
            wrong: Source::Sframe,
            right: Some(Source::Truth),
            sframe: claim.clone(),
            eh_frame: Claim::NoRow,
            truth: Some(claim.clone()),
            before: None,
            after: Some(claim),
        }];
        let again = read(&written(&found));
        assert_eq!(again, found);
        assert_eq!(again.rows_fingerprint(), found.rows_fingerprint());
    }
    let mut full = full_finding();
    full.evidence.at = None;
    assert_eq!(read(&written(&full)), full, "the PC of the first occurrence is not written, all else is");
}

/// A shape, and with it the identity and the cause of the finding, is the same after reading.
#[test]
fn a_shape_is_the_same_after_reading() {
    let shapes = [
        Shape::Rule,
        Shape::Functions { what: Some("missing".to_owned()), names: vec!["f".to_owned(), "g".to_owned()] },
        Shape::Functions { what: None, names: vec!["h".to_owned()] },
        Shape::Words("bytes differ".to_owned()),
    ];
    for shape in shapes {
        let found = Finding::new(RuleId::LinkConserved, Blame::Linker, "f", shape.clone());
        let again = read(&written(&found));
        assert_eq!(again, found);
        assert_eq!(Cause::from_finding(&again), Cause::from_finding(&found), "{shape}");
        assert_eq!(again.shape(), shape.to_string());
        let made = Finding::new(again.rule(), again.blame(), again.function(), again.shape());
        assert_eq!(made.fingerprint(), found.fingerprint(), "{shape}");
    }
}

/// Keys that are written only if they have content.
#[test]
fn what_is_usual_is_left_out() {
    let json = serde_json::to_value(full_finding()).expect("JSON");
    assert_eq!(json["severity"], "error");
    let truth = json["truth"].as_object().expect("values");
    assert!(truth.contains_key("equations") && !truth.contains_key("flaw"), "{truth:?}");
    let equations = truth["equations"].as_object().expect("equations");
    assert!(!equations.contains_key("signed_by") && !equations.contains_key("signal"), "{equations:?}");
    let mut line = trial("a", Status::Pass, Vec::new());
    assert!(!written(&line).contains("stopped_early"));
    line.stopped_early = true;
    assert!(written(&line).contains("\"stopped_early\":true"));
}

#[test]
fn an_unknown_name_in_results_is_an_error_that_names_it() {
    let line =
        || serde_json::to_value(trial("a", Status::Fail, vec![finding("f", Blame::Linker, None)])).expect("JSON");
    for (pointer, name) in [
        ("/findings/0/rule", "row/of-tomorrow"),
        ("/findings/0/blame", "nobody"),
        ("/findings/0/stage", "planned"),
        ("/findings/0/field", "sp"),
    ] {
        let mut line = line();
        *line.pointer_mut(pointer).expect("a key") = name.into();
        let error = serde_json::from_str::<TrialLine>(&line.to_string()).expect_err(pointer).to_string();
        assert!(error.contains(name), "{error}");
    }
    let mut known = line();
    known["findings"][0]["rule"] = "row/of-tomorrow".into();
    let error = serde_json::from_str::<TrialLine>(&known.to_string()).expect_err("no rule").to_string();
    assert!(error.starts_with("unknown rule `row/of-tomorrow`"), "{error}");
    assert!(serde_json::from_str::<TrialLine>(&line().to_string()).is_ok());
}

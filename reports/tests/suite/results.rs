//! Findings in results: written findings read back equal; an unknown rule is refused.

use results::{Blame, Cause, Finding, Shape, Source, Stage, Status, TrialLine, Values, WrongRow};
use spec::RuleId;
use types::{Abi, Aspect, CfaRule, Claim, Equations, ExprId, Fault, Location, PacKey, Reg, RowFault, ValueRule};

use crate::page_text::{finding, trial};
use crate::support::full_finding;

fn written<T: serde::Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("JSON")
}

fn read(text: &str) -> Finding {
    serde_json::from_str(text).expect("a finding")
}

/// Each form of an equation, of a row's error, and of a shape in words.
#[test]
fn a_finding_reads_back_as_it_was() {
    let (reg, offset, address) = (Reg(11), i64::MIN, u64::MAX);
    let cfas = [
        CfaRule::Register { reg, offset },
        CfaRule::Memory { reg, offset },
        CfaRule::Expression(ExprId(7)),
        CfaRule::Unspecified,
    ];
    let places = [
        Location::Rule(ValueRule::SameValue),
        Location::Rule(ValueRule::Undefined),
        Location::Rule(ValueRule::AtCfa(offset)),
        Location::Rule(ValueRule::CfaPlus(offset)),
        Location::Rule(ValueRule::Register { reg, offset }),
        Location::Rule(ValueRule::Memory { reg, offset }),
        Location::Rule(ValueRule::Expression(ExprId(u32::MAX))),
        Location::Elsewhere,
    ];
    let faults = [
        Fault::NoFunction,
        Fault::NoRow,
        Fault::NoCfa,
        Fault::UnknownRegister { reg },
        Fault::DeadMemory { address },
        Fault::UnreadableMemory { address },
        Fault::Expression,
        Fault::Overflow,
    ];
    let flaws: Vec<Option<RowFault>> = [None, Some(RowFault::Outermost)]
        .into_iter()
        .chain(faults.into_iter().flat_map(|fault| [Some(RowFault::Fp(fault)), Some(RowFault::Row(fault))]))
        .collect();
    for index in 0..flaws.len().max(places.len()) {
        let row = Claim::Row(
            Equations {
                abi: Abi::ALL[index % 4],
                cfa: cfas[index % cfas.len()],
                ra: places[index % places.len()],
                fp: places[(index + 3) % places.len()],
                sp: None,
                signed_with_pc: false,
                signed_by: [None, Some(PacKey::A), Some(PacKey::B)][index % 3],
                signal: index % 2 == 0,
            },
            flaws[index % flaws.len()],
        );
        let stage = [Stage::Object, Stage::Relocatable, Stage::Linked, Stage::Stripped][index % 4];
        let mut found = Finding::new(RuleId::RowRaMatchesTruth, Blame::Linker, "f", "what is wrong");
        found.stage = stage;
        found.evidence.field = Aspect::Ra;
        found.evidence.sframe = Some(Values { cfa: Some(1), ra: None, fp: Some(u64::MAX), row: row.clone() });
        found.evidence.eh_frame = Some(Values::from_row(row));
        assert_eq!(read(&written(&found)), found);
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

/// Claims other than rows are written and read as text.
#[test]
fn what_is_no_row_is_the_same_after_reading() {
    for claim in [
        Claim::NoRow,
        Claim::Nothing,
        Claim::Fault(Box::new(Claim::NoRow), Fault::NoRow),
        Claim::NoCaller,
        Claim::BeganHere,
        Claim::FramesUp(3),
        Claim::Printed("no row; of that name".to_owned()),
    ] {
        let values: Values = serde_json::from_str(&written(&Values::from_row(claim.clone()))).expect("values");
        assert_eq!(values.row, claim);
    }
}

/// Wrong rows are values, and are the same values after reading.
#[test]
fn wrong_rows_stay_typed() {
    let row = full_finding().evidence.sframe.expect("values").row;
    for claim in [
        row.clone(),
        Claim::NoRow,
        Claim::Nothing,
        Claim::Fault(Box::new(Claim::NoRow), Fault::NoRow),
        Claim::NoCaller,
        Claim::BeganHere,
        Claim::FramesUp(3),
        Claim::Printed("cfa=?".to_owned()),
    ] {
        let wrong = WrongRow {
            ranges: vec![(0x40_1000, 0x40_1004)],
            wrong: Source::Sframe,
            right: Some(Source::Truth),
            sframe: claim.clone(),
            eh_frame: row.clone(),
            truth: Some(claim),
            before: None,
            after: Some(row.clone()),
        };
        let mut found = full_finding();
        found.evidence.rows = vec![wrong];
        assert_eq!(read(&written(&found)).evidence.rows, found.evidence.rows);
        assert_eq!(read(&written(&found)).rows_fingerprint(), found.rows_fingerprint());
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

//! SARIF documents against the public schema, and the text of each finding.

use reports::format::sarif;
use results::RunResults;
use serde_json::Value;

use super::sample::{self, FAIL, VACUOUS, XFAIL, hostile, run, tests};
use super::schema;
use testing::printed;
use testing::schema::Checker;

/// Errors of a document by the published schema, which is closed and refers to nothing else. Two of
/// its patterns have an extra bracket.
pub(crate) fn complaints(document: &Value) -> Option<String> {
    let mut schema = schema::read("third-party/sarif-schema-2.1.0.json");
    for pointer in ["/definitions/run/properties/language", "/definitions/toolComponent/properties/language"] {
        let language = schema.pointer_mut(pointer).and_then(Value::as_object_mut).expect(pointer);
        assert!(language.remove("pattern").is_some(), "{pointer}");
    }
    Checker::new(&schema).complaint(document)
}

/// The results of severity error, which are first.
fn results(document: &Value) -> &[Value] {
    let all = document["runs"][0]["results"].as_array().expect("results");
    let errors =
        all.iter().take_while(|result| !result["partialFingerprints"]["sframeConformance/v2"].is_null()).count();
    &all[..errors]
}

#[test]
fn it_fits_the_public_schema() {
    let mut part = run();
    part.facts.unfinished = true;
    for run in [run(), hostile(), part, RunResults::default()] {
        let document = sarif::document(&tests(&run));
        assert_eq!(complaints(&document), None, "{document:#}");
        let text = sample::text(|out| sarif::write(&tests(&run), out));
        assert_eq!(serde_json::from_str::<Value>(&text).expect("JSON"), document);
    }
}

/// The check can fail: small errors are found.
#[test]
fn the_public_schema_refuses_bugs() {
    let run = run();
    let document = sarif::document(&tests(&run));
    for (pointer, value) in [
        ("/version", "2.0.0"),
        ("/runs/0/results/0/level", "fatal"),
        ("/runs/0/results/0/suppressions/0/kind", "ledger"),
        ("/runs/0/results/0/message", "text"),
        ("/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri", "a b"),
        ("/runs/0/results/0/ruleIndex", "0"),
    ] {
        let mut changed = document.clone();
        *changed.pointer_mut(pointer).expect(pointer) = value.into();
        assert!(complaints(&changed).is_some(), "{value} at {pointer} is taken");
    }
}

/// A finding with its trials is one result, known ones are suppressed by their entry; findings
/// below error are one result for each rule and producer, also of a rule that this version lacks;
/// failures without a finding are notifications.
#[test]
fn a_run_with_findings_of_every_severity() {
    let mut run = run();
    run.trials.iter_mut().for_each(|trial| trial.warnings.clear());
    let (warned, noted) = ("elf/segment-size", "row/repeats");
    // Two trials of gas@2.44, one of ld@2.44.
    for (key, rule, count) in [
        (sample::PASS, warned, 2),
        (VACUOUS, warned, 3),
        (VACUOUS, noted, 1),
        (FAIL, warned, 4),
        (FAIL, "row/of-tomorrow", 1),
    ] {
        let trial = run.trials.iter_mut().find(|trial| trial.key == key).expect("a trial");
        trial.warnings.insert(rule.to_owned(), count);
    }
    let document = |run: &RunResults| {
        let document = sarif::document(&tests(run));
        assert_eq!(complaints(&document), None);
        format!("{document:#}\n")
    };
    printed!("run.sarif", &document(&run));
    // Known in two trials, new in the third: not suppressed, and the new one first. Nor did a run
    // that was not finished succeed.
    let failed = run.trials.iter_mut().find(|trial| trial.key == FAIL).expect("a trial");
    failed.findings[1].standing.known = None;
    run.facts.unfinished = true;
    printed!("unfinished.sarif", &document(&run));
}

/// A service that matches results by fingerprint must not consider a result with a new wrong row as
/// unchanged.
#[test]
fn a_new_wrong_row_is_another_fingerprint_of_rows() {
    let fingerprints = |run: &results::TrialLine| {
        let mut all = sample::run();
        all.trials = vec![run.clone()];
        let document = sarif::document(&tests(&all));
        results(&document)[0]["partialFingerprints"].clone()
    };
    let mut trial = run().trials.into_iter().find(|trial| trial.key == XFAIL).expect("a trial");
    let before = fingerprints(&trial);
    let found = &mut trial.findings[0];
    let mut row = found.evidence.rows[0].clone();
    row.ranges = vec![(1, 2)];
    found.evidence.rows.push(row.clone());
    assert_eq!(fingerprints(&trial), before, "the same row elsewhere is no other row");
    row.sframe = types::Claim::Nothing;
    trial.findings[0].evidence.rows.push(row);
    let after = fingerprints(&trial);
    assert_eq!(after["sframeConformance/v2"], before["sframeConformance/v2"]);
    assert_ne!(after["sframeConformanceRows/v1"], before["sframeConformanceRows/v1"]);
}

#[test]
fn many_trials_are_counted_and_not_all_listed() {
    let one = run().trials.into_iter().find(|trial| trial.key == FAIL).expect("a trial");
    let trials: Vec<_> = (0..250)
        .map(|index| {
            let mut trial = one.clone();
            trial.key = format!("ld@2.44::amd64::v2::link::two+{index:03}");
            trial
        })
        .collect();
    let document = sarif::document(&tests(&RunResults { trials, ..run() }));
    let result = &results(&document)[0];
    assert_eq!(result["relatedLocations"].as_array().map(Vec::len), Some(100));
    assert_eq!(result["properties"]["trials"], 250);
    assert!(result["message"]["text"].as_str().expect("text").contains("250 trials"));
}

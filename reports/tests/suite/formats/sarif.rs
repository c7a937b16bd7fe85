//! SARIF documents against the public schema, and the text of each finding.

use reports::format::sarif;
use results::RunResults;
use serde_json::Value;
use spec::RuleId;

use super::sample::{self, CFA, FAIL, OUTERMOST, UNRESOLVED, VACUOUS, XFAIL, XPASS, hostile, run, tests};
use super::schema;
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

fn all_results(document: &Value) -> &Vec<Value> {
    document["runs"][0]["results"].as_array().expect("results")
}

/// The results of severity error, which are first.
fn results(document: &Value) -> &[Value] {
    let all = all_results(document);
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

#[test]
fn one_result_a_finding_with_its_trials() {
    let run = run();
    let document = sarif::document(&tests(&run));
    let results = results(&document);
    assert_eq!(results.len(), 2);
    let (known, new) = (&results[0], &results[1]);
    assert_eq!((&known["ruleId"], &new["ruleId"]), (&OUTERMOST.name().into(), &CFA.name().into()));
    assert_eq!((&known["level"], &new["level"]), (&"note".into(), &"error".into()));
    let trials = |result: &Value| -> Vec<String> {
        let related = result["relatedLocations"].as_array().expect("related locations");
        related.iter().map(|one| one["message"]["text"].as_str().expect("text").to_owned()).collect()
    };
    assert_eq!(trials(known), [XFAIL, sample::XFAIL_TOO, FAIL]);
    assert_eq!(trials(new), [FAIL]);
    assert_eq!(known["occurrenceCount"], 3);
    let fingerprint = run.trials.iter().find(|trial| trial.key == XFAIL).expect("a trial").findings[0].fingerprint();
    assert_eq!(known["partialFingerprints"]["sframeConformance/v2"], fingerprint);
    assert_eq!(new["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "cases/link/two.yaml");
    assert_eq!(new["locations"][0]["logicalLocations"][0]["name"], "parse");
    assert_eq!(new["message"]["text"], "parse is wrong (blame: linker; shown by 1 trial)");
    assert_eq!(new["properties"]["sframe"]["cfa"], "0x7008");
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

/// Findings below error: one result for each rule and producer, at the rule's level, never an
/// error.
#[test]
fn milder_findings_are_listed_by_rule_and_producer() {
    let (warned, noted) = ("elf/segment-size", "row/repeats");
    let severity = |rule: &str| rule.parse::<RuleId>().expect("in the catalogue").facts().severity;
    assert_eq!((severity(warned), severity(noted)), (spec::Severity::Warning, spec::Severity::Info));
    let mut run = run();
    run.trials.iter_mut().for_each(|trial| trial.warnings.clear());
    let mut show = |key: &str, rule: &str, count: u64| {
        let trial = run.trials.iter_mut().find(|trial| trial.key == key).expect("a trial");
        trial.warnings.insert(rule.to_owned(), count);
    };
    // Two trials of gas@2.44, one of ld@2.44.
    show(sample::PASS, warned, 2);
    show(VACUOUS, warned, 3);
    show(VACUOUS, noted, 1);
    show(FAIL, warned, 4);
    show(FAIL, "row/of-tomorrow", 1);
    let document = sarif::document(&tests(&run));
    assert_eq!(complaints(&document), None);
    let listed: Vec<(String, String, u64, usize, String)> = all_results(&document)[2..]
        .iter()
        .map(|result| {
            let text = |pointer: &str| result.pointer(pointer).and_then(Value::as_str).expect(pointer).to_owned();
            let related = result["relatedLocations"].as_array().map_or(0, Vec::len);
            let rule = result["ruleIndex"].as_u64().expect("an index") as usize;
            assert_eq!(document["runs"][0]["tool"]["driver"]["rules"][rule]["id"], result["ruleId"]);
            assert_eq!(result["suppressions"], serde_json::json!([]), "the property is on all or none");
            let fingerprint = text("/partialFingerprints/sframeConformanceMilder~1v1");
            (
                text("/level"),
                text("/locations/0/physicalLocation/artifactLocation/uri"),
                result["occurrenceCount"].as_u64().expect("a count"),
                related,
                fingerprint,
            )
        })
        .collect();
    let row = |level: &str, file: &str, count, trials, rest: &str| {
        (level.to_owned(), file.to_owned(), count, trials, rest.to_owned())
    };
    assert_eq!(
        listed,
        [
            row("warning", "cases/frames/leaf.yaml", 5, 2, "elf/segment-size gas@2.44"),
            row("warning", "cases/link/two.yaml", 4, 1, "elf/segment-size ld@2.44"),
            row("note", "cases/link/two.yaml", 1, 1, "row/of-tomorrow ld@2.44"),
            row("note", "cases/frames/tail.yaml", 1, 1, "row/repeats gas@2.44"),
        ]
    );
}

#[test]
fn known_ones_are_suppressed_by_their_entry() {
    let mut run = run();
    let document = sarif::document(&tests(&run));
    let suppressions = &results(&document)[0]["suppressions"];
    assert_eq!(suppressions.as_array().map(Vec::len), Some(1));
    let uri = &suppressions[0]["location"]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!((&suppressions[0]["kind"], uri), (&"external".into(), &"reports/known/outermost-amd64.yaml".into()));
    assert_eq!(results(&document)[1]["suppressions"], serde_json::json!([]), "the property is on all or none");

    // Known in two trials, new in the third: not suppressed, and the new one first.
    let failed = run.trials.iter_mut().find(|trial| trial.key == FAIL).expect("a trial");
    failed.findings[1].standing.known = None;
    let document = sarif::document(&tests(&run));
    let result = &results(&document)[0];
    assert_eq!((&result["level"], &result["suppressions"]), (&"error".into(), &serde_json::json!([])));
    assert_eq!(result["relatedLocations"][0]["message"]["text"], FAIL);
    assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "cases/link/two.yaml");
}

#[test]
fn rules_come_from_the_catalogue() {
    let run = run();
    let document = sarif::document(&tests(&run));
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().expect("rules");
    let named: std::collections::BTreeSet<&str> =
        all_results(&document).iter().filter_map(|result| result["ruleId"].as_str()).collect();
    let listed: Vec<&str> = rules.iter().filter_map(|rule| rule["id"].as_str()).collect();
    assert_eq!(listed, Vec::from_iter(named), "only those that are named, each once");
    for result in results(&document) {
        let index = result["ruleIndex"].as_u64().expect("an index") as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
        let id = result["ruleId"].as_str().expect("an id");
        let rule = id.parse::<RuleId>().expect("a rule").facts();
        assert_eq!(rules[index]["shortDescription"]["text"], rule.statement);
        let help = rules[index]["help"]["text"].as_str().expect("help");
        assert!(help.contains(rule.clause) && help.contains(rule.example), "{help}");
    }
}

#[test]
fn failures_without_a_finding_are_notifications() {
    let run = run();
    let document = sarif::document(&tests(&run));
    let notifications =
        document["runs"][0]["invocations"][0]["toolExecutionNotifications"].as_array().expect("notifications");
    let levels: Vec<(&str, &str)> = notifications
        .iter()
        .map(|one| {
            let text = one["message"]["text"].as_str().expect("text");
            let key = run.trials.iter().find(|trial| text.starts_with(&format!("{}: ", trial.key))).expect("a trial");
            (key.key.as_str(), one["level"].as_str().expect("a level"))
        })
        .collect();
    assert_eq!(levels, [(XPASS, "error"), (UNRESOLVED, "warning"), (VACUOUS, "error")]);
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

#[test]
fn a_run_that_was_not_finished_did_not_succeed() {
    let mut run = run();
    let invocation = |run: &RunResults| sarif::document(&tests(run))["runs"][0]["invocations"][0].clone();
    assert_eq!(invocation(&run)["executionSuccessful"], true);
    run.facts.unfinished = true;
    let unfinished = invocation(&run);
    assert_eq!(
        (&unfinished["executionSuccessful"], &unfinished["toolExecutionNotifications"][0]["level"]),
        (&false.into(), &"error".into())
    );
}

/// Results of another version may count a rule that this version lacks; it is listed as unknown.
#[test]
fn an_unknown_rule_is_no_failure() {
    let mut run = run();
    let failed = run.trials.iter_mut().find(|trial| trial.key == FAIL).expect("a trial");
    failed.warnings.insert("row/of-tomorrow".to_owned(), 1);
    let document = sarif::document(&tests(&run));
    assert_eq!(complaints(&document), None);
    assert!(all_results(&document).iter().any(|result| result["ruleId"] == "row/of-tomorrow"));
}

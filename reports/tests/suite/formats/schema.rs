//! The published schemas against written documents, with unknown keys refused: so a schema that
//! lacks a key is found.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use reports::json::Checked;
use reports::merged::Merged;
use results::{
    AcceptanceLine, Accuracy, DumpedSection, FileLine, ProducerFacts, ReaderFinding, ReadersRun, RunFacts, SweepTotals,
    TraceLine, TrialLine,
};
use results::{Blame, Values};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use types::Abi;

use super::sample::{self, run};
use crate::typed::every_claim;
use testing::blessed::blessed;
use testing::schema::{self, Checker, closed};

/// Reads a schema file below `reports/schemas`.
pub(crate) fn read(name: &str) -> Value {
    schema::read(name)
}

/// The error of a document by a closed schema. Each schema is prepared once.
fn complaint(schema: &str, document: &Value) -> Option<String> {
    thread_local! {
        static READY: RefCell<BTreeMap<String, Checker>> = const { RefCell::new(BTreeMap::new()) };
    }
    READY.with_borrow_mut(|ready| {
        let checker = ready.entry(schema.to_owned()).or_insert_with(|| Checker::new(&closed(read(schema))));
        checker.complaint(document)
    })
}

#[track_caller]
pub(crate) fn fits(schema: &str, document: &Value) {
    if let Some(complaint) = complaint(schema, document) {
        panic!("{schema}: {complaint}\n{document:#}");
    }
}

/// Asserts that a valid document becomes invalid by a change.
#[track_caller]
pub(crate) fn refuses(schema: &str, document: &Value, pointer: &str, value: Value) {
    let mut changed = document.clone();
    *changed.pointer_mut(pointer).unwrap_or_else(|| panic!("no {pointer}")) = value.clone();
    assert!(complaint(schema, &changed).is_some(), "{schema} takes {value} at {pointer}");
}

/// The schema derived from a type and the types that it contains.
fn derived<T: JsonSchema>(name: &str, title: &str) -> Value {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>().to_value();
    plain(&mut schema);
    schema["$id"] = json!(format!("https://sframe-conformance.invalid/schemas/{name}"));
    schema["title"] = json!(title);
    schema
}

/// Removes code-specific parts: links in descriptions, and integer widths, which JSON does not
/// have.
fn plain(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            members.retain(|key, value| {
                let width = value.as_str().is_some_and(|text| text.starts_with("uint") || text.starts_with("int"));
                !(key == "format" && (width || value == "double"))
            });
            if let Some(Value::String(text)) = members.get_mut("description") {
                let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
                *text = one_line.replace("[`", "`").replace("`]", "`").replace("`crate::", "`").replace("`spec::", "`");
            }
            members.values_mut().for_each(plain);
        }
        Value::Array(values) => values.iter_mut().for_each(plain),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// The committed files are the contract: a change of a type shows in them and is reviewed.
#[test]
fn the_published_schemas_are_those_of_the_types() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schemas");
    type Derive = fn(&str, &str) -> Value;
    let all: [(&str, &str, Derive); 13] = [
        ("acceptance.schema.json", "a line of check --for READER --format json", derived::<AcceptanceLine>),
        ("accuracy.schema.json", "a line of accuracy --format json", derived::<Accuracy>),
        ("results.schema.json", "a line of results.jsonl", derived::<TrialLine>),
        ("run.schema.json", "run.json", derived::<RunFacts>),
        ("report.schema.json", "report --format json", derived::<Merged<'_>>),
        ("check.schema.json", "check --format json", derived::<Checked<'_>>),
        ("dump.schema.json", "a line of dump --format json", derived::<DumpedSection>),
        ("trace.schema.json", "a line of trace --format json", derived::<TraceLine>),
        ("producers.schema.json", "producers --format json", derived::<Vec<ProducerFacts>>),
        ("sweep-results.schema.json", "a line of results.jsonl of a sweep", derived::<FileLine>),
        ("sweep.schema.json", "sweep.json", derived::<SweepTotals>),
        ("consumers-findings.schema.json", "a line of findings.jsonl of consumers", derived::<ReaderFinding>),
        ("consumers.schema.json", "consumers.json", derived::<ReadersRun>),
    ];
    for (name, title, derive) in all {
        let text = serde_json::to_string_pretty(&derive(name, title)).expect("JSON") + "\n";
        blessed(&folder.join(name), &text);
    }
    // The corpus schemas are written for readers in other languages, and compared with the corpus
    // in `harness/campaign/readers/tests/suite/vectors`.
    let is_ours = |name: &str| name.ends_with(".json") && !name.starts_with("corpus-");
    let files = std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").file_name());
    assert_eq!(files.filter(|name| name.to_str().is_some_and(is_ours)).count(), all.len());
}

/// Each keyword that the schemas use has an effect: the validator accepts one document and refuses
/// another.
#[test]
fn the_validator_refuses() {
    for (schema, good, bad) in [
        (json!({ "enum": ["a", null] }), json!(null), json!("b")),
        (json!({ "const": 2 }), json!(2), json!("2")),
        (json!({ "minimum": 0 }), json!(0), json!(-1)),
        (json!({ "pattern": "^[0-9a-f]{2}$" }), json!("0c"), json!("0C")),
        (json!({ "format": "uri" }), json!("https://a/b%20c"), json!("a b")),
        (json!({ "prefixItems": [{ "const": 1 }], "minItems": 1, "maxItems": 1 }), json!([1]), json!([2])),
        (json!({ "required": ["a"] }), json!({ "a": 1 }), json!({ "b": 1 })),
        (json!({ "propertyNames": { "pattern": "^[^/]+$" } }), json!({ "ab": 1 }), json!({ "a/b": 1 })),
        (json!({ "$ref": "#/$defs/a", "$defs": { "a": { "const": 1 } } }), json!(1), json!(2)),
        (closed(json!({ "type": "object", "properties": { "a": {} } })), json!({ "a": 2 }), json!({ "b": 2 })),
    ] {
        let checker = Checker::new(&schema);
        assert_eq!(checker.complaint(&good), None, "{schema} on {good}");
        assert!(checker.complaint(&bad).is_some(), "{schema} on {bad}");
    }
    let elsewhere = json!({ "$ref": "https://json.schemastore.org/package.json" });
    assert!(std::panic::catch_unwind(|| Checker::new(&elsewhere)).is_err(), "nothing is fetched");
}

#[test]
fn lines_of_results_fit() {
    for trial in run().trials {
        let line = serde_json::to_value(&trial).expect("JSON");
        fits("results.schema.json", &line);
    }
    let trial = run().trials.into_iter().find(|trial| trial.key == sample::FAIL).expect("a trial");
    let line = serde_json::to_value(trial).expect("JSON");
    for (pointer, value) in [
        ("/schema", json!(1)),
        ("/status", json!("pass")),
        ("/abi", json!("x86_64")),
        ("/sframe", json!("2")),
        ("/key", json!("no name")),
        ("/findings/0/fingerprint", json!("xyz")),
        ("/findings/0/blame", json!("nobody")),
        ("/findings/0/offset", json!("0x2a")),
        ("/findings/0/ranges/0", json!([1])),
        ("/findings/0/severity", json!("bad")),
        ("/findings/0/stage", json!("")),
        ("/findings/0/truth/cfa", json!(-1)),
        ("/findings/0/truth/equations/abi", json!("x86_64")),
        ("/findings/0/truth/equations/cfa", json!("elsewhere")),
        ("/findings/0/truth/equations/cfa", json!({ "register": { "reg": 7 } })),
        ("/findings/0/truth/equations/cfa/register/reg", json!(-1)),
        ("/findings/0/truth/equations/ra", json!({ "rule": { "at-cfa": "-8" } })),
        ("/findings/0/truth/equations/ra", json!("same-value")),
        ("/findings/0/truth/equations/fp", json!({ "rule": "elsewhere" })),
        ("/findings/0/rows/0/wrong", json!("nobody")),
        ("/findings/0/rows/0/ranges/0", json!([1])),
        ("/findings/0/rows/0/sframe", json!("elsewhere")),
        ("/findings/0/rows/0/sframe/row", json!([])),
        ("/findings/0/rows/0/sframe/equations", json!("elsewhere")),
        ("/findings/0/known", json!(1)),
        ("/warnings", json!({ "no rule": 1 })),
        ("/summary", json!({})),
        ("/problems", json!([1])),
    ] {
        refuses("results.schema.json", &line, pointer, value);
    }
}

/// Every form of a row and of its error in results; parts of other forms do not fit.
#[test]
fn every_row_and_flaw_fits() {
    for claim in every_claim() {
        let mut found = sample::finding(sample::CFA, Blame::Assembler, "f", None);
        found.evidence.sframe = Some(Values::from_row(claim));
        let mut trial = sample::trial(sample::FAIL, results::Status::Fail);
        trial.findings = vec![found];
        (trial.stopped_early, trial.host_failure) = (true, true);
        let line = serde_json::to_value(&trial).expect("JSON");
        fits("results.schema.json", &line);
        let parts = ["equations/cfa", "equations/ra", "equations/fp", "equations/sp", "equations/signal", "flaw"];
        let parts = parts.map(|part| format!("/findings/0/sframe/{part}"));
        for part in parts.iter().filter(|part| line.pointer(part).is_some()) {
            refuses("results.schema.json", &line, part, json!("other"));
        }
        for flag in ["/stopped_early", "/host_failure"] {
            refuses("results.schema.json", &line, flag, json!(false));
        }
    }
}

#[test]
fn facts_of_a_run_fit() {
    let facts = serde_json::to_value(run().facts).expect("JSON");
    fits("run.schema.json", &facts);
    for (pointer, value) in [
        ("/schema", json!(1)),
        ("/day", json!("21.11.2026")),
        ("/seconds", json!(-1)),
        ("/producers/0/kind", json!("tool")),
        ("/producers/0/version", json!(2)),
        ("/clauses/0/shown_by", json!("anybody")),
    ] {
        refuses("run.schema.json", &facts, pointer, value);
    }
}

#[test]
fn the_merged_document_fits() {
    let run = run();
    let text = sample::text(|out| reports::merged::write(&run.trials, &run.facts, out));
    let document: Value = serde_json::from_str(&text).expect("JSON");
    fits("report.schema.json", &document);
    assert_eq!(document["counts"]["FAIL"], 2);
    assert_eq!(document["findings"][0]["trials"].as_array().map(Vec::len), Some(3));
    assert_eq!(document["trials"].as_array().map(Vec::len), Some(8));
    // Referenced schemas are checked too.
    refuses("report.schema.json", &document, "/run/day", json!(1));
    refuses("report.schema.json", &document, "/trials/0/status", json!("OK"));
    refuses("report.schema.json", &document, "/findings/0/trials", json!([]));
}

/// The schema accepts every target, status and rule of the program.
#[test]
fn every_word_of_the_program_is_in_the_schema() {
    let line = |change: &dyn Fn(&mut Value)| {
        let mut line = serde_json::to_value(run().trials.remove(4)).expect("JSON");
        change(&mut line);
        fits("results.schema.json", &line);
    };
    for abi in Abi::ALL {
        line(&|line| line["abi"] = json!(abi.name()));
    }
    for status in results::tally::STATUSES {
        line(&|line| line["status"] = serde_json::to_value(status).expect("JSON"));
        assert_eq!(serde_json::to_value(status).expect("JSON"), results::tally::word(status));
    }
    let rules: serde_json::Map<String, Value> =
        spec::CATALOGUE.iter().map(|rule| (rule.id.name().to_owned(), json!(1))).collect();
    line(&|line| line["warnings"] = Value::Object(rules.clone()));
    for blame in [
        Blame::Compiler,
        Blame::Assembler,
        Blame::Linker,
        Blame::PostProcessor,
        Blame::AssemblerOrLinker,
        Blame::EhFrame,
        Blame::Consumer,
        Blame::Undetermined,
    ] {
        let found = sample::finding(sample::CFA, blame, "f", None);
        line(&|line| line["findings"] = json!([found]));
    }
}

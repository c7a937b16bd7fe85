//! What commands print and write for programs is valid by the published schemas, with unknown keys
//! refused.

use std::fs;

use serde_json::Value;
use testing::schema::{self, Checker, closed};

use crate::command::support::{CLEAN_EXE, CLEAN_OBJECT, Folder, Ran, WRONG_EXE, WRONG_OBJECT, frozen, run};

/// Checks each value of a text: one in all, or one a line.
#[track_caller]
fn fit(name: &str, text: &str) -> Vec<Value> {
    let checker = Checker::new(&closed(schema::read(name)));
    let lines = || text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let values: Vec<Value> = serde_json::from_str(text).map_or_else(|_| lines(), |value| vec![value]);
    assert!(!values.is_empty(), "{name}: nothing");
    for value in &values {
        assert_eq!(checker.complaint(value), None, "{name}: {value:#}");
    }
    values
}

#[track_caller]
fn ends(code: i32, words: &[&str]) -> Ran {
    let ran = run(words);
    assert_eq!(ran.code, Some(code), "{words:?}: {}", ran.stderr);
    ran
}

/// Together the files cover all verdicts and kinds of entries.
#[test]
fn what_check_prints() {
    let folder = Folder::new();
    let files = [
        frozen(WRONG_OBJECT),
        frozen(WRONG_EXE),
        frozen(CLEAN_OBJECT),
        frozen("s390x/gas-2.47.50--v3--hand--o"),
        folder.write("text", b"no ELF file"),
    ];
    let mut words = vec!["check", "--format", "json", "--step-limit", "200"];
    words.extend(files.iter().map(String::as_str));
    let lines = fit("check.schema.json", &ends(3, &words).stdout);
    assert_eq!(lines.len(), files.len());
    for verdict in ["discrepancy", "clean", "error"] {
        assert!(lines.iter().any(|line| line["verdict"] == verdict), "{verdict}");
    }
    assert!(lines.iter().any(|line| line["error"]["offset"].is_u64()), "an error with an offset");
    for key in ["discrepancies", "notes", "undecided"] {
        assert!(lines.iter().any(|line| line[key].as_array().is_some_and(|list| !list.is_empty())), "no {key}");
    }
}

#[test]
fn what_other_commands_print() {
    let (wrong, exe) = (frozen(WRONG_OBJECT), frozen(CLEAN_EXE));
    fit("dump.schema.json", &ends(0, &["dump", "--format", "json", &wrong, &exe]).stdout);
    let asked = ends(1, &["check", "--for", "all", "--format", "json", &wrong, &exe]);
    assert!(fit("acceptance.schema.json", &asked.stdout).len() > 20);
    fit("trace.schema.json", &ends(2, &["trace", "--format", "json", "--step-limit", "50", &exe]).stdout);
    fit("producers.schema.json", &ends(0, &["producers", "--format", "json"]).stdout);
    let accuracy = ends(0, &["accuracy", "--format", "json", "--samples", "500", "--readers", &exe]);
    fit("accuracy.schema.json", &accuracy.stdout);
}

/// What `run`, `sweep` and `consumers` write, and `report` reads.
#[test]
fn what_is_written() {
    let folder = Folder::new();
    let out = folder.path("out");
    let written = |name: &str| fs::read_to_string(format!("{out}/{name}")).expect("a file");
    let ran = ends(0, &["run", "--filter", "objects::hand-", "--out", &out]);
    assert!(fit("results.schema.json", &written("results.jsonl")).len() > 10, "{}", ran.stderr);
    fit("run.schema.json", &written("run.json"));
    fit("report.schema.json", &ends(0, &["report", &out, "--format", "json"]).stdout);
    ends(1, &["sweep", &frozen(WRONG_OBJECT), &frozen(CLEAN_OBJECT), "--out", &out]);
    fit("sweep-results.schema.json", &written("results.jsonl"));
    fit("sweep.schema.json", &written("sweep.json"));
    let finds_nothing = b"while read first rest; do if [ $first = section ]; then echo read; else echo none; fi; done";
    let adapter = folder.write("adapter.sh", finds_nothing);
    let reader = format!(
        "- name: missed\n  about: a stand-in\n  command: sh {adapter}\n  version_command: echo 1\n  version_pattern: '(\\d)'\n  \
         from: nowhere\n  reads: [{{versions: [v2e1]}}]\n"
    );
    let readers = folder.write("consumers.yaml", reader.as_bytes());
    let words = ["--programs", "0", "--builds", "0", "--filter", "valid/v2e1-amd64/two-functions", "--out", &out];
    ends(1, &[&["consumers", "--consumers", &readers], &words[..]].concat());
    fit("consumers-findings.schema.json", &written("findings.jsonl"));
    fit("consumers.schema.json", &written("consumers.json"));
}

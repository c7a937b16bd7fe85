//! `run`: results as lines in order, the same bytes whatever the threads, parts that add up, and a run taken up again.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use sframe_conformance::matrix::{Extent, Home, Matrix};

use crate::support::{Folder, Ran, objects, run};

/// Objects that take little time: no executable among them.
const SMALL: &str = "objects::hand-";

fn run_into(folder: &str, more: &[&str]) -> Ran {
    run(&[&["run", "--out", folder], more].concat())
}

fn lines(folder: &str) -> Vec<String> {
    let text = fs::read_to_string(format!("{folder}/results.jsonl")).expect("results");
    assert!(text.is_empty() || text.ends_with('\n'));
    text.lines().map(str::to_owned).collect()
}

fn key(line: &str) -> String {
    let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {line}"));
    value["key"].as_str().expect("a key").to_owned()
}

fn keys(folder: &str) -> Vec<String> {
    lines(folder).iter().map(|line| key(line)).collect()
}

/// The whole of the frozen objects, once in one part and once in two, and what a reader of the results finds.
#[test]
fn frozen_objects_in_one_part_or_two_give_the_same_lines() {
    let folder = Folder::new();
    let (whole, first, second) = (folder.path("whole"), folder.path("first"), folder.path("second"));
    let ran = run_into(&whole, &["--filter", "::objects::", "--jobs", "4"]);
    let all = lines(&whole);

    let recorded = fs::read_to_string(objects().join("objects.yaml")).expect("objects.yaml");
    let recorded = recorded.lines().filter(|line| line.starts_with("- file:")).count();
    assert!(recorded >= 86, "{recorded}");
    assert_eq!(all.len(), recorded, "a line for each frozen object");
    let names = keys(&whole);
    assert!(names.is_sorted());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());

    let statuses: BTreeSet<String> = all
        .iter()
        .map(|line| {
            let value: Value = serde_json::from_str(line).expect("JSON");
            assert_eq!(value["schema"], 2);
            assert!(value["summary"].is_object() && value["findings"].is_array() && value["problems"].is_array());
            value["status"].as_str().expect("a status").to_owned()
        })
        .collect();
    // What the ledger knows recurs and nothing else is found.
    assert_eq!(statuses, BTreeSet::from(["PASS".to_owned(), "XFAIL".to_owned()]), "{}", ran.stdout);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    for abi in ["amd64", "aarch64-le", "aarch64-be", "s390x"] {
        assert!(
            ran.stdout.lines().any(|line| line.split_whitespace().nth(1) == Some(abi)),
            "no row for {abi} in:\n{}",
            ran.stdout
        );
    }

    run_into(&first, &["--filter", "::objects::", "--shard", "1/2", "--jobs", "1"]);
    run_into(&second, &["--filter", "::objects::", "--shard", "2/2", "--jobs", "1"]);
    let parts = [lines(&first), lines(&second)];
    assert!(parts.iter().all(|part| part.len().abs_diff(recorded / 2) <= 1));
    let mut together = parts.concat();
    together.sort_by_key(|line| key(line));
    assert!(together == all, "one thread and two parts give other bytes than four threads and one part");
    assert!(parts[0].iter().all(|line| !parts[1].contains(line)), "a trial is in both parts");
}

#[test]
fn two_runs_write_the_same_bytes() {
    let folder = Folder::new();
    let (one, four) = (folder.path("one"), folder.path("four"));
    let first = run_into(&one, &["--filter", SMALL, "--jobs", "1"]);
    let second = run_into(&four, &["--filter", SMALL, "--jobs", "4"]);
    assert!(lines(&one).len() > 10);
    assert_eq!(lines(&one), lines(&four));
    assert_eq!(first.stdout.replace(&one, ""), second.stdout.replace(&four, ""));
}

/// A trial that is there is not run again; a line that was cut short is.
#[test]
fn a_run_is_taken_up_where_it_was_cut_short() {
    let folder = Folder::new();
    let out = folder.path("out");
    run_into(&out, &["--filter", SMALL]);
    let complete = lines(&out);
    let mut kept: Vec<String> = complete[..5].to_vec();
    let marked = kept[0].replace("\"problems\":[]", "\"problems\":[\"marked\"]");
    assert_ne!(marked, kept[0]);
    kept[0] = marked.clone();
    let half = &complete[5][..complete[5].len() / 2];
    fs::write(format!("{out}/results.jsonl"), format!("{}\n{half}", kept.join("\n"))).expect("a file");

    let ran = run_into(&out, &["--filter", SMALL, "--resume"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let resumed = lines(&out);
    assert_eq!(resumed[0], marked, "a line that was there is kept as it is");
    assert_eq!(resumed[1..], complete[1..]);

    run_into(&out, &["--filter", SMALL]);
    assert_eq!(lines(&out), complete, "without --resume all is run anew");
}

/// An interruption may cut a line inside a character of several bytes.
#[test]
fn a_line_cut_inside_a_character_does_not_prevent_taking_up() {
    let folder = Folder::new();
    let out = folder.path("out");
    run_into(&out, &["--filter", SMALL]);
    let complete = lines(&out);
    let mut bytes = format!("{}\n{{\"key\":\"", complete[..5].join("\n")).into_bytes();
    bytes.push("é".as_bytes()[0]);
    fs::write(format!("{out}/results.jsonl"), bytes).expect("a file");
    let ran = run_into(&out, &["--filter", SMALL, "--resume"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(lines(&out), complete);
}

#[test]
fn results_that_cannot_be_written_are_told() {
    let folder = Folder::new();
    let file = folder.write("file", b"");
    for out in [format!("{file}/below"), "/proc/no-such-folder".to_owned()] {
        let ran = run_into(&out, &["--filter", SMALL]);
        assert_eq!(ran.code, Some(3), "{out}");
        assert!(ran.stderr.starts_with("sframe-conformance: "), "{out}: {}", ran.stderr);
    }
}

#[test]
fn every_trial_is_found_by_its_name_alone() {
    let matrix = Matrix::of(Home::find(), None).expect("the producers");
    let all = matrix.trials(Extent::Often).expect("the trials");
    assert!(all.len() > 100, "{}", all.len());
    let names: Vec<String> = all.iter().map(|trial| trial.key.to_string()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "two trials share a name");
    // Looking up a case asks its assembler for its version each time: one name for each assembler will do there.
    let mut asked = BTreeSet::new();
    for trial in all {
        let key = &trial.key;
        if key.topic != "objects" && !asked.insert((key.abi, key.topic.clone())) {
            continue;
        }
        let found = matrix.trial_named(&key.to_string()).expect("its data file");
        assert_eq!(found.map(|found| found.key).as_ref(), Some(key));
    }
    for name in ["", "gas", "gas@2.40::amd64::v1::objects::no-such-object", "gas@0.1::amd64::v1::frames::leaf"] {
        assert!(matrix.trial_named(name).expect("no data file is needed").is_none(), "{name}");
    }
}

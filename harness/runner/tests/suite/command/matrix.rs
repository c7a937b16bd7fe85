//! `run`: results as sorted lines, the same bytes for any number of threads, shards that merge to
//! the whole, and resumed runs.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use ledger::Home;
use matrix::{Extent, Matrix};
use results::{RunFacts, TrialLine};
use serde_json::Value;
use types::Abi;

use crate::command::document::root;
use crate::command::support::{Folder, Ran, no_producers, objects, run};
use crate::command::transcript::Transcript;

/// Objects that take little time: no executables.
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

/// All frozen objects, once in one part and once in two shards, and what readers of the results
/// find.
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
            assert_eq!(value["schema"], results::SCHEMA);
            assert!(value["summary"].is_object() && value["findings"].is_array() && value["problems"].is_array());
            value["status"].as_str().expect("a status").to_owned()
        })
        .collect();
    // Known findings recur and no others are found.
    assert_eq!(statuses, BTreeSet::from(["PASS".to_owned(), "XFAIL".to_owned()]), "{}", ran.stdout);
    assert_eq!(ran.code, Some(0), "{}", ran.stdout);
    let tables = run(&["report", &whole]).stdout;
    for abi in Abi::ALL.map(Abi::name) {
        assert!(
            tables.lines().any(|line| line.split_whitespace().nth(1) == Some(abi)),
            "no row for {abi} in:\n{tables}"
        );
    }

    // Results contain the texts of the entries for their findings, for people who have only the
    // results.
    let known: BTreeSet<String> = all
        .iter()
        .flat_map(|line| serde_json::from_str::<TrialLine>(line).expect("a trial").findings)
        .filter_map(|found| found.standing.known)
        .collect();
    let facts = fs::read_to_string(format!("{whole}/run.json")).expect("facts");
    let facts: RunFacts = serde_json::from_str(&facts).expect("facts");
    assert_eq!(facts.ledger.iter().map(|entry| entry.file.clone()).collect::<BTreeSet<_>>(), known);
    assert!(facts.ledger.iter().all(|entry| !entry.title.is_empty() && !entry.link.is_empty()));
    // The results contain everything on the page of a bug.
    for entry in &facts.ledger {
        let told = [&entry.project, &entry.first, &entry.last, &entry.reason, &entry.added, &entry.expires];
        assert!(told.iter().all(|text| !text.is_empty()) && entry.blame.is_some(), "{entry:?}");
        let bundle = root().join("reports/known").join(entry.name()).join("bundle.yaml");
        assert_eq!(entry.bundle, bundle.is_file(), "{}", entry.file);
    }

    run_into(&first, &["--filter", "::objects::", "--shard", "1/2", "--jobs", "1"]);
    run_into(&second, &["--filter", "::objects::", "--shard", "2/2", "--jobs", "1"]);
    let parts = [lines(&first), lines(&second)];
    assert!(parts.iter().all(|part| part.len().abs_diff(recorded / 2) <= 1));
    let mut together = parts.concat();
    together.sort_by_key(|line| key(line));
    assert!(together == all, "one thread and two parts give other bytes than four threads and one part");
    assert!(parts[0].iter().all(|line| !parts[1].contains(line)), "a trial is in both parts");

    // Merged they equal the run in one part, except for times.
    let merged = folder.path("merged");
    let ran = run(&["report", "--merge", &second, &first, "--out", &merged]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    let bytes = |folder: &str| fs::read(format!("{folder}/results.jsonl")).expect("results");
    assert_eq!(bytes(&merged), bytes(&whole));
    let timeless = |folder: &str| {
        let text = fs::read_to_string(format!("{folder}/run.json")).expect("facts");
        let mut facts: Value = serde_json::from_str(&text).expect("JSON");
        facts["seconds"] = 0.into();
        // The options of the shards, and the times of their trials, differ.
        facts.as_object_mut().expect("an object").retain(|key, _| key != "times" && key != "asked");
        // The same path for both, because the output contains it.
        fs::write(format!("{folder}/run.json"), facts.to_string()).expect("a file");
    };
    timeless(&merged);
    timeless(&whole);
    for format in ["text", "markdown", "html", "junit", "sarif", "github", "json"] {
        // Commands in the output contain the folder.
        let print = |folder: &str| run(&["report", folder, "--format", format]).stdout.replace(folder, "RESULTS");
        assert!(print(&merged) == print(&whole), "{format} of two parts differs from that of the whole");
    }
    let changed = run(&["report", &merged, "--diff", &whole]);
    assert_eq!((changed.code, changed.stdout.as_str()), (Some(0), "nothing changed\n"));
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

/// A progress bar with rate and remaining time for people; for a log, a line at the start and a few
/// later.
#[test]
fn progress_is_drawn_on_a_terminal_only() {
    let folder = Folder::new();
    let (log, out) = (folder.path("log"), folder.path("out"));
    let command = format!("'{}' run --filter {SMALL} --out '{out}'", env!("CARGO_BIN_EXE_sframe-conformance"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, &log]).env("TERM", "xterm").env("SFRAME_CONFORMANCE_PRODUCERS", no_producers());
    script.stdin(Stdio::null()).stdout(Stdio::null());
    assert!(script.status().expect("script of util-linux").success());
    let drawn = fs::read_to_string(&log).expect("the terminal's text");
    let count = keys(&out).len();
    for part in [format!("0/{count}"), "/s  ".to_owned(), " to go".to_owned(), "\u{1b}[".to_owned()] {
        assert!(drawn.contains(&part), "no {part:?} in {drawn:?}");
    }
    assert!(!drawn.contains(" trials on "), "{drawn:?}");
    // After the end the bar is removed from the last lines.
    let page = format!("page       {out}/index.html");
    assert!(drawn.lines().any(|line| line.trim_end() == page), "{drawn:?}");

    let quiet = run_into(&out, &["--filter", SMALL, "--jobs", "1"]);
    assert_eq!(quiet.stderr, format!("sframe-conformance: {count} trials on 1 thread\n"));
}

/// The page and the last lines have the changes since the previous run in the same folder.
#[test]
fn a_run_is_compared_with_the_one_before() {
    let folder = Folder::new();
    let out = folder.path("out");
    let page = || fs::read_to_string(format!("{out}/index.html")).expect("a page");
    let first = run_into(&out, &["--filter", SMALL]);
    assert!(!page().contains("id=\"changes\"") && !first.stdout.contains("previous run"), "there is none");
    let second = run_into(&out, &["--filter", SMALL]);
    let mut told = Transcript::new(&[(&no_producers().display().to_string(), "none.yaml"), (&folder.path(""), "")]);
    let mut since = |what: &str, ran: &Ran| {
        let is_of = |line: &&str| line.starts_with("compared ") || line.contains("not compared with");
        let lines: Vec<&str> = ran.stdout.lines().chain(ran.stderr.lines()).filter(is_of).collect();
        told.text(&format!("{what}:\n{}\n", lines.join("\n")));
    };
    since("the same again", &second);

    // As if one trial of the previous run had failed, and another were not selected in a narrower
    // run.
    let results = format!("{out}/results.jsonl");
    let text = fs::read_to_string(&results).expect("results").replacen("\"status\":\"PASS\"", "\"status\":\"FAIL\"", 1);
    let changed = text.lines().find(|line| line.contains("\"FAIL\"")).map(key).expect("one that passed");
    fs::write(&results, &text).expect("a file");
    let third = run_into(&out, &["--filter", SMALL]);
    since("one failed before", &third);
    assert!(page().contains("Trials: 1 changed status."));
    assert_eq!(fs::read_to_string(format!("{out}/previous/results.jsonl")).expect("kept"), text);

    // Runs with other options are not compared: a trial has not vanished because of another filter
    // or shard.
    for (what, more) in [
        ("one trial alone", &["--filter", &changed][..]),
        ("half of them", &["--filter", SMALL, "--shard", "1/2"]),
        ("the other half", &["--filter", SMALL, "--shard", "2/2"]),
    ] {
        let ran = run_into(&out, more);
        since(what, &ran);
        assert_eq!(ran.code, Some(0));
    }
    run_into(&out, &["--filter", SMALL]);
    // A trial that does not exist any more has vanished.
    let gone = text.lines().next().expect("a line").replace("objects::hand-", "objects::hand-that-is-no-more-");
    fs::write(&results, format!("{gone}\n{text}")).expect("a file");
    let without = run_into(&out, &["--filter", SMALL]);
    since("there was another before", &without);
    fs::write(&results, &text).expect("a file");
    run_into(&out, &["--filter", SMALL]);

    // An unfinished run is not compared with, and the one before it is kept.
    fs::remove_file(format!("{out}/run.json")).expect("the facts");
    run_into(&out, &["--filter", &changed]);
    assert_eq!(fs::read_to_string(format!("{out}/previous/results.jsonl")).expect("kept"), text);
    // Nor is one with another schema, with a message.
    fs::write(format!("{out}/previous/run.json"), "{\"schema\":1}").expect("a file");
    fs::remove_file(format!("{out}/run.json")).expect("the facts");
    let last = run_into(&out, &["--filter", SMALL]);
    since("the run before is of an old version", &last);
    assert_eq!(last.code, Some(0));
    told.printed("previous.txt");
}

/// A trial with a result is not run again; one with a truncated line is.
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

/// An interruption may truncate a line inside a multi-byte character.
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
    let matrix = Matrix::new(Home::checkout().expect("tests run in it"), None, None).expect("the producers");
    let all = matrix.trials(Extent::Often).expect("the trials");
    assert!(all.len() > 100, "{}", all.len());
    let names: Vec<String> = all.iter().map(|trial| trial.key.to_string()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "two trials share a name");
    // Looking up a case runs its assembler for the version each time: one name for each assembler
    // suffices.
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

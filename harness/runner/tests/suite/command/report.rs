//! `report`: formats, files and folders, bad input, comparison and merging, and exit codes if the
//! output is not read to its end.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use results::{Blame, ClauseFacts, Finding, RunFacts, SCHEMA, Shape, Sizes, Status, TrialLine};
use serde_json::Value;
use spec::RuleId;
use types::Aspect;

use crate::command::support::{CLEAN_OBJECT, Folder, Ran, WRONG_EXE, WRONG_OBJECT, frozen, program, run};
use crate::command::transcript::Transcript;
use testing::schema::{self, Checker, closed};

pub(super) const LEAF: &str = "gas@2.44::amd64::v2::frames::leaf";
pub(super) const TAIL: &str = "gas@2.44::amd64::v2::frames::tail";

pub(super) fn trial(key: &str, status: Status) -> TrialLine {
    let parts: Vec<String> = key.split("::").map(str::to_owned).collect();
    let [producer, abi, sframe, topic, case] = parts.try_into().expect("a name of five parts");
    let mut found = Finding::new(RuleId::RowCfaMatchesTruth, Blame::Assembler, "parse", Shape::Rule);
    found.evidence.field = Aspect::Cfa;
    found.shown.message = "the CFA is 8 too low".to_owned();
    let failed = status == Status::Fail;
    TrialLine {
        schema: SCHEMA,
        key: key.to_owned(),
        status,
        producer,
        abi,
        sframe,
        topic,
        case,
        tools: [("assembler".to_owned(), "gas@2.44".to_owned())].into(),
        commands: vec!["as -o case.o case.s".to_owned()],
        summary: None,
        sizes: Some(Sizes { sframe: 100, ..Sizes::default() }),
        findings: if failed { vec![found] } else { Vec::new() },
        warnings: [].into(),
        gaps: Vec::new(),
        problems: if failed { vec!["new: row/cfa-matches-truth".to_owned()] } else { Vec::new() },
        covers: vec!["v2/fre".to_owned()],
        tables: Vec::new(),
        blamed: None,
        not_made: Vec::new(),
        stopped_early: false,
        host_failure: false,
    }
}

pub(super) fn facts(trials: u64) -> RunFacts {
    let clause = ClauseFacts {
        id: "v2/fre".to_owned(),
        section: "FREs".to_owned(),
        demand: "Offsets are right.".to_owned(),
        shown_by: "producer".to_owned(),
        trials,
    };
    RunFacts {
        schema: SCHEMA,
        tool_version: "sframe-conformance 0.2.0".to_owned(),
        day: "2026-11-21".to_owned(),
        seconds: 0.1,
        unfinished: false,
        producers: Vec::new(),
        clauses: vec![clause],
        ..RunFacts::default()
    }
}

/// Writes results as a run does and returns their folder.
pub(super) fn results(folder: &Folder, name: &str, trials: &[TrialLine]) -> String {
    let path = folder.path(name);
    fs::create_dir_all(&path).expect("a folder");
    let lines: String = trials.iter().map(|trial| serde_json::to_string(trial).expect("JSON") + "\n").collect();
    fs::write(format!("{path}/results.jsonl"), lines).expect("a file");
    fs::write(format!("{path}/run.json"), serde_json::to_string(&facts(trials.len() as u64)).expect("JSON"))
        .expect("a file");
    path
}

fn clean(folder: &Folder, name: &str) -> String {
    results(folder, name, &[trial(LEAF, Status::Pass), trial(TAIL, Status::Pass)])
}

fn failing(folder: &Folder, name: &str) -> String {
    results(folder, name, &[trial(LEAF, Status::Fail), trial(TAIL, Status::Pass)])
}

fn report(results: &str, more: &[&str]) -> Ran {
    run(&[&["report", results], more].concat())
}

/// Each format has its own first line; the exit code is that of the run.
#[test]
fn every_format_is_printed() {
    let folder = Folder::new();
    let (clean, failing) = (clean(&folder, "clean"), failing(&folder, "failing"));
    for (format, start) in [
        ("text", "clauses of the specification covered: "),
        ("markdown", "### SFrame conformance: 1 new bug: 1 FAIL, 1 PASS\n"),
        ("junit", "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites "),
        ("sarif", "{\n  \"$schema\": \"https://"),
        ("github", "::error file=cases/frames/leaf.yaml,line=1,title=the CFA is 8 too low::"),
        ("json", "{\"counts\":"),
        ("html", "<!DOCTYPE html>"),
    ] {
        let ran = report(&failing, &["--format", format]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{format}");
        assert!(ran.stdout.starts_with(start), "{format}: {}", ran.stdout);
        assert_eq!(report(&failing, &["--format", format]).stdout, ran.stdout, "{format}: the same bytes");
        assert_eq!(report(&clean, &["--format", format]).code, Some(0), "{format}");

        let file = folder.path(format);
        let quiet = report(&failing, &["--format", format, "--out", &file]);
        assert_eq!((quiet.code, quiet.stdout.as_str()), (Some(1), ""), "{format}");
        assert_eq!(fs::read_to_string(&file).expect("the file"), ran.stdout, "{format}");
    }
    assert_eq!(report(&failing, &[]).stdout, report(&failing, &["--format", "text"]).stdout);
}

#[test]
fn an_undecided_run_exits_with_2() {
    let folder = Folder::new();
    let undecided = results(&folder, "undecided", &[trial(LEAF, Status::Unresolved), trial(TAIL, Status::Pass)]);
    assert_eq!(report(&undecided, &[]).code, Some(2));
}

/// A file or its folder, one or several; each trial is printed once and in order.
#[test]
fn files_folders_and_parts_are_read() {
    let folder = Folder::new();
    let whole = results(&folder, "whole", &[trial(LEAF, Status::Pass), trial(TAIL, Status::Pass)]);
    let second = results(&folder, "second", &[trial(TAIL, Status::Pass)]);
    let first = results(&folder, "first", &[trial(LEAF, Status::Pass)]);
    let json = |paths: &[&str]| -> Value {
        let ran = run(&[&["report", "--format", "json"], paths].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.json()
    };
    let trials = json(&[&whole])["trials"].clone();
    assert_eq!(json(&[&format!("{whole}/results.jsonl")])["trials"], trials);
    let parts = json(&[&second, &first]);
    assert_eq!(parts["trials"], trials);
    assert_eq!(parts["run"]["clauses"][0]["trials"], 2);
    assert_eq!(parts["run"]["seconds"], 0.2);
}

#[test]
fn merged_parts_are_a_run_again() {
    let folder = Folder::new();
    let parts =
        [results(&folder, "a", &[trial(TAIL, Status::Pass)]), results(&folder, "b", &[trial(LEAF, Status::Fail)])];
    let (out, again) = (folder.path("made/merged"), folder.path("again"));
    let ran = run(&["report", "--merge", "--out", &out, &parts[0], &parts[1]]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(0), "", ""), "merging judges nothing");
    let merged = report(&out, &[]);
    // Commands contain the given folder.
    let of_parts = run(&["report", &parts[0], &parts[1]]).stdout.replace(&parts[0], &out);
    assert_eq!((merged.code, merged.stdout), (Some(1), of_parts));
    let read = |folder: &str, name: &str| fs::read(Path::new(folder).join(name)).expect("a file");
    run(&["report", "--merge", "--out", &again, &out]);
    for name in ["results.jsonl", "run.json"] {
        assert_eq!(read(&out, name), read(&again, name), "{name}: read and written again it stays as it is");
    }
    assert!(read(&out, "results.jsonl").ends_with(b"\n"));
}

#[test]
fn parts_that_contradict_each_other_are_named() {
    let folder = Folder::new();
    let (clean, failing) = (clean(&folder, "clean"), failing(&folder, "failing"));
    let mut told = Transcript::from_folder(&folder);
    told.refused("report clean failing", &run(&["report", &clean, &failing]));
    told.printed("parts-differ.txt");
}

#[test]
fn only_what_changed_is_printed() {
    let folder = Folder::new();
    let (clean, failing) = (clean(&folder, "clean"), failing(&folder, "failing"));
    let same = report(&clean, &["--diff", &clean]);
    assert_eq!((same.code, same.stdout.as_str()), (Some(0), "nothing changed\n"));
    let same = report(&failing, &["--diff", &failing]);
    assert_eq!(same.code, Some(0), "a failure that was there is no change");

    let worse = report(&failing, &["--diff", &clean]);
    assert_eq!(worse.code, Some(1));
    assert!(!worse.stdout.contains(TAIL), "{}", worse.stdout);
    let mut told = Transcript::from_folder(&folder);
    told.call("sframe-conformance report failing --diff clean", &worse);
    let better = report(&clean, &["--diff", &failing, "--format", "json"]);
    assert_eq!((better.code, &better.json()["vanished"][0]["function"]), (Some(1), &"parse".into()));
    let markdown = report(&clean, &["--diff", &failing, "--format", "markdown"]);
    told.call("sframe-conformance report clean --diff failing --format markdown", &markdown);

    let page = report(&failing, &["--diff", &clean, "--format", "html"]);
    assert!(page.code == Some(1) && page.stdout.starts_with("<!DOCTYPE html>"), "{}", page.stderr);

    let mut grown = [trial(LEAF, Status::Pass), trial(TAIL, Status::Pass)];
    grown[0].sizes = Some(Sizes { sframe: 104, ..Sizes::default() });
    let grown = results(&folder, "grown", &grown);
    assert_eq!(report(&grown, &["--diff", &clean]).code, Some(0));
    let printed = report(&grown, &["--diff", &clean, "--size-change", "3"]);
    assert_eq!(printed.code, Some(1));
    told.call("sframe-conformance report grown --diff clean --size-change 3", &printed);
    told.printed("changed.txt");
}

/// A file that is not a result of this version: exit code 3, the file and the line, and no report.
#[test]
fn bad_input_is_told_by_file_and_line() {
    let folder = Folder::new();
    let good = serde_json::to_string(&trial(LEAF, Status::Pass)).expect("JSON");
    let second = serde_json::to_string(&trial(TAIL, Status::Pass)).expect("JSON");
    let cut = &second[..second.len() / 2];
    let old = r#"{"schema":1,"key":"gas@2.44::amd64::v2::frames::tail","status":"PASS"}"#;
    let tomorrow = second.replace(&format!(r#""schema":{SCHEMA}"#), &format!(r#""schema":{}"#, SCHEMA + 1));
    let unknown = second.replace("PASS", "GREEN");
    let mut told = Transcript::from_folder(&folder);
    for (name, text) in [
        ("cut", format!("{good}\n{cut}")),
        ("half", format!("{good}\n{cut}\n")),
        ("old", format!("{good}\n{old}\n")),
        ("tomorrow", format!("{good}\n{tomorrow}\n")),
        ("text", "PASS\n".to_owned()),
        ("other", "{\"name\":1}\n".to_owned()),
        ("number", "7\n".to_owned()),
        ("gap", format!("{good}\n\n{second}\n")),
        ("status", format!("{unknown}\n")),
        ("empty", String::new()),
    ] {
        let path = clean(&folder, name);
        fs::write(format!("{path}/results.jsonl"), text).expect("a file");
        told.refused(&format!("report {name}"), &report(&path, &[]));
    }
    let path = clean(&folder, "bytes-that-are-no-text");
    fs::write(format!("{path}/results.jsonl"), [b"\"\xff\xfe\"\n".as_slice(), b"\0\n"].concat()).expect("a file");
    told.refused("report bytes-that-are-no-text", &report(&path, &[]));
    // The facts of the run.
    for (name, text) in
        [("run-text", "{\n  \"schema\": 2,\n  nonsense\n}"), ("run-old", "{\"schema\":1}"), ("run-bare", "{}")]
    {
        let path = clean(&folder, name);
        fs::write(format!("{path}/run.json"), text).expect("a file");
        told.refused(&format!("report {name}"), &report(&path, &[]));
    }
    let path = clean(&folder, "run-folder");
    fs::remove_file(format!("{path}/run.json")).expect("the file");
    fs::create_dir(format!("{path}/run.json")).expect("a folder");
    told.refused("report run-folder", &report(&path, &[]));
    told.refused("report nowhere", &report(&folder.path("nowhere"), &[]));
    told.printed("bad-results.txt");
    // A complete line without the final line break is complete.
    let path = clean(&folder, "unended");
    fs::write(format!("{path}/results.jsonl"), good).expect("a file");
    assert_eq!(report(&path, &[]).code, Some(0));
}

/// `run` writes the facts last. Without them the results are partial, however the run ended, so no
/// signal has to be handled for that.
#[test]
fn results_without_facts_are_a_part_and_never_clean() {
    let folder = Folder::new();
    let (part, whole) = (clean(&folder, "part"), results(&folder, "whole", &[trial(LEAF, Status::Pass)]));
    fs::remove_file(format!("{part}/run.json")).expect("the file");
    let ran = report(&part, &[]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), ""));
    assert!(ran.stdout.ends_with("2 PASS; the run was not finished; `run --resume` continues it\n"), "{}", ran.stdout);
    let json = report(&part, &["--format", "json"]).json();
    assert_eq!((&json["finished"], &json["run"]["unfinished"]), (&false.into(), &true.into()));
    assert!(
        json["run"]["clauses"].as_array().is_some_and(|clauses| clauses.len() > 100),
        "coverage is what the trials show"
    );
    let failing = failing(&folder, "failing");
    fs::remove_file(format!("{failing}/run.json")).expect("the file");
    assert_eq!(report(&failing, &[]).code, Some(1), "what is wrong is wrong");

    // The run ended in the middle of a line: that trial has no result.
    let cut = clean(&folder, "cut");
    let text = fs::read_to_string(format!("{cut}/results.jsonl")).expect("results");
    fs::write(format!("{cut}/results.jsonl"), &text[..text.len() - 40]).expect("a file");
    assert_eq!(report(&cut, &[]).code, Some(3), "a run that was finished has whole lines");
    fs::remove_file(format!("{cut}/run.json")).expect("the file");
    let ran = report(&cut, &[]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.contains("decided: 1 PASS; the run was not finished"), "{}", ran.stdout);
    fs::write(format!("{cut}/results.jsonl"), text.replacen('{', "[", 1)).expect("a file");
    assert_eq!(report(&cut, &[]).code, Some(3), "what is not cut must be read");

    // Together with a finished run it stays partial, also when merged.
    let merged = folder.path("merged");
    for (parts, code) in [([&part, &whole], Some(2)), ([&whole, &whole], Some(0))] {
        assert_eq!(run(&["report", parts[0], parts[1]]).code, code);
        run(&["report", "--merge", parts[0], parts[1], "--out", &merged]);
        assert_eq!(Path::new(&merged).join("run.json").exists(), code == Some(0));
    }

    // A trial that one run did not reach has not changed.
    let full = clean(&folder, "full");
    let less = results(&folder, "less", &[trial(LEAF, Status::Pass)]);
    assert!(
        report(&less, &["--diff", &full]).stdout.contains("trials that are gone: 1"),
        "as long as both were finished"
    );
    fs::remove_file(format!("{less}/run.json")).expect("the file");
    for (new, old, which) in [(&less, &full, "new"), (&full, &less, "old")] {
        let ran = report(new, &["--diff", old]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), "nothing changed\n"));
        let printed = format!("sframe-conformance: the {which} results are incomplete: the run was not finished");
        assert!(ran.stderr.starts_with(&printed) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
    // A trial that it did reach has changed.
    assert!(report(&failing, &["--diff", &part]).stdout.contains("new findings: 1"));
    assert_eq!(report(&failing, &["--diff", &part]).code, Some(1));
}

#[test]
fn usage_that_makes_no_sense_is_refused() {
    let folder = Folder::new();
    let clean = clean(&folder, "clean");
    let mut told = Transcript::from_folder(&folder);
    for more in [
        &["--merge"][..],
        &["--merge", "--out", "x", "--diff", "y"],
        &["--diff", &clean, "--format", "sarif"],
        &["--format", "yaml"],
        &["--size-change", "3"],
        &["--diff", &clean, "--size-change", "-1"],
        &["--diff", &clean, "--size-change", "NaN"],
        &["--out", "/proc/no-such-file"],
    ] {
        told.refused(&format!("report clean {}", more.join(" ")), &report(&clean, more));
    }
    told.refused("report", &run(&["report"]));
    told.printed("report-usage.txt");
}

/// `check FILE... | head`: the exit code must not report a wrong table as a correct one.
#[test]
fn the_exit_code_stands_when_the_reader_goes_away() {
    let folder = Folder::new();
    let (clean, failing) = (clean(&folder, "clean"), failing(&folder, "failing"));
    let (wrong, right) = (frozen(WRONG_OBJECT), frozen(CLEAN_OBJECT));
    for (arguments, code) in [
        (&["check", &wrong][..], 1),
        (&["check", "--format", "json", &wrong], 1),
        // The wrong file is last, long after the pipe was closed.
        (&["check", &right, &right, &right, &wrong], 1),
        (&["check", &wrong, "/no/such/file"], 3),
        (&["check", &right], 0),
        (&["report", &failing], 1),
        (&["report", "--format", "sarif", &failing], 1),
        (&["report", &failing, "--diff", &clean], 1),
        (&["report", &clean], 0),
    ] {
        let mut command = program();
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), printed.as_ref()), (Some(code), ""), "{arguments:?}");
    }
}

/// The output of `check --format json` for real files is valid by the published schema, with
/// unknown keys refused.
#[test]
fn what_check_prints_fits_the_published_schema() {
    let schema = Checker::new(&closed(schema::read("check.schema.json")));
    let folder = Folder::new();
    let files = [
        frozen(WRONG_OBJECT),
        frozen(WRONG_EXE),
        frozen(CLEAN_OBJECT),
        frozen("s390x/gas-2.47.50--v3--hand--o"),
        folder.write("text", b"no ELF file"),
    ];
    let mut arguments = vec!["check", "--format", "json", "--step-limit", "200"];
    arguments.extend(files.iter().map(String::as_str));
    let lines = run(&arguments).json_lines();
    assert_eq!(lines.len(), files.len());
    for line in &lines {
        assert_eq!(schema.complaint(line), None, "{line:#}");
    }
    // Together the files cover all verdicts.
    let verdicts: Vec<&str> = lines.iter().filter_map(|line| line["verdict"].as_str()).collect();
    assert!(verdicts.contains(&"discrepancy") && verdicts.contains(&"clean") && verdicts.contains(&"error"));
    assert!(lines.iter().any(|line| line["error"]["offset"].is_u64()), "an error with an offset");
    for key in ["discrepancies", "notes", "undecided"] {
        assert!(lines.iter().any(|line| line[key].as_array().is_some_and(|list| !list.is_empty())), "no {key}");
    }
}

/// What `run` writes fits the published schemas too, and `report` reads it.
#[test]
fn what_run_writes_fits_the_published_schemas() {
    let schema = |name: &str| Checker::new(&closed(schema::read(name)));
    let (results, run_facts) = (schema("results.schema.json"), schema("run.schema.json"));
    let folder = Folder::new();
    let out = folder.path("out");
    let ran = run(&["run", "--filter", "objects::hand-", "--out", &out]);
    let lines = fs::read_to_string(format!("{out}/results.jsonl")).expect("results");
    assert!(lines.lines().count() > 10, "{}", ran.stderr);
    let facts = fs::read_to_string(format!("{out}/run.json")).expect("the facts of the run");
    let parse = |text: &str| -> Value { serde_json::from_str(text).expect("JSON") };
    for (schema, text) in lines.lines().map(|line| (&results, line)).chain([(&run_facts, &*facts)]) {
        assert_eq!(schema.complaint(&parse(text)), None, "{text}");
    }
    let printed = report(&out, &["--format", "json"]);
    assert_eq!(printed.code, ran.code, "{}", printed.stderr);
    assert_eq!(schema("report.schema.json").complaint(&printed.json()), None);
}

//! The options of `check`: each changes one part of the output and no other.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::command::support::{CLEAN_EXE, CLEAN_OBJECT, Folder, SHARED, WRONG_EXE, check, endless, frozen, run};

fn count(json: &Value, name: &str) -> u64 {
    json["summary"][name].as_u64().unwrap_or_else(|| panic!("no {name} in {}", json["summary"]))
}

fn fingerprints(json: &Value) -> BTreeSet<String> {
    json["discrepancies"].as_array().expect("a list").iter().map(|found| found["fingerprint"].to_string()).collect()
}

#[test]
fn static_leaves_the_run_out() {
    let (code, json) = check(&frozen(CLEAN_EXE), &["--static"]);
    assert_eq!((code, count(&json, "steps_executed"), count(&json, "pcs_judged")), (0, 0, 0));
    assert!(count(&json, "pcs_compared_static") > 100);
    // Findings that need execution are absent: nothing shows where execution starts.
    let (_, json) = check(&frozen(WRONG_EXE), &["--static"]);
    assert!(json["discrepancies"].as_array().expect("a list").iter().all(|found| found["executed"] == false));
}

/// A stub that does not answer makes the run undecided, and there is no note about a comparison.
#[test]
fn an_engine_that_does_not_answer_leaves_the_run_undecided() {
    for engine in ["gdb:/nonexistent/socket", "both:/nonexistent/socket"] {
        let (code, json) = check(&frozen(CLEAN_EXE), &["--engine", engine]);
        let undecided = &json["undecided"][0];
        assert_eq!((code, count(&json, "steps_executed")), (2, 0), "{engine}");
        assert_eq!(undecided["reason"], "not-loadable", "{undecided}");
        assert!(undecided["message"].as_str().expect("a message").contains("/nonexistent/socket"), "{undecided}");
        assert!(!json["notes"].to_string().contains("compared"), "{}", json["notes"]);
    }
}

#[test]
fn explore_runs_the_functions_of_a_shared_object() {
    let (code, json) = check(&frozen(SHARED), &[]);
    assert_eq!((code, count(&json, "pcs_judged"), count(&json, "steps_executed")), (0, 0, 0));
    let (code, json) = check(&frozen(SHARED), &["--explore"]);
    assert_eq!(code, 0, "{}", json["discrepancies"]);
    assert!(count(&json, "pcs_judged") > 500, "{}", json["summary"]);
    let reach = &json["summary"]["reach"];
    assert!(
        reach["executed"].as_u64() > Some(500) && reach["executed"].as_u64() <= reach["covered"].as_u64(),
        "{reach}"
    );
}

#[test]
fn explore_adds_what_a_program_does_not_call() {
    let (_, plain) = check(&frozen(CLEAN_EXE), &[]);
    let (code, explored) = check(&frozen(CLEAN_EXE), &["--explore"]);
    assert_eq!(code, 0);
    assert!(count(&explored, "pcs_judged") > count(&plain, "pcs_judged"));
}

#[test]
fn whole_chain_walks_more_and_finds_the_same() {
    for name in [CLEAN_EXE, WRONG_EXE] {
        let (plain_code, plain) = check(&frozen(name), &[]);
        let (code, whole) = check(&frozen(name), &["--whole-chain"]);
        assert_eq!(code, plain_code);
        assert_eq!(fingerprints(&whole), fingerprints(&plain));
        assert!(count(&whole, "frames_walked") > 2 * count(&plain, "frames_walked"), "{}", whole["summary"]);
        assert_eq!(count(&whole, "steps_executed"), count(&plain, "steps_executed"));
    }
}

#[test]
fn entry_runs_a_function_in_place_of_the_program() {
    // `leaf` is three instructions at most: multiply, add, return.
    let (code, json) = check(&frozen(CLEAN_EXE), &["--entry", "leaf"]);
    assert_eq!(code, 0, "{json}");
    assert!((1..=4).contains(&count(&json, "steps_executed")), "{}", json["summary"]);
    // `nonleaf` calls it twice.
    let (code, both) = check(&frozen(CLEAN_EXE), &["--entry", "leaf", "--entry", "nonleaf"]);
    assert_eq!((code, count(&both, "max_depth")), (0, 2), "{}", both["summary"]);
    assert!(count(&both, "steps_executed") > 3 * count(&json, "steps_executed"));
}

#[test]
fn entry_runs_a_function_of_a_shared_object() {
    let (code, json) = check(&frozen(SHARED), &["--entry", "chain1"]);
    assert_eq!(code, 0, "{json}");
    assert!(count(&json, "max_depth") >= 4, "chain1 calls chain2 calls chain3 calls nonleaf calls leaf");
}

#[test]
fn an_unknown_entry_is_bad_usage() {
    let (code, json) = check(&frozen(CLEAN_EXE), &["--entry", "no_such_function"]);
    assert_eq!((code, &json["error"]["kind"]), (3, &"usage".into()));
    assert!(json["error"]["message"].as_str().is_some_and(|printed| printed.contains("no_such_function")));
}

#[test]
fn deny_warnings_lets_them_decide() {
    let exit = |name: &str, more: &[&str]| check(&frozen(name), more).0;
    let (_, json) = check(&frozen(CLEAN_EXE), &[]);
    let severities: BTreeSet<String> =
        json["discrepancies"].as_array().expect("a list").iter().map(|found| found["severity"].to_string()).collect();
    assert!(severities.contains("\"warning\""), "the test needs a file with a warning");
    assert_eq!((exit(CLEAN_EXE, &[]), exit(CLEAN_EXE, &["--deny", "warnings"])), (0, 1));
    // Nothing to deny, and severity info is not a warning.
    assert_eq!(exit(CLEAN_OBJECT, &["--deny", "warnings"]), 0);
    let (code, json) = check(&frozen("aarch64/gas-2.47.50--v3--gcc12-O2--o"), &["--deny", "warnings"]);
    assert_eq!((code, &json["discrepancies"][0]["severity"]), (0, &"info".into()));
}

#[test]
fn the_step_limit_is_exact() {
    let folder = Folder::new();
    let path = folder.write("endless", &endless());
    for limit in ["1", "77"] {
        let (code, json) = check(&path, &["--step-limit", limit]);
        assert_eq!((code, count(&json, "steps_executed").to_string()), (2, limit.to_owned()));
    }
    // A limit that the program does not reach has no effect.
    let (code, json) = check(&frozen(CLEAN_EXE), &["--step-limit", "20983"]);
    assert_eq!((code, count(&json, "steps_executed")), (0, 20_983));
    let (code, json) = check(&frozen(CLEAN_EXE), &["--step-limit", "20982"]);
    assert_eq!((code, count(&json, "steps_executed")), (2, 20_982));
}

#[test]
fn info_shows_what_is_hidden_otherwise() {
    let file = frozen("aarch64/gas-2.47.50--v3--gcc12-O2--o");
    let plain = run(&["check", &file]);
    assert!(plain.stdout.contains("--info shows them") && !plain.stdout.contains("info: row/repeats"));
    let shown = run(&["check", "--info", &file]);
    assert!(shown.stdout.contains("info: row/repeats") && !shown.stdout.contains("--info shows them"));
    assert_eq!((plain.code, shown.code), (Some(0), Some(0)));
}

/// All runs of a file share its time: none is cut at once, and omitted parts are reported.
#[test]
fn seconds_bound_all_that_is_executed_of_a_file() {
    let (code, json) = check(&frozen(CLEAN_EXE), &["--explore", "--seconds", "0"]);
    let undecided = json["undecided"].as_array().expect("a list");
    assert_eq!((code, count(&json, "steps_executed"), undecided.len()), (2, 0, 2), "{undecided:?}");
    assert!(undecided.iter().all(|one| one["reason"] == "time-limit"), "{undecided:?}");
    assert!(undecided[1]["message"].as_str().is_some_and(|said| said.ends_with("functions were not explored")));
    assert!(count(&json, "pcs_compared_static") > 100);
    // Sufficient time has no effect.
    let (code, json) = check(&frozen(CLEAN_EXE), &["--explore", "--seconds", "600"]);
    let (unbounded, without) = check(&frozen(CLEAN_EXE), &["--explore"]);
    assert_eq!((code, json), (unbounded, without));
}

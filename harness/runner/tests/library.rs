//! The library as another project's test uses it: this program, started again with files to judge,
//! is such a test.

use std::env;
use std::process::{Command, ExitCode};

use sframe_conformance::libtest_mimic::{Failed, Trial};
use sframe_conformance::{Trials, assert_unwindable, run};
use testing::{frozen, scratch};

/// Environment variables of a started test: its files, and its expected failures.
const FILES: &str = "LIBRARY_FILES";
const EXPECTED: &str = "LIBRARY_EXPECTED";
/// The file of a plain test.
const PLAIN: &str = "LIBRARY_PLAIN";

const CLEAN: &str = "aarch64/gas-2.47.50--v3--gcc12-O2--exe";
/// `row/outermost` in the function `_start`.
const WRONG: &str = "aarch64/gas-2.44--v2--gcc12-O2--exe";

fn main() -> ExitCode {
    if let Ok(file) = env::var(PLAIN) {
        assert_unwindable(file);
        return ExitCode::SUCCESS;
    }
    match env::var(FILES) {
        Ok(files) => run(|| {
            let trials = Trials::of_files(files.split(':'));
            match env::var(EXPECTED) {
                Ok(file) => trials.expected(file).trials(),
                Err(_) => trials.trials(),
            }
        }),
        Err(_) => run(|| {
            let test = |name: &str, test: fn()| {
                Trial::test(name, move || {
                    test();
                    Ok::<(), Failed>(())
                })
            };
            Ok(vec![
                test("a_file_is_a_test", a_file_is_a_test),
                test("a_wrong_file_fails", a_wrong_file_fails),
                test("an_expected_failure_passes", an_expected_failure_passes),
                test("an_expectation_that_is_idle_fails", an_expectation_that_is_idle_fails),
                test("a_file_of_expectations_is_checked", a_file_of_expectations_is_checked),
                test("a_plain_test_uses_the_installed_program", a_plain_test_uses_the_installed_program),
            ])
        }),
    }
}

/// Exit code and output of this program with these files, expected failures and words.
fn started(files: &[String], expected: Option<&str>, words: &[&str]) -> (Option<i32>, String) {
    let folder = scratch::folder();
    let mut command = Command::new(env::current_exe().expect("this program"));
    command.env(FILES, files.join(":")).args(words);
    if let Some(text) = expected {
        let path = folder.path().join("expected.yaml");
        std::fs::write(&path, text).expect("a file");
        command.env(EXPECTED, path);
    }
    let ran = command.output().expect("it runs");
    let text = [ran.stdout, ran.stderr].concat();
    (ran.status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn path(name: &str) -> String {
    frozen(name).canonicalize().expect("a frozen object").display().to_string()
}

/// A word that a worker has is a filter like others.
fn a_file_is_a_test() {
    let files = [path(CLEAN), path(WRONG)];
    let (code, text) = started(&files, None, &["--list"]);
    assert!(code == Some(0) && files.iter().all(|file| text.contains(&format!("{file}: test"))), "{text}");
    let (code, text) = started(&files, None, &["--exact", &files[0]]);
    assert!(code == Some(0) && text.contains("1 passed; 0 failed"), "{text}");
    let (code, text) = started(&files, None, &["worker"]);
    assert!(code == Some(0) && text.contains("0 passed; 0 failed; 0 ignored; 0 measured; 2 filtered out"), "{text}");
}

fn a_wrong_file_fails() {
    let (code, text) = started(&[path(CLEAN), path(WRONG)], None, &[]);
    assert!(code == Some(101) && text.contains("1 passed; 1 failed"), "{code:?} {text}");
    assert!(text.contains("row/outermost"), "{text}");
}

/// Without rules and functions an item is about all.
fn an_expected_failure_passes() {
    let all = "- {trial: '*gas-2.44*--exe', reason: known, expires: '2999-01-01'}\n";
    let (code, text) = started(&[path(WRONG)], Some(all), &[]);
    assert!(code == Some(0) && text.contains("1 passed; 0 failed"), "{text}");
    let one = all.replace("reason", "rules: [row/outermost], functions: [_start], reason");
    let (code, text) = started(&[path(WRONG)], Some(&one), &[]);
    assert!(code == Some(0) && text.contains("1 passed; 0 failed"), "{text}");
    let other = all.replace("reason", "functions: [main], reason");
    let (code, text) = started(&[path(WRONG)], Some(&other), &[]);
    assert!(code == Some(101) && text.contains("0 passed; 1 failed"), "{text}");
}

fn an_expectation_that_is_idle_fails() {
    let idle = "- {trial: '*--exe', functions: [nobody], reason: a bug that is gone, expires: '2999-01-01'}\n";
    let (code, text) = started(&[path(CLEAN)], Some(idle), &[]);
    assert!(code == Some(101) && text.contains("expected, but did not occur: a bug that is gone"), "{text}");
    let expired = "- {trial: '*gas-2.44*--exe', reason: a bug of last year, expires: '2025-01-01'}\n";
    let (code, text) = started(&[path(WRONG)], Some(expired), &[]);
    assert!(code == Some(101) && text.contains("no longer expected: a bug of last year"), "{text}");
}

fn a_file_of_expectations_is_checked() {
    for (text, message) in [
        ("- {trial: x, rules: [row/none], reason: y, expires: '2999-01-01'}", "no rule row/none"),
        ("- {trial: x, reason: ' ', expires: '2999-01-01'}", "without a reason"),
        ("- {trial: x, reason: y, expires: soon}", "soon: not a date, YYYY-MM-DD"),
        ("- {trial: x, reason: y, expires: '2999-01-01', file: z}", "unknown field `file`"),
    ] {
        let (code, printed) = started(&[path(CLEAN)], Some(text), &[]);
        assert!(code == Some(3) && printed.contains(message), "{text}: {printed}");
    }
}

/// A panic ends this program, as it would end a test.
fn a_plain_test_uses_the_installed_program() {
    let with = |program: &str, file: &str| {
        let mut command = Command::new(env::current_exe().expect("this program"));
        let ran = command.env(PLAIN, path(file)).env("SFRAME_CONFORMANCE_PROGRAM", program).output();
        let ran = ran.expect("it runs");
        (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    let program = env!("CARGO_BIN_EXE_sframe-conformance");
    let (holds, text) = with(program, CLEAN);
    assert!(holds, "{text}");
    let (holds, text) = with(program, WRONG);
    assert!(!holds && text.contains("exit status: 1") && text.contains("row/outermost"), "{text}");
    let (holds, text) = with("/nowhere/program", CLEAN);
    assert!(!holds && text.contains("/nowhere/program is not installed"), "{text}");
}

//! Usage, help, and outputs that cannot be written: an exit code and a message, no panic.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::command::support::{CLEAN_EXE, CLEAN_OBJECT, finish, frozen, program, run};
use crate::command::transcript::Transcript;

#[test]
fn bad_usage_exits_with_3_and_says_what_is_wrong() {
    let file = frozen(CLEAN_OBJECT);
    let file = file.as_str();
    let mut told = Transcript::new(&[(file, "FILE")]);
    for words in [
        &[][..],
        &["no-such-command"],
        &["check"],
        &["check", "--no-such-option", file],
        &["check", "--format", "yaml", file],
        &["check", "--step-limit", "many", file],
        &["check", "--step-limit", "-1", file],
        &["check", "--deny", "everything", file],
        &["dump"],
        &["trace"],
        &["run", "--shard", "0/2"],
        &["run", "--shard", "3/2"],
    ] {
        told.refused(&words.join(" "), &run(words));
    }
    told.printed("usage.txt");
}

#[test]
fn help_and_version_are_printed_and_are_no_error() {
    for arguments in [&["--help"][..], &["help"], &["check", "--help"], &["run", "--help"], &["explain", "--help"]] {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(ran.stdout.contains("Usage:"), "{arguments:?}: {}", ran.stdout);
    }
    let ran = run(&["--version"]);
    // A debug build is not rebuilt after each commit: its version has no commit. A release build's
    // has.
    let version = format!("sframe-conformance {} (", env!("CARGO_PKG_VERSION"));
    assert!(ran.code == Some(0) && ran.stdout.starts_with(&version) && ran.stdout.ends_with(")\n"), "{}", ran.stdout);
    let help = run(&["--help"]).stdout;
    for command in ["check", "run", "dump", "trace", "explain"] {
        assert!(help.contains(command), "{command}");
    }
}

/// Calls with little and much output.
fn printing() -> Vec<Vec<String>> {
    let exe = frozen(CLEAN_EXE);
    let calls = [
        &["check", "--static", &exe][..],
        &["check", "--format", "json", &exe],
        &["dump", &exe],
        &["trace", &exe],
        &["explain"],
    ];
    calls.iter().map(|call| call.iter().map(|&part| part.to_owned()).collect()).collect()
}

#[test]
fn a_full_disk_is_told() {
    for call in printing() {
        let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else { return };
        let mut command = program();
        command.args(&call).stdout(full).stderr(Stdio::piped());
        let output = command.output().expect("the program starts");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{call:?}: {printed}");
        assert!(printed.contains("sframe-conformance: ") && !printed.contains("panicked"), "{call:?}: {printed}");
    }
}

/// A reader that closes the pipe has what it needs: no error, no message.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    for call in printing() {
        let mut command = program();
        command.args(&call).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), printed.as_ref()), (Some(0), ""), "{call:?}");
    }
}

#[test]
fn text_is_for_people_json_for_programs() {
    let file = frozen(CLEAN_OBJECT);
    let text = run(&["check", &file]).stdout;
    assert!(text.starts_with(&format!("{file}: aarch64-le, SFrame v3: CLEAN\n")), "{text}");
    let mut plain = program();
    plain.args(["check", &file]).env("NO_COLOR", "1");
    assert_eq!(finish(plain).stdout, text);
    assert!(!text.contains('\u{1b}'), "no colour unless on a terminal");
}

//! A run that is killed (SIGKILL, which it cannot handle), that meets another run in its folder, or
//! on a failing machine: no finished result is lost, no wrong one is written, and no temporary file
//! is left.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::command::support::{Ran, finish, with_producers};
use crate::command::workshop::{ASSEMBLE, Fake, LINK, Workshop};

/// Maximum time to wait for a loaded machine; nothing here is a measurement.
const PATIENCE: Duration = Duration::from_secs(60);

/// Assemblers for tests that need several trials: each has one.
const NAMES: [&str; 6] = ["a", "b", "c", "d", "e", "h"];

/// A workshop with a folder for temporary files, and assemblers with this body.
fn workshop(names: &[&str], body: impl Fn(&Workshop, &str) -> String) -> Workshop {
    let workshop = Workshop::new();
    let assembler = |name: &&str| workshop.assembler(&Fake { name, body: &body(&workshop, name), more: "" });
    let mut entries: Vec<String> = names.iter().map(assembler).collect();
    entries.push(workshop.linker(&Fake { name: "link", body: LINK, more: "" }));
    workshop.producers(&entries);
    fs::create_dir(workshop.path("tmp")).expect("a folder");
    workshop
}

/// The assembler `h` hangs while a file `hang` exists.
fn hanging() -> Workshop {
    workshop(&NAMES, |workshop, name| match name {
        "h" => format!("if [ -e '{}' ]; then exec sleep 100; fi; {ASSEMBLE}", workshop.path("hang")),
        _ => ASSEMBLE.to_owned(),
    })
}

fn call(workshop: &Workshop, arguments: &[&str]) -> Ran {
    let mut command = with_producers();
    command.args(arguments).current_dir(workshop.path("")).env("TMPDIR", workshop.path("tmp"));
    finish(command)
}

fn start(workshop: &Workshop, arguments: &[&str]) -> Child {
    let mut command = with_producers();
    command.args(arguments).current_dir(workshop.path("")).env("TMPDIR", workshop.path("tmp"));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
}

#[track_caller]
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn finished(workshop: &Workshop) -> usize {
    let bytes = fs::read(workshop.path("out/results.jsonl")).unwrap_or_default();
    bytes.iter().filter(|byte| **byte == b'\n').count()
}

fn temporary(workshop: &Workshop) -> Vec<String> {
    let entries = fs::read_dir(workshop.path("tmp")).expect("the folder").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

fn kill(mut child: Child) {
    child.kill().expect("a child to kill");
    child.wait().expect("a child to wait for");
}

#[test]
fn a_run_that_is_killed_again_and_again_comes_to_the_same() {
    let workshop = hanging();
    let whole = call(&workshop, &["run", "--out", "whole"]);
    assert!(whole.code.is_some_and(|code| code < 3), "{}", whole.stderr);
    let mut left = 0;
    for (at, arguments) in [(0, &["run", "--out", "out", "--jobs", "2"][..]), (1, &RESUME), (2, &RESUME), (4, &RESUME)]
    {
        let child = start(&workshop, arguments);
        wait_for("trials end", || finished(&workshop) >= at && !temporary(&workshop).is_empty());
        kill(child);
        left += temporary(&workshop).len();
    }
    assert!(left > 0, "a killed run leaves something behind");
    let resumed = call(&workshop, &["run", "--out", "out", "--resume"]);
    assert_eq!(
        (resumed.code, resumed.stdout),
        (
            whole.code,
            whole
                .stdout
                .replace("whole/", "out/")
                .replace(" whole\n", " out\n")
                .replace("--results whole", "--results out")
        ),
        "{}",
        resumed.stderr
    );
    assert_eq!(workshop.read("out/results.jsonl"), workshop.read("whole/results.jsonl"), "the same bytes");
    assert_eq!(temporary(&workshop), [""; 0], "what killed runs left is swept");
}

const RESUME: [&str; 6] = ["run", "--out", "out", "--jobs", "2", "--resume"];

#[test]
fn a_folder_is_one_runs_at_a_time_and_a_dead_one_holds_nothing() {
    let workshop = hanging();
    workshop.write("hang", "");
    let child = start(&workshop, &["run", "--out", "out"]);
    wait_for("all but one are done", || finished(&workshop) == NAMES.len() - 1 && !temporary(&workshop).is_empty());
    let folder = temporary(&workshop);

    let before = workshop.read("out/results.jsonl");
    for arguments in [&["run", "--out", "out"][..], &RESUME] {
        let second = call(&workshop, arguments);
        assert_eq!(second.code, Some(3), "{}", second.stdout);
        let holder = format!("out/lock: another run is using this folder: pid {} on ", child.id());
        assert!(second.stderr.contains(&holder) && second.stderr.contains(" since 20"), "{}", second.stderr);
    }
    let merge = call(&workshop, &["report", "--merge", "--out", "out", "out"]);
    assert!(merge.code == Some(3) && merge.stderr.contains("out/lock: another run is using"), "{}", merge.stderr);
    assert_eq!(workshop.read("out/results.jsonl"), before, "nothing is lost");
    // Another run removes stale folders, but not those of a live process.
    let beside = call(&workshop, &["run", "--out", "beside", "--filter", "a@"]);
    assert!(beside.code.is_some_and(|code| code < 3), "{}", beside.stderr);
    assert_eq!(temporary(&workshop), folder);

    kill(child);
    fs::remove_file(workshop.path("hang")).expect("the file");
    let resumed = call(&workshop, &RESUME);
    assert!(resumed.code.is_some_and(|code| code < 3), "the lock of a dead process is nobody's: {}", resumed.stderr);
    assert!(resumed.stderr.starts_with("sframe-conformance: 1 trial"), "{}", resumed.stderr);
    assert_eq!(temporary(&workshop), [""; 0]);
}

/// The failure of a tool without its folder proves nothing about its input.
#[test]
fn no_trial_fails_for_the_trouble_of_the_machine() {
    let workshop = workshop(&["a", "h"], |workshop, name| match name {
        "h" => format!("if [ -e '{}' ]; then rm -r \"$PWD\"; exit 1; fi; {ASSEMBLE}", workshop.path("trouble")),
        _ => ASSEMBLE.to_owned(),
    });
    let whole = call(&workshop, &["run", "--out", "whole"]);
    workshop.write("trouble", "");
    let ran = call(&workshop, &["run", "--out", "out", "--jobs", "1"]);
    let place = format!("{}/sframe-conformance-", workshop.path("tmp"));
    assert_eq!(ran.code, Some(3), "{}", ran.stdout);
    assert!(ran.stderr.contains(&place) && ran.stderr.contains("`run --resume` continues"), "{}", ran.stderr);
    assert!(!workshop.read("out/results.jsonl").contains("\"key\":\"h@"));

    fs::remove_file(workshop.path("trouble")).expect("the file");
    assert_eq!(call(&workshop, &RESUME).code, whole.code);
    assert_eq!(workshop.read("out/results.jsonl"), workshop.read("whole/results.jsonl"), "the same bytes");
}

/// Also for root, who ignores permissions: the folder is missing, or is not a folder, or is not
/// writable.
#[test]
fn what_cannot_be_written_is_named() {
    let workshop = workshop(&["a"], |_, _| ASSEMBLE.to_owned());
    let file = workshop.write("file", "");
    let run = |out: &str, tmp: &str| {
        let mut command = with_producers();
        command.args(["run", "--resume", "--out", out]).current_dir(workshop.path("")).env("TMPDIR", tmp);
        finish(command)
    };
    assert!(run("full", &workshop.path("tmp")).code.is_some_and(|code| code < 3));
    symlink("/dev/full", workshop.path("full/results.jsonl.new")).expect("a link");
    let (nowhere, tmp) = (workshop.path("nowhere"), workshop.path("tmp"));
    fs::create_dir(workshop.path("device")).expect("a folder");
    symlink("/dev/zero", workshop.path("device/results.jsonl")).expect("a link");
    for (out, tmp, named) in [
        ("out", nowhere.as_str(), nowhere.as_str()),
        ("out", &file, &file),
        ("out", "/proc", "/proc: "),
        (&file, &tmp, &file),
        ("/proc/out", &tmp, "/proc/out: "),
        ("full", &tmp, "full/results.jsonl.new: neither a regular file nor a directory"),
        ("device", &tmp, "device/results.jsonl: neither a regular file nor a directory"),
    ] {
        let ran = run(out, tmp);
        assert_eq!(ran.code, Some(3), "{out}, {tmp}: {}", ran.stdout);
        assert!(ran.stderr.contains(named), "{out}, {tmp}: {}", ran.stderr);
    }
    assert_eq!(workshop.read("out/results.jsonl"), "", "no trial came to anything");
}

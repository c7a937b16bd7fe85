//! `run` interrupted during trials: finished results are kept and marked as partial, no temporary
//! file is left, and `--resume` completes them to the same bytes as an uninterrupted run.

use std::fs;
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use wait_timeout::ChildExt as _;

use crate::command::support::with_producers;
use crate::command::workshop::{ASSEMBLE, Fake, LINK, Workshop};

/// Maximum time to wait for a loaded machine; nothing here is a measurement.
const PATIENCE: Duration = Duration::from_secs(60);

/// Maximum time until a signal ends a run; the hanging command takes ten times as long.
const SOON: Duration = Duration::from_secs(20);

/// Assemblers that work, and one that hangs with a child process while a file `hang` exists. It is
/// first, so that others end while it hangs only if trials run in parallel.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    let hang = format!(
        "if [ -e '{}' ]; then sleep 1000 & echo $$ $! > '{}'; wait; fi; {ASSEMBLE}",
        workshop.path("hang"),
        workshop.path("pids")
    );
    let mut entries = vec![workshop.assembler(&Fake { name: "a", body: &hang, more: "limits: {seconds: 200}" })];
    entries.extend(["b", "c", "d"].map(|name| workshop.assembler(&Fake { name, body: ASSEMBLE, more: "" })));
    entries.push(workshop.linker(&Fake { name: "link", body: LINK, more: "" }));
    workshop.producers(&entries);
    fs::create_dir(workshop.path("tmp")).expect("a folder");
    workshop
}

fn start(workshop: &Workshop) -> Child {
    let mut command = with_producers();
    command
        .args(["run", "--jobs", "2", "--out", "out"])
        .current_dir(workshop.path(""))
        .env("TMPDIR", workshop.path("tmp"));
    let file = |name: &str| Stdio::from(fs::File::create(workshop.path(name)).expect("a file"));
    command.stdout(file("stdout")).stderr(file("stderr")).spawn().expect("the program starts")
}

#[track_caller]
fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(began.elapsed() < PATIENCE, "never: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn lines(workshop: &Workshop) -> Vec<String> {
    let text = fs::read_to_string(workshop.path("out/results.jsonl")).unwrap_or_default();
    text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(str::to_owned).collect()
}

/// Returns true for an existing process that is not a zombie (`/proc/PID/stat`, third field).
fn lives(pid: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(')').next().and_then(|rest| rest.split_whitespace().next()).is_some_and(|state| state != "Z")
}

fn send(child: &Child, signal: Signal) {
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw).expect("a process");
    kill_process(pid, signal).expect("a signal");
}

#[test]
fn a_signal_ends_a_run_with_what_is_finished() {
    for signal in [Signal::INT, Signal::TERM] {
        let workshop = workshop();
        let whole = workshop.call(&["run", "--out", "whole"]);
        assert!(whole.code.is_some_and(|code| code < 3), "{}", whole.stderr);
        assert!(whole.stderr.starts_with("sframe-conformance: 4 trials on "), "{}", whole.stderr);
        // Files of an earlier run do not count for this one.
        fs::create_dir(workshop.path("out")).expect("a folder");
        fs::copy(workshop.path("whole/run.json"), workshop.path("out/run.json")).expect("a copy");

        workshop.write("hang", "");
        let mut child = start(&workshop);
        wait_for("one trial hangs and the others are done", || {
            lines(&workshop).len() >= 2
                && fs::read_to_string(workshop.path("pids")).is_ok_and(|pids| pids.ends_with('\n'))
        });
        let pids = workshop.read("pids");
        assert!(pids.split_whitespace().all(lives), "{pids}");
        assert!(
            fs::read_dir(workshop.path("tmp")).expect("the folder").count() > 0,
            "a trial works in a folder of its own"
        );
        send(&child, signal);
        let status = child.wait_timeout(SOON).expect("a child").expect("it ends soon");

        let (stdout, stderr) = (workshop.read("stdout"), workshop.read("stderr"));
        let kept = lines(&workshop);
        assert_eq!(kept.concat(), workshop.read("out/results.jsonl"), "whole lines only");
        let statuses: Vec<Value> =
            kept.iter().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["status"].clone()).collect();
        assert!((2..4).contains(&kept.len()) && kept.iter().all(|line| !line.contains("\"key\":\"a@")), "{statuses:?}");
        // The contract: omitted trials are undecided, unless there is an error too.
        let wrong = statuses.iter().any(|status| status == "FAIL" || status == "XPASS");
        assert_eq!(status.code(), Some(if wrong { 1 } else { 2 }), "{stdout}{stderr}");
        assert!(stdout.contains("the run was not finished; `run --resume` continues it\n"), "{stdout}");
        let left = format!("interrupted: {} of 4 trials did not run\n", 4 - kept.len());
        assert!(stdout.contains(&left), "{stdout}");
        assert!(stdout.contains("\npage       out/index.html\n"), "{stdout}");
        for pid in pids.split_whitespace() {
            wait_for("what was started is gone", || !lives(pid));
        }
        let temporary: Vec<_> = fs::read_dir(workshop.path("tmp")).expect("the folder").flatten().collect();
        assert!(temporary.is_empty(), "{temporary:?}");

        a_part_is_told_as_one(&workshop, status.code());

        fs::remove_file(workshop.path("hang")).expect("the file");
        let resumed = workshop.call(&["run", "--resume", "--out", "out"]);
        assert_eq!(resumed.code, whole.code, "{}", resumed.stderr);
        assert!(
            resumed.stderr.starts_with(&format!("sframe-conformance: {} trial", 4 - kept.len())),
            "{}",
            resumed.stderr
        );
        assert_eq!(workshop.read("out/results.jsonl"), workshop.read("whole/results.jsonl"), "the same bytes");
        let facts = |folder: &str| -> Value {
            let mut facts: Value = serde_json::from_str(&workshop.read(&format!("{folder}/run.json"))).expect("JSON");
            facts["seconds"] = Value::Null;
            facts["times"] = Value::Null;
            facts
        };
        assert_eq!(facts("out"), facts("whole"));
        let printed = |text: &str| {
            ["whole/", "--results whole", "report whole"]
                .iter()
                .fold(text.to_owned(), |text, words| text.replace(words, &words.replace("whole", "out")))
        };
        assert_eq!(resumed.stdout, printed(&whole.stdout));
        assert_eq!(workshop.call(&["report", "out"]).code, whole.code);
    }
}

/// `report` in every format, and merging, of results of an unfinished run.
fn a_part_is_told_as_one(workshop: &Workshop, code: Option<i32>) {
    assert!(!Path::new(&workshop.path("out/run.json")).exists(), "run.json says that a run was gone through");
    for file in ["index.html", "junit.xml", "results.sarif"] {
        assert!(workshop.read(&format!("out/{file}")).contains("not finished"), "{file}");
    }
    for (format, word) in [
        ("text", "the run was not finished"),
        ("markdown", "**Unfinished**"),
        ("html", "not finished"),
        ("junit", "<testcase name=\"finished\" classname=\"run\">"),
        ("sarif", "\"executionSuccessful\": false"),
        ("github", "::error title=unfinished::the run was not finished"),
        ("json", "\"finished\":false"),
    ] {
        let ran = workshop.call(&["report", "out", "--format", format]);
        assert_eq!((ran.code, ran.stdout.contains(word)), (code, true), "{format}: {}{}", ran.stdout, ran.stderr);
        let whole = workshop.call(&["report", "whole", "--format", format]);
        assert!(!whole.stdout.contains(word), "{format}: {}", whole.stdout);
    }
    let merged = workshop.call(&["report", "--merge", "out", "--out", "merged"]);
    assert_eq!((merged.code, Path::new(&workshop.path("merged/run.json")).exists()), (Some(0), false));
    assert_eq!(workshop.read("merged/results.jsonl"), workshop.read("out/results.jsonl"));
}

/// A second signal ends the program immediately. Two signals that two threads receive at the same
/// time may count as one: several attempts.
#[test]
fn a_second_signal_ends_the_program_at_once() {
    use std::os::unix::process::ExitStatusExt as _;
    let ended: Vec<ExitStatus> = (0..3).map(|_| ended_by_two_signals()).collect();
    assert!(ended.iter().any(|status| status.signal().is_some()), "{ended:?}");
}

fn ended_by_two_signals() -> ExitStatus {
    let workshop = workshop();
    // While stopped, it cannot handle the first signal before the second arrives.
    workshop.write("hang", "");
    let mut child = start(&workshop);
    wait_for("a trial hangs", || fs::read_to_string(workshop.path("pids")).is_ok_and(|pids| pids.ends_with('\n')));
    send(&child, Signal::STOP);
    send(&child, Signal::INT);
    send(&child, Signal::TERM);
    send(&child, Signal::CONT);
    let status = child.wait_timeout(SOON).expect("a child").expect("it ends at once");
    for pid in workshop.read("pids").split_whitespace() {
        let pid = pid.parse().ok().and_then(Pid::from_raw).expect("a process");
        // The hung process is an orphan; it may already have ended.
        let _ = kill_process(pid, Signal::KILL);
    }
    let text = fs::read_to_string(workshop.path("out/results.jsonl")).unwrap_or_default();
    let whole: Vec<&str> = text.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    assert!(whole.iter().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{text}");
    status
}

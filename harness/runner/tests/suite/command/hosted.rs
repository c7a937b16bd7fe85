//! Programs that need a kernel: their inputs, output, and the ends of their runs.
//! `../hosted/README.md` describes the program of these tests.

use std::fs;
use std::os::unix::fs::symlink;

use serde_json::Value;

use crate::command::support::{CLEAN_EXE, Folder, bytes_of, check, finish, frozen, program, run};
use crate::command::transcript::Transcript;

const TARGETS: [&str; 3] = ["amd64", "aarch64-le", "s390x"];

fn path(name: &str) -> String {
    format!("{}/tests/hosted/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn hosted(target: &str) -> String {
    path(&format!("{target}/hosted"))
}

/// A stack of 4096 bytes for handlers is less than AArch64's least (Linux
/// `arch/arm64/include/uapi/asm/signal.h`, MINSIGSTKSZ 5120).
fn expected(target: &str) -> String {
    let text = fs::read_to_string(path("expected.txt")).expect("a text");
    match target {
        "aarch64-le" => text.replace("sigaltstack 2 0 1 0 4096", "sigaltstack 0 0 0 2 0"),
        _ => text,
    }
}

/// Runs the program with arguments; returns the report on it.
fn with(target: &str, more: &[&str], arguments: &[&str]) -> (i32, Value) {
    check(&hosted(target), &[&["--output"], more, &["--"], arguments].concat())
}

#[test]
fn system_calls_give_what_the_headers_of_the_kernel_say() {
    let folder = Folder::new();
    let given = format!("{}:/in/data.txt", folder.write("data", b"hello world\n"));
    for target in TARGETS {
        let (code, json) = with(target, &["--file", &given], &[]);
        assert_eq!(json["output"].as_str(), Some(expected(target).as_str()), "{target}: {}", json["undecided"]);
        assert_eq!((code, &json["exit_status"]), (0, &7.into()), "{target}");
        let steps = json["summary"]["steps_judged"].as_u64();
        assert!(steps > Some(100_000) && json["summary"]["steps_executed"].as_u64() == steps, "{target}");
        // Reproducible.
        assert_eq!(with(target, &["--file", &given], &[]).1, json, "{target}");
    }
}

#[test]
fn standard_input_is_read_and_what_is_written_is_told_where_that_is_asked_for() {
    let folder = Folder::new();
    // Invalid UTF-8, and an escape sequence.
    let input = folder.write("input", b"a\n\xff\x1b[2J\n");
    for target in TARGETS {
        let (code, json) = with(target, &["--stdin", &input], &["cat"]);
        assert_eq!((code, json["output"].as_str()), (0, Some("a\n\u{fffd}\u{1b}[2J\n")), "{target}");
        assert_eq!(with(target, &[], &["cat"]).1["output"], "", "{target}");
        assert_eq!(check(&hosted(target), &["--", "cat"]).1["output"], Value::Null, "{target}");
        let text = run(&["check", "--output", "--stdin", &input, &hosted(target), "--", "cat"]).stdout;
        assert!(text.contains("\n  output:\n    | a\n    | \u{fffd}\\u{1b}[2J\n"), "{text}");
    }
    let (_, json) = with("amd64", &["--stdin", &folder.write("long", &[b'x'; 3 << 20])], &["cat"]);
    assert_eq!(json["output"].as_str().map(str::len), Some(1 << 20));
    assert!(json["notes"].to_string().contains("2097152 more bytes of output are not shown"), "{}", json["notes"]);
}

#[test]
fn a_program_that_fails_names_the_files_that_it_did_not_find() {
    for target in TARGETS {
        let notes = |given: &[&str], arguments: &[&str]| with(target, given, arguments).1["notes"].to_string();
        assert!(notes(&[], &[]).contains("1 file not found, last /in/data.txt (--file"), "{target}");
        // No note about a program that succeeds.
        assert!(!notes(&[], &["cat"]).contains("not found"), "{target}");
    }
}

#[test]
fn what_waits_forever_ends_the_run_by_name() {
    for target in TARGETS {
        for what in ["futex", "pipe", "poll"] {
            let (code, json) = with(target, &[], &[what]);
            let reason = "waits-forever".into();
            assert_eq!((code, &json["undecided"][0]["reason"]), (2, &reason), "{target} {what}");
            // Steps until then are judged.
            assert!(json["summary"]["steps_judged"].as_u64() > Some(40), "{target} {what}");
        }
        // Without the program that it executes, it goes on.
        for (what, status) in [("abort", 134), ("broken", 141), ("thread", 7), ("execve", 7)] {
            assert_eq!(with(target, &[], &[what]).1["exit_status"], status, "{target} {what}");
        }
        // A child goes on beside it. On s390x the program asks for another stack: `clone` takes
        // that first there.
        if target != "s390x" {
            assert_eq!(with(target, &[], &["fork"]).1["exit_status"], 7, "{target}");
        }
    }
}

#[test]
fn what_cannot_be_given_is_bad_usage() {
    let folder = Folder::new();
    folder.write("data", b"x");
    folder.write("exe", &bytes_of(CLEAN_EXE));
    let mut told = Transcript::new(&[]);
    for options in [
        &["--file", "data"][..],
        &["--file", "/no/such/file:/a"],
        &["--file", "data:/"],
        &["--file", "data:/a", "--file", "data:/a"],
        &["--stdin", "/no/such/file"],
        &["--stdin", "/dev/zero"],
    ] {
        let mut command = program();
        command.args(["check", "exe"]).args(options).current_dir(folder.path(""));
        told.refused(&format!("check exe {}", options.join(" ")), &finish(command));
    }
    told.printed("given.txt");
}

/// A root with the loader and the files it maps, through links as in distributions.
fn rooted(target: &str) -> Folder {
    let root = Folder::new();
    fs::create_dir_all(root.path("usr/lib")).expect("a folder");
    for object in ["loader.so", "part.so", "bad.so"] {
        fs::copy(path(&format!("{target}/{object}")), root.path(&format!("usr/lib/{object}"))).expect("a copy");
    }
    // A link to a missing file on the host, and to more parent folders than exist.
    symlink("/../../usr/lib", root.path("lib")).expect("a link");
    root
}

#[test]
fn a_program_with_its_loader_is_judged_object_by_object() {
    for target in TARGETS {
        let root = rooted(target);
        let program = path(&format!("{target}/program"));
        let check =
            |more: &[&str]| run(&[&["check", "--format", "json", "--root", &root.path(""), &program], more].concat());
        let ran = check(&[]);
        let reports = ran.json_lines();
        let files: Vec<&str> = reports.iter().filter_map(|report| report["file"].as_str()).collect();
        assert_eq!(files, [&program, "/usr/lib/loader.so", "/usr/lib/part.so"], "{target}");
        // Factorial of five, plus one for the program itself.
        assert_eq!((ran.code, &reports[0]["exit_status"]), (Some(0), &121.into()), "{target}");
        let steps: u64 = reports.iter().filter_map(|report| report["summary"]["steps_executed"].as_u64()).sum();
        assert!(reports[0]["notes"].to_string().contains(&format!("ran {steps} instructions")), "{target}: {steps}");
        let judged = |index: usize| reports[index]["summary"]["steps_judged"].as_u64();
        assert!(judged(0) > Some(10) && judged(1) > Some(200) && judged(2) > Some(60), "{target}");
        // A finding is attributed to its object, and the others stay clean.
        let bad = check(&["--", "/lib/bad.so"]);
        let verdicts: Vec<Value> = bad.json_lines().into_iter().map(|mut report| report["verdict"].take()).collect();
        assert_eq!(
            (bad.code, verdicts),
            (Some(1), ["clean", "clean", "discrepancy"].map(Value::from).to_vec()),
            "{target}"
        );
        let found = &bad.json_lines()[2];
        assert_eq!(
            (&found["file"], &found["discrepancies"][0]["function"]),
            (&"/usr/lib/bad.so".into(), &"part".into())
        );
        // The loader does not exist on this machine: the program is not executed, which is not
        // clean. A root without the loader is bad usage.
        let alone = run(&["check", "--format", "json", &program]).json_lines().remove(0);
        let reason = "cannot run: its ELF interpreter /lib/loader.so cannot be read";
        assert!(alone["undecided"][0]["message"].as_str().is_some_and(|told| told.starts_with(reason)), "{alone}");
        let empty = Folder::new();
        let lost = run(&["check", "--root", &empty.path(""), &program]);
        assert!(lost.code == Some(3) && lost.stdout.contains("/lib/loader.so"), "{}", lost.stdout);
    }
    assert_eq!(run(&["check", "--root", "/no/such/folder", &frozen(CLEAN_EXE)]).code, Some(3));
}

/// A program of this machine, of any distribution; none if it is linked statically or of another
/// architecture.
#[test]
fn an_ordinary_program_runs_with_the_libraries_of_this_machine() {
    let loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1", "/lib64/ld64.so.1"];
    let Ok(bytes) = fs::read("/bin/true") else { return };
    if !loaders.iter().any(|loader| bytes.windows(loader.len()).any(|part| part == loader.as_bytes())) {
        return;
    }
    // Its dynamic linker as a program, which is given the program.
    let loader = loaders.into_iter().find(|loader| fs::exists(loader).is_ok_and(|is| is)).expect("a loader");
    let invoked = run(&["check", "--format", "json", loader, "--", "/bin/true"]);
    let reports = invoked.json_lines();
    assert_eq!((reports[0]["file"].as_str(), &reports[0]["exit_status"]), (Some(loader), &0.into()), "{reports:?}");
    assert!(reports.iter().any(|report| report["file"] == "/bin/true"), "{reports:?}");
    let text = run(&["check", "/bin/true"]).stdout;
    let folded = text.lines().filter(|line| line.starts_with('/') && line.contains(".so") && line.contains(": CLEAN"));
    assert!(folded.count() >= 2 && !text.contains("mapped by"), "{text}");
    for options in [&[][..], &["--root", "/"]] {
        let ran = run(&[&["check", "--format", "json", "/bin/true"], options].concat());
        let reports = ran.json_lines();
        assert_eq!((reports[0]["file"].as_str(), &reports[0]["exit_status"]), (Some("/bin/true"), &0.into()));
        // The loader and at least a C library, each judged with its own tables.
        assert!(
            reports.len() > 2 && reports[1]["file"].as_str().is_some_and(|file| file.contains("/ld")),
            "{reports:?}"
        );
        assert!(reports.iter().all(|report| report["summary"]["steps_judged"].as_u64() > Some(0)), "{reports:?}");
    }
}

#[test]
fn trace_gives_the_same_to_a_program() {
    let folder = Folder::new();
    let input = folder.write("input", b"abc");
    let steps = |more: &[&str]| {
        let ran = run(&[&["trace", &hosted("s390x")], more, &["--", "cat"]].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout.lines().count()
    };
    assert!(steps(&["--stdin", &input]) > steps(&[]));
}

#[test]
fn a_signal_that_the_program_does_not_handle_is_not_sent_and_that_is_told() {
    for target in TARGETS {
        let (code, json) = with(target, &["--signal-at", "_start"], &["cat"]);
        let text = json["undecided"].to_string();
        assert_eq!((code, json["verdict"].as_str()), (2, Some("undecided")), "{target}: {json}");
        assert!(text.contains("signal-not-sent") && text.contains("at 1 places the program has no handler"), "{text}");
        let (code, json) = with(target, &["--signal-at", "random:5:1:USR1"], &["cat"]);
        assert!(code == 2 && json["undecided"].to_string().contains("5 of 5 requested signals"), "{target}: {json}");
    }
    assert_eq!(with("amd64", &["--signal-at", "no_such_symbol"], &["cat"]).0, 3);
}

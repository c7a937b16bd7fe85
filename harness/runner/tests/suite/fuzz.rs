//! Fuzzing with fake assemblers: a crash is detected and reduced to the line that causes it, an
//! interrupted run is resumed, and unclassified findings are reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use ledger::class::{Class, ClassError, Classes, Evidence, Judgement};
use ledger::words::{line, words};
use reduce::random::fuzz;
use selftest::fuzz::run::Run;
use selftest::fuzz::tally::Tally;
use selftest::fuzz::tool::{self, Tool};
use selftest::fuzz::{Finding, Stretch, stretches};
use selftest::journal::JournalError;
use testing::program::write_program;
use testing::scratch;
use toolchain::producers::Producers;
use types::Abi;

/// A producers' file with one assembler, a shell script.
fn assembler(folder: &Path, body: &str) -> PathBuf {
    let path = folder.join("fake-as");
    let script = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'version 2.47'; exit 0; fi\n{body}\n");
    write_program(&path, &script);
    let entry = format!(
        "- name: gas
  kind: assembler
  about: a test's
  search: [{}]
  program: {{amd64: [fake-as]}}
  version: {{pattern: 'version ([0-9.]+)'}}
  sframe: [{{versions: [v3]}}]
  steps: {{assemble: '{{program}} {{options}} -o {{output}} {{inputs}}'}}
",
        folder.display()
    );
    let file = folder.join("producers.yaml");
    fs::write(&file, entry).expect("a producers' file");
    file
}

/// Script lines that kill the assembler by a signal if its input contains a word. Shell built-ins,
/// unlike `grep`, start no process in thousands of runs.
fn dies_of(word: &str, signal: &str) -> String {
    format!("while read -r line; do\n  case $line in *'{word}'*) kill -{signal} $$ ;; esac\ndone < t.s")
}

fn tools(producers: &Path) -> Vec<Tool> {
    let producers = Producers::read(producers, Path::new(".")).expect("a producers' file");
    let tools = tool::all(&producers, &[]).expect("an assembler");
    assert_eq!(tools.len(), 1);
    tools
}

fn found(producers: &Path, first: u64, count: u64) -> Vec<Finding> {
    let tools = tools(producers);
    let found = Mutex::new(Vec::new());
    let take = |_: &_, these: &[Finding]| {
        found.lock().expect("a lock").extend_from_slice(these);
        Ok(())
    };
    fuzz(&stretches(&tools, first, count), take).expect("a run");
    let mut found = found.into_inner().expect("a lock");
    found.sort_by_key(|finding| finding.seed);
    found
}

fn words_of(finding: &Finding) -> String {
    line(&words(finding.abi, &finding.text))
}

#[test]
fn a_crash_is_shrunk_to_the_directive_that_causes_it() {
    let folder = scratch::folder();
    let program =
        assembler(folder.path(), &format!("{}\necho 'Error: no 7' >&2\nexit 1", dies_of("cfi_same_value", "SEGV")));
    assert_eq!(tools(&program)[0].name, "gas@2.47");
    let found = found(&program, 1, 15);
    let crashes: Vec<_> = found.iter().filter(|found| found.what == "crash: signal 11" && !found.executed).collect();
    assert!(!crashes.is_empty(), "15 files hold a same_value");
    for found in crashes {
        assert!(words_of(found).starts_with("same_value."), "{}", found.text);
        assert!(!words_of(found).contains(' '), "{}", found.text);
        assert!(found.detail.starts_with("signal 11"), "{}", found.detail);
    }
    let refusals: Vec<_> = found.iter().filter(|found| found.what == "rejected: no N").collect();
    assert!(refusals.len() > 15, "no file is taken: {}", refusals.len());
    assert!(refusals.iter().filter(|found| !found.executed).all(|found| words_of(found).is_empty()));
}

/// Findings depend only on seeds, not on earlier runs or the number of threads.
#[test]
fn equal_seeds_give_equal_findings() {
    let folder = scratch::folder();
    let program = assembler(folder.path(), &format!("{}\nexit 1", dies_of("cfi_restore ", "ABRT")));
    let all = found(&program, 5, 8);
    assert_eq!(all, found(&program, 5, 8));
    let later: Vec<Finding> = all.into_iter().filter(|finding| finding.seed >= 9).collect();
    assert!(!later.is_empty());
    assert_eq!(later, found(&program, 9, 4));
}

/// A killed run leaves its last line half written, and findings of an unfinished stretch.
#[test]
fn a_broken_off_run_goes_on_and_ends_as_if_it_had_not_been() {
    let folder = scratch::folder();
    let program = assembler(folder.path(), &format!("{}\nexit 1", dies_of("cfi_restore ", "ABRT")));
    let tools = tools(&program);
    // A complete stretch between the ends of two others.
    let all = stretches(&tools, 7, 15);
    let run = |out: &Path, resume: bool, count: usize| {
        let journal = Run::open(out, resume).expect("a journal");
        let left: Vec<_> = all.iter().filter_map(|(tool, all)| Some((*tool, journal.left(all)?))).collect();
        let did = left.len().min(count);
        let journal = Mutex::new(journal);
        fuzz(&left[..did], |stretch, found| journal.lock().expect("a lock").add(stretch, found)).expect("a run");
        (did, journal.into_inner().expect("a lock"))
    };
    let (whole, parts) = (folder.path().join("whole"), folder.path().join("parts"));
    let (did, journal) = run(&whole, false, 9);
    assert_eq!(did, 3);
    let expected = journal.close().expect("findings");
    assert!(!expected.is_empty());

    run(&parts, false, 1);
    let path = parts.join("findings.jsonl");
    let mut torn = fs::read_to_string(&path).expect("findings");
    let stray = serde_json::to_string(expected.last().expect("a finding")).expect("JSON");
    torn.push_str(&format!("{stray}\n{}", &stray[..stray.len() / 2]));
    fs::write(&path, torn).expect("findings");
    let (did, journal) = run(&parts, true, 9);
    assert_eq!(did, 2, "the first stretch is done");
    assert_eq!(journal.close().expect("findings"), expected);
    for name in ["findings.jsonl", "done.jsonl"] {
        assert_eq!(fs::read(parts.join(name)).expect("a file"), fs::read(whole.join(name)).expect("a file"), "{name}");
    }
    assert_eq!(journal.files().values().sum::<u64>(), 15);
}

/// Neither an endless file nor an endless line is read without a limit; and errors in the middle
/// are not ignored.
#[test]
fn what_a_run_goes_on_from_is_bounded_and_whole() {
    let folder = scratch::folder();
    let why = || Run::open(folder.path(), true).expect_err("no journal").to_string();
    let done = folder.path().join("done.jsonl");
    fs::File::create(&done).and_then(|file| file.set_len(4 << 30)).expect("a file");
    assert!(why().contains("done.jsonl: larger than"), "{}", why());
    fs::write(&done, "nothing\n{\"assembler\"").expect("a file");
    assert!(why().contains("done.jsonl line 1: "), "{}", why());
}

/// Seeds that were judged at the end of a shorter run are not judged again.
#[test]
fn a_longer_run_takes_up_where_a_shorter_one_ended() {
    let folder = scratch::folder();
    let stretch = |first, next| Stretch { assembler: "gas@2.4".to_owned(), abi: Abi::Amd64, first, next };
    let mut journal = Run::open(folder.path(), false).expect("a journal");
    assert_eq!(journal.left(&stretch(50, 75)), Some(stretch(50, 75)));
    journal.add(&stretch(50, 60), &[crash(&[".cfi_restore rbp"], 55)]).expect("a line");
    assert!(matches!(Run::open(folder.path(), true), Err(JournalError::Lock(_))), "one run at a time");
    drop(journal);
    let mut journal = Run::open(folder.path(), true).expect("a journal");
    assert_eq!(journal.left(&stretch(50, 75)), Some(stretch(60, 75)));
    assert_eq!(journal.left(&stretch(25, 50)), Some(stretch(25, 50)));
    assert_eq!(journal.left(&Stretch { abi: Abi::S390x, ..stretch(50, 75) }).map(|left| left.first), Some(50));
    journal.add(&stretch(60, 75), &[]).expect("a line");
    assert_eq!(journal.left(&stretch(50, 75)), None);
    assert_eq!(journal.close().expect("findings").len(), 1);
}

fn class(name: &str, text: &[&str]) -> Class {
    Class {
        class: name.to_owned(),
        verdict: Judgement::Wrong,
        by: vec!["gas@2.4".to_owned()],
        abis: vec![Abi::Amd64],
        what: vec!["crash: signal 11".to_owned(), "cfi/cfa-differs".to_owned()],
        text: text.iter().map(|text| (*text).to_owned()).collect(),
        entries: vec!["an-entry".to_owned()],
        reason: None,
        clause: None,
    }
}

fn function(lines: &[&str]) -> String {
    format!("\t.text\nf:\n\t.cfi_startproc\n\t{}\n\t.cfi_endproc\n\t.size f, .-f\n", lines.join("\n\t"))
}

#[test]
fn a_version_between_two_that_are_named_has_the_classes_of_the_later_or_the_earlier() {
    let by = |name: &str, version: &str| Class { by: vec![format!("gas@{version}")], ..class(name, &["code+"]) };
    let classes =
        Classes::new(vec![by("oldest", "2.40"), by("older", "2.44"), by("newer", "2.47.50")]).expect("classes");
    let of = |assembler: &str| {
        let evidence = Evidence { assembler, abi: Abi::Amd64, what: "cfi/cfa-differs", text: &function(&["nop"]) };
        classes.matching(evidence).iter().map(|class| class.class.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of("gas@2.47.20260726"), ["newer"]);
    assert_eq!(of("gas@2.42"), ["older"]);
    assert_eq!(of("gas@2.44"), ["older"]);
    assert_eq!(of("gas@2.47.50.20261021"), ["newer"]);
    // Later than all, and another assembler.
    assert_eq!([of("gas@2.48"), of("clang@2.45")], [[""; 0], [""; 0]]);
}

#[test]
fn a_class_takes_the_whole_text_and_nothing_more() {
    let classes = Classes::new(vec![class("one", &["code? def_cfa_offset~odd offset.ra!byte|restore* code+"])]);
    let classes = classes.expect("classes");
    let is = |assembler: &str, abi: Abi, what: &str, lines: &[&str]| {
        let evidence = Evidence { assembler, abi, what, text: &function(lines) };
        classes.matching(evidence).len() == 1
    };
    let lines = [".cfi_def_cfa_offset 16", ".cfi_offset rip, 160", "nop"];
    assert!(is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &lines));
    assert!(is("gas@2.4.1", Abi::Amd64, "crash: signal 11", &lines));
    assert!(is(
        "gas@2.4",
        Abi::Amd64,
        "cfi/cfa-differs",
        &["nop", ".cfi_def_cfa_offset 16", ".cfi_restore rbp", "nop", "nop"]
    ));
    assert!(!is("gas@2.40", Abi::Amd64, "cfi/cfa-differs", &lines), "another version");
    assert!(!is("gas@2.4", Abi::S390x, "cfi/cfa-differs", &lines), "another target");
    assert!(!is("gas@2.4", Abi::Amd64, "cfi/fp-differs", &lines), "another symptom");
    assert!(!is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[lines[0], lines[1]]), "no code at the end");
    assert!(
        !is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[lines[0], lines[1], "nop", ".cfi_restore rbp"]),
        "a line more"
    );
    assert!(
        !is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[".cfi_def_cfa_offset 12", "nop"]),
        "a mark that must not be"
    );
    assert!(
        !is("gas@2.4", Abi::Amd64, "cfi/cfa-differs", &[".cfi_def_cfa_offset 16", ".cfi_offset rip, 16", "nop"]),
        "none that must"
    );
}

#[test]
fn a_pattern_that_is_none_and_a_name_twice_are_refused() {
    assert!(
        Classes::new(vec![class("one", &["offset!large"])])
            .expect_err("no mark")
            .to_string()
            .contains("unknown mark large")
    );
    assert!(Classes::new(vec![class("one", &["off$et"])]).is_err());
    let reason = Some("because".to_owned());
    for unsound in [
        Class { entries: Vec::new(), ..class("one", &[]) },
        Class { reason: reason.clone(), ..class("one", &[]) },
        Class { verdict: Judgement::Limit, ..class("one", &[]) },
        Class { verdict: Judgement::Right, entries: Vec::new(), reason, ..class("one", &[]) },
    ] {
        assert!(matches!(Classes::new(vec![unsound]), Err(ClassError::Unsound { .. })));
    }
    assert!(Classes::new(vec![class("one", &[]), class("one", &[])]).expect_err("twice").to_string().contains("twice"));
}

/// Registers by role, numbers by properties that an encoder may get wrong, escapes by the
/// instruction that they contain (DWARF 5, 7.24).
#[test]
fn words_tell_what_stands_in_a_text() {
    let lines = [
        ".cfi_personality 0x1b, p",
        "nop",
        "nop",
        ".skip 0",
        ".cfi_def_cfa rbp, -12",
        ".cfi_offset rip, -8",
        ".cfi_register rbp, r12",
        ".cfi_escape 0x10, 0x6, 0x2, 0x77, 0x8",
        ".cfi_escape 0xf, 0x3, 0x76, 0x78, 0x6",
        ".cfi_escape 0x2e, 0x0",
        ".cfi_restore_state",
    ];
    let printed = line(&words(Abi::Amd64, &function(&lines)));
    let expected = "personality code code.skip!zero def_cfa.fp!neg!odd offset.ra!neg!entry register.fp.other escape.expression.fp.sp \
                    escape.cfa_load.fp escape.args_size.zero restore_state";
    assert_eq!(printed, expected);
    let two = function(&[".cfi_def_cfa_offset 40000"]) + &function(&[".cfi_def_cfa_offset 4294967296"]);
    assert_eq!(line(&words(Abi::S390x, &two)), "def_cfa_offset!byte!short next def_cfa_offset!byte!short!wide");
}

fn crash(lines: &[&str], seed: u64) -> Finding {
    Finding {
        assembler: "gas@2.4".to_owned(),
        abi: Abi::Amd64,
        seed,
        executed: false,
        what: "crash: signal 11".to_owned(),
        detail: "signal 11".to_owned(),
        text: function(lines),
    }
}

/// Each finding is in one class, or printed in full: a text that two classes match is as
/// unexplained as one that none matches.
#[test]
fn what_no_class_or_more_than_one_accounts_for_is_told() {
    let classes =
        Classes::new(vec![class("plain", &["restore"]), class("all", &["restore.sp", "offset"])]).expect("classes");
    let findings = [
        crash(&[".cfi_restore rbp"], 1),
        crash(&[".cfi_restore rbp"], 2),
        crash(&[".cfi_restore rsp"], 3),
        crash(&[".cfi_undefined rbp"], 4),
        crash(&[".cfi_undefined rbp"], 5),
    ];
    let tally = Tally::new(&findings, &classes);
    let printed: Vec<_> =
        tally.unclassified().iter().map(|one| (one.first.seed, one.times, one.claimed_by.len())).collect();
    assert_eq!(printed, [(3, 1, 2), (4, 2, 0)]);
    let mut text = Vec::new();
    let files = [(("gas@2.4".to_owned(), "amd64".to_owned()), 7)].into_iter().collect();
    tally.write(&files, &mut text).expect("a table");
    let text = String::from_utf8(text).expect("UTF-8");
    assert!(text.contains("gas@2.4: amd64 7 files"), "{text}");
    assert!(text.contains("amd64 2 (1)"), "two findings of one text: {text}");
    assert!(text.contains("CLAIMED by plain and all") && text.contains("NEW: gas@2.4"), "{text}");
}

/// Known findings do not fail a run, unknown ones do.
#[test]
fn the_command_fails_on_what_is_new_alone() {
    let folder = scratch::folder();
    let program = assembler(folder.path(), "exit 1");
    let out = folder.path().join("out");
    let run = |what: &str| {
        fs::create_dir_all(&out).expect("a folder");
        let finding =
            Finding { assembler: "gas@2.40".to_owned(), what: what.to_owned(), ..crash(&[".cfi_restore rbp"], 3) };
        fs::write(out.join("findings.jsonl"), serde_json::to_string(&finding).expect("JSON") + "\n").expect("a file");
        let done = r#"{"assembler":"gas@2.40","abi":"amd64","first":0,"next":25}"#;
        fs::write(out.join("done.jsonl"), format!("{done}\n")).expect("a file");
        let arguments = ["fuzz", "--count", "0", "--resume", "--producers", &program.display().to_string(), "--out"];
        let mut command = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
        command.args(arguments).arg(&out).output().expect("a run")
    };
    let known = run("crash: sframe_xlate_do_restore");
    let text = String::from_utf8_lossy(&known.stdout).into_owned();
    assert_eq!(known.status.code(), Some(0), "{text}");
    assert!(text.contains("restore-at-entry") && text.contains("25 files, 1 finding, 0 unclassified"), "{text}");
    let new = run("crash: somewhere_else");
    let text = String::from_utf8_lossy(&new.stdout).into_owned();
    assert_eq!(new.status.code(), Some(1), "{text}");
    assert!(text.contains("NEW: gas@2.40") && text.contains(".cfi_restore rbp"), "{text}");
}

#[test]
fn an_assembler_is_named_by_the_beginning_of_its_version_and_one_that_is_absent_is_refused() {
    let folder = scratch::folder();
    let producers = Producers::read(&assembler(folder.path(), "exit 1"), Path::new(".")).expect("a file");
    let named = |name: &str| tool::all(&producers, &[name.to_owned()]);
    assert_eq!(named("gas@2.47").expect("it is here")[0].abi, Abi::Amd64);
    assert_eq!([named("gas@2"), named("gas")].map(|tools| tools.expect("it is here").len()), [1, 1]);
    let printed = named("gas@2.4").expect_err("another version").to_string();
    assert!(printed == "unknown assembler `gas@2.4`: one of gas@2.47", "{printed}");
}

/// The checkout's producers, with a gcc that loses a directive.
fn forgetful_gcc(folder: &Path) -> PathBuf {
    let script = r#"#!/bin/sh
[ "$1" != -v ] || { echo 'Target: x86_64-linux-gnu'; echo 'gcc version 13.99'; exit; }
gcc "$@" || exit
while [ $# -gt 1 ]; do
  [ "$1" != -o ] || sed -i '0,/\.cfi_def_cfa_offset 16$/{//d}' "$2"
  shift
done
"#;
    write_program(folder.join("forgetful-gcc"), script);
    let shipped = fs::read_to_string(testing::root().join("ci/producers.yaml")).expect("the shipped file");
    let (before, gcc) = shipped.split_once("- name: gcc\n").expect("an entry for gcc");
    let gcc = gcc.replacen("[PATH, ", &format!("[{}, ", folder.display()), 1);
    let (words, rest) = gcc.split_once("amd64: [").expect("its programs");
    let (_, rest) = rest.split_once(']').expect("the end of a list");
    let file = folder.join("producers.yaml");
    fs::write(&file, format!("{before}- name: gcc\n{words}amd64: [forgetful-gcc]{rest}")).expect("a producers' file");
    file
}

/// Results of a run of random C, without times.
fn found_in_c(folder: &Path, out: &str, more: &[&str]) -> (Option<i32>, String, serde_json::Value) {
    let producers = folder.join("producers.yaml");
    let mut command = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    command.args(["fuzz", "c", "--compiler", "gcc@13.99", "--abi", "amd64", "--producers"]).arg(&producers);
    let ran = command.arg("--out").arg(folder.join(out)).args(more).output().expect("a run");
    let text = String::from_utf8_lossy(&ran.stdout).into_owned() + &String::from_utf8_lossy(&ran.stderr);
    let state =
        fs::read_to_string(folder.join(out).join("state.json")).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut state: serde_json::Value = serde_json::from_str(&state).expect("JSON");
    for time in ["tools", "judge"] {
        state[time] = 0.into();
    }
    (ran.status.code(), text, state)
}

/// A run that is interrupted and resumed finds the same as a complete one; a new cause is stored
/// with the smallest program found, and with the options that it needs.
#[test]
fn random_c_finds_what_a_compiler_loses_and_a_second_run_goes_on() {
    let folder = scratch::folder();
    forgetful_gcc(folder.path());
    let (_, _, whole) = found_in_c(folder.path(), "whole", &["--seed", "1", "--count", "3", "--tries", "0"]);
    found_in_c(folder.path(), "parts", &["--seed", "1", "--count", "1", "--tries", "0"]);
    let rest = ["--seed", "1", "--count", "3", "--tries", "0", "--resume"];
    let (code, text, parts) = found_in_c(folder.path(), "parts", &rest);
    assert_eq!(whole, parts);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("NEW: gcc@13.99: amd64 compiler: cfa-matches-truth: "), "{text}");
    // What was seen before is known, and a compiler of one's own is the only one.
    let before = folder.path().join("whole");
    let again = ["--seed", "1", "--count", "1", "--tries", "0", "--against", before.to_str().expect("UTF-8")];
    let (code, text, _) = found_in_c(folder.path(), "again", &again);
    assert!(code == Some(0) && text.contains("known earlier results: gcc@13.99: "), "{text}");
    let own = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"))
        .args(["fuzz", "c", "--seed", "1", "--count", "1", "--tries", "0", "--cc"])
        .arg(folder.path().join("forgetful-gcc"))
        .arg("--out")
        .arg(folder.path().join("own"))
        .output()
        .expect("a run");
    let text = String::from_utf8_lossy(&own.stdout);
    assert!(own.status.code() == Some(1) && text.contains("\n1 program (1 right"), "{text}");
    // A compiler that refuses every program shows nothing.
    let refuses =
        "#!/bin/sh\n[ \"$1\" != -v ] || { echo 'Target: x86_64-linux-gnu'; echo 'gcc version 13.99'; exit; }\nexit 1\n";
    write_program(folder.path().join("refusing-gcc"), refuses);
    let mut none = Command::new(env!("CARGO_BIN_EXE_sframe-conformance"));
    none.args(["fuzz", "c", "--count", "1", "--cc"]).arg(folder.path().join("refusing-gcc"));
    let none = none.arg("--out").arg(folder.path().join("none")).output().expect("a run");
    assert_eq!(none.status.code(), Some(2), "{}", String::from_utf8_lossy(&none.stdout));
    let (_, text, least) = found_in_c(folder.path(), "least", &["--seed", "1", "--count", "1", "--tries", "1"]);
    let causes = least["causes"].as_object().and_then(|all| all.values().next()).and_then(|all| all.as_object());
    for (slug, found) in causes.expect("causes").iter().filter(|(_, found)| found["known"].is_null()) {
        assert!(found["needs"].is_string(), "{found}");
        let kept = text.lines().find(|line| line.contains(slug.as_str())).expect("its folder").trim().to_owned();
        for file in ["whole.c", "repro.c", "repro.s", "finding.txt"] {
            assert!(folder.path().join("least").join(&kept).join(file).is_file(), "{file}");
        }
    }
}

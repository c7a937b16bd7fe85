//! Random directives through fake assemblers: a crash is reduced to the line that causes it, an
//! interrupted run is resumed, and unclassified findings are reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ledger::class::{Class, Classes, Judgement};
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
    let second: Vec<Finding> = all.into_iter().filter(|finding| finding.seed >= 9).collect();
    assert!(!second.is_empty());
    assert_eq!(second, found(&program, 9, 4));
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

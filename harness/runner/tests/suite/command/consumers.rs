//! `consumers` with stand-ins for readers: each verdict occurs where expected, and the exit code
//! reflects the findings.

use std::collections::BTreeSet;
use std::fs;

use crate::command::support::{Folder, Ran, run};
use crate::command::sweep::fits;
use crate::command::transcript::Transcript;
use testing::program::write_program;

/// A reader that is a script: its name, its body, and further keys of its entry.
type StandIn = (&'static str, &'static str, &'static str);

const RIGHT: StandIn = ("right", "", "");

const WRONG: [StandIn; 9] = [
    ("wrong-row", "each read sp+9 same same", ""),
    ("wrong-caller", "each read caller 0x1 0x2 0x3", ""),
    ("missed", "each read none", ""),
    ("refused", "each refused err", ""),
    ("crash", "kill -SEGV $$", ""),
    ("hang", "sleep 60", "  limits: {seconds: 1}\n"),
    ("out-of-memory", "exit 4", ""),
    ("sanitiser", "echo AddressSanitizer >&2; exit 99", ""),
    ("broken", "echo sp+8", ""),
];

fn ask(folder: &Folder, readers: &[StandIn], more: &[&str]) -> Ran {
    let mut file = String::new();
    for (name, script, keys) in readers {
        let command = match *script {
            "" => "\"{self} answer\"\n  version_command: \"{self} --version\"".to_owned(),
            script => adapter(&folder.path(name), script),
        };
        file.push_str(&format!(
            "- name: {name}\n  about: a stand-in\n  command: {command}\n  version_pattern: '(\\d[0-9.]*)'\n  from: nowhere\n  \
             reads: [{{versions: [v2e1]}}]\n{keys}"
        ));
    }
    let path = folder.path("consumers.yaml");
    fs::write(&path, file).expect("a consumers' file");
    let words = ["consumers", "--consumers", &path, "--programs", "0", "--builds", "0"];
    run(&[&words[..], more].concat())
}

/// `each WORD ANSWER...`: answers WORD for every section, and these answers for every PC.
const EACH: &str = "each() { said=$1; shift; while read first rest; do if [ $first = section ]; then echo $said; else echo $*; fi; done; }";

fn adapter(path: &str, script: &str) -> String {
    let text = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 1.0; exit; fi\n{EACH}\n{script}\n");
    write_program(path, &text);
    path.to_owned()
}

/// Number of sections with this verdict on this reader, from the table.
fn sections(ran: &Ran, name: &str, verdict: &str) -> usize {
    let row = |line: &&str| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        words.len() == 5 && words[0] == name && words[2] == verdict
    };
    let cell = |line: &str| line.split_ascii_whitespace().nth(3).and_then(|cell| cell.parse().ok());
    ran.stdout.lines().find(row).and_then(cell).unwrap_or(0)
}

#[test]
fn each_way_to_be_wrong_has_its_verdict() {
    let folder = Folder::new();
    let ran = ask(&folder, &WRONG, &["--filter", "valid/v2e1-amd64/two-functions"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for (name, ..) in WRONG {
        assert_eq!(sections(&ran, name, name), 1, "{name}: {}", ran.stdout);
    }
}

#[test]
fn what_is_answered_from_a_section_that_cannot_be_read_is_told_apart() {
    let folder = Folder::new();
    let ran = ask(&folder, &[WRONG[0], WRONG[2], WRONG[3], RIGHT], &["--filter", "malformed/v2e1-amd64/cut-020"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(sections(&ran, "wrong-row", "answered-malformed"), 1, "{}", ran.stdout);
    for name in ["missed", "refused", "right"] {
        assert_eq!(sections(&ran, name, "right"), 1, "{name}: {}", ran.stdout);
    }
}

#[test]
fn nobody_is_accused_of_what_is_open_or_not_claimed() {
    let folder = Folder::new();
    let open = ask(&folder, &[WRONG[0], WRONG[3]], &["--filter", "implementation-defined/v2e1-amd64/same-start"]);
    assert_eq!(open.code, Some(0), "{open:?}");
    let unsorted = ["--filter", "valid/v2e1-amd64/unsorted"];
    let excepted = ask(&folder, &[(WRONG[0].0, WRONG[0].1, "  except: [unsorted]\n")], &unsorted);
    assert_eq!((excepted.code, sections(&excepted, "wrong-row", "wrong-row")), (Some(0), 0), "{excepted:?}");
    let claimed = ask(&folder, &[WRONG[0]], &unsorted);
    assert_eq!((claimed.code, sections(&claimed, "wrong-row", "wrong-row")), (Some(1), 1), "{claimed:?}");
    let other = ask(&folder, &[WRONG[4]], &["--filter", "valid/v3-amd64/two-functions"]);
    assert_eq!(other.code, Some(3), "it reads another version, and nothing is asked: {other:?}");
}

#[test]
fn exit_codes_are_those_of_the_contract() {
    let folder = Folder::new();
    let two = ["--filter", "v2e1-amd64/two-functions"];
    assert_eq!(ask(&folder, &[RIGHT], &two).code, Some(0));
    assert_eq!(ask(&folder, &[WRONG[8]], &two).code, Some(2));
    let absent = ask(&folder, &[RIGHT], &["--consumer", "nobody"]);
    assert_eq!(absent.code, Some(3), "{absent:?}");
    let listed = ask(&folder, &[RIGHT], &["--list"]);
    assert!(listed.code == Some(0) && listed.stdout.contains("a stand-in"), "{listed:?}");
}

/// A reader is asked for the formats that it claims; of `.eh_frame` it gets the index too.
#[test]
fn readers_of_eh_frame_are_asked_for_that_alone() {
    let folder = Folder::new();
    let silent = "while read first a b c d e f table index address; do case $first,$table,$address in section,eh-frame,0x*) \
                  echo read;; section*) echo refused;; *) echo none;; esac; done";
    let silent = adapter(&folder.path("silent"), silent);
    let entry = |name: &str, command: &str, reads: &str| {
        format!(
            "- name: {name}\n  about: a stand-in\n  command: {command}\n  version_command: echo 1\n  version_pattern: '(\\d)'\n  from: nowhere\n  \
             reads: [{reads}]\n"
        )
    };
    let both =
        entry("right", "\"{self} answer\"", "{tables: [eh-frame]}") + &entry("silent", &silent, "{tables: [eh-frame]}");
    let file = folder.write("both.yaml", both.as_bytes());
    let options = ["--programs", "0", "--builds", "0", "--filter", "amd64/two-functions"];
    let ran = run(&[&["consumers", "--consumers", &file], &options[..]].concat());
    assert!(sections(&ran, "right", "right") == 1 && sections(&ran, "silent", "missed") == 1, "{ran:?}");
    assert!(ran.code == Some(1) && ran.stdout.contains("missed: valid/two-functions: none"), "{ran:?}");
    let file = folder.write("other.yaml", entry("other", &silent, "{tables: [debug-frame]}").as_bytes());
    let ran = run(&[&["consumers", "--consumers", &file], &options[..]].concat());
    assert!(ran.code == Some(3) && ran.stderr.contains("debug-frame") && ran.stderr.contains("eh-frame"), "{ran:?}");
}

#[test]
fn the_smallest_section_of_each_fault_is_written() {
    let folder = Folder::new();
    let out = folder.path("out");
    let ran = ask(&folder, &[WRONG[2], WRONG[4]], &["--filter", "valid/v2e1-amd64/cfa-word-12", "--out", &out]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let findings = fs::read_to_string(format!("{out}/findings.jsonl")).expect("findings");
    assert!(findings.contains("missed: valid/cfa-word-N: none"), "{findings}");
    findings
        .lines()
        .for_each(|line| fits("consumers-findings.schema.json", &serde_json::from_str(line).expect("JSON")));
    let facts = fs::read_to_string(format!("{out}/consumers.json")).expect("facts");
    fits("consumers.schema.json", &serde_json::from_str(&facts).expect("JSON"));
    let page = fs::read_to_string(format!("{out}/index.html")).expect("the page");
    assert!(page.contains("Sections: 2 valid.") && ran.stdout.contains("sections: 2 valid; stacks: none"), "{ran:?}");
    let section = fs::read(format!("{out}/valid/v2e1-amd64/cfa-word-127.sframe")).expect("a section");
    // 28 bytes of header, 20 of descriptor, 3 rows of 3 bytes.
    assert_eq!(section.len(), 28 + 20 + 9);
    assert!(ran.stdout.contains("e2de0205"), "{}", ran.stdout);
    // A section that crashes a reader is never published: no cause, no bytes, in any form.
    assert_eq!(findings.matches("\"cause\":\"\",").count(), 1, "{findings}");
    assert_eq!(findings.matches("\"section\"").count(), findings.lines().count() - 1, "{findings}");
    let private = fs::read_to_string(format!("{out}/private/findings.jsonl")).expect("private findings");
    assert!(private.contains("crash: valid: signal 11"), "{private}");
    for format in ["text", "markdown", "junit", "html", "json"] {
        let told = run(&["report", &out, "--format", format]);
        assert_eq!(told.code, Some(1), "{told:?}");
        assert!(
            told.stdout.contains("cfa-word-N") && !told.stdout.contains("crash: valid"),
            "{format}: {}",
            told.stdout
        );
    }
}

/// The reference adapter with one bug: the original text, its replacement, and where the bug first
/// shows.
const BUGS: [(&str, &str, &str, &str); 7] = [
    ("wrong-row", "(\"bhi\" if signed", "(\"BHI\" if signed", "valid/v2e1-amd64/two-functions"),
    ("missed", "one[0] <= pc <", "one[0] < pc <", "valid/v2e1-amd64/two-functions"),
    ("refused", "self.version not in (1, 2, 3)", "self.version not in (1, 3)", "valid/v2e1-amd64/two-functions"),
    ("answered-malformed", "{b\"\\xe2\\xde\"", "{b\"\\xe3\\xde\"", "malformed/v2e1-amd64/magic-low-byte"),
    ("wrong-caller", "callers.append(pc)", "callers.append(pc + 1)", "valid/v2e1-amd64/chain-1"),
    ("crash", "return \"none\"", "__import__(\"os\").abort()", "valid/v2e1-amd64/two-functions"),
    ("hang", "return \"none\"", "__import__(\"time\").sleep(60)", "valid/v2e1-amd64/two-functions"),
];

/// The consumers' file for an adapter in Python; `more` are keys.
fn entry(folder: &Folder, name: &str, adapter: &str, more: &str) -> String {
    let path = folder.write(&format!("{name}.py"), adapter.as_bytes());
    // A hanging reader is waited for; others end by themselves, also on a loaded machine.
    let seconds = if name == "hang" { 1 } else { 30 };
    format!(
        "- name: {name}\n  about: planted\n  command: python3 {path}\n  version_command: echo reference 2\n  version_pattern: 'reference (\\S+)'\n  \
         from: nowhere\n  reads: [{{versions: [v2e1]}}]\n  tells: [signed, key, signal, chain]\n  limits: {{seconds: {seconds}}}\n{more}"
    )
}

/// Results of an adapter for truncated sections of 40 to 49 bytes.
fn of_cut_sections(name: &str, adapter: &str) -> Ran {
    let folder = Folder::new();
    let path = folder.write("planted.yaml", entry(&folder, name, adapter, "").as_bytes());
    run(&[
        "consumers",
        "--consumers",
        &path,
        "--programs",
        "0",
        "--builds",
        "0",
        "--filter",
        "malformed/v2e1-amd64/cut-04",
    ])
}

#[test]
fn a_planted_bug_of_each_kind_is_found_and_the_right_reader_has_none() {
    let folder = Folder::new();
    let right = include_str!("../../../../../ci/adapters/reference.py");
    let all: BTreeSet<&str> = BUGS.iter().map(|(.., vector)| *vector).collect();
    let only = |vectors: &[&str]| format!("  only: [{}]\n", vectors.join(", "));
    let mut file = entry(&folder, "right", right, &only(&Vec::from_iter(all.iter().copied())));
    for (name, from, to, vector) in BUGS {
        assert!(right.contains(from), "{name}: the reference adapter has no '{from}'");
        file.push_str(&entry(&folder, name, &right.replacen(from, to, 1), &only(&[vector])));
    }
    let path = folder.write("planted.yaml", file.as_bytes());
    let ran = run(&["consumers", "--consumers", &path]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    for (name, ..) in BUGS {
        assert_eq!(sections(&ran, name, name), 1, "{name}: {}", ran.stdout);
    }
    assert_eq!(sections(&ran, "right", "right"), all.len(), "{}", ran.stdout);
    let accused = ran.stdout.lines().filter(|line| line.starts_with("right ") && line.contains(": "));
    assert_eq!(accused.count(), 0, "{}", ran.stdout);
}

/// An adapter that dies on sections of some sizes, and reads the others correctly: earlier answers
/// are kept, and only those sections are blamed.
#[test]
fn a_crash_is_charged_to_the_section_that_is_being_read() {
    let right = include_str!("../../../../../ci/adapters/reference.py");
    let dies = right.replacen("section = Section(file.read()", "bytes = file.read()\n                    len(bytes) % 3 or __import__(\"os\").abort()\n                    section = Section(bytes", 1);
    let ran = of_cut_sections("dies", &dies);
    // Three of their sizes are multiples of 3, and the reference adapter is right about the others.
    assert_eq!((sections(&ran, "dies", "crash"), sections(&ran, "dies", "right")), (3, 7), "{}", ran.stdout);
}

/// An adapter that dies on every third section of a process: asked alone, each is read, and none is
/// blamed for others.
#[test]
fn what_ends_a_process_is_asked_again_alone() {
    let right = include_str!("../../../../../ci/adapters/reference.py");
    let count = "counted = globals()\n                    counted[\"n\"] = counted.get(\"n\", 0) + 1\n                    \
                 counted[\"n\"] % 3 or __import__(\"os\").abort()\n                    section = Section(";
    let ran = of_cut_sections("tires", &right.replacen("section = Section(", count, 1));
    assert_eq!((sections(&ran, "tires", "crash"), sections(&ran, "tires", "right")), (0, 10), "{}", ran.stdout);
}

/// An adapter that is late for one section a few times: with all others, alone, and once more
/// before the reader is blamed.
#[test]
fn a_new_finding_is_asked_for_again_before_it_is_reported() {
    let right = include_str!("../../../../../ci/adapters/reference.py");
    let late = |times: usize| {
        let folder = Folder::new();
        let log = folder.path("late");
        let counts = format!(
            "bytes = file.read()\n                    import os, time\n                    log = open({log:?}, \"a+b\")\n                    \
             if len(bytes) == 44 and os.path.getsize({log:?}) < {times}: log.write(b\".\"); log.flush(); time.sleep(60)\n                    \
             section = Section(bytes"
        );
        let adapter = right.replacen("section = Section(file.read()", &counts, 1);
        let entry = entry(&folder, "late", &adapter, "").replace("seconds: 30", "seconds: 1");
        let path = folder.write("planted.yaml", entry.as_bytes());
        let words = ["consumers", "--consumers", &path, "--programs", "0", "--builds", "0"];
        let ran = run(&[&words[..], &["--filter", "malformed/v2e1-amd64/cut-04"]].concat());
        (
            ran.code,
            sections(&ran, "late", "hang"),
            sections(&ran, "late", "right"),
            fs::read(log).unwrap_or_default().len(),
        )
    };
    // Both mostly wait.
    let (twice, always) = std::thread::scope(|scope| {
        let twice = scope.spawn(|| late(2));
        let always = late(9);
        (twice.join(), always)
    });
    assert_eq!(
        twice.expect("a thread"),
        (Some(0), 0, 10, 2),
        "late twice, and right when it was asked for the finding alone"
    );
    assert_eq!(always, (Some(1), 1, 9, 3), "late each time");
}

#[test]
fn what_is_known_must_recur_and_nothing_else_may_show() {
    let folder = Folder::new();
    let filter = ["--filter", "valid/v2e1-amd64/two-functions"];
    let ledger = |causes: &str, expires: &str, more: &str| {
        let known = folder.path("known");
        fs::create_dir_all(&known).expect("a folder");
        let entry = format!(
            "title: it finds nothing\nproject: missed\nversions: {{first: '1.0', last: '1.0'}}\nreason: planted\n\
             link: unfiled\nadded: '2026-11-23'\nexpires: '{expires}'\n{more}shows:\n  - causes:\n{causes}"
        );
        fs::write(format!("{known}/planted.yaml"), entry).expect("an entry");
        known
    };
    let cause = "      'missed: valid/two-functions: none': [v2e1-amd64]\n";
    let held = |known: &str| ask(&folder, &[WRONG[2]], &[&filter[..], &["--known", known]].concat());
    let elsewhere = cause.replace("v2e1-amd64", "v3-amd64");
    let more = format!("{cause}      'wrong-row: valid/two-functions: a row': [v2e1-amd64]\n");
    let mut told = Transcript::from_folder(&folder);
    for (what, causes, expires, code) in [
        ("known", cause, "2999-01-01", 0),
        ("expired", cause, "2026-11-23", 1),
        ("known of another table", &elsewhere, "2999-01-01", 1),
        ("known with a cause that does not show", &more, "2999-01-01", 1),
    ] {
        let ran = held(&ledger(causes, expires, ""));
        assert_eq!(ran.code, Some(code), "{what}: {ran:?}");
        told.call(&format!("sframe-conformance consumers --known known ({what})"), &ran);
    }
    told.printed("readers-known.txt");
    // A private cause is listed by its fingerprint, with the contact.
    let private = "      0123456789abcdef: [v2e1-amd64]\n";
    assert_eq!(held(&ledger(private, "2999-01-01", "")).code, Some(3));
    assert_eq!(held(&ledger(private, "2999-01-01", "tell: its makers\n")).code, Some(1));
}

#[test]
fn what_an_earlier_run_had_is_known_and_all_else_is_new() {
    let folder = Folder::new();
    let earlier = folder.path("earlier");
    let narrow = ["--filter", "valid/v2e1-amd64/two-functions"];
    let compared = ["--against", &earlier];
    assert_eq!(ask(&folder, &[WRONG[2]], &[&narrow[..], &["--out", &earlier]].concat()).code, Some(1));
    let again = ask(&folder, &[WRONG[2]], &[&narrow[..], &compared].concat());
    assert!(again.code == Some(0) && again.stdout.contains("0 new findings, 1 known"), "{again:?}");
    // Another build of the same reader that is wrong about one more table, and one that is right.
    let more = ["--filter", "64/two-functions"];
    assert_eq!(ask(&folder, &[WRONG[2]], &[&more[..], &compared].concat()).code, Some(0), "v2e1 alone is claimed");
    let wider = ["--filter", "/two-functions"];
    assert_eq!(ask(&folder, &[WRONG[2]], &[&wider[..], &compared].concat()).code, Some(1));
    assert_eq!(ask(&folder, &[RIGHT], &[&narrow[..], &compared].concat()).code, Some(0), "nothing has to recur");
    // Wrong otherwise, where it was wrong before.
    let other = ("missed", "each read sp+9 same same", "");
    assert_eq!(ask(&folder, &[other], &[&narrow[..], &compared].concat()).code, Some(1));
    let absent = ask(&folder, &[RIGHT], &["--against", &folder.path("nothing")]);
    assert!(absent.code == Some(3) && absent.stderr.contains("consumers.json"), "{absent:?}");
}

#[test]
fn readers_beside_the_matrix_are_on_its_page_and_in_its_exit_code() {
    let folder = Folder::new();
    let out = folder.path("out");
    let producers = folder.write("producers.yaml", b"[]");
    let beside = |readers: &[StandIn]| {
        ask(&folder, readers, &["--list"]);
        let consumers = folder.path("consumers.yaml");
        run(&["run", "--filter", CASE, "--producers", &producers, "--consumers", &consumers, "--out", &out])
    };
    let only = "  only: [valid/v2e1-amd64/two-functions]\n";
    let right = beside(&[("right", "", only)]);
    let page = fs::read_to_string(format!("{out}/index.html")).expect("the page");
    assert!(page.contains("readers/index.html") && page.contains("Who reads what"), "{right:?}");
    assert!(fs::metadata(format!("{out}/readers/consumers.json")).is_ok());
    let wrong = beside(&[("missed", "each read none", only)]);
    assert_eq!((right.code, wrong.code), (Some(0), Some(1)), "{right:?} {wrong:?}");
}

/// A trial of a frozen object, which needs no tool.
const CASE: &str = "gas@2.40::amd64::v1::objects::gcc12-O2-exe";

/// Tests of the corpus check that its contents are reproducible; here the headers show that nothing
/// depends on the day or the machine.
#[test]
fn the_archive_of_the_corpus_is_of_no_day_and_of_nobody_and_has_licence_and_schemas() {
    let folder = Folder::new();
    let path = folder.path("corpus.tar.gz");
    // All of it is made in the same way.
    let target = "v3-s390x/";
    assert_eq!(run(&["corpus", "--archive", &path, "--filter", target]).code, Some(0));
    assert_eq!(run(&["corpus", "--archive", &path, "--filter", "valid/v9"]).code, Some(3));
    let bytes = fs::read(path).expect("an archive");
    // RFC 1952: no flags, no time, the strongest compression, no system.
    assert_eq!(bytes.first_chunk::<10>(), Some(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]));
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes.as_slice()));
    let mut names = Vec::new();
    for member in archive.entries().expect("members") {
        let member = member.expect("a member");
        let header = member.header();
        let owner = (header.mtime().ok(), header.uid().ok(), header.gid().ok(), header.mode().ok());
        assert_eq!(owner, (Some(0), Some(0), Some(0), Some(0o644)));
        names.push(member.path().expect("a name").display().to_string());
    }
    for name in ["LICENSE", "README.md", "index.json", "schemas/corpus-case.schema.json", "valid/v3-s390x/chain-1.json"]
    {
        assert!(names.iter().any(|member| member.split_once('/').is_some_and(|(_, rest)| rest == name)), "{name}");
    }
    assert!(names.len() > 500 && names.is_sorted());
    assert!(names.iter().all(|name| name.contains(target) || name.matches('/').count() < 3), "{names:?}");
}

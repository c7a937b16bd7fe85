//! `consumers` on stand-ins for readers: each verdict is given where it is due, and the exit code says what was found.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::support::{Folder, Ran, run};

/// A reader that is a script: its name, what it does, and what its entry has besides.
type StandIn = (&'static str, &'static str, &'static str);

const RIGHT: StandIn = ("right", "", "");

const WRONG: [StandIn; 9] = [
    ("wrong-row", "while read pc rest; do echo sp+9 same same; done", ""),
    ("wrong-caller", "while read pc rest; do echo caller 0x1 0x2 0x3; done", ""),
    ("missed", "while read pc rest; do echo none; done", ""),
    ("refused", "exit 1", ""),
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
    let words = ["consumers", "--consumers", &path, "--programs", "0"];
    run(&[&words[..], more].concat())
}

fn adapter(path: &str, script: &str) -> String {
    let text = format!("#!/bin/sh\nif [ \"$1\" = --version ]; then echo 1.0; exit; fi\n{script}\n");
    fs::write(path, text).expect("a script");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("permissions");
    path.to_owned()
}

/// Sections with this verdict of a reader of this name, as the table has them.
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
    let open = ask(&folder, &[WRONG[0], WRONG[3]], &["--filter", "implementation-defined/v2e1-amd64/two"]);
    assert_eq!(open.code, Some(0), "{open:?}");
    let unsorted = ["--filter", "valid/v2e1-amd64/unsorted"];
    let excepted = ask(&folder, &[(WRONG[0].0, WRONG[0].1, "  except: [unsorted]\n")], &unsorted);
    assert_eq!((excepted.code, sections(&excepted, "wrong-row", "wrong-row")), (Some(0), 0), "{excepted:?}");
    let claimed = ask(&folder, &[WRONG[0]], &unsorted);
    assert_eq!((claimed.code, sections(&claimed, "wrong-row", "wrong-row")), (Some(1), 1), "{claimed:?}");
    let other = ask(&folder, &[WRONG[4]], &["--filter", "valid/v3-amd64/two-functions"]);
    assert_eq!(other.code, Some(0), "{other:?}");
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

#[test]
fn the_smallest_section_of_each_fault_is_written() {
    let folder = Folder::new();
    let out = folder.path("out");
    let ran = ask(&folder, &[WRONG[2]], &["--filter", "valid/v2e1-amd64/cfa-word-12", "--out", &out]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let faults = fs::read_to_string(format!("{out}/faults.jsonl")).expect("faults");
    assert!(faults.lines().all(|line| line.contains("\"verdict\":\"missed\"")), "{faults}");
    let section = fs::read(format!("{out}/valid/v2e1-amd64/cfa-word-127.sframe")).expect("a section");
    // 28 bytes of header, 20 of descriptor, 3 rows of 3 bytes.
    assert_eq!(section.len(), 28 + 20 + 9);
    assert!(ran.stdout.contains("e2de0205"), "{}", ran.stdout);
}

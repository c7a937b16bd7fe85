//! The producers' file: errors and their messages, and misbehaving tools: each fails its own trial,
//! in limited time and memory, and the others continue.

use std::fs;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::support::{Folder, finish, measured, run, with_producers};
use crate::command::transcript::Transcript;
use crate::command::workshop::{ASSEMBLE, Fake, KEY_END, LINK, Workshop, line_of, problems};

/// A valid entry of an assembler; tests change one line of it.
const SOUND: &str = "- name: one
  kind: assembler
  about: a test's
  program: {amd64: [no-such-program]}
  version: {pattern: 'version ([0-9.]+)'}
  sframe: [{abis: [amd64], versions: [v1]}]
  steps: {assemble: '{program} {options} -o {output} {inputs}'}
  with: [{name: one}]
";

#[test]
fn a_sound_file_is_read_and_tells_what_is_missing() {
    let folder = Folder::new();
    let file = folder.write("sound.yaml", SOUND.as_bytes());
    let ran = run(&["producers", "--producers", &file, "--format", "json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let json = ran.json();
    let facts = json.as_array().expect("a list");
    assert_eq!(facts.len(), 1, "{json}");
    assert_eq!(
        (&facts[0]["name"], &facts[0]["abi"], &facts[0]["version"]),
        (&"one".into(), &"amd64".into(), &Value::Null)
    );
    assert_eq!(facts[0]["told"], "no no-such-program in PATH");
}

#[test]
fn a_file_that_is_not_in_order_is_refused_with_its_name_and_the_place() {
    let folder = Folder::new();
    let mut told = Transcript::from_folder(&folder);
    for (what, from, to) in [
        ("unknown key", "about:", "abuot:"),
        ("unknown key within", "pattern:", "patern:"),
        ("no key", "  about: a test's\n", ""),
        ("wrong type", "name: one\n  kind", "name: [one]\n  kind"),
        ("unknown kind", "kind: assembler", "kind: assembly"),
        ("unknown step", "assemble:", "assembly:"),
        ("bad regex", "([0-9.]+)", "([0-9.+"),
        ("bad target", "pattern: ", "target: {amd64: '('}, pattern: "),
        ("no group", "([0-9.]+)", "[0-9.]+"),
        ("unknown ABI", "{amd64: [no", "{amd65: [no"),
        ("unknown ABI in a list", "abis: [amd64]", "abis: [x86]"),
        ("unknown SFrame version", "versions: [v1]", "versions: [v9]"),
        ("partner without entry", "{name: one}", "{name: two}"),
        ("missing step", "assemble:", "link:"),
        ("unknown placeholder", "{options}", "{option}"),
        ("no output", "-o {output}", ""),
        ("no inputs", "{inputs}", ""),
        ("list within a word", "{options}", "-O{options}"),
        ("name", "name: one\n  kind", "name: 'o::e'\n  kind"),
        ("no time", "  with:", "  limits: {seconds: 0}\n  with:"),
        ("endless time", "  with:", "  limits: {seconds: 18446744073709551615}\n  with:"),
        ("negative time", "  with:", "  limits: {seconds: -1}\n  with:"),
        ("no file", "  with:", "  limits: {file_mib: 0}\n  with:"),
        ("syntax", "- name", "- {name"),
    ] {
        let text = SOUND.replacen(from, to, 1);
        assert_ne!(text, SOUND, "{what}");
        let file = folder.write("producers.yaml", text.as_bytes());
        let ran = run(&["producers", "--producers", &file]);
        told.refused(&format!("producers --producers producers.yaml ({what})"), &ran);
        let out = folder.path("out");
        let run = run(&["run", "--producers", &file, "--filter", "no-fp", "--out", &out]);
        assert_eq!((run.code, run.stdout, run.stderr), (ran.code, ran.stdout, ran.stderr), "{what}");
    }
    for file in [
        folder.write("twice.yaml", [SOUND, SOUND].concat().as_bytes()),
        folder.path("missing.yaml"),
        folder.path("folder"),
        folder.write("bytes.yaml", b"\xff\xfe"),
    ] {
        fs::create_dir_all(folder.path("folder")).expect("a folder");
        let name = file.rsplit('/').next().expect("a name");
        told.refused(&format!("producers --producers {name}"), &run(&["producers", "--producers", &file]));
    }
    told.printed("producers-refused.txt");
}

/// The option takes precedence over the variable, and the variable over the shipped file.
#[test]
fn the_option_and_the_variable_name_the_file() {
    let folder = Folder::new();
    let named = |name: &str| folder.write(&format!("{name}.yaml"), SOUND.replace("one", name).as_bytes());
    let (first, second) = (named("by-option"), named("by-variable"));
    let names = |option: Option<&str>, variable: Option<&str>| {
        let mut command = with_producers();
        command.args(["producers", "--format", "json"]);
        option.map(|file| command.args(["--producers", file]));
        variable.map(|file| command.env("SFRAME_CONFORMANCE_PRODUCERS", file));
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let json = ran.json();
        let name = |fact: &Value| fact["name"].as_str().expect("a name").to_owned();
        let mut names: Vec<String> = json.as_array().expect("a list").iter().map(name).collect();
        names.dedup();
        names
    };
    assert_eq!(names(Some(&first), Some(&second)), ["by-option"]);
    assert_eq!(names(None, Some(&second)), ["by-variable"]);
    assert_eq!(names(Some(&first), None), ["by-option"]);
    assert!(names(None, None).contains(&"gas".to_owned()), "the shipped file");
    assert!(names(None, Some("")).contains(&"gas".to_owned()), "an empty variable names no file");
}

/// A program is run once for its version, for any number of targets; for another query it is run
/// again.
#[test]
fn a_program_is_asked_for_its_version_once() {
    let folder = Folder::new();
    let asked = folder.path("asked");
    let script = folder.write("tell.sh", format!("echo \"$1\" >>{asked}\necho version 2.0\n").as_bytes());
    let entry = |name: &str, word: &str| {
        SOUND
            .replace("name: one", &format!("name: {name}"))
            .replace("amd64: [no-such-program]", "amd64: [/bin/sh], aarch64-le: [/bin/sh], s390x: [/bin/sh]")
            .replace("{pattern", &format!("{{arguments: {script} {word}, pattern"))
    };
    let entries = [entry("one", "first"), entry("two", "first"), entry("three", "second")].concat();
    let file = folder.write("producers.yaml", entries.as_bytes());
    let ran = run(&["producers", "--producers", &file, "--format", "json"]);
    let versions: Vec<Value> =
        ran.json().as_array().expect("a list").iter().map(|fact| fact["version"].clone()).collect();
    assert_eq!(versions, vec![Value::from("2.0"); 9], "{}", ran.stderr);
    assert_eq!(fs::read_to_string(asked).expect("a file"), "first\nsecond\n");
}

/// A version that cannot be found, because the program hangs or crashes: absent, with the reason.
#[test]
fn a_tool_that_tells_no_version_is_absent_with_the_reason() {
    let folder = Folder::new();
    let mut told = Transcript::from_folder(&folder);
    for (what, script) in [
        ("garbage", "head -c 4096 /dev/urandom"),
        ("nothing", "exit 0"),
        ("another's", "echo other 1.0"),
        ("crash", "kill -SEGV $$"),
        ("text without end", "yes"),
    ] {
        let script = folder.write("tell.sh", format!("{script}\n").as_bytes());
        let text = SOUND
            .replace("[no-such-program]", "[/bin/sh]")
            .replace("{pattern", &format!("{{arguments: {script}, pattern"));
        let file = folder.write("producers.yaml", format!("{text}  limits: {{seconds: 1}}\n").as_bytes());
        let ran = run(&["producers", "--producers", &file, "--format", "json"]);
        assert_eq!(ran.code, Some(0), "{what}: {}", ran.stderr);
        let json = ran.json();
        assert_eq!(json[0]["version"], Value::Null, "{what}: {json}");
        told.text(&format!("{what}:\n{}\n", json[0]["told"].as_str().expect("a reason")));
    }
    told.printed("no-version.txt");
}

/// A version in a trial's name must be usable in names.
#[test]
fn a_version_that_would_break_names_is_no_version() {
    let folder = Folder::new();
    for (version, usable) in
        [("1.2", true), ("1::2", false), ("1 2", false), ("1+2", false), ("1@2", false), ("1*2", false)]
    {
        let script = folder.write("tell.sh", format!("echo 'version <{version}>'\n").as_bytes());
        let text = SOUND
            .replace("[no-such-program]", "[/bin/sh]")
            .replace("{pattern: 'version ([0-9.]+)'", &format!("{{arguments: {script}, pattern: '<(.*)>'"));
        let file = folder.write("producers.yaml", text.as_bytes());
        let ran = run(&["producers", "--producers", &file, "--format", "json"]);
        assert_eq!(ran.json()[0]["version"].is_string(), usable, "{version}: {}", ran.stdout);
    }
}

/// Assemblers that misbehave, each in a different way, and one that does not: each fails its own
/// trial, and none delays the others.
#[test]
fn tools_that_misbehave_fail_their_own_trial_in_time() {
    let workshop = Workshop::new();
    let (short, long) = ("limits: {seconds: 1}", "limits: {seconds: 30, file_mib: 2}");
    let cases = [
        ("hangs", "while :; do sleep 1; done", short),
        ("talks", "yes", short),
        ("crashes", "kill -SEGV $$", long),
        ("fails", "echo it will not do >&2; exit 1", long),
        ("silent", "exit 1", long),
        ("idle", "exit 0", long),
        ("garbage", "head -c 5000 /dev/urandom > \"$out\"; printf X | dd of=\"$out\" conv=notrunc 2>/dev/null", long),
        ("large", "sleep 0.3; head -c 64000000 /dev/zero > \"$out\"; exit 0", long),
        ("empty", ": > \"$out\"", long),
    ];
    let fake = |(name, body, more): &(&str, &str, &str)| workshop.assembler(&Fake { name, body, more });
    let mut entries: Vec<String> = cases.iter().map(fake).collect();
    // A process that it leaves running keeps its output open, inside or outside its process group.
    let left = format!("{ASSEMBLE}; sleep 300 & echo $! > '{}'; exit 0", workshop.path("left"));
    entries.push(workshop.assembler(&Fake { name: "leaves", body: &left, more: long }));
    let fled = format!("{ASSEMBLE}; setsid sleep 20 & sleep 0.3; exit 0");
    entries.push(workshop.assembler(&Fake { name: "flees", body: &fled, more: long }));
    entries.push(workshop.assembler(&Fake { name: "right", body: ASSEMBLE, more: long }));
    entries.push(workshop.linker(&Fake { name: "link", body: LINK, more: "" }));
    workshop.producers(&entries);

    let began = Instant::now();
    let (ran, peak) = measured(workshop.command(&["run", "--out", "out"]));
    let took = began.elapsed();
    let lines = workshop.lines();
    assert!(took < Duration::from_secs(15), "{took:?}");
    assert!(peak < 256 << 20, "{peak} bytes resident");
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    assert_eq!(lines.len(), cases.len() + 3);
    let left = fs::read_to_string(format!("/proc/{}/stat", workshop.read("left").trim())).unwrap_or_default();
    assert!(!left.contains("(sleep) S"), "what a tool started outlives it: {left}");
    let large = line_of(&lines, "large")["producer"].as_str().expect("a producer");
    let mut told = Transcript::new(&[(&workshop.path(""), ""), (large, "large@2.40")]);
    for (name, body, _) in cases {
        let line = line_of(&lines, name);
        assert_eq!(line["status"], "FAIL", "{name}: {line}");
        if name == "garbage" {
            // The linker's message varies between machines.
            assert!(!problems(line).is_empty(), "{line}");
            continue;
        }
        told.text(&format!("{name}: {body}\n{}\n", problems(line)));
    }
    told.printed("misbehaving.txt");
    let right = line_of(&lines, "right");
    assert!(right["summary"]["steps_judged"].as_u64() >= Some(24), "{right}");
    for name in ["leaves", "flees"] {
        let line = line_of(&lines, name);
        assert_eq!((&line["status"], &line["summary"]), (&right["status"], &right["summary"]), "{name}: {line}");
    }

    // What found no time is tried again on request, and nothing else.
    let hint = "2 trials ran out of time or disk space of this machine; `run --resume` tries them again";
    assert!(ran.stdout.contains(hint), "{}", ran.stdout);
    for name in ["hangs", "talks", "fails"] {
        workshop.assembler(&Fake { name, body: ASSEMBLE, more: "" });
    }
    let again = workshop.call(&["run", "--out", "out", "--resume"]);
    assert!(!again.stdout.contains("found no time"), "{}", again.stdout);
    let again = workshop.lines();
    for line in &lines {
        let name = line["producer"].as_str().and_then(|tool| tool.split('@').next()).expect("a tool");
        let same = line_of(&again, name)["problems"] == line["problems"];
        assert_eq!(same, !["hangs", "talks"].contains(&name), "{name}");
    }
}

/// A linker that crashes or writes no ELF file fails the trials of its partners, and is named.
#[test]
fn a_linker_that_misbehaves_fails_the_trial() {
    let mut told = Transcript::new(&[]);
    for body in [
        "kill -SEGV $$",
        "exit 0",
        "head -c 5000 /dev/zero > \"$out\"",
        "case $1 in -r) \"$ld\" \"$@\" -o \"$out\" ;; *) head -c 5000 /dev/zero > \"$out\" ;; esac",
    ] {
        let workshop = Workshop::new();
        workshop.producers(&[
            workshop.assembler(&Fake { name: "fake", body: ASSEMBLE, more: "" }),
            workshop.linker(&Fake { name: "link", body, more: "" }),
        ]);
        let (ran, lines) = workshop.run();
        let line = line_of(&lines, "fake");
        assert_eq!((ran.code, &line["status"]), (Some(1), &"FAIL".into()), "{body}: {line}");
        told.text(&format!("{body}\n{}\n", problems(line).replace(&workshop.path(""), "")));
    }
    told.printed("misbehaving-linkers.txt");
}

/// A recipe for several SFrame versions shows nothing if one assembler writes all: known findings
/// are not missed there.
#[test]
fn a_mixture_needs_a_second_assembler() {
    let workshop = Workshop::new();
    let file = workshop.producers(&[
        workshop.assembler(&Fake { name: "mine", body: ASSEMBLE, more: "" }),
        workshop.linker(&Fake { name: "link", body: LINK, more: "flavour: bfd\nwith: [{name: mine}]\n" }),
    ]);
    let out = workshop.path("out");
    let ran = run(&["run", "--producers", &file, "--filter", "foreign-version", "--out", &out]);
    // It is the only trial, and could not run.
    assert_eq!(ran.code, Some(3), "{}{}", ran.stdout, ran.stderr);
    let line: Value = serde_json::from_str(workshop.read("out/results.jsonl").trim_end()).expect("one line");
    assert_eq!(line["status"], "UNSUPPORTED", "{line}");
    let printed = line["problems"].to_string();
    assert!(printed.contains("no assembler here writes another SFrame version than mine@"), "{printed}");
}

/// A new producer needs only an entry in the user's own file, also in the checkout with its cases
/// and its ledger.
#[test]
fn a_producer_of_the_users_own_needs_an_entry_and_nothing_else() {
    let workshop = Workshop::new();
    let file = workshop.producers(&[
        workshop.assembler(&Fake { name: "mine", body: ASSEMBLE, more: "" }),
        workshop.linker(&Fake { name: "link", body: LINK, more: "" }),
    ]);
    let out = workshop.path("out");
    let ran = run(&["run", "--producers", &file, "--filter", KEY_END, "--out", &out]);
    let line: Value = serde_json::from_str(workshop.read("out/results.jsonl").trim_end()).expect("one line");
    assert!(line["key"].as_str().is_some_and(|key| key.starts_with("mine@") && key.ends_with(KEY_END)), "{line}");
    assert!(line["summary"]["steps_judged"].as_u64() >= Some(24), "{line}");
    assert_eq!(line["tools"]["linker"].as_str().map(|name| name.starts_with("link@")), Some(true), "{line}");
    let idle: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("IDLE")).collect();
    assert!(idle.is_empty(), "the ledger speaks of producers that this file has not: {idle:?}");
}

/// A machine with one old assembler misses no findings that need newer SFrame versions.
#[test]
fn a_known_tool_is_expected_to_show_what_it_writes_and_nothing_else() {
    let workshop = Workshop::new();
    let file = workshop.producers(&[
        workshop.assembler(&Fake { name: "gas", body: ASSEMBLE, more: "" }),
        workshop.linker(&Fake { name: "link", body: LINK, more: "" }),
    ]);
    let ran = run(&["run", "--producers", &file, "--filter", KEY_END, "--out", &workshop.path("out")]);
    let idle: Vec<&str> = ran.stdout.lines().filter(|line| line.starts_with("IDLE")).collect();
    assert!(idle.is_empty(), "{idle:#?}");
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
}

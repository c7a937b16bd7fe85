//! Conventions of commands: help with examples, completions, suggestions for mistyped names,
//! standard input, JSON with a schema, and progress.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::command::support::{
    CLEAN_EXE, CLEAN_OBJECT, Folder, WRONG_OBJECT, finish, frozen, program, run, with_producers,
};
use crate::command::sweep::fits;
use crate::command::transcript::Transcript;

/// The commands listed in the help.
fn commands() -> Vec<String> {
    let help = run(&["--help"]).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split(' ').next()).filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn help_shows_calls_that_parse_and_the_exit_codes() {
    let commands = commands();
    assert!(commands.len() >= 17, "{commands:?}");
    for command in commands {
        let help = run(&[command.as_str(), "--help"]).stdout;
        assert!(help.contains("\nExit codes: 0"), "{command}: {help}");
        let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  sframe-conformance ")).collect();
        assert!(!examples.is_empty(), "{command}");
        let ends = help.lines().skip_while(|line| !line.starts_with("Examples:"));
        ends.for_each(|line| assert!(line.chars().count() <= 79, "{command}: wider than 80 columns: {line}"));
        assert!(!help.contains("Possible values:"), "{command}: one layout for all options: {help}");
        for example in examples {
            // Up to its description, or a pipe; quoted words are one.
            let call =
                example.trim().split("  ").next().expect("a call").split(['|', '<', '>']).next().expect("a call");
            let call = call.trim_end_matches('\\');
            let shown = Command::new("sh").args(["-c", &format!("printf '%s\\n' {call}")]).output().expect("a shell");
            let words: Vec<String> =
                String::from_utf8_lossy(&shown.stdout).lines().skip(1).map(str::to_owned).collect();
            let ran = run(&[&words[..], &["--help".to_owned()]].concat());
            assert_eq!(ran.code, Some(0), "{example}: {}", ran.stderr);
        }
    }
}

/// The groups of options, in the order of every help.
const GROUPS: [&str; 9] =
    ["Options:", "Selection:", "Tools:", "Action:", "Execution:", "Verdict:", "Entry:", "Texts:", "Output:"];

#[test]
fn options_are_grouped_alike_in_all_commands() {
    let mut groups_of: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for command in commands().into_iter().chain(["fuzz c".to_owned()]) {
        let words: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let help = run(&words).stdout;
        let mut group = 0;
        let options = help.lines().skip_while(|line| *line != "Options:");
        for line in options.take_while(|line| *line != "Examples:") {
            if let Some(at) = GROUPS.iter().position(|name| *name == line) {
                assert!(at >= group, "{command}: {line} after {}", GROUPS[group]);
                group = at;
            }
            let long = line.trim_start().split([' ', '=']).find(|word| word.starts_with("--"));
            if let Some(option) = long.filter(|_| line.starts_with("      --") || line.starts_with("  -")) {
                groups_of.entry(option.to_owned()).or_default().insert(GROUPS[group]);
            }
        }
    }
    assert!(groups_of.len() > 60, "{groups_of:?}");
    // A function or a ledger entry; a text or the tools' sources; of a bug or of a report.
    let other = ["--entry", "--source", "--title"];
    let apart = groups_of.iter().filter(|(option, groups)| groups.len() > 1 && !other.contains(&option.as_str()));
    let apart: Vec<_> = apart.collect();
    assert!(apart.is_empty(), "in different groups: {apart:?}");
}

#[test]
fn shells_are_given_every_command_and_option() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = run(&["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
        for word in ["consumers", "allow-missing", "signal-at", "completions"] {
            assert!(ran.stdout.contains(word), "{shell}: {word}");
        }
        assert!(!ran.stdout.contains("worker"), "{shell}: what is hidden is not offered");
    }
    let mut check = Command::new("bash");
    check.args(["-n"]).stdin(Stdio::piped()).stderr(Stdio::piped());
    let mut checked = check.spawn().expect("bash");
    std::io::Write::write_all(
        &mut checked.stdin.take().expect("a pipe"),
        run(&["completions", "bash"]).stdout.as_bytes(),
    )
    .expect("bash reads");
    assert!(checked.wait().expect("bash").success());
}

#[test]
fn a_name_that_is_nearly_right_is_told() {
    let exe = frozen(CLEAN_EXE);
    let calls = [
        &["explain", "row/cfa-matches-truht"][..],
        // For a text unlike all names there is no suggestion.
        &["explain", "zzz"],
        &["check", "--entry", "laef", "FILE"],
        &["trace", "--entry", "laef", "FILE"],
        &["run", "--filter", "leef"],
        &["chek", "FILE"],
        &["check", "--explor", "FILE"],
    ];
    let mut told = Transcript::new(&[(&exe, "FILE")]);
    for words in calls {
        let named: Vec<&str> = words.iter().map(|word| if *word == "FILE" { exe.as_str() } else { *word }).collect();
        // The names of trials depend on the installed tools.
        let mut command = if words[0] == "run" { with_producers() } else { program() };
        command.args(&named);
        let ran = finish(command);
        assert_eq!(ran.code, Some(3), "{words:?}");
        told.call(&format!("sframe-conformance {}", words.join(" ")), &ran);
    }
    told.printed("nearly.txt");
}

#[test]
fn a_dash_is_standard_input() {
    for words in [&["check", "-"][..], &["dump", "-"], &["trace", "--entry", "leaf", "-"]] {
        let mut command = program();
        command.args(words).stdin(Stdio::from(fs::File::open(frozen(CLEAN_EXE)).expect("a file")));
        let ran = finish(command);
        assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    }
}

#[test]
fn tables_traces_and_producers_are_json_of_a_known_shape() {
    let ran = run(&["dump", "--format", "json", &frozen(WRONG_OBJECT), &frozen(CLEAN_EXE)]);
    assert_eq!(ran.code, Some(0));
    let sections = ran.json_lines();
    sections.iter().for_each(|section| fits("dump.schema.json", section));
    // As many rows as the text has.
    let text = run(&["dump", &frozen(WRONG_OBJECT)]).stdout;
    let rows = |section: &Value| -> usize {
        let functions = section["functions"].as_array().expect("functions");
        functions.iter().map(|function| function["rows"].as_array().expect("rows").len()).sum()
    };
    assert_eq!(rows(&sections[0]), text.lines().filter(|line| line.contains(" row  ")).count());
    assert!(rows(&sections[0]) > 20);
    let first = &sections[0]["functions"][0]["rows"][0];
    assert!(text.contains(first["text"].as_str().expect("a row")), "{first}");

    let ran = run(&["trace", "--format", "json", "--step-limit", "50", &frozen(CLEAN_EXE)]);
    assert_eq!(ran.code, Some(2), "it ended early");
    let lines = ran.json_lines();
    lines.iter().for_each(|line| fits("trace.schema.json", line));
    assert_eq!(
        (lines.len(), &lines[0]["step"]["event"], &lines[50]["end"]["finished"]),
        (51, &"entry".into(), &false.into())
    );

    fits("producers.schema.json", &run(&["producers", "--format", "json"]).json());
    fits("check.schema.json", &run(&["check", "--format", "json", &frozen(CLEAN_OBJECT)]).json());
}

/// A damaged section is reported with the offset of the damage, and the rest continues.
#[test]
fn a_dump_of_damage_is_json_too() {
    let folder = Folder::new();
    let mut elf = crate::command::support::Elf::frozen(WRONG_OBJECT);
    let sframe = elf.section(".sframe");
    elf.bytes[sframe.offset + 2] = 9;
    let ran = run(&["dump", "--format", "json", &folder.write("damaged.o", &elf.bytes)]);
    assert_eq!(ran.code, Some(0));
    let json = ran.json();
    fits("dump.schema.json", &json);
    assert!(
        json["header"].is_null() && json["error"].as_str().is_some_and(|error| error.contains("version 9")),
        "{json}"
    );
}

/// A command that takes more than two seconds shows its progress, on a terminal only.
#[test]
fn what_takes_long_says_so() {
    let folder = Folder::new();
    let log = folder.path("log");
    let command = format!("sleep 2.3 | '{}' check -", env!("CARGO_BIN_EXE_sframe-conformance"));
    let mut script = Command::new("script");
    script.args(["-qec", &command, &log]).env("TERM", "xterm").stdin(Stdio::null()).stdout(Stdio::null());
    script.status().expect("script of util-linux");
    let drawn = fs::read_to_string(&log).expect("the terminal's text");
    assert!(drawn.contains("sframe-conformance check: 2s"), "{drawn:?}");
    assert!(drawn.contains("an empty file"), "{drawn:?}");
}

/// The wrong cell of the table is marked, on a terminal with colours and for a user who allows
/// them.
#[test]
fn the_wrong_cell_is_marked_on_a_terminal() {
    let folder = Folder::new();
    let drawn = |set: &[(&str, &str)]| {
        let log = folder.path("log");
        let command = format!("'{}' check '{}'", env!("CARGO_BIN_EXE_sframe-conformance"), frozen(WRONG_OBJECT));
        let mut script = Command::new("script");
        script.args(["-qec", &command, &log]).env("TERM", "xterm").env_remove("NO_COLOR").envs(set.iter().copied());
        script.stdin(Stdio::null()).stdout(Stdio::null()).status().expect("script of util-linux");
        fs::read_to_string(&log).expect("the terminal's text")
    };
    let marked = drawn(&[]);
    let cell =
        marked.lines().find(|line| line.contains("=> ") && line.contains("\u{1b}[1;31m")).expect("a marked cell");
    let (_, cell) = cell.split_once("\u{1b}[1;31m").expect("a mark");
    let (cell, rest) = cell.split_once("\u{1b}[0m").expect("its end");
    assert!(
        cell.starts_with("cfa=") && rest.contains("cfa="),
        "the cell of .sframe, before that of .eh_frame: {cell}|{rest}"
    );
    for set in [[("NO_COLOR", "1")], [("TERM", "dumb")]] {
        assert!(!drawn(&set).contains('\u{1b}'), "{set:?}");
    }
    assert!(!run(&["check", &frozen(WRONG_OBJECT)]).stdout.contains('\u{1b}'), "nor in a pipe");
}

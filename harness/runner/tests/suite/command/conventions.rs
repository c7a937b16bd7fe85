//! Conventions of commands: help with examples, options in the same groups, and completions.

use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, Stdio};

use crate::command::support::{commands, run};

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
    // A function or a ledger entry; a text or the tools' sources; of a bug or of a report; results
    // or a tool.
    let other = ["--entry", "--source", "--title", "--against"];
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

//! The picture of a finding at the beginning of the README is a part of what its command prints,
//! here and everywhere.

use crate::command::document::{after_the_program, commands, read, root, section};
use crate::command::support::{finish, program};

#[test]
fn the_picture_is_what_its_command_prints() {
    let section = section(&read("README.md"), "## Example");
    let picture = section.split("\n```\n").nth(1).and_then(|rest| rest.split("\n```").next()).expect("a picture");
    let (command, shown) = picture.split_once('\n').expect("a command and what it prints");
    let words = commands(&format!("\n```\n{command}\n```\n"));
    let words = words.first().and_then(|words| after_the_program(words)).expect("a command of this program");
    let mut command = program();
    command.args(&words).current_dir(root()).env("NO_COLOR", "1");
    let ran = finish(command);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    let mut printed = ran.stdout.lines();
    for line in shown.lines() {
        let is_it = |one: &str| line.strip_suffix("...").map_or(one == line, |start| one.starts_with(start));
        assert!(printed.any(is_it), "README.md shows `{line}`, and it prints\n{}", ran.stdout);
    }
    assert!(shown.contains("=>") && shown.lines().count() > 5, "a finding: {shown}");
}

//! The first screen of the README shows the two commands, each with what it does, how long it takes
//! and its last line.

use crate::command::document::read;
use crate::command::support::{Folder, run};

/// Lines of a screen.
const SCREEN: usize = 30;

/// The text after a block with this command alone, until the next block.
fn about<'t>(readme: &'t str, command: &str) -> &'t str {
    let (before, after) = readme.split_once(&format!("\n```\n{command}\n```\n")).expect(command);
    assert!(before.lines().count() < SCREEN - 5, "README.md: `{command}` is not on the first screen");
    let after = after.split("\n```").next().unwrap_or_default();
    after.split("\n## ").next().unwrap_or_default()
}

#[test]
fn the_first_screen_has_the_two_commands() {
    let readme = read("README.md");
    let folder = Folder::new();
    let ran = run(&["run", "--filter", "objects::hand-", "--out", &folder.path("out")]);
    let last = ran.stdout.lines().last().and_then(|line| line.split(':').next()).expect("a last line");
    for (command, last) in
        [("ci/setup && cargo run --release -- run", last), ("ci/setup && cargo test", "test result: ok.")]
    {
        let text = about(&readme, command);
        assert!(text.contains(&format!("`{last}")), "README.md, {command}: its last line begins with `{last}`");
        assert!(text.contains("minutes") || text.contains("seconds"), "README.md, {command}: how long it takes");
        assert!(text.split_whitespace().count() > 30, "README.md, {command}: what it does");
    }
}

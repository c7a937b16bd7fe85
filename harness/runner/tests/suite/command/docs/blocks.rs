//! Lines of command blocks that do not call the program: other programs, scripts, test targets,
//! crates and trials.

use results::Key;

use super::DOCUMENTS;
use super::places::crates;
use crate::command::document::{commands, read, root};
use crate::command::support::{Folder, run};

/// Every line of a command block is checked by a test of this file: none is skipped because of an
/// unknown form.
#[test]
fn every_line_of_a_block_of_commands_is_of_a_kind_that_is_checked() {
    let (mut blocks, mut lines) = (0, 0);
    for document in DOCUMENTS {
        for block in read(document).split("\n```").skip(1).step_by(2) {
            let (language, text) = block.split_once('\n').unwrap_or((block, ""));
            let session = text.starts_with("$ ");
            // A picture begins with a blank; a session is output except for its commands.
            // Recipes for another CI are executed by transcripts.
            if ["yaml", "python", "tcl"].contains(&language) || text.starts_with(' ') {
                continue;
            }
            if ["rust", "toml"].contains(&language) {
                let lost = text.lines().find(|line| !example(language).contains(line) && !line.contains("git = "));
                assert_eq!(lost, None, "{document}: ci/example has another line");
                continue;
            }
            assert!(language.is_empty(), "{document}: a block of {language}: say here how it is checked");
            blocks += 1;
            for line in text.lines().filter(|line| !session || line.starts_with("$ ")) {
                for command in commands(&format!("\n```\n{line}\n```\n")) {
                    let words: Vec<&str> = command.iter().map(String::as_str).collect();
                    let known = match words.as_slice() {
                        ["cargo", "run", "--release", "--", ..] | ["jq", _] => true,
                        ["jq", .., file] => file.ends_with("results.jsonl"),
                        // The sweep that it starts is that of the workflow above it.
                        ["parallel", ..] => words.contains(&"sframe-conformance"),
                        ["cargo", "test" | "nextest" | "clippy" | "fmt" | "install", ..] => true,
                        ["cargo", "bench", "-p", package] => *package == "sframe-conformance",
                        [first, ..] => *first == "sframe-conformance" || root().join(first).is_file(),
                        [] => false,
                    };
                    assert!(known, "{document}: nothing checks `{line}`");
                    lines += 1;
                }
            }
        }
    }
    assert!(blocks > 8 && lines > 30, "{blocks} blocks, {lines} lines");
}

/// The files of the example in a language.
fn example(language: &str) -> String {
    read(if language == "rust" { "ci/example/tests/sframe.rs" } else { "ci/example/Cargo.toml" })
}

#[test]
fn scripts_targets_and_trials_in_commands_exist() {
    let mut seen = 0;
    for document in DOCUMENTS {
        for command in commands(&read(document)) {
            let words: Vec<&str> = command.iter().map(String::as_str).collect();
            if let Some(script) = words.first().filter(|word| word.starts_with("ci/") || word.starts_with(".ci/")) {
                assert!(root().join(script).is_file(), "{document}: no {script}");
                seen += 1;
            }
            if let Some(at) = words.iter().position(|word| *word == "--test") {
                let target = words.get(at + 1).expect("a target");
                let package = words.iter().position(|word| *word == "-p").and_then(|at| words.get(at + 1));
                let package = package.copied().unwrap_or("sframe-conformance");
                let tests =
                    crates().into_iter().find(|one| one.package == package).expect("a crate").path.join("tests");
                let file = tests.join(format!("{target}.rs")).is_file() || tests.join(target).join("main.rs").is_file();
                assert!(file, "{document}: no test target {target}");
                seen += 1;
            }
            if let (Some("cargo"), Some(at)) = (words.first().copied(), words.iter().position(|word| *word == "-p")) {
                let package = words.get(at + 1).expect("a package");
                assert!(crates().iter().any(|one| one.package == *package), "{document}: no crate {package}");
                seen += 1;
            }
            if let Some(at) = words.iter().position(|word| *word == "--exact") {
                let name = words.get(at + 1).expect("a trial");
                assert!(name.parse::<Key>().is_ok(), "{document}: {name} names no trial");
                let args = ["run", "--filter", name, "--out", &Folder::new().path("out")];
                assert!(matches!(run(&args).code, Some(0 | 1)), "{document}: there is no trial {name}");
            }
        }
    }
    assert!(seen > 5, "{seen}");
}

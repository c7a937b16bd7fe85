//! Retired words stay out of what people read: documents, help, titles and reasons of the ledger,
//! texts of the program, and comments.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use serde_json::Value;
use toolchain::yaml;

use crate::command::document::{documents, root};
use crate::command::support::{commands, run};

/// Whole words and phrases, each with the term to use.
static RETIRED: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| line.split_once(": ").expect("a word and its term")).collect()
});

/// Folders with sources. Keys and published addresses in them are not prose.
const SOURCES: [&str; 4] = ["ci", "generators", "harness", "reports"];

/// The retired words of a text, each with its line.
fn retired(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let lower = line.to_lowercase();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        for (word, instead) in RETIRED.iter() {
            let whole = |(at, _): (usize, &str)| {
                let before = lower[..at].chars().next_back();
                let after = lower[at + word.len()..].chars().next();
                !before.is_some_and(is_part) && !after.is_some_and(is_part)
            };
            if lower.match_indices(*word).any(whole) {
                found.push(format!("`{word}` ({instead}): {line}"));
            }
        }
    }
    found
}

/// A document without code, because keys and paths are published names.
fn prose(text: &str) -> String {
    let outside: String = text.split("\n```").step_by(2).collect();
    outside.split('`').step_by(2).collect()
}

fn clean(name: &str, text: &str) {
    let found = retired(text);
    assert!(found.is_empty(), "{name} has words that were given up: {found:#?}");
}

#[test]
fn a_retired_word_is_found_whole_and_in_any_case() {
    assert_eq!(retired("A Mistake of the linker").len(), 1);
    assert_eq!(retired("unmistakable, #mistake-map, left-behind").len(), 0);
    assert_eq!(retired(&prose("`behind` is a key\n```\nbehind\n```\n")).len(), 0);
}

#[test]
fn documents_use_the_terms_of_the_field() {
    let printed = Path::new("tests/suite/printed");
    let all: Vec<_> =
        documents(&root()).into_iter().filter(|path| !path.parent().is_some_and(|at| at.ends_with(printed))).collect();
    assert!(all.len() > 20, "{all:?}");
    for path in all {
        clean(&path.display().to_string(), &prose(&fs::read_to_string(&path).expect("a document")));
    }
}

#[test]
fn help_uses_the_terms_of_the_field() {
    let help = run(&["--help"]).stdout;
    let names = commands();
    assert!(names.len() >= 17, "{names:?}");
    clean("--help", &help);
    for name in names {
        clean(&name, &run(&[&name, "--help"]).stdout);
    }
}

#[test]
fn titles_and_reasons_use_the_terms_of_the_field() {
    let mut entries = 0;
    for folder in ["reports/known", "reports/known/readers"] {
        for file in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = file.expect("an entry").path();
            if path.extension().is_some_and(|extension| extension == "yaml") {
                let entry: Value = yaml::read(&path).expect("an entry of the ledger");
                for key in ["title", "reason", "because"] {
                    clean(&format!("{}, {key}", path.display()), entry[key].as_str().unwrap_or_default());
                }
                entries += 1;
            }
        }
    }
    assert!(entries > 100, "{entries}");
}

/// Files with an extension in a folder and those below it.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|own| own == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Purposes of cases, reasons of classes and reproducers, and what tools and readers are.
#[test]
fn data_uses_the_terms_of_the_field() {
    let mut texts = 0;
    for path in ["cases", "ci"].iter().flat_map(|folder| files(&root().join(folder), "yaml")) {
        let data: Value = yaml::read(&path).expect("a data file");
        let items = data.as_array().map_or_else(|| vec![&data], |items| items.iter().collect());
        for (key, item) in items.into_iter().flat_map(|item| ["purpose", "reason", "about"].map(|key| (key, item))) {
            if let Some(text) = item[key].as_str() {
                clean(&format!("{}, {key}", path.display()), text);
                texts += 1;
            }
        }
    }
    assert!(texts > 300, "{texts}");
}

/// The comment of a line of Rust, without quoted parts; a `//` within a string is not a comment.
fn comment(line: &str) -> Option<String> {
    let start = if line.trim_start().starts_with("//") { line.find("//") } else { line.find(" // ") }?;
    let (code, comment) = line.split_at(start);
    (code.matches('"').count() % 2 == 0).then(|| comment.split(['`', '"']).step_by(2).collect())
}

/// Texts that fingerprints are made from do not change.
const PUBLISHED: [&str; 1] = ["behind the table"];

/// A source in which each line that ends within a string is joined with the next one.
fn joined(text: &str) -> String {
    let mut lines = text.lines();
    let mut all = String::new();
    while let Some(line) = lines.next() {
        let mut line = line.to_owned();
        while line.ends_with('\\') && comment(&line).is_none() {
            line.pop();
            line += lines.next().unwrap_or_default().trim_start();
        }
        all += &line;
        all.push('\n');
    }
    all
}

/// The string literals in a line of Rust that contain a blank, without their placeholders.
fn texts(line: &str) -> Vec<String> {
    let plain = PUBLISHED.iter().fold(line.replace("\\\"", "'"), |line, text| line.replace(text, ""));
    let quoted = plain.split('"').skip(1).step_by(2).filter(|text| text.contains(' '));
    let unfilled = quoted.map(|text| text.split(['{', '}']).step_by(2).collect::<String>());
    unfilled.map(|text| text.split('`').step_by(2).collect()).collect()
}

#[test]
fn comments_and_texts_are_found_in_a_line() {
    assert_eq!(comment("    let at = \"https://x\"; // behind").as_deref(), Some(" // behind"));
    assert_eq!(comment("/// The `mistake` of \"behind\" it").as_deref(), Some("/// The  of  it"));
    assert_eq!(comment("let at = \" // behind"), None);
    assert_eq!(texts("(\"key\", \"a {told} text\")"), ["a  text"]);
    assert_eq!(joined("put(\"a \\\n    mended text\");\n// b\n"), "put(\"a mended text\");\n// b\n");
}

/// Sources in Rust, and scripts of pages.
fn sources() -> impl Iterator<Item = PathBuf> {
    SOURCES.iter().flat_map(|folder| ["rs", "js"].map(|extension| files(&root().join(folder), extension))).flatten()
}

#[test]
fn comments_use_the_terms_of_the_field() {
    let (mut lines, mut found) = (0, Vec::new());
    for path in sources() {
        let name = path.strip_prefix(root()).expect("below the root").display().to_string();
        if name == file!() {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        let comments: Vec<String> = text.lines().filter_map(comment).collect();
        lines += comments.len();
        // Rows of tables are as long as they are.
        let is_wide = |line: &&str| line.chars().count() > 100 && !line.starts_with("//! | ");
        let wide = text.lines().filter(|line| line.trim_start().starts_with("//")).filter(is_wide);
        found.extend(wide.map(|line| format!("{name}: over 100 columns: {line}")));
        found.extend(retired(&comments.join("\n")).into_iter().map(|word| format!("{name}: {word}")));
    }
    assert!(found.is_empty(), "words that were given up, and wide lines: {found:#?}");
    assert!(lines > 10_000, "{lines}");
}

/// Only the program's texts: tests contain texts of other tools.
#[test]
fn texts_of_the_program_use_the_terms_of_the_field() {
    let mut found = 0;
    for path in sources() {
        let is_in = |folder: &str| path.components().any(|part| part.as_os_str() == folder);
        if !is_in("src") || is_in("tests") || path.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source");
        let program = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let program = joined(program);
        let all: Vec<String> = program.lines().filter(|line| comment(line).is_none()).flat_map(texts).collect();
        found += all.len();
        clean(&path.display().to_string(), &all.join("\n"));
    }
    assert!(found > 1_000, "{found}");
}

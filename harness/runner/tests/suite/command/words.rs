//! Words that were given up for a term of the field stay out of what people read: documents, help,
//! titles and reasons of the ledger, and sources of the rooms that are clean.

use std::fs;
use std::path::Path;

use serde_json::Value;
use toolchain::yaml;

use crate::command::document::{documents, root};
use crate::command::support::run;

/// Each with the term to use.
const RETIRED: [(&str, &str); 25] = [
    ("mistake", "bug"),
    ("mistakes", "bugs"),
    ("defect", "bug"),
    ("defects", "bugs"),
    ("flaw", "bug"),
    ("flaws", "bugs"),
    ("mend", "fix"),
    ("mended", "fixed"),
    ("milder", "warning"),
    ("owed", "expected"),
    ("owes", "expected"),
    ("demanded", "expected, required"),
    ("told", "reported"),
    ("tells", "reports, encodes"),
    ("speaks", "means"),
    ("behind", "after"),
    ("whoever", "the caller, the reader: name it"),
    ("comes to", "is, computes"),
    ("came out otherwise", "changed status"),
    ("one behind the other", "concatenated"),
    ("without a word", "silently"),
    ("put to the test", "test"),
    ("taken in", "memo hit, cached"),
    ("decides nothing", "does not affect the exit code"),
    ("leave the run out", "static checks only"),
];

/// Folders and files whose comments and texts are clean.
const ROOMS: [&str; 3] =
    ["harness/spec/src/catalogue.rs", "harness/spec/src/clauses", "harness/runner/src/commands/examples.rs"];

/// The retired words of a text, each with its line.
fn retired(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let lower = line.to_lowercase();
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        for (word, instead) in RETIRED {
            let whole = |(at, _): (usize, &str)| {
                let before = lower[..at].chars().next_back();
                let after = lower[at + word.len()..].chars().next();
                !before.is_some_and(is_part) && !after.is_some_and(is_part)
            };
            if lower.match_indices(word).any(whole) {
                found.push(format!("`{word}` ({instead}): {line}"));
            }
        }
    }
    found
}

/// A document without code, whose keys and paths are published names.
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
    let names: Vec<&str> = help
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .map_while(|line| line.strip_prefix("  "))
        .filter_map(|line| line.split(' ').next())
        .filter(|name| !matches!(*name, "" | "help"))
        .collect();
    assert!(names.len() >= 17, "{names:?}");
    clean("--help", &help);
    for name in names {
        clean(name, &run(&[name, "--help"]).stdout);
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

#[test]
fn clean_rooms_stay_clean() {
    for room in ROOMS {
        let path = root().join(room);
        let files = if path.is_dir() {
            fs::read_dir(&path).expect("a folder").map(|file| file.expect("a file").path()).collect()
        } else {
            vec![path]
        };
        for file in files {
            clean(&file.display().to_string(), &fs::read_to_string(&file).expect("a source"));
        }
    }
}

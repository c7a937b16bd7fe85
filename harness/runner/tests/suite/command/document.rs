//! Documents as text: their commands, sections, code blocks and paths.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toolchain::yaml;

use crate::command::support::Folder;

/// Returns true for a code span that can be a file: with a folder, without placeholders (`NAME`,
/// `*`) and blanks.
pub(crate) fn is_path(span: &str) -> bool {
    let plain = span.chars().all(|c| c.is_ascii_alphanumeric() || "_-./+".contains(c));
    let placeholder = span.split(['/', '.']).any(|part| part.len() > 1 && part.chars().all(|c| c.is_ascii_uppercase()));
    plain && !placeholder && span.find('/').is_some_and(|at| at > 0) && !span.starts_with("target/")
}

/// Returns true if a file or folder has this path, or one whose name continues with a dot:
/// `calls/recursion` is a case.
pub(crate) fn exists(path: &Path) -> bool {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(OsStr::to_str)) else { return false };
    let mut names =
        fs::read_dir(folder).into_iter().flatten().flatten().filter_map(|entry| entry.file_name().into_string().ok());
    path.exists() || names.any(|file| file.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// Commands of a document, as words: those of blocks that are no program, line by line, split at
/// `&&`, `||` and
/// `|`; and those in running text.
pub(crate) fn commands(text: &str) -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    let mut outside = String::new();
    for (index, part) in text.split("\n```").enumerate() {
        if index % 2 == 0 {
            outside.push_str(part);
            continue;
        }
        if ["python", "rust", "tcl", "toml"].iter().any(|language| part.starts_with(language)) {
            continue;
        }
        for line in part.lines().skip(1) {
            let line = line.trim_start();
            let line = line.strip_prefix("- ").unwrap_or(line);
            let line = line.strip_prefix("run: ").or(line.strip_prefix("$ ")).unwrap_or(line);
            let line = line.split(" # ").next().unwrap_or_default();
            commands.extend(line.replace("&&", "|").split('|').map(split).filter(|words| !words.is_empty()));
        }
    }
    commands.extend(outside.split('`').skip(1).step_by(2).map(split).filter(|words| !words.is_empty()));
    commands
}

/// Words after the program's name, if a command calls it with any.
pub(crate) fn after_the_program(command: &[String]) -> Option<Vec<String>> {
    let cargo = ["cargo", "run", "--release", "--"];
    let begins = command.len() > cargo.len() && command.iter().zip(cargo).all(|(word, expected)| word == expected);
    let first = command.first()?;
    let by_name = first == "sframe-conformance" || first.ends_with("release/sframe-conformance");
    let rest = if begins { command.get(cargo.len()..)? } else { command.get(1..).filter(|_| by_name)? };
    (!rest.is_empty()).then(|| rest.to_vec())
}

/// Splits words like a shell; only `"` quotes.
pub(crate) fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in text.split('"').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The keys or names that a parser lists when it finds an unknown one.
pub(crate) fn keys<T: DeserializeOwned>(text: &str) -> Vec<String> {
    let folder = Folder::new();
    let file = folder.write("keys.yaml", text.as_bytes());
    match yaml::read::<T>(Path::new(&file)) {
        Ok(_) => panic!("{text}: zzz is taken for something"),
        Err(error) => expected(&error.to_string()),
    }
}

/// Texts in backticks after "expected" in a message.
pub(crate) fn expected(message: &str) -> Vec<String> {
    let (_, list) = message.split_once("expected").unwrap_or_else(|| panic!("{message}"));
    let names: Vec<String> = list.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    assert!(!names.is_empty(), "{message}");
    names
}

/// A section of a document, from its heading to the next one of the same level.
pub(crate) fn section(text: &str, heading: &str) -> String {
    let (_, rest) = text.split_once(&format!("{heading}\n")).unwrap_or_else(|| panic!("no '{heading}'"));
    rest.split("\n## ").next().unwrap_or_default().to_owned()
}

/// Contents of its YAML code blocks.
pub(crate) fn fences(text: &str) -> Vec<String> {
    let parts = text.split("```yaml\n").skip(1);
    parts.filter_map(|part| part.split("\n```").next()).map(str::to_owned).collect()
}

/// Every document below a folder, except built or fetched ones.
pub(crate) fn documents(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry")) {
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() && !path.is_symlink() {
            if name != "target" && name != ".git" {
                found.extend(documents(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
    found
}

pub(crate) fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|error| panic!("{document}: {error}"))
}

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

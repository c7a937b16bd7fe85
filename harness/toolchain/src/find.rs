//! Looking for a tool: in which folders, under which names, in which versions.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use model::Abi;
use regex::Regex;

use super::entry::Entry;
use super::tool::Tool;
use crate::process;

/// A tool that says `--version` for longer than this hangs.
const LIMIT: Duration = Duration::from_secs(10);

/// Every version of the tool for an ABI, each once, in order of the folders; or why there is none.
pub(crate) fn find(entry: &Arc<Entry>, abi: Abi, root: &Path) -> Result<Vec<Tool>, String> {
    let Some(names) = entry.program.get(abi) else {
        return Err(format!("the producers' file names no {} for {}", entry.name, abi.name()));
    };
    let pattern = regex(&entry.version.pattern)?;
    let target = entry.version.target.get(abi).map(|text| regex(text)).transpose()?;
    let (mut tools, mut seen, mut why): (Vec<Tool>, BTreeSet<PathBuf>, Option<String>) =
        (Vec::new(), BTreeSet::new(), None);
    let folders: Vec<PathBuf> = entry.search.iter().flat_map(|place| folders(place, root)).collect();
    for program in candidates(names, &folders, root) {
        let real = std::fs::canonicalize(&program).unwrap_or_else(|_| program.clone());
        // Two names of one file in one folder of the system are one tool: /bin and /usr/bin.
        let place = real.parent().unwrap_or(Path::new("")).join(program.file_name().unwrap_or_default());
        if !seen.insert(place) {
            continue;
        }
        match probe(entry, &program, &pattern, target.as_ref()) {
            Ok((version, told)) if tools.iter().all(|tool| tool.version != version) => {
                tools.push(Tool { entry: Arc::clone(entry), abi, version, program, told });
            }
            Ok(_) => {}
            Err(message) => why = why.or(Some(message)),
        }
    }
    if tools.is_empty() {
        let missing = || format!("no {} in {}", names.join(" or "), entry.search.join(", "));
        return Err(why.unwrap_or_else(missing));
    }
    Ok(tools)
}

/// Checks what can be wrong with the entry before anything is run.
pub(crate) fn check_patterns(entry: &Entry) -> Result<(), String> {
    let pattern = regex(&entry.version.pattern)?;
    if pattern.captures_len() < 2 {
        return Err(format!("the pattern '{}' has no group to hold the version", entry.version.pattern));
    }
    for abi in Abi::ALL {
        entry.version.target.get(abi).map(|text| regex(text)).transpose()?;
    }
    Ok(())
}

fn regex(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| format!("'{text}' is no regular expression: {error}"))
}

/// The version and the first line that the program tells.
fn probe(entry: &Entry, program: &Path, pattern: &Regex, target: Option<&Regex>) -> Result<(String, String), String> {
    let name = program.display().to_string();
    let arguments: Vec<&str> = entry.version.arguments.split_whitespace().collect();
    let told = process::run_within(&name, &arguments, Path::new("."), LIMIT).map_err(|error| error.to_string())?;
    let text = format!("{}\n{}", told.stdout, told.stderr);
    if target.is_some_and(|target| !target.is_match(&text)) {
        return Err(format!("{name} is for another target"));
    }
    let version = pattern.captures(&text).and_then(|groups| groups.get(1)).map(|group| group.as_str().to_owned());
    // What separates the parts of a trial's name, or stands for any text in the ledger, cannot be part of a version.
    let usable =
        |version: &String| !version.is_empty() && version.chars().all(|c| c.is_ascii_graphic() && !":+@*".contains(c));
    let version = version.filter(usable);
    let version = version.ok_or_else(|| format!("{name} {} does not tell a version", entry.version.arguments))?;
    Ok((version, text.lines().next().unwrap_or("").trim().to_owned()))
}

/// Files that may be the tool: for each folder the first of the names that is there; names with a `/` by themselves.
fn candidates(names: &[String], folders: &[PathBuf], root: &Path) -> Vec<PathBuf> {
    let by_path = names.iter().filter(|name| name.contains('/')).map(|name| root.join(name));
    let plain: Vec<&String> = names.iter().filter(|name| !name.contains('/')).collect();
    let in_folders =
        folders.iter().filter_map(|folder| plain.iter().map(|name| folder.join(name)).find(|file| file.is_file()));
    by_path.filter(|file| file.is_file()).chain(in_folders).collect()
}

/// The folders that a place of the search list stands for, sorted where it has a `*`.
fn folders(place: &str, root: &Path) -> Vec<PathBuf> {
    if place == "PATH" {
        return std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    }
    let Some((before, after)) = place.split_once("*/") else { return vec![root.join(place)] };
    let listed = std::fs::read_dir(root.join(before)).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = listed.map(|item| item.path().join(after)).filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

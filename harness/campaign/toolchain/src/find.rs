//! Finds the installed versions of a tool.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use regex::Regex;
use results::ToolVersion;
use types::Abi;

use crate::cache::{Cache, Command};
use crate::entry::{ProducerEntry, writes};
use crate::files::Files;
use crate::process::{self, Finished, ProcessError};
use crate::tool::Tool;

/// Time limit for printing the version; a tool that takes longer hangs.
const LIMIT: Duration = Duration::from_secs(5);

/// Why no version of a tool was found.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("the producers' file has no entry of that name")]
    NoEntry,
    #[error("the producers' file names no {name} for {}", abi.name())]
    NotFor { name: String, abi: Abi },
    /// None of its file names exists in its folders.
    #[error("no {} in {}", names.join(" or "), folders.join(", "))]
    NoFile { names: Vec<String>, folders: Vec<String> },
    /// A file could not be run to print its version.
    #[error("{0}")]
    Process(#[from] Arc<ProcessError>),
    #[error("{0} is for another target")]
    OtherTarget(String),
    #[error("{program} {arguments} prints no version of this tool")]
    NoVersion { program: String, arguments: String },
    #[error(transparent)]
    Pattern(#[from] PatternError),
}

/// Errors of a version probe.
#[derive(Debug, thiserror::Error)]
pub enum PatternError {
    #[error("'{pattern}' is not a regular expression: {error}")]
    Regex { pattern: String, error: regex::Error },
    #[error("the pattern '{0}' has no capture group for the version")]
    NoGroup(String),
}

/// Version outputs of programs: each program is run once, for all targets that it is a tool for,
/// also if it hangs.
#[derive(Debug, Default)]
pub(crate) struct VersionCache(Mutex<BTreeMap<Vec<String>, Printed>>);

type Printed = Result<Finished, Arc<ProcessError>>;

impl VersionCache {
    fn or_asked(&self, words: &[String], ask: impl FnOnce() -> Result<Finished, ProcessError>) -> Printed {
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = known().get(words).cloned();
        before.unwrap_or_else(|| {
            let answer = ask().map_err(Arc::new);
            known().insert(words.to_vec(), answer.clone());
            answer
        })
    }
}

/// Finds every version of the tool for an ABI, each once, in the order of the folders.
pub(crate) fn find(
    entry: &Arc<ProducerEntry>,
    abi: Abi,
    root: &Path,
    cache: Option<&Arc<Cache>>,
    versions: &VersionCache,
) -> Result<Vec<Tool>, FindError> {
    let Some(names) = entry.program.get(abi) else { return Err(FindError::NotFor { name: entry.name.clone(), abi }) };
    let pattern = regex(&entry.version.pattern)?;
    let target = entry.version.target.get(abi).map(|text| regex(text)).transpose()?;
    let (mut tools, mut seen, mut why): (Vec<Tool>, BTreeSet<PathBuf>, Option<FindError>) =
        (Vec::new(), BTreeSet::new(), None);
    let folders: Vec<PathBuf> = entry.search.iter().flat_map(|place| folders(place, root)).collect();
    for program in candidates(names, &folders, root) {
        let real = std::fs::canonicalize(&program).unwrap_or_else(|_| program.clone());
        // A file with two paths in system folders is one tool: /bin and /usr/bin.
        let place = real.parent().unwrap_or(Path::new("")).join(program.file_name().unwrap_or_default());
        if !seen.insert(place) {
            continue;
        }
        match probe(entry, &program, &pattern, target.as_ref(), cache, versions) {
            Ok((version, banner)) if tools.iter().all(|tool| tool.version != version) => {
                let sframe = writes(&entry.sframe, &version, abi).into();
                tools.push(Tool {
                    entry: Arc::clone(entry),
                    abi,
                    version,
                    program,
                    banner,
                    sframe,
                    cache: cache.cloned(),
                });
            }
            Ok(_) => {}
            Err(error) => why = why.or(Some(error)),
        }
    }
    if tools.is_empty() {
        let missing = || FindError::NoFile { names: names.clone(), folders: entry.search.clone() };
        return Err(why.unwrap_or_else(missing));
    }
    Ok(tools)
}

/// Checks the regular expressions of an entry.
pub(crate) fn check_patterns(entry: &ProducerEntry) -> Result<(), PatternError> {
    let pattern = regex(&entry.version.pattern)?;
    if pattern.captures_len() < 2 {
        return Err(PatternError::NoGroup(entry.version.pattern.clone()));
    }
    for abi in Abi::ALL {
        entry.version.target.get(abi).map(|text| regex(text)).transpose()?;
    }
    Ok(())
}

/// Compiles a pattern, once for a process: entries share their patterns, and each is used for every
/// target.
fn regex(pattern: &str) -> Result<Regex, PatternError> {
    static COMPILED: Mutex<BTreeMap<String, Regex>> = Mutex::new(BTreeMap::new());
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = compiled.get(pattern) {
        return Ok(known.clone());
    }
    let new = Regex::new(pattern).map_err(|error| PatternError::Regex { pattern: pattern.to_owned(), error })?;
    compiled.insert(pattern.to_owned(), new.clone());
    Ok(new)
}

/// The version that the program prints, and the first line of its output.
fn probe(
    entry: &ProducerEntry,
    program: &Path,
    pattern: &Regex,
    target: Option<&Regex>,
    cache: Option<&Arc<Cache>>,
    versions: &VersionCache,
) -> Result<(ToolVersion, String), FindError> {
    let name = program.display().to_string();
    let arguments: Vec<&str> = entry.version.arguments.split_whitespace().collect();
    let limit = LIMIT.min(Duration::from_secs(entry.limits.seconds));
    let words: Vec<String> = [name.as_str()].iter().chain(&arguments).map(|word| (*word).to_owned()).collect();
    let printed = versions.or_asked(&words, || {
        let run = || process::run_within(&name, &arguments, Path::new("."), limit);
        let asked = Command { words: &words, inputs: &[], output: "" };
        match cache {
            Some(cache) => cache.answer(entry, program, asked, &mut Files::default(), |_| run()),
            None => run(),
        }
    })?;
    let text = format!("{}\n{}", printed.stdout, printed.stderr);
    let version = pattern.captures(&text).and_then(|groups| groups.get(1)).map(|group| group.as_str());
    // The separators of trial names, and the wildcard of the ledger, cannot be part of a version.
    let is_usable =
        |version: &&str| !version.is_empty() && version.chars().all(|c| c.is_ascii_graphic() && !":+@*".contains(c));
    let version = version.filter(is_usable).map(ToolVersion::new);
    let no_version = || FindError::NoVersion { program: name.clone(), arguments: entry.version.arguments.clone() };
    let version = version.ok_or_else(no_version)?;
    if target.is_some_and(|target| !target.is_match(&text)) {
        return Err(FindError::OtherTarget(name));
    }
    Ok((version, text.lines().next().unwrap_or("").trim().to_owned()))
}

/// Candidate files for the tool: in each folder the first of the names that exists; names with a
/// `/` as paths.
fn candidates(names: &[String], folders: &[PathBuf], root: &Path) -> Vec<PathBuf> {
    let by_path = names.iter().filter(|name| name.contains('/')).map(|name| root.join(name));
    let plain: Vec<&String> = names.iter().filter(|name| !name.contains('/')).collect();
    let in_folders =
        folders.iter().filter_map(|folder| plain.iter().map(|name| folder.join(name)).find(|file| file.is_file()));
    by_path.filter(|file| file.is_file()).chain(in_folders).collect()
}

/// The folders of an item of the search list, sorted if it contains a `*`.
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

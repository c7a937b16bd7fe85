//! Reads and writes the results of runs: `results.jsonl` and `run.json` in one folder. Without
//! `run.json`, which is written last, the run was not finished; its results are read as partial.
//! Its last line may then be truncated, and is skipped.
//!
//! Errors have the file and the line; no other line is skipped, because a report on incomplete
//! results would be wrong.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use results::{
    Exercised, MergeError, ResultsSource, RunFacts, RunResults, SCHEMA, TrialLine, coverage, exercised, merge,
};
use toolchain::input;

pub const RESULTS: &str = "results.jsonl";
/// File name of the data about the run.
pub const FACTS: &str = "run.json";

#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    /// A line of a file is not a result.
    #[error("{}:{line}: {why}", path.display())]
    Line { path: PathBuf, line: usize, why: LineError },
    #[error(transparent)]
    Merge(#[from] MergeError),
    #[error("no trial in {0}")]
    Empty(String),
}

/// Error in a line, or in the facts of a run.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error("the line is truncated; `run --resume` completes it ({0})")]
    Cut(Box<LineError>),
    #[error("schema {0}, this program reads {SCHEMA}; {remedy}", remedy = remedy(.0))]
    Schema(serde_json::Value),
    /// Keys are missing or unknown.
    #[error("{}", json_error(.0))]
    Keys(serde_json::Error),
    #[error("not a result of a run: {}", json_error(.0))]
    NoResult(serde_json::Error),
    #[error("not JSON: {}", json_error(.0))]
    NotJson(serde_json::Error),
}

/// Text of a JSON error; the caller prints the file name before it.
fn json_error(error: &serde_json::Error) -> String {
    error.to_string().replace(" at line 1 column ", " at column ")
}

/// Advice for another schema.
fn remedy(schema: &serde_json::Value) -> &'static str {
    match schema.as_u64() {
        Some(number) if number > u64::from(SCHEMA) => "a later version of it wrote them",
        _ => "run the matrix again",
    }
}

/// Reads files of results, or folders that contain one, and merges them.
///
/// # Errors
/// Results are missing, truncated, of another schema or not JSON; results contradict each other;
/// there is no trial.
pub fn read(paths: &[PathBuf]) -> Result<RunResults, ReadError> {
    let mut sources = Vec::new();
    let mut seen = BTreeSet::new();
    for path in paths {
        let file = if path.is_dir() { path.join(RESULTS) } else { path.clone() };
        let facts_file = file.with_file_name(FACTS);
        let trials = read_trials(&file, if facts_file.exists() { Tail::Whole } else { Tail::Cut })?;
        // Several files of one folder share the facts of their run.
        let canonical = fs::canonicalize(&facts_file).unwrap_or_else(|_| facts_file.clone());
        let facts = match seen.insert(canonical) {
            true => Some(read_facts(&facts_file)?.unwrap_or_else(|| unfinished(&trials))),
            false => None,
        };
        sources.push(ResultsSource { name: file.display().to_string(), facts, trials });
    }
    let merged = merge(&sources)?;
    if merged.trials.is_empty() {
        let names: Vec<String> = sources.into_iter().map(|source| source.name).collect();
        return Err(ReadError::Empty(names.join(", ")));
    }
    Ok(merged)
}

/// State of the last line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tail {
    /// Complete.
    Whole,
    /// Truncated, because the run was killed.
    Cut,
}

fn read_trials(path: &Path, tail: Tail) -> Result<Vec<(usize, TrialLine)>, ReadError> {
    let bytes = input::read(path).map_err(|error| ReadError::Io { path: path.to_owned(), error })?;
    parse_trials(path, &bytes, tail)
}

/// Parses the contents of a results file: each trial with its line number.
pub fn parse_trials(path: &Path, bytes: &[u8], tail: Tail) -> Result<Vec<(usize, TrialLine)>, ReadError> {
    let complete = bytes.ends_with(b"\n");
    let body = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    if body.is_empty() {
        return Ok(Vec::new());
    }
    let lines: Vec<&[u8]> = body.split(|byte| *byte == b'\n').collect();
    let count = lines.len();
    let mut trials = Vec::with_capacity(count);
    for (index, line) in lines.into_iter().enumerate() {
        let number = index + 1;
        let cut = number == count && !complete;
        let parsed = parse(line, |trial: &TrialLine| trial.schema);
        if parsed.is_err() && cut && tail == Tail::Cut {
            break;
        }
        let trial = parsed.map_err(|why| {
            let why = if cut { LineError::Cut(Box::new(why)) } else { why };
            ReadError::Line { path: path.to_owned(), line: number, why }
        })?;
        trials.push((number, trial));
    }
    Ok(trials)
}

/// Facts of a run that ended before it wrote them.
fn unfinished(trials: &[(usize, TrialLine)]) -> RunFacts {
    let exercised: Vec<Exercised> = trials.iter().filter_map(|(_, trial)| exercised(trial)).collect();
    RunFacts { schema: SCHEMA, unfinished: true, clauses: coverage(&exercised), ..RunFacts::default() }
}

/// Facts of the run; `None` if it was not finished.
fn read_facts(path: &Path) -> Result<Option<RunFacts>, ReadError> {
    let bytes = match input::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(ReadError::Io { path: path.to_owned(), error }),
    };
    parse_facts(path, &bytes).map(Some)
}

/// Parses the contents of a `run.json`.
pub fn parse_facts(path: &Path, bytes: &[u8]) -> Result<RunFacts, ReadError> {
    parse(bytes, |facts: &RunFacts| facts.schema).map_err(|why| {
        let line = serde_json::from_slice::<RunFacts>(bytes).err().map_or(1, |error| error.line().max(1));
        ReadError::Line { path: path.to_owned(), line, why }
    })
}

/// Parses one JSON value of this version's schema.
fn parse<T: serde::de::DeserializeOwned>(bytes: &[u8], schema: impl Fn(&T) -> u32) -> Result<T, LineError> {
    #[derive(serde::Deserialize)]
    #[serde(expecting = "an object with a schema")]
    struct Version {
        schema: serde_json::Value,
    }
    match serde_json::from_slice::<T>(bytes) {
        Ok(value) if schema(&value) == SCHEMA => Ok(value),
        Ok(value) => Err(LineError::Schema(schema(&value).into())),
        // For another version its number is a better message than the first missing key.
        Err(error) => Err(match serde_json::from_slice::<Version>(bytes) {
            Ok(Version { schema }) if schema != SCHEMA => LineError::Schema(schema),
            Ok(_) => LineError::Keys(error),
            Err(why) if serde_json::from_slice::<serde::de::IgnoredAny>(bytes).is_ok() => LineError::NoResult(why),
            Err(_) => LineError::NotJson(error),
        }),
    }
}

/// Writes results into a folder, which is created if it is missing.
pub fn write(folder: &Path, results: &RunResults) -> io::Result<()> {
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    write_file(&folder.join(RESULTS), |out| {
        for trial in &results.trials {
            serde_json::to_writer(&mut *out, trial)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    })?;
    let facts = folder.join(FACTS);
    if results.facts.unfinished {
        return remove(&facts);
    }
    write_file(&facts, |out| {
        serde_json::to_writer_pretty(&mut *out, &results.facts)?;
        out.write_all(b"\n")
    })
}

/// Removes a file if it exists; errors have its name.
pub fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(named(path, &error)),
        _ => Ok(()),
    }
}

pub fn write_file(path: &Path, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    let written = fs::File::create(path).and_then(|file| {
        let mut out = io::BufWriter::new(file);
        write(&mut out)?;
        out.flush()
    });
    written.map_err(|error| named(path, &error))
}

/// Adds the file's name to an error.
pub fn named(path: &Path, error: &io::Error) -> io::Error {
    // Not of the kind "broken pipe", even if the file is a pipe: only the reader of standard output
    // may close it without an error.
    io::Error::other(format!("{}: {error}", path.display()))
}

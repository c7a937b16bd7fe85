//! `results.jsonl`: one line a trial, written as trials end so that nothing finished is lost, and put in order at the end so that
//! the same input gives the same bytes.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};

use model::Severity;
use serde_json::{Value, json};

use super::trial::{Trial, TrialResult};

/// The results file of a run.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
    lines: BTreeMap<String, String>,
}

impl Results {
    /// Opens `DIR/results.jsonl`; with `resume` its complete lines are kept, else it is begun anew.
    ///
    /// # Errors
    /// When the folder or file cannot be written.
    pub fn open(folder: &Path, resume: bool) -> io::Result<Results> {
        fs::create_dir_all(folder)?;
        let path = folder.join("results.jsonl");
        let lines = if resume { read_lines(&path)? } else { BTreeMap::new() };
        write_in_order(&path, &lines)?;
        let file = OpenOptions::new().append(true).open(&path)?;
        Ok(Results { path, file, lines })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// True when the trial's line is there from an earlier run.
    pub fn has(&self, key: &str) -> bool {
        self.lines.contains_key(key)
    }

    /// The lines kept so far, by trial name.
    pub fn lines(&self) -> impl Iterator<Item = Value> {
        self.lines.values().filter_map(|line| serde_json::from_str(line).ok())
    }

    /// Appends a trial's line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn add(&mut self, trial: &Trial, result: &TrialResult) -> io::Result<()> {
        let key = trial.key.to_string();
        let line = line(&key, trial, result).to_string();
        writeln!(self.file, "{line}")?;
        self.lines.insert(key, line);
        Ok(())
    }

    /// Puts the lines in order.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn finish(self) -> io::Result<PathBuf> {
        write_in_order(&self.path, &self.lines)?;
        Ok(self.path)
    }
}

/// Writes the lines in order, through a temporary file so that an interruption loses none.
fn write_in_order(path: &Path, lines: &BTreeMap<String, String>) -> io::Result<()> {
    let ordered = path.with_extension("jsonl.new");
    let mut file = io::BufWriter::new(File::create(&ordered)?);
    for line in lines.values() {
        writeln!(file, "{line}")?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&ordered, path)
}

/// Complete lines of an earlier run; a last line that an interruption cut short is dropped.
fn read_lines(path: &Path) -> io::Result<BTreeMap<String, String>> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        file => file?,
    };
    let mut lines = BTreeMap::new();
    // Bytes, not text: the interruption may have cut a character.
    for line in BufReader::new(file).split(b'\n') {
        let Ok(line) = String::from_utf8(line?) else { continue };
        if let Ok(value) = serde_json::from_str::<Value>(&line)
            && let Some(key) = value.get("key").and_then(Value::as_str)
        {
            lines.insert(key.to_owned(), line);
        }
    }
    Ok(lines)
}

fn line(key: &str, trial: &Trial, result: &TrialResult) -> Value {
    let report = result.report.as_ref();
    let findings = report.into_iter().flat_map(|report| &report.discrepancies);
    let findings = findings.filter(|found| found.severity == Severity::Error).map(|found| {
        json!({
            "fingerprint": found.fingerprint, "rule": found.rule.id, "blame": found.blame.name(),
            "function": found.function, "executed": found.executed, "message": found.message,
            "known": result.standing.known.contains(&found.fingerprint),
        })
    });
    json!({
        "schema": 1,
        "key": key,
        "status": result.status,
        "producer": format!("{}@{}", trial.key.producer, trial.key.version),
        "abi": trial.key.abi,
        "sframe": trial.key.sframe,
        "summary": report.map(|report| report.summary),
        "findings": findings.collect::<Vec<_>>(),
        "problems": result.problems,
    })
}

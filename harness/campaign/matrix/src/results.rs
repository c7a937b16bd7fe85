//! Writes `results.jsonl`: one line for each trial, appended as trials end so that no result is
//! lost, and sorted at the end so that the same input gives the same bytes.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use ledger::run_files::named;
use results::TrialLine;
use toolchain::input;

/// The results file of a run.
#[derive(Debug)]
pub struct Results {
    path: PathBuf,
    file: File,
    lines: BTreeMap<String, TrialLine>,
}

impl Results {
    /// Opens `DIR/results.jsonl`; with `resume` its complete lines are kept, otherwise it is
    /// emptied.
    pub fn open(folder: &Path, resume: bool) -> io::Result<Results> {
        fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
        let path = folder.join("results.jsonl");
        let of_path = |error| named(&path, &error);
        let lines = if resume { read_lines(&path).map_err(of_path)? } else { BTreeMap::new() };
        write_in_order(&path, &lines).map_err(of_path)?;
        let file = OpenOptions::new().append(true).open(&path).map_err(of_path)?;
        Ok(Results { path, file, lines })
    }

    /// Returns true if an earlier run has written the trial's line.
    pub fn has(&self, key: &str) -> bool {
        self.lines.contains_key(key)
    }

    /// The lines so far, sorted by name.
    pub fn lines(&self) -> impl Iterator<Item = &TrialLine> {
        self.lines.values()
    }

    /// Appends a trial's line.
    pub fn add(&mut self, line: TrialLine) -> io::Result<()> {
        // Written in one piece, as far as the system allows: a killed process leaves a complete
        // line or nothing.
        let text = serde_json::to_string(&line)? + "\n";
        self.file.write_all(text.as_bytes()).map_err(|error| named(&self.path, &error))?;
        self.lines.insert(line.key.clone(), line);
        Ok(())
    }

    /// Sorts the lines.
    pub fn finish(self) -> io::Result<PathBuf> {
        write_in_order(&self.path, &self.lines).map_err(|error| named(&self.path, &error))?;
        Ok(self.path)
    }
}

/// Writes the sorted lines, through a temporary file so that an interruption loses none.
fn write_in_order(path: &Path, lines: &BTreeMap<String, TrialLine>) -> io::Result<()> {
    let ordered = path.with_extension("jsonl.new");
    let mut file = io::BufWriter::new(File::create(&ordered)?);
    for line in lines.values() {
        writeln!(file, "{}", serde_json::to_string(line)?)?;
    }
    file.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
    fs::rename(&ordered, path)
}

/// Complete lines of an earlier run; a truncated last line is dropped, and so are lines of another
/// schema, and trials that failed because of the host, which are to be tried again.
fn read_lines(path: &Path) -> io::Result<BTreeMap<String, TrialLine>> {
    let found = match input::lines(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeMap::new()),
        found => found?,
    };
    let mut lines = BTreeMap::new();
    // Bytes, not text: the interruption may have truncated a character.
    for line in found {
        if let Ok(line) = serde_json::from_slice::<TrialLine>(&line?)
            && !line.host_failure
        {
            lines.insert(line.key.clone(), line);
        }
    }
    Ok(lines)
}

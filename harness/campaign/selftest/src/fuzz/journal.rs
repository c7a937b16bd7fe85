//! The files that a run appends to: `findings.jsonl` with one line for each finding, `done.jsonl`
//! with one line for each stretch of seeds. A killed run loses only its current stretches.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use toolchain::input;
use toolchain::lock::{FolderLock, LockError};

use super::{Finding, Stretch};

/// Errors of a journal.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file or the folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    /// Another run is using the folder.
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A value cannot be written as JSON.
    #[error("{}: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
    /// A line is not valid.
    #[error("{} line {line}: {error}", path.display())]
    Line { path: PathBuf, line: usize, error: serde_json::Error },
}

/// The two files of a folder.
#[derive(Debug)]
pub struct Journal {
    findings: PathBuf,
    done: PathBuf,
    finished: BTreeSet<Stretch>,
    _lock: FolderLock,
}

impl Journal {
    /// Begins in a folder; with `resume`, continues with its contents, otherwise they are deleted.
    ///
    /// # Errors
    /// The folder cannot be written, or its contents cannot be read.
    pub fn open(folder: &Path, resume: bool) -> Result<Journal, JournalError> {
        let lock = FolderLock::take(folder)?;
        let (findings, done) = (folder.join("findings.jsonl"), folder.join("done.jsonl"));
        let mut journal = Journal { findings, done, finished: BTreeSet::new(), _lock: lock };
        if resume {
            journal.finished = lines(&journal.done)?.collect::<Result<_, _>>()?;
            // A line that cannot be read ends the list.
            let kept = lines::<Finding>(&journal.findings)?
                .filter(|found| found.as_ref().map_or(true, |found| journal.is_finished(found)));
            journal.write(kept)?;
        } else {
            journal.write(std::iter::empty::<Result<Finding, _>>())?;
        }
        Ok(journal)
    }

    /// The part of a stretch that is not done yet.
    pub fn left(&self, stretch: &Stretch) -> Option<Stretch> {
        let of = |done: &&Stretch| done.assembler == stretch.assembler && done.abi == stretch.abi;
        // Sorted by first seed.
        let first = self.finished.iter().filter(of).fold(stretch.first, |first, done| {
            if (done.first..done.next).contains(&first) { done.next } else { first }
        });
        (first < stretch.next).then(|| Stretch { first, ..stretch.clone() })
    }

    /// Writes the results of a stretch.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn add(&mut self, stretch: &Stretch, found: &[Finding]) -> Result<(), JournalError> {
        append(&self.findings, found)?;
        append(&self.done, std::slice::from_ref(stretch))?;
        self.finished.insert(stretch.clone());
        Ok(())
    }

    /// Number of files judged so far, by assembler and target.
    pub fn files(&self) -> BTreeMap<(String, String), u64> {
        let mut files = BTreeMap::new();
        for stretch in &self.finished {
            let of = files.entry((stretch.assembler.clone(), stretch.abi.name().to_owned())).or_default();
            *of += stretch.next.saturating_sub(stretch.first);
        }
        files
    }

    /// All findings, sorted by assembler, target and seed; the files are also sorted.
    ///
    /// # Errors
    /// The files cannot be read or written.
    pub fn close(&self) -> Result<Vec<Finding>, JournalError> {
        let mut findings: Vec<Finding> = lines(&self.findings)?.collect::<Result<_, _>>()?;
        findings.sort_by_key(|found| (found.assembler.clone(), found.abi, found.seed));
        self.write(findings.iter().map(Ok))?;
        Ok(findings)
    }

    fn is_finished(&self, found: &Finding) -> bool {
        let of = |stretch: &&Stretch| stretch.assembler == found.assembler && stretch.abi == found.abi;
        self.finished.iter().filter(of).any(|stretch| (stretch.first..stretch.next).contains(&found.seed))
    }

    fn write<F: serde::Serialize>(
        &self,
        findings: impl Iterator<Item = Result<F, JournalError>>,
    ) -> Result<(), JournalError> {
        replace(&self.findings, findings)?;
        replace(&self.done, self.finished.iter().map(Ok))
    }
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> JournalError {
    move |error| JournalError::File { path: path.to_owned(), error }
}

fn append<T: serde::Serialize>(path: &Path, values: &[T]) -> Result<(), JournalError> {
    let lines = values.iter().map(|value| line(path, value)).collect::<Result<String, _>>()?;
    let mut file = OpenOptions::new().append(true).create(true).open(path).map_err(io_error(path))?;
    file.write_all(lines.as_bytes()).map_err(io_error(path))
}

/// Replaces a file atomically: an interruption loses nothing, and the new contents may be derived
/// from the old file.
fn replace<T: serde::Serialize>(
    path: &Path,
    values: impl Iterator<Item = Result<T, JournalError>>,
) -> Result<(), JournalError> {
    let new = path.with_extension("jsonl.new");
    let mut file = BufWriter::new(File::create(&new).map_err(io_error(&new))?);
    for value in values {
        file.write_all(line(path, &value?)?.as_bytes()).map_err(io_error(&new))?;
    }
    file.flush().map_err(io_error(&new))?;
    fs::rename(&new, path).map_err(io_error(path))
}

fn line<T: serde::Serialize>(path: &Path, value: &T) -> Result<String, JournalError> {
    let json = serde_json::to_string(value);
    Ok(json.map_err(|error| JournalError::Json { path: path.to_owned(), error })? + "\n")
}

/// The lines of a file, one after the other and of limited length; a last line that cannot be read
/// was truncated, and is skipped.
fn lines<T: serde::de::DeserializeOwned>(
    path: &Path,
) -> Result<impl Iterator<Item = Result<T, JournalError>>, JournalError> {
    let found = match input::lines(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        found => Some(found.map_err(io_error(path))?),
    };
    let mut found = found.into_iter().flatten().enumerate().peekable();
    let read = move || {
        let (number, line) = found.next()?;
        let read = line.map_err(io_error(path)).and_then(|line| {
            let failed = |error| JournalError::Line { path: path.to_owned(), line: number + 1, error };
            serde_json::from_slice(&line).map_err(failed)
        });
        match read {
            Err(JournalError::Line { .. }) if found.peek().is_none() => None,
            read => Some(read),
        }
    };
    Ok(std::iter::from_fn(read))
}

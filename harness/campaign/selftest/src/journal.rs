//! The folder of a run's results, written as they come: a run that was broken off goes on from it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use toolchain::input;
use toolchain::lock::{FolderLock, LockError};

#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file or the folder cannot be read or written.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Lock(#[from] LockError),
    /// A value cannot be read from JSON, or written as it.
    #[error("{}: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
    /// A line is not valid.
    #[error("{} line {line}: {error}", path.display())]
    Line { path: PathBuf, line: usize, error: serde_json::Error },
}

/// A folder that one run at a time uses.
#[derive(Debug)]
pub struct Journal {
    folder: PathBuf,
    _lock: FolderLock,
}

impl Journal {
    pub fn open(folder: &Path) -> Result<Journal, JournalError> {
        let lock = FolderLock::take(folder)?;
        Ok(Journal { folder: folder.to_owned(), _lock: lock })
    }

    /// The values of a file with one a line; none if there is no file. A last line that cannot be
    /// read was cut short, and is left out.
    ///
    /// # Errors
    /// It cannot be read. Each line that is not valid is an error of its own.
    pub fn lines<T: DeserializeOwned>(
        &self,
        name: &str,
    ) -> Result<impl Iterator<Item = Result<T, JournalError>> + use<T>, JournalError> {
        let path = self.folder.join(name);
        let found = match input::lines(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            found => Some(found.map_err(file_error(&path))?),
        };
        let mut found = found.into_iter().flatten().enumerate().peekable();
        let read = move || {
            let (number, line) = found.next()?;
            let read = line.map_err(file_error(&path)).and_then(|line| {
                let failed = |error| JournalError::Line { path: path.clone(), line: number + 1, error };
                serde_json::from_slice(&line).map_err(failed)
            });
            match read {
                Err(JournalError::Line { .. }) if found.peek().is_none() => None,
                read => Some(read),
            }
        };
        Ok(std::iter::from_fn(read))
    }

    /// Appends values to a file with one a line.
    pub fn append<T: Serialize>(&self, name: &str, values: &[T]) -> Result<(), JournalError> {
        let path = self.folder.join(name);
        let lines = values.iter().map(|value| line(&path, value)).collect::<Result<String, _>>()?;
        let file = OpenOptions::new().append(true).create(true).open(&path);
        file.and_then(|mut file| file.write_all(lines.as_bytes())).map_err(file_error(&path))
    }

    /// Replaces a file with one value a line, atomically: an interruption loses nothing, and the
    /// new values may be read from the old file.
    pub fn replace<T: Serialize>(
        &self,
        name: &str,
        values: impl Iterator<Item = Result<T, JournalError>>,
    ) -> Result<(), JournalError> {
        let path = self.folder.join(name);
        let new = beside(&path);
        let mut file = BufWriter::new(File::create(&new).map_err(file_error(&new))?);
        for value in values {
            file.write_all(line(&path, &value?)?.as_bytes()).map_err(file_error(&new))?;
        }
        file.flush().map_err(file_error(&new))?;
        fs::rename(&new, &path).map_err(file_error(&path))
    }

    /// Writes a file with one value, atomically.
    pub fn write<T: Serialize>(&self, name: &str, value: &T) -> Result<(), JournalError> {
        let path = self.folder.join(name);
        let text = serde_json::to_string_pretty(value);
        let text = text.map_err(|error| JournalError::Json { path: path.clone(), error })? + "\n";
        let new = beside(&path);
        fs::write(&new, text).and_then(|()| fs::rename(&new, &path)).map_err(file_error(&path))
    }

    /// Writes a file into a folder of the journal.
    pub fn keep(&self, folder: &Path, name: &str, bytes: &[u8]) -> Result<(), JournalError> {
        let folder = self.folder.join(folder);
        let path = folder.join(name);
        fs::create_dir_all(&folder).and_then(|()| fs::write(&path, bytes)).map_err(file_error(&path))
    }
}

/// The value of a file of a journal, which a run may be using. `None` if there is no file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, JournalError> {
    let text = match input::read_text(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(file_error(path))?,
    };
    serde_json::from_str(&text).map(Some).map_err(|error| JournalError::Json { path: path.to_owned(), error })
}

fn file_error(path: &Path) -> impl Fn(io::Error) -> JournalError + use<> {
    let path = path.to_owned();
    move |error| JournalError::File { path: path.clone(), error }
}

/// The new contents of a file until they replace it.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    path.with_file_name(name)
}

fn line<T: Serialize>(path: &Path, value: &T) -> Result<String, JournalError> {
    let json = serde_json::to_string(value);
    Ok(json.map_err(|error| JournalError::Json { path: path.to_owned(), error })? + "\n")
}

//! YAML files: errors name the file, line and column.

use std::fs;
use std::path::{Path, PathBuf};

use results::yaml::{self, SyntaxError};
use serde::de::DeserializeOwned;

use crate::input;

/// A YAML file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum YamlError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why it cannot be read.
        error: std::io::Error,
    },
    /// Syntax error, unknown key or wrong type. The message has line and column.
    #[error("{}: {error}", path.display())]
    Parse {
        /// The file.
        path: PathBuf,
        /// Error with its position.
        error: SyntaxError,
    },
}

/// Writes a value to a file atomically, so that an interruption leaves the old contents.
pub fn write<T: serde::Serialize>(path: &Path, value: &T) -> Result<(), YamlError> {
    let text = yaml::print(value).map_err(|error| YamlError::Parse { path: path.to_owned(), error })?;
    let failed = |error| YamlError::Read { path: path.to_owned(), error };
    let beside = path.with_extension("yaml.new");
    fs::write(&beside, text).map_err(failed)?;
    fs::rename(&beside, path).map_err(failed)
}

/// Reads and parses a file.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<T, YamlError> {
    parse(path, &text(path)?)
}

/// Reads the contents of a file.
pub fn text(path: &Path) -> Result<String, YamlError> {
    input::read_text(path).map_err(|error| YamlError::Read { path: path.to_owned(), error })
}

/// Parses the contents of a file.
pub fn parse<T: DeserializeOwned>(path: &Path, text: &str) -> Result<T, YamlError> {
    yaml::parse(text).map_err(|error| YamlError::Parse { path: path.to_owned(), error })
}

/// The `*.yaml` files of a folder, sorted by name; empty if the folder does not exist.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>, YamlError> {
    let failed = |error| YamlError::Read { path: folder.to_owned(), error };
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        if path.extension().is_some_and(|extension| extension == "yaml") {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

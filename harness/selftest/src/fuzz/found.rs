//! What fuzzing found and a person reviewed: `cases/found/found.yaml`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use results::ToolName;
use toolchain::yaml::{self, YamlError};
use types::Abi;

use super::observe::{ObserveError, observe};
use super::tool::Tool;

/// The folder under `cases/`.
pub const TOPIC: &str = "found";

/// A reproducer that does not do what is recorded of it.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// Its source cannot be read.
    #[error("{}: {error}", path.display())]
    Source { path: PathBuf, error: io::Error },
    /// It cannot be run.
    #[error(transparent)]
    Observe(#[from] ObserveError),
    /// It shows the symptom and should not, or the other way round.
    #[error("{file} with {assembler}: {what} expected: {recorded}; seen: {seen:?}")]
    Differs { file: String, assembler: String, what: String, recorded: bool, seen: Vec<String> },
}

/// An entry: a shortest file and who shows what.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproducer {
    /// Source below the folder.
    pub file: String,
    /// The target that it is written for.
    pub abi: Abi,
    /// The class of `classes.yaml` that it is an example of.
    pub class: String,
    /// The symptom: a rule's id, `crash: signal 11`, ….
    pub what: String,
    /// Assemblers that show it: `gas@2.40`.
    pub shown_by: Vec<String>,
    /// Assemblers that do not.
    pub not_by: Vec<String>,
    /// Why it is wrong.
    pub reason: String,
    /// The manual or specification that decides it, and its section.
    pub clause: String,
}

impl Reproducer {
    /// Reads the list of a folder.
    ///
    /// # Errors
    /// If it cannot be read or has keys that are not known.
    pub fn read_all(folder: &Path) -> Result<Vec<Reproducer>, YamlError> {
        yaml::read(&folder.join("found.yaml"))
    }

    /// Returns whether a tool is recorded to show it; `None` if that is not recorded.
    pub fn recorded(&self, tool: &Tool) -> Option<bool> {
        let among = |names: &[String]| names.iter().any(|name| ToolName::is_text_a(&tool.name, name));
        match (tool.abi == self.abi, among(&self.shown_by), among(&self.not_by)) {
            (true, true, _) => Some(true),
            (true, _, true) => Some(false),
            _ => None,
        }
    }

    /// Runs it and compares the outcome with the recorded one, where there is one.
    ///
    /// # Errors
    /// If they differ, or it cannot be run.
    pub fn check(&self, folder: &Path, tool: &Tool) -> Result<(), CheckError> {
        let path = folder.join(&self.file);
        let text = fs::read_to_string(&path).map_err(|error| CheckError::Source { path, error })?;
        let seen: Vec<String> = observe(tool, &text, false)?.iter().map(|symptom| symptom.what.to_string()).collect();
        match self.recorded(tool) {
            Some(recorded) if recorded != seen.contains(&self.what) => {
                let (file, assembler, what) = (self.file.clone(), tool.name.clone(), self.what.clone());
                Err(CheckError::Differs { file, assembler, what, recorded, seen })
            }
            _ => Ok(()),
        }
    }
}

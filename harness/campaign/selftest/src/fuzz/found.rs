//! Reviewed findings of fuzzing: `cases/found/found.yaml`.

use std::path::{Path, PathBuf};
use std::{fs, io};

use results::ToolName;
use toolchain::yaml::{self, YamlError};
use types::Abi;

use super::observe::{ObserveError, observe};
use super::tool::Tool;

/// Folder under `cases/`.
pub const TOPIC: &str = "found";

/// Errors of checking a reproducer.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The source cannot be read.
    #[error("{}: {error}", path.display())]
    Source { path: PathBuf, error: io::Error },
    #[error(transparent)]
    Observe(#[from] ObserveError),
    #[error("{file} with {assembler}: {what} expected: {recorded}; seen: {seen:?}")]
    Differs { file: String, assembler: String, what: String, recorded: bool, seen: Vec<String> },
}

/// An entry: a reduced file, and the assemblers that show a symptom.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproducer {
    /// Source, relative to the folder.
    pub file: String,
    /// Target of the source.
    pub abi: Abi,
    /// Class of `classes.yaml` that it is an example of.
    pub class: String,
    /// The symptom: a rule's id, `crash: signal 11`, ….
    pub what: String,
    /// Assemblers that show it: `gas@2.40`.
    pub shown_by: Vec<String>,
    /// Assemblers that do not show it.
    pub not_by: Vec<String>,
    /// Why the behaviour is wrong.
    pub reason: String,
    /// Section of the manual or specification that defines it.
    pub clause: String,
}

impl Reproducer {
    pub fn read_all(folder: &Path) -> Result<Vec<Reproducer>, YamlError> {
        yaml::read(&folder.join("found.yaml"))
    }

    /// Returns whether a tool is recorded to show the symptom; `None` if nothing is recorded for
    /// it.
    pub fn recorded(&self, tool: &Tool) -> Option<bool> {
        let among = |names: &[String]| names.iter().any(|name| ToolName::is_text_a(&tool.name, name));
        match (tool.abi == self.abi, among(&self.shown_by), among(&self.not_by)) {
            (true, true, _) => Some(true),
            (true, _, true) => Some(false),
            _ => None,
        }
    }

    /// Runs the reproducer and compares the result with the recorded one, if there is one.
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

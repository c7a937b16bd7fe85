//! What fuzzing found and somebody looked at: `cases/found/found.yaml`.

use std::fs;
use std::path::Path;

use model::Abi;
use toolchain::yaml::{self, YamlError};

use super::class::is_version;
use super::observe::observe;
use super::tool::Tool;

/// The folder under `cases/`.
pub const TOPIC: &str = "found";

/// An entry: a shortest file and who shows what.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reproducer {
    /// Source below the folder.
    pub file: String,
    /// Target.
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
    /// What says so.
    pub clause: String,
}

impl Reproducer {
    /// Reads the list of a folder.
    ///
    /// # Errors
    /// When it cannot be read or has keys that are not known.
    pub fn read_all(folder: &Path) -> Result<Vec<Reproducer>, YamlError> {
        yaml::read(&folder.join("found.yaml"))
    }

    /// Whether a tool is recorded to show it; none where nobody has looked.
    pub fn recorded(&self, tool: &Tool) -> Option<bool> {
        let among = |names: &[String]| names.iter().any(|name| is_version(&tool.name, name));
        match (tool.abi == self.abi, among(&self.shown_by), among(&self.not_by)) {
            (true, true, _) => Some(true),
            (true, _, true) => Some(false),
            _ => None,
        }
    }

    /// Runs it: an error says how the outcome differs from the recorded one.
    ///
    /// # Errors
    /// Also when it cannot be run.
    pub fn check(&self, folder: &Path, tool: &Tool) -> Result<(), String> {
        let path = folder.join(&self.file);
        let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let seen = observe(tool, &text, false)?;
        let shows = seen.iter().any(|symptom| symptom.what == self.what);
        match self.recorded(tool) {
            Some(recorded) if recorded != shows => {
                let whats: Vec<&str> = seen.iter().map(|symptom| symptom.what.as_str()).collect();
                Err(format!("{} with {}: {} expected: {recorded}; seen: {whats:?}", self.file, tool.name, self.what))
            }
            _ => Ok(()),
        }
    }
}

//! Frozen objects: outputs of real producers, stored byte for byte under `cases/objects`, with
//! their provenance.

use std::path::Path;

pub use ledger::OBJECTS as TOPIC;
use ledger::OBJECTS_LIST;
use results::{Key, ToolVersion};
use toolchain::yaml::{self, YamlError};
use types::Abi;

use super::case::Least;

/// An entry of `objects.yaml`.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenObject {
    /// Path below `cases/objects`.
    pub file: String,
    /// SHA-256 of the file, hex.
    pub sha256: String,
    /// Tool that wrote the SFrame rows, by its name in keys.
    pub producer: String,
    /// Version that the tool printed.
    pub producer_version: ToolVersion,
    /// The target.
    pub abi: Abi,
    /// SFrame version: `v1`, `v2`, `v2e1`, `v3`.
    pub sframe: String,
    /// Kind of file: `exe`, `so` or `o`.
    pub kind: String,
    /// Case name in the key.
    pub case: String,
    /// Sources below `cases/objects`.
    pub sources: Vec<String>,
    /// Commands that made it.
    pub command: Vec<String>,
    /// Number of function descriptors, from an independent reader.
    pub fdes: u64,
    /// Number of rows, from an independent reader.
    pub fres: u64,
    /// Size of `.sframe` in bytes.
    pub sframe_bytes: u64,
    /// Size of `.eh_frame` in bytes.
    pub eh_frame_bytes: u64,
    /// Number of instructions from the ELF entry to the exit system call.
    pub instructions: Option<u64>,
    /// Exit status; `None` if it cannot be executed.
    pub exit_code: Option<i32>,
    /// Minimum that its run must reach.
    pub least: Option<Least>,
}

impl FrozenObject {
    pub fn read_all(folder: &Path) -> Result<Vec<FrozenObject>, YamlError> {
        yaml::read(&folder.join(OBJECTS_LIST))
    }

    /// Name of its trial.
    pub fn key(&self) -> Key {
        Key {
            producer: self.producer.clone(),
            version: self.producer_version.clone(),
            abi: self.abi,
            sframe: self.sframe.clone(),
            topic: TOPIC.to_owned(),
            case: self.case.clone(),
        }
    }
}

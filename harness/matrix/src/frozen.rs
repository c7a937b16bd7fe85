//! A frozen object: real output of a real producer, kept byte for byte under `cases/objects`, with
//! its provenance.

use std::path::Path;

pub use ledger::OBJECTS as TOPIC;
use ledger::OBJECTS_LIST;
use results::{Key, ToolVersion};
use toolchain::yaml::{self, YamlError};
use types::Abi;

use super::case::Least;

/// One entry of `objects.yaml`.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FrozenObject {
    /// Path below `cases/objects`.
    pub file: String,
    /// SHA-256 of the file, hex.
    pub sha256: String,
    /// The tool that made the SFrame rows, by its name in keys.
    pub producer: String,
    /// As the tool printed it.
    pub producer_version: ToolVersion,
    /// The target.
    pub abi: Abi,
    /// `v1`, `v2`, `v2e1`, `v3`.
    pub sframe: String,
    /// `exe`, `so` or `o`.
    pub kind: String,
    /// Case name in the key.
    pub case: String,
    /// Sources below `cases/objects`.
    pub sources: Vec<String>,
    /// The commands that made it.
    pub command: Vec<String>,
    /// Function descriptors, as an independent reader counted them.
    pub fdes: u64,
    /// Rows, as an independent reader counted them.
    pub fres: u64,
    /// Size of `.sframe` in bytes.
    pub sframe_bytes: u64,
    /// Size of `.eh_frame` in bytes.
    pub eh_frame_bytes: u64,
    /// Instructions from the ELF entry to the exit syscall.
    pub instructions: Option<u64>,
    /// Exit status; none for what cannot be run.
    pub exit_code: Option<i32>,
    /// What its run must reach.
    pub least: Option<Least>,
}

impl FrozenObject {
    /// Reads `objects.yaml` of a folder.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_all(folder: &Path) -> Result<Vec<FrozenObject>, YamlError> {
        yaml::read(&folder.join(OBJECTS_LIST))
    }

    /// The name of its trial.
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

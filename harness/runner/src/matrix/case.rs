//! A case: one purpose, one shape, sources by ABI, and what a run must reach to mean anything.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use model::Abi;

use crate::yaml::{self, YamlError};

/// A case of `cases/<topic>/<name>.yaml`.
#[derive(Clone, Debug)]
pub struct Case {
    /// Folder name.
    pub topic: String,
    /// File name without `.yaml`.
    pub name: String,
    /// Folder of the sources.
    pub folder: PathBuf,
    /// Contents of the file.
    pub facts: CaseFacts,
}

/// The contents of a case file. Unknown keys are refused.
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CaseFacts {
    /// One sentence.
    pub purpose: String,
    /// Rules and clauses it covers.
    pub covers: Vec<String>,
    /// Source file by ABI; `aarch64` serves both byte orders.
    pub sources: BTreeMap<String, String>,
    /// What a run must reach.
    pub least: Least,
    /// The same for single ABIs.
    #[serde(default)]
    pub least_by_abi: BTreeMap<String, Least>,
    /// Exit status of the program.
    #[serde(default)]
    pub expect_exit: i32,
}

/// The least a run must reach; below it the trial is vacuous and fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Least {
    /// Steps judged.
    pub steps: u64,
    /// Callers on the stack at the deepest step.
    pub depth: u64,
    /// Functions entered: their names, or how many.
    pub functions: Functions,
}

/// Functions that a run must enter.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(untagged)]
pub enum Functions {
    /// At least so many.
    Count(u64),
    /// These.
    Named(Vec<String>),
}

impl Default for Functions {
    fn default() -> Self {
        Functions::Count(0)
    }
}

impl Case {
    /// Reads a case file.
    ///
    /// # Errors
    /// When it cannot be read or has keys that are not known.
    pub fn read(path: &Path) -> Result<Case, YamlError> {
        let facts = yaml::read(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let text = |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
        Ok(Case { topic: text(folder.file_name()), name: text(path.file_stem()), folder, facts })
    }

    /// The source for an ABI, where the case has one.
    pub fn source(&self, abi: Abi) -> Option<PathBuf> {
        self.facts.sources.get(source_key(abi)).map(|file| self.folder.join(file))
    }

    /// The vacuity guard for an ABI.
    pub fn least(&self, abi: Abi) -> &Least {
        self.facts.least_by_abi.get(source_key(abi)).unwrap_or(&self.facts.least)
    }
}

fn source_key(abi: Abi) -> &'static str {
    if abi.is_aarch64() { "aarch64" } else { abi.name() }
}

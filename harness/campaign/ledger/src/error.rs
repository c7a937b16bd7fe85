//! Errors of the ledger.

use std::path::PathBuf;

use toolchain::yaml::YamlError;

use crate::class::ClassError;

/// An error of the ledger.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file cannot be read, or has unknown keys.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The classes that refer to entries are invalid.
    #[error(transparent)]
    Classes(#[from] ClassError),
    /// An entry lacks a key, or contradicts itself.
    #[error("{}: {complaint}", path.display())]
    Unsound { path: PathBuf, complaint: String },
}

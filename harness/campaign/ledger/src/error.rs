//! Errors of the ledger.

use std::path::PathBuf;

use toolchain::yaml::YamlError;

use crate::class::ClassError;

#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    #[error(transparent)]
    Yaml(#[from] YamlError),
    #[error(transparent)]
    Classes(#[from] ClassError),
    /// An entry lacks a key, or contradicts itself.
    #[error("{}: {complaint}", path.display())]
    Unsound { path: PathBuf, complaint: String },
}

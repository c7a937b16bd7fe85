//! Why the ledger cannot be used.

use std::path::PathBuf;

use toolchain::yaml::YamlError;

use crate::class::ClassError;

/// Why the ledger cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LedgerError {
    /// A file cannot be read, or has keys that are not known.
    #[error(transparent)]
    Yaml(#[from] YamlError),
    /// The classes that name entries cannot be used.
    #[error(transparent)]
    Classes(#[from] ClassError),
    /// An entry lacks a key, or contradicts itself.
    #[error("{}: {complaint}", path.display())]
    Unsound { path: PathBuf, complaint: String },
}

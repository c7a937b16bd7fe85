//! What tests of several crates share. It knows no other crate of the project, and only tests use
//! it.

pub mod blessed;
pub mod pack;
pub mod program;
pub mod samples;
pub mod schema;
pub mod scratch;

use std::path::{Path, PathBuf};

/// The checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A frozen object, by its path below `cases/objects`.
pub fn frozen(name: &str) -> PathBuf {
    root().join("cases/objects").join(name)
}

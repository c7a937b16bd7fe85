//! Test support that several crates share. It depends on no other crate of the project, and only
//! tests use it.

pub mod binutils;
pub mod blessed;
pub mod elf;
pub mod pack;
pub mod program;
pub mod samples;
pub mod schema;
pub mod scratch;
pub mod sources;

use std::path::{Path, PathBuf};

/// Root of the checkout.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path of a frozen object, given relative to `cases/objects`.
pub fn frozen(name: &str) -> PathBuf {
    root().join("cases/objects").join(name)
}

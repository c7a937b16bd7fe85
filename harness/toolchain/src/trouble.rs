//! Trouble of this machine where temporary files are written: no room, no permission, no folder.
//!
//! A command that fails in that case did not fail because of its input. It is noted once for the
//! whole program: from then on no failure of a trial counts, and the run ends.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct Trouble {
    /// The folder.
    pub path: PathBuf,
    /// What the system said: `no storage space`.
    pub why: String,
}

static NOTED: OnceLock<Trouble> = OnceLock::new();

/// Bytes that have to fit: more than a small object takes, less than anybody would miss.
const ROOM: usize = 256 << 10;

/// The first trouble that anybody met.
pub fn noted() -> Option<&'static Trouble> {
    NOTED.get()
}

/// Notes trouble.
pub fn note(path: &Path, error: &io::Error) -> Trouble {
    let trouble = Trouble { path: path.to_owned(), why: error.kind().to_string() };
    NOTED.get_or_init(|| trouble.clone());
    trouble
}

/// Looks whether a folder takes files, after something failed in it, and notes where it does not.
///
/// # Errors
/// When it does not.
pub fn look(folder: &Path) -> Result<(), Trouble> {
    // A file without a name: nobody finds it, and nothing is left of it.
    let written = tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(&[0; ROOM]));
    written.map_err(|error| note(folder, &error))
}

//! Failures of this machine to write temporary files: no space, no permission, no folder.
//!
//! A command that fails in this situation did not fail because of its input. The failure is
//! recorded once for the whole program: from then on no failure of a trial counts, and the run
//! ends.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A failure to write files in a folder.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct Trouble {
    /// The folder.
    pub path: PathBuf,
    /// Error message of the system: `no storage space`.
    pub why: String,
}

static NOTED: OnceLock<Trouble> = OnceLock::new();

/// Number of bytes that must be writable: more than a small object needs.
const ROOM: usize = 256 << 10;

/// The first failure that was recorded.
pub fn noted() -> Option<&'static Trouble> {
    NOTED.get()
}

/// Records a failure.
pub fn note(path: &Path, error: &io::Error) -> Trouble {
    let trouble = Trouble { path: path.to_owned(), why: error.kind().to_string() };
    NOTED.get_or_init(|| trouble.clone());
    trouble
}

/// Checks whether a folder is writable after a failure in it, and records if it is not.
pub fn look(folder: &Path) -> Result<(), Trouble> {
    // An unnamed file: no other process sees it, and it leaves nothing.
    let written = tempfile::tempfile_in(folder).and_then(|mut file| file.write_all(&[0; ROOM]));
    written.map_err(|error| note(folder, &error))
}

//! Unpacks the embedded copy of cases, producers' file and ledger into a folder.

use std::io;
use std::path::Path;

use anyhow::Context as _;
use ledger::Home;

/// Unpacks a `.tar.gz` into a folder atomically, because another process may do the same. An
/// existing folder is used unchanged.
pub(crate) fn unpacked(archive: &[u8], folder: &Path) -> anyhow::Result<Home> {
    if let Some(home) = Home::at(folder) {
        return Ok(home);
    }
    let failed = || format!("cannot unpack the cases into {}", folder.display());
    let parent = folder.parent().unwrap_or(Path::new("/"));
    std::fs::create_dir_all(parent).with_context(failed)?;
    let beside = tempfile::tempdir_in(parent).with_context(failed)?;
    tar::Archive::new(flate2::read::GzDecoder::new(archive)).unpack(beside.path()).with_context(failed)?;
    match std::fs::rename(beside.path(), folder) {
        // Another process was faster.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {}
        moved => moved.with_context(failed)?,
    }
    Home::at(folder).with_context(failed)
}

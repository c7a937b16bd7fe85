//! Selects and packs the project's files that the program embeds. Part of the build, and of the
//! test that unpacks them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use flate2::{Compression, write::GzEncoder};

/// Folders, relative to the project's folder.
pub(crate) const FOLDERS: [&str; 3] = ["cases", "ci", "reports/known"];

/// All files in these folders, sorted.
pub(crate) fn files(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in FOLDERS {
        list(&root.join(folder), &mut files)?;
    }
    files.sort();
    Ok(files)
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => list(&path, files)?,
            false => files.push(path),
        }
    }
    Ok(())
}

/// The archive: the same bytes for the same files, without times, owners or orders of folders.
pub(crate) fn packed(root: &Path, files: &[PathBuf], level: Compression) -> io::Result<Vec<u8>> {
    let mut archive = tar::Builder::new(GzEncoder::new(Vec::new(), level));
    archive.mode(tar::HeaderMode::Deterministic);
    for path in files {
        let name = path.strip_prefix(root).unwrap_or(path);
        archive.append_path_with_name(path, name)?;
    }
    archive.into_inner()?.finish()
}

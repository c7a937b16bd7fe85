//! Exclusive access of one process to a folder of results.
//!
//! The kernel holds the lock while the process lives, however it ends: a dead process holds no
//! lock. The file stays; its text identifies the last holder.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;

/// Exclusive access to a folder, until dropped.
#[derive(Debug)]
pub struct FolderLock {
    file: File,
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        // Closing alone would not suffice: a child process that another thread is just starting has
        // the file open until it has executed its program.
        let _ = flock(&self.file, FlockOperation::Unlock);
    }
}

/// Name of the lock file in the folder.
pub const LOCK: &str = "lock";

/// Files that programs with the lock write into the folder, and that must not be links: a link
/// would make them overwrite or remove other files, and a pipe would make them wait.
const WRITTEN: [&str; 19] = [
    LOCK,
    "asked.json",
    "done.jsonl",
    "done.jsonl.new",
    "findings.jsonl",
    "findings.jsonl.new",
    "index.html",
    "junit.xml",
    "kept",
    "previous",
    "readers",
    "results.jsonl",
    "results.jsonl.new",
    "results.sarif",
    "run.json",
    "run.json.new",
    "sweep.json",
    "sweep.json.new",
    "times.jsonl",
];

/// Why the lock cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    #[error("{}: another run is using this folder: {holder}", path.display())]
    Held { path: PathBuf, holder: String },
    #[error("{}: neither a regular file nor a directory; remove it", .0.display())]
    Special(PathBuf),
    /// The folder cannot be written.
    #[error("{}: {error}{}", path.display(), advice(error))]
    Io { path: PathBuf, error: io::Error },
}

/// What to do where a folder cannot be written.
fn advice(error: &io::Error) -> &'static str {
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => "; --out names another folder",
        _ => "",
    }
}

impl FolderLock {
    /// Takes the lock of a folder, which is created if it is missing.
    ///
    /// # Errors
    /// Another process, or another lock of this one, holds it; the folder cannot be written, or
    /// contains a link where results are written.
    pub fn take(folder: &Path) -> Result<FolderLock, LockError> {
        let path = folder.join(LOCK);
        let failed = |error: io::Error| LockError::Io { path: path.clone(), error };
        fs::create_dir_all(folder).map_err(|error| LockError::Io { path: folder.to_owned(), error })?;
        for path in WRITTEN.map(|name| folder.join(name)) {
            match fs::symlink_metadata(&path) {
                Ok(about) if !about.is_file() && !about.is_dir() => return Err(LockError::Special(path)),
                // If it cannot be written for another reason, the write reports it.
                Ok(_) | Err(_) => {}
            }
        }
        // The text is the holder's until the lock is taken.
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).clone();
        let mut file = options.open(&path).map_err(failed)?;
        match flock(&file, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => {}
            Err(Errno::WOULDBLOCK) => {
                let mut holder = String::new();
                file.read_to_string(&mut holder).map_err(failed)?;
                return Err(LockError::Held { holder: holder.trim_end().to_owned(), path });
            }
            Err(error) => return Err(failed(error.into())),
        }
        file.set_len(0).and_then(|()| writeln!(file, "{}", me())).map_err(failed)?;
        Ok(FolderLock { file })
    }
}

/// Text of the lock file: `pid 4711 on build-3 since 2026-11-22 16:30:05 UTC`.
fn me() -> String {
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    format!("pid {} on {host} since {} UTC", std::process::id(), results::moment(since))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::{FolderLock, LockError, WRITTEN};

    #[test]
    fn results_are_written_through_no_link() {
        let (folder, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("another"));
        fs::write(other.path().join("file"), "precious").expect("a file");
        for name in WRITTEN {
            let path = folder.path().join(name);
            for leads in [other.path().to_owned(), other.path().join("file")] {
                let _ = fs::remove_file(&path);
                symlink(leads, &path).expect("a link");
                let refused = FolderLock::take(folder.path()).expect_err("refused");
                assert!(matches!(&refused, LockError::Special(special) if *special == path), "{refused}");
            }
            fs::remove_file(&path).expect("the link");
        }
        FolderLock::take(folder.path()).expect("nothing is in the way");
        assert_eq!(fs::read(other.path().join("file")).expect("the file"), b"precious");
    }
}

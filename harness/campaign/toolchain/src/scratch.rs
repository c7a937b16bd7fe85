//! A temporary folder that is removed at the end of its use or, if the process was killed, when the
//! next process creates its first.
//!
//! A folder is locked while its process lives, so that no other process removes it. A process that
//! loses a folder between creating and locking it creates another.

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Once;

use rustix::fs::{FlockOperation, Mode, OFlags, flock};

use crate::trouble;

/// A temporary folder of this process in the system's folder (`TMPDIR`), removed when dropped.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    /// Open file descriptor of the folder; closing it releases the lock.
    _lock: File,
}

/// Prefix of the folder names, followed by the process number.
pub const PREFIX: &str = "sframe-conformance-";

/// Maximum number of attempts: a folder is lost only to another process that starts at the same
/// moment.
const MOST_TRIES: usize = 100;

impl Scratch {
    /// Creates a folder. The first one of a process removes the folders of dead processes.
    pub fn new() -> io::Result<Scratch> {
        static SWEPT: Once = Once::new();
        let temporary = std::env::temp_dir();
        SWEPT.call_once(|| sweep(&temporary));
        made_in(&temporary).map_err(|error| {
            let trouble = trouble::note(&temporary, &error);
            io::Error::new(error.kind(), trouble)
        })
    }

    /// Path of the folder.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A leftover is removed by the next process.
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn made_in(temporary: &Path) -> io::Result<Scratch> {
    let mut lost = io::ErrorKind::NotFound.into();
    for _ in 0..MOST_TRIES {
        let prefix = format!("{PREFIX}{}-", std::process::id());
        let path = tempfile::Builder::new().prefix(&prefix).tempdir_in(temporary)?.keep();
        match locked(&path).and_then(|lock| is_still(&path, &lock).map(|()| lock)) {
            Ok(lock) => return Ok(Scratch { path, _lock: lock }),
            Err(error) => lost = error,
        }
    }
    Err(lost)
}

/// Fails if the locked folder was removed before, so that its path refers to another folder now.
fn is_still(path: &Path, lock: &File) -> io::Result<()> {
    let (there, held) = (fs::symlink_metadata(path)?, lock.metadata()?);
    match there.ino() == held.ino() && there.dev() == held.dev() {
        true => Ok(()),
        false => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Removes the folders of this user that no process holds. Failures are ignored.
fn sweep(temporary: &Path) {
    let user = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(temporary).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX)
            && entry.metadata().is_ok_and(|found| found.is_dir() && found.uid() == user);
        if is_ours && let Ok(_lock) = locked(&entry.path()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Locks a folder that no process holds.
fn locked(folder: &Path) -> io::Result<File> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = rustix::fs::open(folder, flags, Mode::empty())?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive)?;
    Ok(File::from(folder))
}

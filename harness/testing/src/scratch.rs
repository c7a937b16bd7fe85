//! Temporary folder for tests: in memory if there is space, because a disk's file system is slow
//! for thousands of short-lived files.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rustix::fs::{Access, StatVfsMountFlags, access, statvfs};
use tempfile::TempDir;

/// Required free space in bytes: more than all tests need at once.
const ROOM: u64 = 1 << 30;

/// The folder: `TMPDIR`, if it is set.
pub static SCRATCH: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let is_set = std::env::var_os("TMPDIR").is_some();
    if !is_set && is_fit(memory) { memory.to_owned() } else { std::env::temp_dir() }
});

/// Returns true if the folder is writable, has space, and allows execution: a container's may lack
/// any of these.
fn is_fit(folder: &Path) -> bool {
    statvfs(folder).is_ok_and(|facts| {
        facts.f_bavail.saturating_mul(facts.f_frsize) >= ROOM && !facts.f_flag.contains(StatVfsMountFlags::NOEXEC)
    }) && access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Creates a separate folder for a test.
///
/// # Panics
/// It cannot be created.
pub fn folder() -> TempDir {
    tempfile::tempdir_in(&*SCRATCH).expect("a temporary folder")
}

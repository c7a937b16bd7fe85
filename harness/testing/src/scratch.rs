//! Where tests write: in memory where there is room, for the file system of a disk takes its time
//! over thousands of files that last a moment.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rustix::fs::{Access, StatVfsMountFlags, access, statvfs};
use tempfile::TempDir;

/// More than all tests at once ever need.
const ROOM: u64 = 1 << 30;

/// The folder: that of `TMPDIR`, where it is set.
pub static SCRATCH: LazyLock<PathBuf> = LazyLock::new(|| {
    let memory = Path::new("/dev/shm");
    let asked = std::env::var_os("TMPDIR").is_some();
    if !asked && is_fit(memory) { memory.to_owned() } else { std::env::temp_dir() }
});

/// Returns true if it can be written to, has room, and runs programs: a container's may do none of
/// these.
fn is_fit(folder: &Path) -> bool {
    statvfs(folder).is_ok_and(|facts| {
        facts.f_bavail.saturating_mul(facts.f_frsize) >= ROOM && !facts.f_flag.contains(StatVfsMountFlags::NOEXEC)
    }) && access(folder, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

/// Makes a folder of its own for a test.
///
/// # Panics
/// There can be none.
pub fn folder() -> TempDir {
    tempfile::tempdir_in(&*SCRATCH).expect("a temporary folder")
}

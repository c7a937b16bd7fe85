//! A directory of the host that a program sees as its file tree, read on access. The implementation
//! decides its contents; the kernel asks only for names that it got from the implementation.

use std::fmt::Debug;

/// The kind of a directory entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file, with size, execute permission and time.
    File {
        /// Size in bytes.
        size: u64,
        /// The file may be executed.
        executable: bool,
        /// Modification time, in seconds and nanoseconds: programs compare it with times that they
        /// have recorded (Python, with that of a compiled module's source).
        changed: (u64, u64),
    },
    Folder,
    /// A symbolic link to this path, inside the same tree.
    Link(Vec<u8>),
}

/// A read-only file tree. Paths have no `/` at either end, and contain no symbolic link or `..`;
/// the root directory is the empty path.
pub trait Root: Debug + Send + Sync {
    /// The entries of a directory; empty if it cannot be read.
    fn list(&self, path: &[u8]) -> Vec<(Vec<u8>, Entry)>;

    /// The entry at a path that its directory does not list.
    fn find(&self, _path: &[u8]) -> Option<Entry> {
        None
    }

    /// The contents of a file; `None` if it cannot be read or is too large.
    fn read(&self, path: &[u8]) -> Option<Vec<u8>>;
}

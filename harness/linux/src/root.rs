//! A folder outside that a program sees as its file tree, read when it is looked at. Who implements
//! it decides what is in it; the kernel asks only for names that it got from it before.

use std::fmt::Debug;

/// The kind of a name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// A file of that many bytes, and whether it may be executed.
    File {
        /// Bytes.
        size: u64,
        /// It may be executed.
        executable: bool,
    },
    /// A folder.
    Folder,
    /// A symbolic link to this path, which leads somewhere in the same tree.
    Link(Vec<u8>),
}

/// A tree of files that is only read. Paths have no `/` at either end, and no symbolic link or `..`
/// in them; the top is empty.
pub trait Root: Debug + Send + Sync {
    /// What is in a folder; nothing where it cannot be read.
    fn list(&self, path: &[u8]) -> Vec<(Vec<u8>, Entry)>;

    /// What has a name that its folder does not list.
    fn find(&self, _path: &[u8]) -> Option<Entry> {
        None
    }

    /// What is in a file, if it can be read and is not too large.
    fn read(&self, path: &[u8]) -> Option<Vec<u8>>;
}

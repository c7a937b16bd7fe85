//! The environment of a program: files and input that the user gives.

use std::sync::Arc;

use crate::clock::Clock;
use crate::contents::Contents;
use crate::errno::Errno;
use crate::programs::Programs;
use crate::root::Root;
use crate::tree::{Body, Last, TOP, Tree};

/// A file for the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// Path; a relative path is taken from `/`. Parent directories are created.
    pub path: String,
    /// Contents. They are copied when the program changes them.
    pub bytes: Arc<[u8]>,
}

/// The environment of a program, besides devices and an empty `/tmp`. Its working directory is `/`.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub files: Vec<Given>,
    /// Standard input, as a file; `/dev/null` if not given.
    pub input: Option<Arc<[u8]>>,
    /// A read-only tree that is visible where no other file is.
    pub root: Option<Arc<dyn Root>>,
    /// The program's own file, for `/proc/self/exe`.
    pub program: Option<Given>,
    /// Images of the programs that it becomes; without it `execve` ends the run.
    pub programs: Option<Arc<dyn Programs>>,
}

/// A file that cannot be placed in the tree.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program cannot be given {path}: {reason}")]
pub struct WorldError {
    /// The requested path.
    pub path: String,
    pub reason: &'static str,
}

impl WorldError {
    pub(crate) fn new(path: &str, errno: Errno) -> WorldError {
        let reason = match errno {
            Errno::Exists => "the path exists already",
            Errno::NotFolder => "its parent is not a folder",
            Errno::IsFolder => "it is not a file name",
            Errno::Invalid => "its path has `..` in it",
            Errno::NoSpace => "it has too many files, or of those it reads more than 1 GiB",
            Errno::NameTooLong => "its path is too long",
            Errno::NoEntry => "its path does not exist",
            _ => "the emulated file system refuses its path",
        };
        WorldError { path: path.to_owned(), reason }
    }
}

impl World {
    /// Reads a file: returns its path without symbolic links, and its contents.
    pub fn read(&self, path: &str) -> Result<(String, Vec<u8>), WorldError> {
        let mut tree = self.tree()?;
        let mut find = || {
            let place = tree.find(TOP, path.as_bytes(), Last::Follow)?;
            let node = place.node.ok_or(Errno::NoEntry)?;
            tree.open_file(node)?;
            let path = String::from_utf8_lossy(&tree.path_of(&place)?).into_owned();
            match &tree.node(node)?.body {
                Body::File(bytes) => Ok((path, bytes.to_vec())),
                _ => Err(Errno::IsFolder),
            }
        };
        find().map_err(|errno| WorldError::new(path, errno))
    }

    /// The file tree of a new program.
    pub(crate) fn tree(&self) -> Result<Tree, WorldError> {
        let mut tree = Tree::new(Clock::began());
        if let Some(root) = &self.root {
            tree.show(Arc::clone(root)).map_err(|errno| WorldError::new("its root", errno))?;
        }
        for file in self.files.iter().chain(&self.program) {
            // A given file that is a program may be searched for by its execute permission.
            let is_program = file.bytes.starts_with(b"\x7fELF") || file.bytes.starts_with(b"#!");
            let mode = if is_program { 0o755 } else { 0o644 };
            tree.give(file, mode).map_err(|errno| WorldError::new(&file.path, errno))?;
        }
        Ok(tree)
    }

    /// Checks that each file can be placed in the tree.
    pub fn check(&self) -> Result<(), WorldError> {
        let mut tree = Tree::new(Clock::began());
        for file in &self.files {
            let failed = |errno| WorldError::new(&file.path, errno);
            tree.put_at(&file.path, Body::File(Contents::Own(Vec::new())), 0).map_err(failed)?;
        }
        Ok(())
    }
}

//! Enumerates the files below the paths of a sweep, each once, in an order that depends only on
//! names.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use types::Skip;
use unpack::file_name;

/// An entry found below a path.
#[derive(Debug)]
pub(super) struct FoundPath {
    pub(super) path: PathBuf,
    pub(super) name: String,
    /// Path relative to the named folder: the same on every host.
    pub(super) key: String,
    /// True if it was named on the command line.
    pub(super) named: bool,
    pub(super) what: What,
}

#[derive(Debug)]
pub(super) enum What {
    /// A regular file of this size in bytes.
    File(u64),
    /// An entry that is not opened.
    Skip(Skip),
    /// An entry that cannot be examined.
    Failed(io::Error),
}

/// Calls `each` with all files below the paths, one after the other; only links are kept in a list.
/// A file with several names is reported under one of them; a link to a file is followed if the
/// file has no other name there; links to folders are not followed.
pub(super) fn walk(paths: &[PathBuf], each: &mut dyn FnMut(FoundPath) -> ControlFlow<()>) -> ControlFlow<()> {
    let mut found = Visit { each, links: Vec::new(), seen: HashSet::new() };
    // A named file counts as named, even if a named folder contains it too.
    let (folders, files): (Vec<_>, Vec<_>) = paths.iter().partition(|path| path.is_dir());
    for path in files {
        let key = path.file_name().map_or_else(String::new, |name| file_name(name.as_bytes()));
        match fs::metadata(path) {
            Err(error) => found.push(path.clone(), key, true, What::Failed(error))?,
            Ok(about) if !about.is_file() => {
                let error = io::Error::new(io::ErrorKind::InvalidInput, "neither a file nor a folder");
                found.push(path.clone(), key, true, What::Failed(error))?;
            }
            Ok(about) if found.is_new(&about) => found.push(path.clone(), key, true, What::File(about.len()))?,
            Ok(_) => {}
        }
    }
    for root in folders {
        found.below(root)?;
    }
    for (path, key) in std::mem::take(&mut found.links) {
        match fs::metadata(&path) {
            Ok(about) if about.is_file() && found.is_new(&about) => {
                found.push(path, key, false, What::File(about.len()))?;
            }
            _ => found.push(path, key, false, What::Skip(Skip::Link))?,
        }
    }
    ControlFlow::Continue(())
}

struct Visit<'e> {
    each: &'e mut dyn FnMut(FoundPath) -> ControlFlow<()>,
    links: Vec<(PathBuf, String)>,
    /// Device and inode of the files that were seen.
    seen: HashSet<(u64, u64)>,
}

impl Visit<'_> {
    fn is_new(&mut self, about: &Metadata) -> bool {
        self.seen.insert((about.dev(), about.ino()))
    }

    fn push(&mut self, path: PathBuf, key: String, named: bool, what: What) -> ControlFlow<()> {
        let name = file_name(path.as_os_str().as_bytes());
        (self.each)(FoundPath { path, name, key, named, what })
    }

    fn below(&mut self, root: &Path) -> ControlFlow<()> {
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            let key = |path: &Path| file_name(path.strip_prefix(root).unwrap_or(path).as_os_str().as_bytes());
            let (names, about) = match names(&folder).and_then(|names| Ok((names, fs::metadata(&folder)?))) {
                Ok(read) => read,
                Err(error) => {
                    let key = key(&folder);
                    self.push(folder, key, false, What::Failed(error))?;
                    continue;
                }
            };
            if !self.is_new(&about) {
                continue;
            }
            let mut inner = Vec::new();
            for name in names {
                let path = folder.join(&*name);
                let key = key(&path);
                match fs::symlink_metadata(&path) {
                    Ok(about) if about.is_dir() => inner.push(path),
                    Ok(about) if about.is_symlink() => self.links.push((path, key)),
                    Ok(about) if about.is_file() && self.is_new(&about) => {
                        self.push(path, key, false, What::File(about.len()))?;
                    }
                    Ok(about) if about.is_file() => self.push(path, key, false, What::Skip(Skip::Link))?,
                    Ok(_) => self.push(path, key, false, What::Skip(Skip::Special))?,
                    Err(error) => self.push(path, key, false, What::Failed(error))?,
                }
            }
            // The last one is taken first.
            folders.extend(inner.into_iter().rev());
        }
        ControlFlow::Continue(())
    }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> io::Result<Vec<Box<OsStr>>> {
    let names: io::Result<Vec<_>> = fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().into())).collect();
    let mut names = names?;
    names.sort();
    Ok(names)
}

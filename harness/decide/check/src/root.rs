//! A host folder as a program's file tree, read only, and only when the program accesses it:
//! nothing outside it is ever opened.

use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;

use linux::{Entry, Root};
use rustix::fs::{AtFlags, Dir, FileType, Mode, OFlags, ResolveFlags, open, openat2, readlinkat, statat};
use rustix::io::Errno;

/// Maximum number of names in one folder, and maximum size of a file in bytes.
const MOST_NAMES: usize = 20_000;
const MOST_BYTES: u64 = 1 << 30;

/// Open file descriptor of the folder.
#[derive(Debug)]
pub struct HostRoot(OwnedFd);

impl HostRoot {
    pub fn open(folder: &Path) -> io::Result<HostRoot> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        Ok(HostRoot(open(folder, flags, Mode::empty())?))
    }

    /// Opens a path below the folder. The kernel refuses paths that leave the folder, and symbolic
    /// links.
    fn beneath(&self, path: &[u8], flags: OFlags) -> Result<OwnedFd, Errno> {
        let path = if path.is_empty() { &b"."[..] } else { path };
        let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        openat2(&self.0, path, flags | OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty(), resolve)
    }

    fn names(&self, path: &[u8]) -> Result<Vec<(Vec<u8>, Entry)>, Errno> {
        let folder = self.beneath(path, OFlags::DIRECTORY)?;
        let mut names = Vec::new();
        for found in Dir::read_from(&folder)?.take(MOST_NAMES) {
            let found = found?;
            let name = found.file_name();
            if matches!(name.to_bytes(), b"." | b"..") {
                continue;
            }
            let about = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
            let entry = match FileType::from_raw_mode(about.st_mode) {
                FileType::RegularFile => Entry::File {
                    size: about.st_size as u64,
                    executable: about.st_mode & 0o111 != 0,
                    changed: (about.st_mtime as u64, about.st_mtime_nsec as u64),
                },
                FileType::Directory => Entry::Folder,
                FileType::Symlink => Entry::Link(readlinkat(&folder, name, Vec::new())?.into_bytes()),
                // Devices, pipes and sockets are not visible.
                _ => continue,
            };
            names.push((name.to_bytes().to_vec(), entry));
        }
        names.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(names)
    }
}

impl Root for HostRoot {
    fn list(&self, path: &[u8]) -> Vec<(Vec<u8>, Entry)> {
        self.names(path).unwrap_or_default()
    }

    fn read(&self, path: &[u8]) -> Option<Vec<u8>> {
        contents(self.beneath(path, OFlags::NOFOLLOW).ok()?.into())
    }
}

/// The contents of a regular file that is not too large; a FIFO is not waited for.
pub(crate) fn read_regular(path: &Path) -> Option<Vec<u8>> {
    contents(open(path, OFlags::NONBLOCK | OFlags::CLOEXEC, Mode::empty()).ok()?.into())
}

fn contents(mut file: File) -> Option<Vec<u8>> {
    let about = file.metadata().ok()?;
    if !about.is_file() || about.len() > MOST_BYTES {
        return None;
    }
    let mut bytes = Vec::with_capacity(about.len() as usize);
    io::Read::read_to_end(&mut io::Read::take(&mut file, MOST_BYTES), &mut bytes).ok()?;
    Some(bytes)
}

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
pub(crate) struct HostRoot(OwnedFd);

impl HostRoot {
    pub(crate) fn open(folder: &Path) -> io::Result<HostRoot> {
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::sync::Arc;
    use std::time::{Duration, UNIX_EPOCH};

    use linux::World;

    use super::*;

    #[test]
    fn a_file_has_its_own_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = File::create(folder.path().join("file")).expect("a file");
        file.set_modified(UNIX_EPOCH + Duration::new(1_000_000_007, 9)).expect("a time");
        let entries = HostRoot::open(folder.path()).expect("a folder").list(b"");
        let expected = Entry::File { size: 0, executable: false, changed: (1_000_000_007, 9) };
        assert_eq!(entries, [(b"file".to_vec(), expected)]);
    }

    #[test]
    fn nothing_outside_the_folder_is_read() {
        let outside = tempfile::tempdir().expect("a folder");
        fs::write(outside.path().join("secret"), "of the host").expect("a file");
        let inside = outside.path().join("root");
        fs::create_dir_all(inside.join("a/b")).expect("folders");
        fs::write(inside.join("a/file"), "inside").expect("a file");
        symlink("../secret", inside.join("up")).expect("a link");
        symlink(outside.path().join("secret"), inside.join("away")).expect("a link");
        symlink("/a/file", inside.join("a/b/link")).expect("a link");
        symlink(outside.path(), inside.join("folder")).expect("a link");
        let _socket = UnixListener::bind(inside.join("socket")).expect("a socket");
        let root = HostRoot::open(&inside).expect("a folder");
        let names: Vec<_> =
            root.list(b"").into_iter().map(|(name, _)| String::from_utf8_lossy(&name).into_owned()).collect();
        assert_eq!(names, ["a", "away", "folder", "up"]);
        assert_eq!(root.read(b"a/file"), Some(b"inside".to_vec()));
        let secret = outside.path().join("secret");
        for path in [
            "up",
            "away",
            "../secret",
            "a/../../secret",
            "folder/secret",
            secret.to_str().expect("UTF-8"),
            "a",
            "",
            "socket",
        ] {
            assert_eq!(root.read(path.as_bytes()), None, "{path}");
        }
        assert_eq!((root.list(b".."), root.list(b"folder"), root.list(b"/")), (Vec::new(), Vec::new(), Vec::new()));
        // As a program sees it: links are resolved inside the folder, and links out of it do not
        // resolve.
        let world = World { root: Some(Arc::new(root)), ..World::default() };
        let read =
            |path: &str| world.read(path).map(|(path, bytes)| (path, String::from_utf8_lossy(&bytes).into_owned()));
        assert_eq!(read("/a/b/link"), Ok(("/a/file".to_owned(), "inside".to_owned())));
        assert_eq!(read("/../../a/./b/../file"), Ok(("/a/file".to_owned(), "inside".to_owned())));
        for path in ["/up", "/away", "/folder/secret", "/secret", "/socket"] {
            assert!(read(path).is_err(), "{path}");
        }
        // Files that the emulated kernel provides hide those of the folder: a whole system has
        // these.
        fs::create_dir_all(inside.join("proc/1")).expect("folders");
        symlink("1", inside.join("proc/self")).expect("a link");
        fs::write(inside.join("proc/1/environ"), "of the host").expect("a file");
        let world = World { root: Some(Arc::new(HostRoot::open(&inside).expect("a folder"))), ..World::default() };
        assert!(linux::Kernel::new(types::Abi::Amd64, "/a/file", &world, 0).is_ok());
        assert!(world.read("/proc/self/environ").is_err() && world.read("/proc/self/maps").is_err());
    }
}

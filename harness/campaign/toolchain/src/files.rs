//! The files of a build, by name: in memory, and in a temporary folder once a tool must read them.
//! A cached output ([`crate::cache`]) is never written to disk.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};
use types::Bytes;

use crate::input;
use crate::process::ProcessError;
use crate::scratch::Scratch;
use crate::trouble;

/// Files by name, relative to a folder that is created when needed.
#[derive(Debug, Default)]
pub struct Files {
    held: BTreeMap<String, Held>,
    folder: Option<Scratch>,
}

#[derive(Debug)]
struct Held {
    bytes: Bytes,
    is_on_disk: bool,
    digest: OnceCell<[u8; 32]>,
}

impl Files {
    /// Adds or replaces a file.
    pub fn put(&mut self, name: &str, bytes: Bytes) {
        self.hold(name, bytes, false);
    }

    /// The contents of a file.
    pub fn get(&self, name: &str) -> Option<&Bytes> {
        self.held.get(name).map(|held| &held.bytes)
    }

    /// SHA-256 of a file, computed once for all commands that read it.
    pub(crate) fn digest(&self, name: &str) -> Option<&[u8; 32]> {
        self.held.get(name).map(|held| held.digest.get_or_init(|| Sha256::digest(&held.bytes).into()))
    }

    /// The folder that contains all files.
    pub fn folder(&mut self) -> Result<&Path, ProcessError> {
        let folder = match self.folder.take() {
            Some(folder) => folder,
            None => Scratch::new().map_err(ProcessError::Folder)?,
        };
        let folder = self.folder.insert(folder).path();
        for (name, held) in self.held.iter_mut().filter(|(_, held)| !held.is_on_disk) {
            write(&folder.join(name), &held.bytes).map_err(|error| ProcessError::Trouble {
                program: name.clone(),
                trouble: trouble::note(folder, &error),
            })?;
            held.is_on_disk = true;
        }
        Ok(folder)
    }

    /// Removes a file, so that a later one of the same name is known to be new.
    pub(crate) fn remove(&mut self, name: &str) {
        self.held.remove(name);
        if let Some(folder) = &self.folder {
            // A leftover is not a regular file, and is refused when it is taken.
            let _ = clear(&folder.path().join(name));
        }
    }

    /// Takes the file that a tool made in the folder: a regular file of at most `most` bytes, not a
    /// link to one.
    pub(crate) fn take(&mut self, name: &str, most: u64) -> io::Result<()> {
        let Some(folder) = &self.folder else { return Ok(()) };
        match input::read_made(&folder.path().join(name), most) {
            Ok(bytes) => self.hold(name, bytes.into(), true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Removes the folder's path, which differs each time, from a text.
    pub(crate) fn without_folder(&self, text: String) -> String {
        let Some(folder) = &self.folder else { return text };
        let folder = folder.path().display().to_string();
        if text.contains(&folder) { text.replace(&format!("{folder}/"), "").replace(&folder, ".") } else { text }
    }

    fn hold(&mut self, name: &str, bytes: Bytes, is_on_disk: bool) {
        self.held.insert(name.to_owned(), Held { bytes, is_on_disk, digest: OnceCell::new() });
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    // A tool may have left a link or a pipe of this name: neither is opened.
    clear(path)?;
    OpenOptions::new().write(true).create_new(true).open(path)?.write_all(bytes)
}

/// Removes a file or folder of any type.
fn clear(path: &Path) -> io::Result<()> {
    let removed = match fs::symlink_metadata(path) {
        Ok(about) if about.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

#[cfg(test)]
mod tests {
    use super::Files;

    #[test]
    fn files_stand_on_a_disk_when_a_tool_must_see_them() {
        let mut files = Files::default();
        files.put("a.s", "ret".into());
        assert!(files.folder.is_none());
        let folder = files.folder().expect("a folder").to_owned();
        let read = |name: &str| std::fs::read(folder.join(name)).ok();
        assert_eq!(read("a.s").as_deref(), Some(&b"ret"[..]));
        files.put("a.s", "nop".into());
        files.put("script.ld", "ENTRY(x)".into());
        assert_eq!(files.folder().expect("the same"), folder);
        assert_eq!((read("a.s"), read("script.ld")), (Some(b"nop".to_vec()), Some(b"ENTRY(x)".to_vec())));
        std::fs::write(folder.join("a.o"), "made").expect("a tool");
        files.take("a.o", 4).expect("it is there");
        assert_eq!(files.get("a.o").map(|bytes| &bytes[..]), Some(&b"made"[..]));
        let message = format!("{}/a.s: no", folder.display());
        assert_eq!(files.without_folder(message), "a.s: no");
        files.remove("a.s");
        assert_eq!((read("a.s"), files.get("a.s")), (None, None), "the next of its name is new");
        drop(files);
        assert!(!folder.exists());
    }
}

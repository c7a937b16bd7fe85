//! Reads the files of a sweep one after the other, and sends ELF files with their hashes to the
//! judging threads, once for all files with the same contents.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::io::Read;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use toolchain::{input, interrupt};
use types::{FileError, FileErrorKind, Skip};
use unpack::{Error, Member, Walk};

use super::digest::Digest;
use super::paths::{FoundPath, What};

/// Maximum size in bytes of an archive, which is never read as a whole.
const MOST_ARCHIVE: u64 = 1 << 36;

/// Result of reading a file. Events are in the order in which files are found, which is always the
/// same.
pub(super) enum Event {
    /// A file with new contents.
    Judge(SweptFile, Vec<u8>),
    /// A file whose contents were judged, or are about to be.
    Known(SweptFile),
    /// It cannot be read.
    Failed(SweptFile, FileError),
    /// A file that is skipped.
    Skip(Skip),
    /// An entry with this name and size is finished.
    Done(String, u64),
}

/// An ELF file, or one that could not be read.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(super) struct SweptFile {
    pub(super) name: String,
    pub(super) named: bool,
    /// Hash of the contents; `None` if they could not be read.
    pub(super) digest: Option<Digest>,
    pub(super) bytes: u64,
}

/// A pass over all files.
pub(super) struct Source<'s> {
    pub(super) shard: Option<(u64, u64)>,
    /// Hashes of the files that are judged.
    pub(super) known: HashSet<Digest>,
    pub(super) send: &'s mut dyn FnMut(Event) -> ControlFlow<()>,
    /// Hashes of file names, to use little memory for each file.
    names: HashSet<u128>,
}

impl<'s> Source<'s> {
    /// Begins a pass, with known hashes of earlier results.
    pub(super) fn new(
        shard: Option<(u64, u64)>,
        known: HashSet<Digest>,
        send: &'s mut dyn FnMut(Event) -> ControlFlow<()>,
    ) -> Self {
        Source { shard, known, send, names: HashSet::new() }
    }

    /// Examines an entry and everything inside of it.
    pub(super) fn look(&mut self, entry: &FoundPath) -> ControlFlow<()> {
        let bytes = match &entry.what {
            What::File(bytes) => *bytes,
            What::Skip(_) | What::Failed(_) => 0,
        };
        match &entry.what {
            What::Skip(skip) if self.is_ours(&entry.key) => (self.send)(Event::Skip(*skip))?,
            What::Failed(error) => {
                self.fail(entry, &entry.name, FileError::new(FileErrorKind::Io, error.to_string()))?
            }
            What::Skip(_) => {}
            What::File(_) => self.open(entry)?,
        }
        (self.send)(Event::Done(entry.name.clone(), bytes))
    }

    fn open(&mut self, entry: &FoundPath) -> ControlFlow<()> {
        // Members of thin archives are separate files beside the archive or below; each is examined
        // once, and never the archive itself.
        let folder = entry.path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut files: Vec<(String, Option<PathBuf>)> = vec![(entry.name.clone(), None)];
        let mut opened = HashSet::new();
        while let Some((name, path)) = files.pop() {
            let open = match &path {
                None => input::open(&entry.path, MOST_ARCHIVE),
                Some(member) => input::open_beneath(folder, member, MOST_ARCHIVE),
            };
            let (mut file, bytes) = match open {
                Ok(open) => open,
                Err(error) => {
                    self.fail(entry, &name, FileError::new(FileErrorKind::Io, error.to_string()))?;
                    continue;
                }
            };
            let id = |about: Metadata| (about.dev(), about.ino());
            if !opened.insert(file.metadata().map(id).unwrap_or_default()) {
                continue;
            }
            let mut visit = |name: &str, found: Member<'_>| match found {
                Member::Elsewhere(member) => {
                    let beside = path.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
                    let member = beside.join(OsStr::from_bytes(&member));
                    files.push((name.to_owned(), Some(member)));
                    ControlFlow::Continue(())
                }
                found => self.found(entry, name, found),
            };
            Walk::new(bytes, &mut visit).through(&name, &mut file)?;
        }
        ControlFlow::Continue(())
    }

    fn found(&mut self, entry: &FoundPath, name: &str, found: Member<'_>) -> ControlFlow<()> {
        if interrupt::is_requested() {
            return ControlFlow::Break(());
        }
        match found {
            Member::Elf(from) => self.elf(entry, name, from),
            Member::Failed(error) => self.fail(entry, name, error.into()),
            Member::Other(skip) if entry.named && name == entry.name => {
                let message = format!("not an ELF file, but {}", skip.hint());
                self.fail(entry, name, FileError::new(FileErrorKind::NotElf, message).at(0))
            }
            Member::Other(skip) if self.is_ours(&key(entry, name)) => (self.send)(Event::Skip(skip)),
            Member::Other(_) | Member::Elsewhere(_) => ControlFlow::Continue(()),
        }
    }

    fn elf(&mut self, entry: &FoundPath, name: &str, mut from: &mut dyn Read) -> ControlFlow<()> {
        let unique = self.unique(name);
        if !self.is_ours(&key(entry, &unique)) {
            return ControlFlow::Continue(());
        }
        let named = entry.named && name == entry.name;
        let bytes = match input::read_from(&mut from) {
            Ok(bytes) => bytes,
            Err(error) => {
                let seen = SweptFile { name: unique, named, digest: None, bytes: 0 };
                return (self.send)(Event::Failed(seen, Error::from_io(error).into()));
            }
        };
        let digest = Digest::new(&bytes);
        let seen = SweptFile { name: unique, named, digest: Some(digest), bytes: bytes.len() as u64 };
        match self.known.insert(digest) {
            true => (self.send)(Event::Judge(seen, bytes)),
            false => (self.send)(Event::Known(seen)),
        }
    }

    /// Reports that a file cannot be read.
    pub(super) fn fail(&mut self, entry: &FoundPath, name: &str, error: FileError) -> ControlFlow<()> {
        let unique = self.unique(name);
        if !self.is_ours(&key(entry, &unique)) {
            return ControlFlow::Continue(());
        }
        let named = entry.named && name == entry.name;
        (self.send)(Event::Failed(SweptFile { name: unique, named, digest: None, bytes: 0 }, error))
    }

    /// The name, with a number appended if another file has the same: an archive may have several
    /// members with the same name.
    fn unique(&mut self, name: &str) -> String {
        let mut unique = name.to_owned();
        let mut number = 2_u64;
        while !self.names.insert(Digest::new(unique.as_bytes()).half()) {
            unique = format!("{name}#{number}");
            number += 1;
        }
        unique
    }

    /// Returns true if a file belongs to the shard, which depends on its name, so that it is the
    /// same on every host.
    fn is_ours(&self, key: &str) -> bool {
        let Some((part, parts)) = self.shard else { return true };
        let number = (Digest::new(key.as_bytes()).half() >> 64) as u64;
        number % parts == part - 1
    }
}

/// A name relative to the named folder.
fn key(entry: &FoundPath, name: &str) -> String {
    format!("{}{}", entry.key, name.strip_prefix(&entry.name).unwrap_or(name))
}

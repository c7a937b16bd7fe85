//! The digest of a tool's files: its program and shared libraries; its whole folder if the tool has
//! its own; and the files that its entry lists.
//!
//! Contents are hashed once, and the digest is stored on disk with the status of each file and
//! folder (device, inode, size, times of modification and of change); if all of these are
//! unchanged, so are the contents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use sha2::{Digest as _, Sha256};

use super::hex;
use crate::{input, process};

/// Digest of a tool, and its own folder.
#[derive(Clone, Debug)]
pub(super) struct Makeup {
    digest: String,
    own: Option<PathBuf>,
}

/// Digests of this machine's tools, stored in a folder.
#[derive(Debug)]
pub(super) struct Makeups {
    folder: PathBuf,
    known: Mutex<BTreeMap<String, Arc<OnceLock<Option<String>>>>>,
}

/// Stored data of a tool: valid as long as all stamps are unchanged.
#[derive(serde::Serialize, serde::Deserialize)]
struct Remembered {
    /// Key of the tool.
    name: String,
    digest: String,
    stamps: Vec<(PathBuf, Option<Stamp>)>,
}

/// Status of a file or a folder.
#[derive(Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
struct Stamp {
    device: u64,
    inode: u64,
    bytes: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Folders shared by many programs: a tool in `bin` below one of them has no folder of its own.
const SHARED: [&str; 4] = ["/", "/usr", "/usr/local", "/opt"];

/// Files that determine which libraries are loaded, besides the libraries themselves.
const LOADER: [&str; 2] = ["/etc/ld.so.cache", "/etc/ld.so.preload"];

/// Maximum number of files of one tool. A larger folder is a system, not a tool.
const MOST_FILES: usize = 20_000;

/// Time limit for listing a tool's libraries.
const LIMIT: Duration = Duration::from_secs(10);

impl Makeup {
    pub(super) fn digest(&self) -> &[u8] {
        self.digest.as_bytes()
    }

    /// Returns true if a path is inside the tool's own folder.
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.own.as_ref().is_some_and(|own| path.starts_with(own))
    }
}

impl Makeups {
    /// The digests stored in a folder.
    pub(super) fn at(folder: &Path) -> Makeups {
        Makeups { folder: folder.to_owned(), known: Mutex::new(BTreeMap::new()) }
    }

    /// The digest of the tool with this program and the files that these patterns match; `None` if
    /// not all can be read.
    pub(super) fn find(&self, program: &Path, parts: &[String]) -> Option<Makeup> {
        let own = own_folder(program);
        let subject = own.clone().unwrap_or_else(|| program.to_owned());
        let name = hex(&Sha256::digest(format!("{subject:?} {parts:?} {:?}", std::env::var_os("LD_LIBRARY_PATH"))));
        let known =
            Arc::clone(self.known.lock().unwrap_or_else(PoisonError::into_inner).entry(name.clone()).or_default());
        let digest = known.get_or_init(|| self.digest(&name, &subject, parts)).clone()?;
        Some(Makeup { digest, own })
    }

    /// The stored digest, else computed by reading all files.
    fn digest(&self, name: &str, subject: &Path, parts: &[String]) -> Option<String> {
        let path = self.folder.join(name);
        let remembered = input::read_made(&path, input::MOST_BYTES)
            .ok()
            .and_then(|text| serde_json::from_slice::<Remembered>(&text).ok());
        if let Some(Remembered { name: of, digest, stamps }) = remembered
            && of == name
            && stamps.iter().all(|(path, stamp)| Stamp::new(path) == *stamp)
        {
            return Some(digest);
        }
        let remembered = taken_apart(name, subject, parts).ok()?;
        // If it cannot be stored, it is computed again next time.
        let _ = fs::create_dir_all(&self.folder).and_then(|()| {
            let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
            serde_json::to_writer(&mut file, &remembered)?;
            file.persist(path).map(drop).map_err(Into::into)
        });
        Some(remembered.digest)
    }
}

impl Stamp {
    /// `None` if the file does not exist.
    fn new(path: &Path) -> Option<Stamp> {
        let facts = fs::metadata(path).ok()?;
        Some(Stamp {
            device: facts.dev(),
            inode: facts.ino(),
            bytes: facts.len(),
            modified: (facts.mtime(), facts.mtime_nsec()),
            changed: (facts.ctime(), facts.ctime_nsec()),
        })
    }
}

/// `X` of `X/bin/program`, if X is not a shared folder.
fn own_folder(program: &Path) -> Option<PathBuf> {
    let folder = program.parent().filter(|folder| folder.ends_with("bin"))?;
    let own = fs::canonicalize(folder.parent()?).ok()?;
    (!SHARED.iter().any(|shared| own == Path::new(shared))).then_some(own)
}

/// Reads all files of a tool: its program or its folder, and the listed files.
fn taken_apart(name: &str, subject: &Path, parts: &[String]) -> io::Result<Remembered> {
    let mut found = ToolFiles::default();
    found.take(subject)?;
    for part in parts.iter().flat_map(|part| matching(part)) {
        found.take(&part)?;
    }
    let programs: Vec<PathBuf> = found.files.iter().filter(|path| is_program(path)).cloned().collect();
    for program in &programs {
        for library in libraries(program)? {
            found.take(&library)?;
        }
    }
    let mut digest = Sha256::new();
    for path in &found.files {
        digest.update(path.as_os_str().as_encoded_bytes());
        digest.update([0]);
        digest.update(contents(path)?);
    }
    let seen = found.files.iter().chain(&found.folders).cloned().chain(LOADER.map(PathBuf::from));
    let stamps = seen.map(|path| (path.clone(), Stamp::new(&path))).collect();
    Ok(Remembered { name: name.to_owned(), digest: hex(&digest.finalize()), stamps })
}

/// Files found, and the folders that were listed for them.
#[derive(Default)]
struct ToolFiles {
    files: BTreeSet<PathBuf>,
    folders: BTreeSet<PathBuf>,
}

impl ToolFiles {
    /// Adds a file, or all files below a folder. Links are followed, so that their targets count,
    /// each folder once.
    fn take(&mut self, path: &Path) -> io::Result<()> {
        let real = fs::canonicalize(path)?;
        if fs::metadata(&real)?.is_file() {
            self.files.insert(real);
            return if self.files.len() > MOST_FILES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(()) };
        }
        if !self.folders.insert(real.clone()) {
            return Ok(());
        }
        for entry in fs::read_dir(&real)? {
            let path = entry?.path();
            // A dangling link is ignored.
            match fs::metadata(&path) {
                Ok(facts) if facts.is_file() || facts.is_dir() => self.take(&path)?,
                Ok(_) | Err(_) => {}
            }
        }
        Ok(())
    }
}

/// Files that match a pattern: a `*` matches any text within one name. Sorted.
fn matching(pattern: &str) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for part in Path::new(pattern).components() {
        let name = part.as_os_str().to_string_lossy().into_owned();
        let Some((before, after)) = name.split_once('*').filter(|_| matches!(part, Component::Normal(_))) else {
            found.iter_mut().for_each(|path| path.push(part));
            continue;
        };
        let fits =
            |name: &str| name.len() >= before.len() + after.len() && name.starts_with(before) && name.ends_with(after);
        let listed = found.iter().flat_map(|folder| fs::read_dir(folder).into_iter().flatten().flatten());
        let mut next: Vec<PathBuf> =
            listed.filter(|entry| fits(&entry.file_name().to_string_lossy())).map(|entry| entry.path()).collect();
        next.sort();
        found = next;
    }
    found.retain(|path| path.exists());
    found
}

/// Returns true for a dynamically linked ELF executable, and for a script.
fn is_program(path: &Path) -> bool {
    let may_run = fs::metadata(path).is_ok_and(|facts| facts.mode() & 0o111 != 0);
    let is_library = path.file_name().is_some_and(|name| name.to_string_lossy().contains(".so"));
    may_run && !is_library
}

/// Shared libraries that are loaded with a program; for a script, its interpreter.
fn libraries(program: &Path) -> io::Result<Vec<PathBuf>> {
    let mut magic = [0; 2];
    let read = fs::File::open(program)?.read(&mut magic)?;
    if magic.get(..read) == Some(b"#!") {
        let text = fs::read(program)?;
        let first = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        let words = String::from_utf8_lossy(first.get(2..).unwrap_or_default()).into_owned();
        return Ok(words.split_whitespace().take(1).map(PathBuf::from).collect());
    }
    let program = program.display().to_string();
    let listed = process::run_within("ldd", &[&program], Path::new("/"), LIMIT).map_err(io::Error::other)?;
    // `libc.so.6 => /lib/libc.so.6 (0x7f…)` and `/lib64/ld-linux-x86-64.so.2 (0x7f…)`. Nothing is
    // listed for a static program, or one of another machine.
    let paths = listed.stdout.split_whitespace().filter(|word| word.starts_with('/'));
    Ok(paths.map(|path| PathBuf::from(path.trim_end_matches(':'))).filter(|path| path.is_file()).collect())
}

/// The digest of a file's contents.
fn contents(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = fs::File::open(path)?;
    let (mut digest, mut buffer) = (Sha256::new(), vec![0; 64 << 10]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(digest.finalize().to_vec()),
            read => digest.update(buffer.get(..read).unwrap_or_default()),
        }
    }
}

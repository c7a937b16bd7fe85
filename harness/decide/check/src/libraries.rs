//! The host files that a program's dynamic linker may open: shared objects of the program's
//! architecture in the folders that a dynamic linker searches, the interpreter in PT_INTERP, and
//! `/etc/ld.so.cache`. No other files can be opened.
//!
//! The emulated dynamic linker does the search; its requests are answered here, name by name. A
//! folder is allowed if it is a default folder, contains a library listed in the cache, or is in
//! DT_RPATH or DT_RUNPATH of the program or of a shared object that was read. In these folders a
//! file is visible only if its contents are a shared object, whatever its name or the link to it,
//! and folders are never listed. Paths in DT_NEEDED are treated the same.
//!
//! Relative paths there begin in this process's working directory, as where the program is executed
//! natively. The emulated program has another one, `/`, in which links lead to these files.

pub mod cache;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use elf::Dynamic;
use linux::{Entry, Root};
use types::Abi;

use crate::root::HostRoot;

/// Default folders: glibc (`ld.so(8)`, "NOTES") and musl (`ldso/dynlink.c`). A distribution's own
/// folders are those with files in the cache.
const DEFAULTS: [&str; 6] = ["/lib", "/usr/lib", "/lib64", "/usr/lib64", "/usr/local/lib", "/usr/local/lib64"];
/// Cache that glibc reads instead of searching most folders.
const CACHE: &str = "etc/ld.so.cache";
/// Folder of processor-specific variants, in each library folder (`ld.so(8)`, "Hardware
/// capabilities").
const VARIANTS: &[u8] = b"glibc-hwcaps";
/// Folders that the emulated kernel provides.
const OURS: [&[u8]; 3] = [b"dev", b"proc", b"sys"];
/// Maximum number of symbolic links in a path, and of folders.
const MOST_LINKS: u32 = 40;
const MOST_FOLDERS: usize = 4096;

/// The host files that may be opened; see the module. Paths are of the host, without the first `/`.
#[derive(Debug)]
pub struct Libraries {
    host: HostRoot,
    abi: Abi,
    known: Mutex<AllowedPaths>,
}

#[derive(Debug, Default)]
struct AllowedPaths {
    /// Folders and links on the paths to files that may be opened.
    ways: BTreeMap<Vec<u8>, Entry>,
    /// Folders, without symbolic links in their paths, in which any shared object may be opened.
    folders: BTreeSet<Vec<u8>>,
    /// Files in other folders that may be opened if they are shared objects.
    files: BTreeSet<Vec<u8>>,
    /// The working directory of the host; empty if it has none.
    here: Vec<u8>,
}

/// Target of a host path.
struct HostFile {
    ways: Vec<(Vec<u8>, Entry)>,
    path: Vec<u8>,
    about: fs::Metadata,
}

impl Libraries {
    /// Creates the set for a program, from its interpreter, its bytes, its folder, and the working
    /// directory. `None` if no host file can be read.
    pub fn new(abi: Abi, interpreter: &[u8], program: &[u8], origin: Option<&Path>, here: &Path) -> Option<Libraries> {
        let host = HostRoot::open(Path::new("/")).ok()?;
        let mut known = AllowedPaths { here: here.as_os_str().as_bytes().to_vec(), ..AllowedPaths::default() };
        known.add_file(interpreter);
        DEFAULTS.iter().for_each(|folder| known.add_folder(folder.as_bytes()));
        if let Some(bytes) = host.read(CACHE.as_bytes()).filter(|bytes| cache::is_cache(bytes)) {
            known.add_file(format!("/{CACHE}").as_bytes());
            cache::folders(&bytes).iter().for_each(|folder| known.add_folder(folder));
        }
        if let Some(dynamic) = elf::dynamic(program) {
            known.learn(&dynamic, origin.map(|origin| origin.as_os_str().as_bytes()));
        }
        Some(Libraries { host, abi, known: Mutex::new(known) })
    }

    /// The set with further folders and shared objects, by their paths.
    pub(crate) fn with(mut self, folders: &[Vec<u8>], objects: &[Vec<u8>]) -> Libraries {
        if let Ok(known) = self.known.get_mut() {
            folders.iter().for_each(|folder| known.add_folder(folder));
            objects.iter().for_each(|object| known.add_file(object));
        }
        self
    }

    /// The contents of a file that may be opened, if it is a shared object.
    fn shared_object(&self, path: &[u8]) -> Option<(Vec<u8>, Option<Dynamic>)> {
        let bytes = self.host.read(path)?;
        if path == CACHE.as_bytes() {
            return cache::is_cache(&bytes).then_some((bytes, None));
        }
        let dynamic = elf::dynamic(&bytes).filter(|dynamic| dynamic.is_shared_object && dynamic.abi == self.abi)?;
        Some((bytes, Some(dynamic)))
    }
}

impl Root for Libraries {
    fn list(&self, _: &[u8]) -> Vec<(Vec<u8>, Entry)> {
        Vec::new()
    }

    fn find(&self, path: &[u8]) -> Option<Entry> {
        let mut known = self.known.lock().ok()?;
        if let Some(way) = known.ways.get(path) {
            return Some(way.clone());
        }
        let (folder, name) = parts(path);
        let in_folder = known.folders.contains(folder);
        if !in_folder && !known.files.contains(path) {
            return None;
        }
        let found = find(&absolute(path))?;
        if found.about.is_dir() {
            let is_variant = name == VARIANTS || parts(folder).1 == VARIANTS;
            is_variant.then(|| known.add_folder(&absolute(path)))?;
            return known.ways.get(path).cloned();
        }
        let (bytes, _) = self.shared_object(&found.path)?;
        known.ways.extend(found.ways);
        if let Some(link) = known.ways.get(path) {
            let link = link.clone();
            known.files.insert(found.path);
            return Some(link);
        }
        let changed = (found.about.mtime() as u64, found.about.mtime_nsec() as u64);
        Some(Entry::File { size: bytes.len() as u64, executable: found.about.mode() & 0o111 != 0, changed })
    }

    fn read(&self, path: &[u8]) -> Option<Vec<u8>> {
        let mut known = self.known.lock().ok()?;
        if !known.folders.contains(parts(path).0) && !known.files.contains(path) {
            return None;
        }
        let (bytes, dynamic) = self.shared_object(path)?;
        if let Some(dynamic) = dynamic {
            known.learn(&dynamic, Some(&absolute(parts(path).0)));
        }
        Some(bytes)
    }
}

impl AllowedPaths {
    /// Adds the folders and files that a program or shared object refers to.
    fn learn(&mut self, dynamic: &Dynamic, origin: Option<&[u8]>) {
        let (paths, names): (Vec<_>, Vec<_>) = dynamic.needed.iter().partition(|name| name.contains(&b'/'));
        for path in paths.into_iter().flat_map(|path| expanded(path, origin, dynamic.abi)) {
            if path.starts_with(b"/") { self.add_file(&path) } else { self.add_relative(&path) }
        }
        let folders = dynamic.folders.iter().filter(|folder| !folder.is_empty());
        for folder in folders.flat_map(|folder| expanded(folder, origin, dynamic.abi)) {
            if folder.starts_with(b"/") {
                self.add_folder(&folder);
            } else {
                names.iter().for_each(|name| self.add_relative(&[&folder, &b"/"[..], name].concat()));
            }
        }
    }

    /// Adds a file by its path from the working directory: a link at this path from `/`.
    fn add_relative(&mut self, path: &[u8]) {
        let Some(found) = find(&[&self.here, &b"/"[..], path].concat()).filter(|found| found.about.is_file()) else {
            return;
        };
        let mut at: Vec<u8> = Vec::new();
        for name in path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".") {
            if !at.is_empty() {
                self.ways.entry(at.clone()).or_insert(Entry::Folder);
            }
            if name == b".." {
                at.truncate(parts(&at).0.len());
                continue;
            }
            if !at.is_empty() {
                at.push(b'/');
            }
            at.extend(name);
        }
        if at != found.path {
            self.ways.entry(at).or_insert(Entry::Link(absolute(&found.path)));
        }
        self.add_file(&absolute(&found.path));
    }

    fn add_folder(&mut self, path: &[u8]) {
        if let Some(found) = find(path).filter(|found| found.about.is_dir())
            && self.folders.len() < MOST_FOLDERS
        {
            self.ways.extend(found.ways);
            self.folders.insert(found.path);
        }
    }

    fn add_file(&mut self, path: &[u8]) {
        if let Some(found) = find(path).filter(|found| found.about.is_file())
            && self.files.len() < MOST_FOLDERS
        {
            self.ways.extend(found.ways);
            self.files.insert(found.path);
        }
    }
}

/// Target of an absolute host path, and each folder and symbolic link on it.
fn find(path: &[u8]) -> Option<HostFile> {
    let names = |path: &[u8]| -> Vec<Vec<u8>> {
        let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty() && *name != b".");
        names.rev().map(<[u8]>::to_vec).collect()
    };
    let (mut rest, mut links) = (names(path), 0);
    let (mut at, mut ways) = (Vec::new(), Vec::new());
    let mut about = fs::metadata("/").ok()?;
    while let Some(name) = rest.pop() {
        if at.is_empty() && OURS.contains(&name.as_slice()) {
            return None;
        }
        if name == b".." {
            at.truncate(parts(&at).0.len());
            about = fs::metadata(host_path(&at)).ok()?;
            continue;
        }
        let next = if at.is_empty() { name } else { [&at[..], b"/", &name].concat() };
        about = fs::symlink_metadata(host_path(&next)).ok()?;
        if about.is_symlink() {
            links += 1;
            let target =
                fs::read_link(host_path(&next)).ok().filter(|_| links <= MOST_LINKS)?.into_os_string().into_vec();
            if target.starts_with(b"/") {
                at.clear();
            }
            rest.extend(names(&target));
            ways.push((next, Entry::Link(target)));
        } else {
            if about.is_dir() {
                ways.push((next.clone(), Entry::Folder));
            } else if !rest.is_empty() {
                return None;
            }
            at = next;
        }
    }
    // A link to a folder that is already on the path.
    if about.is_symlink() {
        about = fs::metadata(host_path(&at)).ok()?;
    }
    Some(HostFile { ways, path: at, about })
}

/// A path with `$ORIGIN`, `$LIB` and `$PLATFORM` replaced, once for each folder that `$LIB` can
/// mean (`ld.so(8)`, "Dynamic string tokens").
fn expanded(path: &[u8], origin: Option<&[u8]>, abi: Abi) -> Vec<Vec<u8>> {
    let Ok(text) = std::str::from_utf8(path) else { return vec![path.to_vec()] };
    let origin = origin.and_then(|origin| std::str::from_utf8(origin).ok());
    let machine = abi.facts().uname_machine;
    let replaced = |text: String, token: &str, value: &str| {
        text.replace(&format!("${{{token}}}"), value).replace(&format!("${token}"), value)
    };
    if text.contains("ORIGIN") && origin.is_none() {
        return Vec::new();
    }
    let text = replaced(replaced(text.to_owned(), "ORIGIN", origin.unwrap_or_default()), "PLATFORM", machine);
    let libs = ["lib".to_owned(), "lib64".to_owned(), format!("lib/{machine}-linux-gnu")];
    let all: BTreeSet<Vec<u8>> = libs.iter().map(|lib| replaced(text.clone(), "LIB", lib).into_bytes()).collect();
    all.into_iter().collect()
}

/// Folder and last component of a path.
fn parts(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (&[], path),
    }
}

fn absolute(path: &[u8]) -> Vec<u8> {
    [b"/", path].concat()
}

fn host_path(path: &[u8]) -> PathBuf {
    PathBuf::from(std::ffi::OsString::from_vec(absolute(path)))
}

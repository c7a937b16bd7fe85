//! The file tree in memory: it has files that the user of the harness gave and those that the
//! program created. None of them is a file of the host.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::clock::Clock;
use crate::contents::Contents;
use crate::errno::Errno;
use crate::root::{Entry, Root};
use crate::world::Given;

/// A node's index; its inode number is one more.
pub(crate) type NodeId = usize;

/// The root directory.
pub(crate) const TOP: NodeId = 0;
/// Maximum number of nodes.
const MOST_NODES: usize = 1 << 16;
/// Maximum length of names and paths in bytes, and maximum number of symbolic links in a path
/// (Linux `include/uapi/linux/limits.h`, `include/linux/namei.h`).
const NAME_MAX: usize = 255;
pub(crate) const PATH_MAX: usize = 4096;
const MOST_LINKS: u32 = 40;

/// Files, directories, symbolic links and devices. A node remains after its last name is removed.
#[derive(Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    /// Number of bytes that the program wrote.
    written: usize,
    /// Number of bytes read from the root tree.
    read: usize,
    /// A read-only tree that is visible where no other file is.
    root: Option<Arc<dyn Root>>,
    /// Paths of the files that the user gives.
    given: BTreeMap<NodeId, Vec<u8>>,
}

#[derive(Debug)]
pub(crate) struct Node {
    pub(crate) body: Body,
    /// Permission bits.
    pub(crate) mode: u32,
    /// Number of hard links.
    pub(crate) names: u32,
    /// Modification time, in seconds and nanoseconds.
    pub(crate) changed: (u64, u64),
    /// Path in the root tree, whose files are read-only.
    pub(crate) source: Option<Vec<u8>>,
}

#[derive(Debug)]
pub(crate) enum Body {
    File(Contents),
    Folder {
        parent: NodeId,
        entries: BTreeMap<Vec<u8>, NodeId>,
    },
    /// A directory of the root tree that was not listed yet.
    Unlisted {
        parent: NodeId,
    },
    /// A file of the root tree that was not read yet.
    Unread {
        size: u64,
    },
    Link(Vec<u8>),
    Device(Device),
    /// `/proc/self/maps`: generated when it is opened.
    Maps,
}

/// Character devices that need no host device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Device {
    Null,
    Zero,
    Full,
    Random,
}

/// Treatment of a symbolic link at the end of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Last {
    Follow,
    Keep,
}

/// The result of a path lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resolved {
    /// The directory of the last name.
    pub(crate) folder: NodeId,
    /// The last name; empty if the path ends in `/`, `.` or `..`.
    pub(crate) name: Vec<u8>,
    /// The node at the path, if it exists.
    pub(crate) node: Option<NodeId>,
}

impl Tree {
    /// Maximum number of bytes of all files that the program wrote.
    const MOST_WRITTEN: usize = 256 << 20;
    /// Maximum number of bytes of all files of the root tree that it opened.
    const MOST_READ: usize = 1 << 30;

    /// Creates a tree with `/`, `/tmp`, the devices, and the kernel's files about the process.
    pub(crate) fn new(now: (u64, u64)) -> Tree {
        let body = Body::Folder { parent: TOP, entries: BTreeMap::new() };
        let top = Node { body, mode: 0o755, names: 1, changed: now, source: None };
        let mut tree = Tree { nodes: vec![top], written: 0, read: 0, root: None, given: BTreeMap::new() };
        let folder = || Body::Folder { parent: TOP, entries: BTreeMap::new() };
        // A new tree has room for these nodes.
        let _tmp = tree.add(TOP, b"tmp", folder(), 0o1777, now);
        let _sys = tree.add(TOP, b"sys", folder(), 0o755, now);
        let _maps = tree.put_at("proc/self/maps", Body::Maps, 0o444);
        if let Ok(dev) = tree.add(TOP, b"dev", folder(), 0o755, now) {
            for (name, device) in [
                (&b"null"[..], Device::Null),
                (b"zero", Device::Zero),
                (b"full", Device::Full),
                (b"random", Device::Random),
                (b"urandom", Device::Random),
            ] {
                let _there = tree.add(dev, name, Body::Device(device), 0o666, now);
            }
        }
        tree
    }

    pub(crate) fn node(&self, id: NodeId) -> Result<&Node, Errno> {
        self.nodes.get(id).ok_or(Errno::NoEntry)
    }

    pub(crate) fn node_mut(&mut self, id: NodeId) -> Result<&mut Node, Errno> {
        self.nodes.get_mut(id).ok_or(Errno::NoEntry)
    }

    /// Shows a root tree wherever no other file is.
    pub(crate) fn show(&mut self, root: Arc<dyn Root>) -> Result<(), Errno> {
        self.root = Some(root);
        self.list(TOP, b"")
    }

    /// Lists a directory of the root tree, once.
    fn open_folder(&mut self, folder: NodeId) -> Result<(), Errno> {
        let node = self.node_mut(folder)?;
        let (Body::Unlisted { parent }, Some(source)) = (&node.body, node.source.clone()) else { return Ok(()) };
        node.body = Body::Folder { parent: *parent, entries: BTreeMap::new() };
        self.list(folder, &source)
    }

    fn list(&mut self, folder: NodeId, source: &[u8]) -> Result<(), Errno> {
        let Some(root) = self.root.clone() else { return Ok(()) };
        for (name, entry) in root.list(source) {
            if !self.entries(folder)?.1.contains_key(&name) {
                self.take_in(folder, beneath(source, &name), name, entry)?;
            }
        }
        Ok(())
    }

    /// The node of a name in a listed directory.
    fn node_of(&mut self, folder: NodeId, name: &[u8]) -> Result<Option<NodeId>, Errno> {
        if let Some(known) = self.entries(folder)?.1.get(name).copied() {
            return Ok(Some(known));
        }
        let Some(root) = self.root.clone() else { return Ok(None) };
        let source = match &self.node(folder)?.source {
            Some(source) => source.clone(),
            // A directory of the program or the user may be at a path where the root tree has
            // names.
            None => self.path(folder)?.get(1..).unwrap_or_default().to_vec(),
        };
        let path = beneath(&source, name);
        let Some(entry) = root.find(&path) else { return Ok(None) };
        self.take_in(folder, path, name.to_vec(), entry).map(Some)
    }

    /// Creates a node for an entry of the root tree.
    fn take_in(&mut self, folder: NodeId, path: Vec<u8>, name: Vec<u8>, entry: Entry) -> Result<NodeId, Errno> {
        let (body, mode, changed) = match entry {
            Entry::File { size, executable, changed } => {
                (Body::Unread { size }, if executable { 0o755 } else { 0o644 }, changed)
            }
            Entry::Folder => (Body::Unlisted { parent: folder }, 0o755, Clock::began()),
            Entry::Link(target) => (Body::Link(target), 0o777, Clock::began()),
        };
        let id = self.insert(body, mode, changed)?;
        let node = self.node_mut(id)?;
        (node.names, node.source) = (1, Some(path));
        self.entries_mut(folder)?.insert(name, id);
        Ok(id)
    }

    /// Reads a file of the root tree, once.
    pub(crate) fn open_file(&mut self, id: NodeId) -> Result<(), Errno> {
        let (Body::Unread { .. }, Some(source)) = (&self.node(id)?.body, self.node(id)?.source.clone()) else {
            return Ok(());
        };
        let root = self.root.clone().ok_or(Errno::NoEntry)?;
        let bytes = root.read(&source).ok_or(Errno::Access)?;
        if bytes.len() > Tree::MOST_READ - self.read {
            return Err(Errno::NoSpace);
        }
        self.read += bytes.len();
        self.node_mut(id)?.body = Body::File(Contents::Own(bytes));
        Ok(())
    }

    /// Returns an error for nodes of the root tree, which are read-only.
    pub(crate) fn writable(&self, id: NodeId) -> Result<(), Errno> {
        if self.node(id)?.source.is_some() { Err(Errno::ReadOnly) } else { Ok(()) }
    }

    /// The parent of a directory, and its entries.
    pub(crate) fn entries(&self, folder: NodeId) -> Result<(NodeId, &BTreeMap<Vec<u8>, NodeId>), Errno> {
        match &self.node(folder)?.body {
            Body::Folder { parent, entries } => Ok((*parent, entries)),
            _ => Err(Errno::NotFolder),
        }
    }

    fn entries_mut(&mut self, folder: NodeId) -> Result<&mut BTreeMap<Vec<u8>, NodeId>, Errno> {
        match &mut self.node_mut(folder)?.body {
            Body::Folder { entries, .. } => Ok(entries),
            _ => Err(Errno::NotFolder),
        }
    }

    /// Creates a file without a name.
    pub(crate) fn unnamed(&mut self, bytes: Contents, now: (u64, u64)) -> Result<NodeId, Errno> {
        self.insert(Body::File(bytes), 0o600, now)
    }

    fn insert(&mut self, body: Body, mode: u32, now: (u64, u64)) -> Result<NodeId, Errno> {
        let size = if let Body::File(bytes) = &body { bytes.kept() } else { 0 };
        if self.nodes.len() == MOST_NODES || size > Tree::MOST_WRITTEN - self.written {
            return Err(Errno::NoSpace);
        }
        self.written += size;
        self.nodes.push(Node { body, mode, names: 0, changed: now, source: None });
        Ok(self.nodes.len() - 1)
    }

    /// Creates a node with a free name.
    pub(crate) fn add(
        &mut self,
        folder: NodeId,
        name: &[u8],
        mut body: Body,
        mode: u32,
        now: (u64, u64),
    ) -> Result<NodeId, Errno> {
        if name.is_empty() || self.entries(folder)?.1.contains_key(name) {
            return Err(Errno::Exists);
        }
        if let Body::Folder { parent, .. } = &mut body {
            *parent = folder;
        }
        let id = self.insert(body, mode, now)?;
        self.name(folder, name, id)?;
        Ok(id)
    }

    /// Gives a node a name, and replaces an existing node of that name.
    pub(crate) fn name(&mut self, folder: NodeId, name: &[u8], id: NodeId) -> Result<(), Errno> {
        self.writable(folder)?;
        if let Some(old) = self.entries_mut(folder)?.insert(name.to_vec(), id) {
            self.lose_name(old);
        }
        self.node_mut(id)?.names += 1;
        if let Body::Folder { parent, .. } = &mut self.node_mut(id)?.body {
            *parent = folder;
        }
        Ok(())
    }

    /// Removes a name.
    pub(crate) fn forget(&mut self, folder: NodeId, name: &[u8]) -> Result<(), Errno> {
        self.writable(folder)?;
        let old = self.entries_mut(folder)?.remove(name).ok_or(Errno::NoEntry)?;
        self.lose_name(old);
        Ok(())
    }

    fn lose_name(&mut self, id: NodeId) {
        if let Ok(node) = self.node_mut(id) {
            node.names = node.names.saturating_sub(1);
        }
    }

    /// Changes the length of a file; new bytes are zero.
    pub(crate) fn resize(&mut self, id: NodeId, length: usize) -> Result<(), Errno> {
        self.writable(id)?;
        let all = self.written;
        let Body::File(bytes) = &mut self.node_mut(id)?.body else { return Err(Errno::Invalid) };
        let rest = all.saturating_sub(bytes.kept());
        if length > Tree::MOST_WRITTEN - rest {
            return Err(Errno::NoSpace);
        }
        bytes.resize(length);
        self.written = rest + length;
        Ok(())
    }

    /// Looks up a path relative to a directory, or to the root directory if it begins with `/`.
    pub(crate) fn find(&mut self, from: NodeId, path: &[u8], last: Last) -> Result<Resolved, Errno> {
        if path.is_empty() {
            return Err(Errno::NoEntry);
        }
        // The remaining names, last first.
        let mut rest: Vec<Vec<u8>> = Vec::new();
        let mut links = 0;
        let mut at = if path.starts_with(b"/") { TOP } else { from };
        // A path `a/` must be a directory.
        let folder_wanted = path.ends_with(b"/");
        push_names(&mut rest, path);
        while let Some(name) = rest.pop() {
            if name.len() > NAME_MAX {
                return Err(Errno::NameTooLong);
            }
            self.open_folder(at)?;
            let (parent, _) = self.entries(at)?;
            let ends = rest.is_empty();
            match name.as_slice() {
                b"." => continue,
                b".." => {
                    at = parent;
                    continue;
                }
                _ => {}
            }
            let Some(id) = self.node_of(at, &name)? else {
                return if ends { Ok(Resolved { folder: at, name, node: None }) } else { Err(Errno::NoEntry) };
            };
            match &self.node(id)?.body {
                Body::Link(target) if !ends || last == Last::Follow || folder_wanted => {
                    links += 1;
                    if links > MOST_LINKS {
                        return Err(Errno::Loop);
                    }
                    if target.starts_with(b"/") {
                        at = TOP;
                    }
                    push_names(&mut rest, target);
                }
                Body::Folder { .. } | Body::Unlisted { .. } if !ends => at = id,
                Body::Folder { .. } | Body::Unlisted { .. } => {
                    self.open_folder(id)?;
                    return Ok(Resolved { folder: at, name, node: Some(id) });
                }
                _ if !ends || folder_wanted => return Err(Errno::NotFolder),
                _ => return Ok(Resolved { folder: at, name, node: Some(id) }),
            }
        }
        Ok(Resolved { folder: at, name: Vec::new(), node: Some(at) })
    }

    /// Creates a node at a path, with its parent directories.
    pub(crate) fn put_at(&mut self, path: &str, body: Body, mode: u32) -> Result<NodeId, Errno> {
        let now = Clock::began();
        let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty() && *name != ".").collect();
        let Some((last, folders)) = names.split_last() else { return Err(Errno::IsFolder) };
        let mut at = TOP;
        for name in folders {
            if *name == ".." {
                return Err(Errno::Invalid);
            }
            // Follows a symbolic link of the root tree.
            let place = self.find(at, name.as_bytes(), Last::Follow)?;
            at = match place.node {
                Some(there) => there,
                None => {
                    let Resolved { folder: at, name, .. } = place;
                    let folder = Body::Folder { parent: at, entries: Default::default() };
                    let source = self.node_mut(at)?.source.take();
                    let added = self.add(at, &name, folder, 0o755, now);
                    self.node_mut(at)?.source = source;
                    added?
                }
            };
        }
        if *last == ".." {
            return Err(Errno::Invalid);
        }
        self.open_folder(at)?;
        // Files that the user gives take precedence over those of the root tree, also in its
        // directories.
        if let Some(there) = self.node_of(at, last.as_bytes())?
            && self.node(there)?.source.is_some()
        {
            self.entries_mut(at)?.remove(last.as_bytes());
        }
        let source = self.node_mut(at)?.source.take();
        let added = self.add(at, last.as_bytes(), body, mode, now);
        self.node_mut(at)?.source = source;
        added
    }

    /// Places a file that the user gives.
    pub(crate) fn give(&mut self, file: &Given, mode: u32) -> Result<(), Errno> {
        let node = self.put_at(&file.path, Body::File(Contents::Given(Arc::clone(&file.bytes))), mode)?;
        let path = [b"/", file.path.trim_start_matches("./").trim_start_matches('/').as_bytes()].concat();
        self.given.insert(node, path);
        Ok(())
    }

    /// The path at which a file was before the program began; `None` if the program made or changed
    /// it.
    pub(crate) fn original(&self, id: NodeId) -> Option<Vec<u8>> {
        let node = self.node(id).ok()?;
        match (&node.source, self.given.get(&id), &node.body) {
            (Some(source), _, _) => Some([b"/", source.as_slice()].concat()),
            (None, Some(path), Body::File(Contents::Given(_))) => Some(path.clone()),
            (None, _, _) => None,
        }
    }

    /// The path of a directory from the root.
    pub(crate) fn path(&self, mut folder: NodeId) -> Result<Vec<u8>, Errno> {
        let mut names: Vec<&[u8]> = Vec::new();
        while folder != TOP {
            let (parent, _) = self.entries(folder)?;
            let name = self.entries(parent)?.1.iter().find(|(_, id)| **id == folder).ok_or(Errno::NoEntry)?.0;
            names.push(name);
            folder = parent;
        }
        let mut path: Vec<u8> = names.iter().rev().flat_map(|name| [b"/", *name].concat()).collect();
        if path.is_empty() {
            path.push(b'/');
        }
        Ok(path)
    }

    /// The path of a name from the root.
    pub(crate) fn path_of(&self, place: &Resolved) -> Result<Vec<u8>, Errno> {
        let mut path = self.path(place.folder)?;
        if !path.ends_with(b"/") {
            path.push(b'/');
        }
        path.extend_from_slice(&place.name);
        Ok(path)
    }

    /// Returns true if `folder` equals `outer` or is inside of it.
    pub(crate) fn is_within(&self, mut folder: NodeId, outer: NodeId) -> Result<bool, Errno> {
        while folder != outer {
            if folder == TOP {
                return Ok(false);
            }
            folder = self.entries(folder)?.0;
        }
        Ok(true)
    }
}

/// The path in the root tree of a name in a directory.
fn beneath(folder: &[u8], name: &[u8]) -> Vec<u8> {
    if folder.is_empty() { name.to_vec() } else { [folder, b"/", name].concat() }
}

fn push_names(rest: &mut Vec<Vec<u8>>, path: &[u8]) {
    let names = path.split(|byte| *byte == b'/').filter(|name| !name.is_empty());
    rest.extend(names.rev().map(<[u8]>::to_vec));
}

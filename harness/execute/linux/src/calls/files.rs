//! Opening and closing of files, and operations on descriptors.

use crate::caller::Caller;
use crate::contents::Contents;
use crate::descriptors::{Open, What, flag};
use crate::errno::{Errno, Refusal};
use crate::files::Files;
use crate::kernel_abi::OpenFlags;
use crate::mappings::Mappings;
use crate::tree::{Body, Last, NodeId, Resolved};

/// `AT_FDCWD` (Linux `include/uapi/linux/fcntl.h`).
pub(crate) const HERE: u64 = -100i64 as u64;
/// `F_DUPFD` and what follows (Linux `include/uapi/asm-generic/fcntl.h`,
/// `include/uapi/linux/fcntl.h`).
const COPY: u64 = 0;
const GET_DESCRIPTOR_FLAGS: u64 = 1;
const SET_DESCRIPTOR_FLAGS: u64 = 2;
const GET_FLAGS: u64 = 3;
const SET_FLAGS: u64 = 4;
const GET_LOCK: u64 = 5;
const SET_LOCK: u64 = 6;
const SET_LOCK_WAIT: u64 = 7;
const COPY_CLOSE_ON_EXEC: u64 = 1030;
const GET_PIPE_SIZE: u64 = 1032;
/// `F_UNLCK` (Linux `include/uapi/asm-generic/fcntl.h`).
const UNLOCKED: u16 = 2;
/// `FIONREAD`, `FIONBIO`, `FIOCLEX`, `FIONCLEX` (Linux `include/uapi/asm-generic/ioctls.h`).
const BYTES_READY: u64 = 0x541b;
const SET_NONBLOCK: u64 = 0x5421;
const SET_CLOSE_ON_EXEC: u64 = 0x5451;
const CLEAR_CLOSE_ON_EXEC: u64 = 0x5450;

impl Files {
    /// The directory that a relative path starts from.
    pub(crate) fn base(&self, descriptor: u64, path: &[u8]) -> Result<NodeId, Errno> {
        // Only the low half is a descriptor: it is an `int`.
        if path.starts_with(b"/") || descriptor as u32 == HERE as u32 {
            return Ok(self.folder);
        }
        match self.descriptors.get(descriptor)?.what {
            What::Node(node) => self.tree.entries(node).map(|_| node),
            _ => Err(Errno::NotFolder),
        }
    }

    /// Resolves a path in the program's memory.
    pub(crate) fn place(
        &mut self,
        descriptor: u64,
        path: u64,
        last: Last,
        caller: &mut Caller<'_>,
    ) -> Result<Resolved, Errno> {
        let path = caller.path(path)?;
        let base = self.base(descriptor, &path)?;
        self.tree.find(base, &path, last)
    }

    /// The descriptor that a path names: a name in `/dev/fd` or `/proc/self/fd`, or a standard
    /// stream. Opening it makes a copy of the descriptor, also if that is a file, whose offset it
    /// then shares.
    pub(crate) fn named_descriptor(&self, path: u64, caller: &mut Caller<'_>) -> Option<u64> {
        const FOLDERS: [&[u8]; 2] = [b"/dev/fd/", b"/proc/self/fd/"];
        let path = caller.path(path).ok()?;
        let number = match path.as_slice() {
            b"/dev/stdin" => 0,
            b"/dev/stdout" => 1,
            b"/dev/stderr" => 2,
            path => {
                let name = FOLDERS.into_iter().find_map(|folder| path.strip_prefix(folder))?;
                std::str::from_utf8(name).ok()?.parse().ok()?
            }
        };
        self.descriptors.get(number).ok().map(|_| number)
    }

    /// The node at a path in the program's memory.
    pub(crate) fn found(
        &mut self,
        descriptor: u64,
        path: u64,
        last: Last,
        caller: &mut Caller<'_>,
    ) -> Result<NodeId, Errno> {
        let place = self.place(descriptor, path, last, caller);
        let node = place.and_then(|place| place.node.ok_or(Errno::NoEntry));
        self.note_absent(path, caller, node)
    }

    /// Records the path if the result is that no such file exists; returns the result.
    fn note_absent<T>(&mut self, path: u64, caller: &mut Caller<'_>, result: Result<T, Errno>) -> Result<T, Errno> {
        if matches!(result, Err(Errno::NoEntry))
            && let Ok(path) = caller.path(path)
        {
            self.absent.add(&path);
        }
        result
    }

    pub(crate) fn close(&mut self, descriptor: u64) -> Result<u64, Errno> {
        let last_of = self.descriptors.close(descriptor)?;
        self.release(last_of);
        Ok(0)
    }

    /// Closes an open file that has lost its last descriptor.
    fn release(&mut self, open: Option<Open>) {
        if let Some(open) = open {
            self.pipes.close(&open.what);
            self.activity += 1;
        }
    }

    pub(crate) fn truncate(&mut self, node: NodeId, length: u64, now: (u64, u64)) -> Result<u64, Errno> {
        let length = usize::try_from(length).map_err(|_| Errno::Invalid)?;
        if let Body::Folder { .. } = self.tree.node(node)?.body {
            return Err(Errno::IsFolder);
        }
        self.tree.resize(node, length)?;
        self.tree.node_mut(node)?.changed = now;
        Ok(0)
    }

    /// The node of a descriptor that is open for writing.
    pub(crate) fn writable(&self, descriptor: u64) -> Result<NodeId, Errno> {
        let open = self.descriptors.get(descriptor)?;
        match open.what {
            What::Node(node) if open.writes() => Ok(node),
            _ => Err(Errno::Invalid),
        }
    }
}

pub(crate) fn open(
    files: &mut Files,
    mappings: &Mappings,
    descriptor: u64,
    path: u64,
    flags: u64,
    mode: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let OpenFlags { folder, no_follow, large } = caller.target.open_flags;
    let has = |bits: u64| flags & bits == bits;
    if has(flag::TEMPORARY) {
        return Err(Errno::NotSupported);
    }
    let creates_new = has(flag::CREATE | flag::EXCLUSIVE);
    let last = if has(no_follow) || creates_new { Last::Keep } else { Last::Follow };
    if let Some(own) = files.named_descriptor(path, caller) {
        return files.descriptors.copy(own, 0, has(flag::CLOSE_ON_EXEC));
    }
    let place = files.place(descriptor, path, last, caller);
    let place = files.note_absent(path, caller, place)?;
    let now = caller.now;
    let node = match place.node {
        Some(_) if creates_new => return Err(Errno::Exists),
        Some(node) => node,
        None if !has(flag::CREATE) => return files.note_absent(path, caller, Err(Errno::NoEntry)),
        None => {
            let mode = mode as u32 & 0o7777 & !files.mask;
            files.tree.add(place.folder, &place.name, Body::File(Contents::Own(Vec::new())), mode, now)?
        }
    };
    let writes = flags & flag::ACCESS != 0;
    if writes && !matches!(files.tree.node(node)?.body, Body::Device(_)) {
        files.tree.writable(node)?;
    }
    files.tree.open_file(node)?;
    if matches!(files.tree.node(node)?.body, Body::Maps) {
        let node = files.tree.unnamed(Contents::Own(mappings.text(caller)), now)?;
        return files.descriptors.open(What::Node(node), flags | large);
    }
    match &files.tree.node(node)?.body {
        Body::Folder { .. } if writes || has(flag::CREATE) => return Err(Errno::IsFolder),
        Body::Folder { .. } => {}
        _ if has(folder) => return Err(Errno::NotFolder),
        Body::Link(_) => return Err(Errno::Loop),
        Body::File(_) if has(flag::TRUNCATE) && writes => {
            files.tree.resize(node, 0)?;
            files.tree.node_mut(node)?.changed = now;
        }
        Body::File(_) | Body::Device(_) | Body::Maps | Body::Unlisted { .. } | Body::Unread { .. } => {}
    }
    files.descriptors.open(What::Node(node), flags | large)
}

pub(crate) fn close_range(files: &mut Files, first: u64, last: u64, flags: u64) -> Result<u64, Errno> {
    // CLOSE_RANGE_CLOEXEC (Linux `include/uapi/linux/close_range.h`).
    const ON_EXEC: u64 = 4;
    for descriptor in files.descriptors.between(first, last & 0xffff_ffff) {
        match flags & ON_EXEC {
            0 => files.close(descriptor).map(|_| ())?,
            _ => files.descriptors.set_close_on_exec(descriptor, true)?,
        }
    }
    Ok(0)
}

/// `memfd_create`: a file without a name in the tree.
pub(crate) fn memfd_create(files: &mut Files, name: u64, flags: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    // MFD_CLOEXEC, MFD_ALLOW_SEALING, MFD_NOEXEC_SEAL and MFD_EXEC (Linux
    // `include/uapi/linux/memfd.h`).
    const CLOSE_ON_EXEC: u64 = 1;
    const NOT_EXECUTABLE: u64 = 8;
    const KNOWN: u64 = CLOSE_ON_EXEC | 2 | NOT_EXECUTABLE | 16;
    /// Longest name (Linux `mm/memfd.c`).
    const MOST_NAME: usize = 249;
    if flags & !KNOWN != 0 || caller.path(name)?.len() > MOST_NAME {
        return Err(Errno::Invalid);
    }
    let node = files.tree.unnamed(Contents::Own(Vec::new()), caller.now)?;
    files.tree.node_mut(node)?.mode = if flags & NOT_EXECUTABLE == 0 { 0o777 } else { 0o666 };
    let close = if flags & CLOSE_ON_EXEC == 0 { 0 } else { flag::CLOSE_ON_EXEC };
    files.descriptors.open(What::Node(node), flag::READ_WRITE | close)
}

pub(crate) fn copy_descriptor(files: &mut Files, from: u64, to: u64, close_on_exec: bool) -> Result<u64, Errno> {
    let replaced = files.descriptors.copy_to(from, to, close_on_exec)?;
    files.release(replaced);
    Ok(to)
}

pub(crate) fn fcntl(
    files: &mut Files,
    descriptor: u64,
    what: u64,
    value: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let open = files.descriptors.get_mut(descriptor)?;
    match what {
        COPY => files.descriptors.copy(descriptor, value, false),
        COPY_CLOSE_ON_EXEC => files.descriptors.copy(descriptor, value, true),
        GET_DESCRIPTOR_FLAGS => files.descriptors.closes_on_exec(descriptor).map(u64::from),
        SET_DESCRIPTOR_FLAGS => files.descriptors.set_close_on_exec(descriptor, value & 1 != 0).map(|()| 0),
        GET_FLAGS => Ok(open.flags),
        SET_FLAGS => {
            let changed = flag::APPEND | flag::NONBLOCK;
            open.flags = open.flags & !changed | value & changed;
            Ok(0)
        }
        // There is no other process that could hold locks.
        GET_LOCK => {
            let record = caller.record().u16(UNLOCKED);
            caller.store(value, record.bytes())
        }
        SET_LOCK | SET_LOCK_WAIT => Ok(0),
        GET_PIPE_SIZE if files.pipes.fill(&open.what).is_some() => Ok(64 << 10),
        _ => Err(Errno::Invalid),
    }
}

/// `ioctl`; no file is a terminal.
pub(crate) fn ioctl(
    files: &mut Files,
    descriptor: u64,
    what: u64,
    value: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let open = files.descriptors.get_mut(descriptor)?;
    match what {
        SET_CLOSE_ON_EXEC => files.descriptors.set_close_on_exec(descriptor, true).map(|()| 0),
        CLEAR_CLOSE_ON_EXEC => files.descriptors.set_close_on_exec(descriptor, false).map(|()| 0),
        SET_NONBLOCK => {
            let wanted = caller.memory.copy(value, 4).ok_or(Errno::Fault)?.iter().any(|byte| *byte != 0);
            open.flags = open.flags & !flag::NONBLOCK | if wanted { flag::NONBLOCK } else { 0 };
            Ok(0)
        }
        BYTES_READY => {
            let ready = match &open.what {
                What::Node(node) => match &files.tree.node(*node)?.body {
                    Body::File(bytes) => (bytes.len() as u64).saturating_sub(open.offset),
                    _ => return Err(Errno::NotTty),
                },
                end => files.pipes.fill(end).ok_or(Errno::NotTty)?.bytes as u64,
            };
            let record = caller.record().u32(ready as u32);
            caller.store(value, record.bytes())
        }
        _ => Err(Errno::NotTty),
    }
}

/// Extends a file to a length, unless it is longer.
pub(crate) fn fallocate(
    files: &mut Files,
    [descriptor, mode, offset, length, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let node = files.writable(descriptor)?;
    if mode != 0 {
        return Err(Errno::NotSupported.into());
    }
    let end = offset.checked_add(length).ok_or(Errno::NoSpace)?;
    let Body::File(bytes) = &files.tree.node(node)?.body else { return Err(Errno::NoDevice.into()) };
    if end > bytes.len() as u64 {
        files.truncate(node, end, caller.now)?;
    }
    Ok(0)
}

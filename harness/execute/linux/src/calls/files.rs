//! Opening and closing of files, and operations on descriptors.

use crate::descriptors::{What, flag};
use crate::errno::{Errno, Refusal};
use crate::kernel::Kernel;
use crate::memory::Memory;
use crate::target::OpenFlags;
use crate::tree::{Body, Last, NodeId, PATH_MAX, Resolved};

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

impl Kernel {
    /// Reads a path from the program's memory.
    pub(crate) fn path(&self, address: u64, memory: &dyn Memory) -> Result<Vec<u8>, Errno> {
        let mut path = Vec::new();
        while path.len() < PATH_MAX {
            let at = address.wrapping_add(path.len() as u64);
            let rest = memory.rest(at).ok_or(Errno::Fault)?;
            let bytes = rest.get(..rest.len().min(PATH_MAX - path.len())).ok_or(Errno::Fault)?;
            match bytes.iter().position(|byte| *byte == 0) {
                Some(end) => {
                    path.extend(bytes.iter().take(end));
                    return Ok(path);
                }
                None => path.extend_from_slice(bytes),
            }
        }
        Err(Errno::NameTooLong)
    }

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
        memory: &dyn Memory,
    ) -> Result<Resolved, Errno> {
        let path = self.path(path, memory)?;
        let base = self.base(descriptor, &path)?;
        self.tree.find(base, &path, last)
    }

    /// The descriptor that a path names: a name in `/dev/fd` or `/proc/self/fd`, or a standard
    /// stream. Opening it makes a copy of the descriptor, also if that is a file, whose offset it
    /// then shares.
    pub(crate) fn named_descriptor(&self, path: u64, memory: &dyn Memory) -> Option<u64> {
        const FOLDERS: [&[u8]; 2] = [b"/dev/fd/", b"/proc/self/fd/"];
        let path = self.path(path, memory).ok()?;
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
        memory: &dyn Memory,
    ) -> Result<NodeId, Errno> {
        let place = self.place(descriptor, path, last, memory);
        let node = place.and_then(|place| place.node.ok_or(Errno::NoEntry));
        self.note_absent(path, memory, node)
    }

    /// Records the path if the result is that no such file exists; returns the result.
    fn note_absent<T>(&mut self, path: u64, memory: &dyn Memory, result: Result<T, Errno>) -> Result<T, Errno> {
        if matches!(result, Err(Errno::NoEntry))
            && let Ok(path) = self.path(path, memory)
        {
            self.absent.add(&path);
        }
        result
    }

    pub(crate) fn open(
        &mut self,
        descriptor: u64,
        path: u64,
        flags: u64,
        mode: u64,
        memory: &dyn Memory,
    ) -> Result<u64, Errno> {
        let OpenFlags { folder, no_follow, large } = self.target.open_flags;
        let has = |bits: u64| flags & bits == bits;
        if has(flag::TEMPORARY) {
            return Err(Errno::NotSupported);
        }
        let creates_new = has(flag::CREATE | flag::EXCLUSIVE);
        let last = if has(no_follow) || creates_new { Last::Keep } else { Last::Follow };
        if let Some(own) = self.named_descriptor(path, memory) {
            return self.descriptors.copy(own, 0, has(flag::CLOSE_ON_EXEC));
        }
        let place = self.place(descriptor, path, last, memory);
        let place = self.note_absent(path, memory, place)?;
        let now = self.now();
        let node = match place.node {
            Some(_) if creates_new => return Err(Errno::Exists),
            Some(node) => node,
            None if !has(flag::CREATE) => return self.note_absent(path, memory, Err(Errno::NoEntry)),
            None => {
                let mode = mode as u32 & 0o7777 & !self.mask;
                self.tree.add(place.folder, &place.name, Body::File(Vec::new()), mode, now)?
            }
        };
        let writes = flags & flag::ACCESS != 0;
        if writes && !matches!(self.tree.node(node)?.body, Body::Device(_)) {
            self.tree.writable(node)?;
        }
        self.tree.open_file(node)?;
        if matches!(self.tree.node(node)?.body, Body::Maps) {
            let node = self.tree.unnamed(self.maps(memory), now)?;
            return self.descriptors.open(What::Node(node), flags | large);
        }
        match &self.tree.node(node)?.body {
            Body::Folder { .. } if writes || has(flag::CREATE) => return Err(Errno::IsFolder),
            Body::Folder { .. } => {}
            _ if has(folder) => return Err(Errno::NotFolder),
            Body::Link(_) => return Err(Errno::Loop),
            Body::File(_) if has(flag::TRUNCATE) && writes => {
                self.tree.resize(node, 0)?;
                self.tree.node_mut(node)?.changed = now;
            }
            Body::File(_) | Body::Device(_) | Body::Maps | Body::Unlisted { .. } | Body::Unread { .. } => {}
        }
        self.descriptors.open(What::Node(node), flags | large)
    }

    pub(crate) fn close(&mut self, descriptor: u64) -> Result<u64, Errno> {
        if let Some(open) = self.descriptors.close(descriptor)? {
            self.pipes.close(&open.what);
            self.threads.activity += 1;
        }
        Ok(0)
    }

    pub(crate) fn close_range(&mut self, first: u64, last: u64, flags: u64) -> Result<u64, Errno> {
        // CLOSE_RANGE_CLOEXEC (Linux `include/uapi/linux/close_range.h`).
        const ON_EXEC: u64 = 4;
        for descriptor in self.descriptors.between(first, last & 0xffff_ffff) {
            match flags & ON_EXEC {
                0 => self.close(descriptor).map(|_| ())?,
                _ => self.descriptors.set_close_on_exec(descriptor, true)?,
            }
        }
        Ok(0)
    }

    /// `memfd_create`: a file without a name in the tree.
    pub(crate) fn memfd_create(&mut self, name: u64, flags: u64, memory: &dyn Memory) -> Result<u64, Errno> {
        // MFD_CLOEXEC, MFD_ALLOW_SEALING, MFD_NOEXEC_SEAL and MFD_EXEC (Linux
        // `include/uapi/linux/memfd.h`).
        const CLOSE_ON_EXEC: u64 = 1;
        const NOT_EXECUTABLE: u64 = 8;
        const KNOWN: u64 = CLOSE_ON_EXEC | 2 | NOT_EXECUTABLE | 16;
        /// Longest name (Linux `mm/memfd.c`).
        const MOST_NAME: usize = 249;
        if flags & !KNOWN != 0 || self.path(name, memory)?.len() > MOST_NAME {
            return Err(Errno::Invalid);
        }
        let node = self.tree.unnamed(Vec::new(), self.now())?;
        self.tree.node_mut(node)?.mode = if flags & NOT_EXECUTABLE == 0 { 0o777 } else { 0o666 };
        let close = if flags & CLOSE_ON_EXEC == 0 { 0 } else { flag::CLOSE_ON_EXEC };
        self.descriptors.open(What::Node(node), flag::READ_WRITE | close)
    }

    pub(crate) fn copy_descriptor(&mut self, from: u64, to: u64, close_on_exec: bool) -> Result<u64, Errno> {
        if let Some(open) = self.descriptors.copy_to(from, to, close_on_exec)? {
            self.pipes.close(&open.what);
            self.threads.activity += 1;
        }
        Ok(to)
    }

    pub(crate) fn fcntl(
        &mut self,
        descriptor: u64,
        what: u64,
        value: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        let open = self.descriptors.get_mut(descriptor)?;
        match what {
            COPY => self.descriptors.copy(descriptor, value, false),
            COPY_CLOSE_ON_EXEC => self.descriptors.copy(descriptor, value, true),
            GET_DESCRIPTOR_FLAGS => self.descriptors.closes_on_exec(descriptor).map(u64::from),
            SET_DESCRIPTOR_FLAGS => self.descriptors.set_close_on_exec(descriptor, value & 1 != 0).map(|()| 0),
            GET_FLAGS => Ok(open.flags),
            SET_FLAGS => {
                let changed = flag::APPEND | flag::NONBLOCK;
                open.flags = open.flags & !changed | value & changed;
                Ok(0)
            }
            // There is no other process that could hold locks.
            GET_LOCK => {
                let record = self.record().u16(UNLOCKED);
                self.give(memory, value, record.bytes())
            }
            SET_LOCK | SET_LOCK_WAIT => Ok(0),
            GET_PIPE_SIZE if self.pipes.fill(&open.what).is_some() => Ok(64 << 10),
            _ => Err(Errno::Invalid),
        }
    }

    /// `ioctl`; no file is a terminal.
    pub(crate) fn ioctl(
        &mut self,
        descriptor: u64,
        what: u64,
        value: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        let open = self.descriptors.get_mut(descriptor)?;
        match what {
            SET_CLOSE_ON_EXEC => self.descriptors.set_close_on_exec(descriptor, true).map(|()| 0),
            CLEAR_CLOSE_ON_EXEC => self.descriptors.set_close_on_exec(descriptor, false).map(|()| 0),
            SET_NONBLOCK => {
                let wanted = memory.copy(value, 4).ok_or(Errno::Fault)?.iter().any(|byte| *byte != 0);
                open.flags = open.flags & !flag::NONBLOCK | if wanted { flag::NONBLOCK } else { 0 };
                Ok(0)
            }
            BYTES_READY => {
                let ready = match &open.what {
                    What::Node(node) => match &self.tree.node(*node)?.body {
                        Body::File(bytes) => (bytes.len() as u64).saturating_sub(open.offset),
                        _ => return Err(Errno::NotTty),
                    },
                    end => self.pipes.fill(end).ok_or(Errno::NotTty)?.bytes as u64,
                };
                let record = self.record().u32(ready as u32);
                self.give(memory, value, record.bytes())
            }
            _ => Err(Errno::NotTty),
        }
    }

    pub(crate) fn truncate(&mut self, node: NodeId, length: u64) -> Result<u64, Errno> {
        let now = self.now();
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

    /// Extends a file to a length, unless it is longer.
    pub(crate) fn fallocate(&mut self, [descriptor, mode, offset, length, ..]: [u64; 6]) -> Result<u64, Refusal> {
        let node = self.writable(descriptor)?;
        if mode != 0 {
            return Err(Errno::NotSupported.into());
        }
        let end = offset.checked_add(length).ok_or(Errno::NoSpace)?;
        let Body::File(bytes) = &self.tree.node(node)?.body else { return Err(Errno::NoDevice.into()) };
        if end > bytes.len() as u64 {
            self.truncate(node, end)?;
        }
        Ok(0)
    }
}

//! File status: `stat` and similar calls.

use super::files::HERE;
use crate::caller::Caller;
use crate::clock::Clock;
use crate::descriptors::What;
use crate::errno::Errno;
use crate::files::Files;
use crate::record::Record;
use crate::stat::About;
use crate::tree::{Body, Device, Last, NodeId};

/// Types of files (Linux `include/uapi/linux/stat.h`).
const PIPE: u32 = 0o010_000;
const DEVICE: u32 = 0o020_000;
const FOLDER: u32 = 0o040_000;
const FILE: u32 = 0o100_000;
const LINK: u32 = 0o120_000;
/// `AT_SYMLINK_NOFOLLOW`, `AT_EMPTY_PATH` (Linux `include/uapi/linux/fcntl.h`).
pub(crate) const NO_FOLLOW: u64 = 0x100;
pub(crate) const EMPTY_PATH: u64 = 0x1000;
const BLOCK: u32 = About::BLOCK as u32;
/// `STATX_BASIC_STATS` (Linux `include/uapi/linux/stat.h`).
const BASIC: u32 = 0x7ff;
/// `R_OK`, `W_OK`, `X_OK` (POSIX `unistd.h`).
const MAY_EXECUTE: u64 = 1;

impl Files {
    pub(crate) fn about(&self, node: NodeId) -> Result<About, Errno> {
        let found = self.tree.node(node)?;
        let (kind, size, device) = match &found.body {
            Body::File(bytes) => (FILE, bytes.len() as u64, (0, 0)),
            Body::Unread { size } => (FILE, *size, (0, 0)),
            Body::Maps => (FILE, 0, (0, 0)),
            Body::Folder { .. } | Body::Unlisted { .. } => (FOLDER, u64::from(BLOCK), (0, 0)),
            Body::Link(target) => (LINK, target.len() as u64, (0, 0)),
            // Documentation/admin-guide/devices.txt: memory devices.
            Body::Device(Device::Null) => (DEVICE, 0, (1, 3)),
            Body::Device(Device::Zero) => (DEVICE, 0, (1, 5)),
            Body::Device(Device::Full) => (DEVICE, 0, (1, 7)),
            Body::Device(Device::Random) => (DEVICE, 0, (1, 9)),
        };
        // A directory has its name and its own `.`.
        let names = if kind == FOLDER { found.names + 1 } else { found.names };
        let inode = node as u64 + 1;
        Ok(About { inode, mode: kind | found.mode, names, size, device, changed: found.changed })
    }

    pub(crate) fn about_open(&self, descriptor: u64) -> Result<About, Errno> {
        let other =
            |inode| About { inode, mode: PIPE | 0o600, names: 1, size: 0, device: (0, 0), changed: Clock::began() };
        match self.descriptors.get(descriptor)?.what {
            What::Node(node) => self.about(node),
            // A number above all inodes.
            What::Output => Ok(other(1 << 32)),
            What::ReadEnd(id) | What::WriteEnd(id) => Ok(other((1 << 32) + id)),
            What::Event { .. } | What::Epoll(_) => Ok(About { mode: 0o600, ..other(1 << 33) }),
        }
    }

    /// The status of the file that a directory descriptor, a path and flags denote.
    fn about_at(&mut self, descriptor: u64, path: u64, flags: u64, caller: &mut Caller<'_>) -> Result<About, Errno> {
        // A null pointer with AT_EMPTY_PATH, since Linux 6.11.
        let empty = path == 0 || caller.memory.read(path, 1) == Some(&[0]);
        if empty && flags & EMPTY_PATH != 0 {
            return match self.base(descriptor, &[]) {
                Ok(folder) if descriptor as u32 == HERE as u32 => self.about(folder),
                _ => self.about_open(descriptor),
            };
        }
        if let Some(own) = self.named_descriptor(path, caller).filter(|_| flags & NO_FOLLOW == 0) {
            return self.about_open(own);
        }
        let last = if flags & NO_FOLLOW != 0 { Last::Keep } else { Last::Follow };
        let node = self.found(descriptor, path, last, caller)?;
        self.about(node)
    }
}

pub(crate) fn stat_at(
    files: &mut Files,
    [descriptor, path, buffer, flags, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let about = files.about_at(descriptor, path, flags, caller)?;
    store_stat(&about, buffer, caller)
}

pub(crate) fn fstat(files: &Files, descriptor: u64, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let about = files.about_open(descriptor)?;
    store_stat(&about, buffer, caller)
}

fn store_stat(about: &About, buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let record = (caller.target.stat)(about, caller.record());
    caller.store(buffer, record.bytes())
}

/// `struct statx` (Linux `include/uapi/linux/stat.h`), 256 bytes on every target.
pub(crate) fn statx(
    files: &mut Files,
    [descriptor, path, flags, _, buffer, _]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let about = files.about_at(descriptor, path, flags, caller)?;
    let (seconds, nanoseconds) = about.changed;
    let time = |record: Record| record.u64(seconds).u32(nanoseconds as u32).u32(0);
    let record = caller.record().u32(BASIC).u32(BLOCK).u64(0).u32(about.names).u32(0).u32(0);
    let record = record.u16(about.mode as u16).u16(0).u64(about.inode).u64(about.size).u64(about.blocks()).u64(0);
    // Access, birth, change, modification.
    let record = time(time(time(time(record))));
    let record = record.u32(about.device.0).u32(about.device.1).u32(0).u32(About::HOME as u32).up_to(256);
    caller.store(buffer, record.bytes())
}

/// `struct statfs`; s390x has `unsigned int` in place of words.
pub(crate) fn statfs(buffer: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    // TMPFS_MAGIC (Linux `include/uapi/linux/magic.h`); a gibibyte in blocks, half of it free;
    // files.
    const TYPE: u64 = 0x0102_1994;
    const FREE: [u64; 5] = [1 << 18, 1 << 17, 1 << 17, 1 << 16, 1 << 15];
    let narrow = caller.target.narrow_statfs;
    let word = |record: Record, value: u64| if narrow { record.u32(value as u32) } else { record.u64(value) };
    let record = [TYPE, u64::from(BLOCK)].into_iter().fold(caller.record(), word);
    let record = record.words(&FREE).u32(1).u32(0);
    let record = [255, u64::from(BLOCK), 0, 0, 0, 0, 0].into_iter().fold(record, word);
    let record = if narrow { record.u32(0) } else { record };
    caller.store(buffer, record.bytes())
}

pub(crate) fn access(
    files: &mut Files,
    [descriptor, path, mode, flags, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let about = files.about_at(descriptor, path, flags, caller)?;
    // The superuser may do everything except execute a file without any execute permission.
    let executable = about.mode & 0o111 != 0;
    if mode & MAY_EXECUTE != 0 && !executable { Err(Errno::Access) } else { Ok(0) }
}

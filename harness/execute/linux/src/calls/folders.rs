//! Names of files: directories, and calls that add, change or remove names.

use super::files::HERE;
use super::stat::NO_FOLLOW;
use crate::caller::Caller;
use crate::descriptors::What;
use crate::errno::Errno;
use crate::files::Files;
use crate::tree::{Body, Last, NodeId, PATH_MAX};

/// `AT_REMOVEDIR`, `AT_SYMLINK_FOLLOW` (Linux `include/uapi/linux/fcntl.h`).
const REMOVE_FOLDER: u64 = 0x200;
const FOLLOW: u64 = 0x400;
/// `RENAME_NOREPLACE` (Linux `include/uapi/linux/fs.h`).
const NO_REPLACE: u64 = 1;
/// `DT_CHR` and others (Linux `include/linux/fs_types.h`).
const TYPE_DEVICE: u8 = 2;
const TYPE_FOLDER: u8 = 4;
const TYPE_FILE: u8 = 8;
const TYPE_LINK: u8 = 10;
/// `UTIME_NOW`, `UTIME_OMIT` (Linux `include/linux/stat.h`).
const TIME_NOW: u64 = 0x3fff_ffff;
const TIME_OMIT: u64 = 0x3fff_fffe;

fn is_folder(files: &Files, node: NodeId) -> Result<bool, Errno> {
    Ok(matches!(files.tree.node(node)?.body, Body::Folder { .. }))
}

/// Fills in `struct linux_dirent64` for as many names as fit (Linux `include/linux/dirent.h`),
/// in byte order.
pub(crate) fn getdents(
    files: &mut Files,
    descriptor: u64,
    buffer: u64,
    length: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let open = files.descriptors.get(descriptor)?;
    let (What::Node(folder), first) = (open.what.clone(), open.offset) else { return Err(Errno::NotFolder) };
    let parent = files.tree.entries(folder)?.0;
    let own = [(&b"."[..], folder), (b"..", parent)];
    let names = files.tree.entries(folder)?.1.iter().map(|(name, id)| (name.as_slice(), *id));
    let mut bytes: Vec<u8> = Vec::new();
    let mut next = first;
    for (name, id) in own.into_iter().chain(names).skip(first as usize) {
        let kind = match files.tree.node(id)?.body {
            Body::File(_) | Body::Unread { .. } | Body::Maps => TYPE_FILE,
            Body::Folder { .. } | Body::Unlisted { .. } => TYPE_FOLDER,
            Body::Link(_) => TYPE_LINK,
            Body::Device(_) => TYPE_DEVICE,
        };
        // Inode, offset of the next entry, length, type, name and its zero byte.
        let size = (19 + name.len() + 1).next_multiple_of(8);
        if bytes.len() + size > length as usize {
            break;
        }
        next += 1;
        let record = caller.record().u64(id as u64 + 1).u64(next).u16(size as u16).raw(&[kind]).raw(name);
        bytes.extend_from_slice(record.up_to(size).bytes());
    }
    let all = 2 + files.tree.entries(folder)?.1.len() as u64;
    if bytes.is_empty() && first < all {
        return Err(Errno::Invalid);
    }
    caller.store(buffer, &bytes)?;
    files.descriptors.get_mut(descriptor)?.offset = next;
    Ok(bytes.len() as u64)
}

/// Creates a node at a path.
pub(crate) fn make(
    files: &mut Files,
    descriptor: u64,
    path: u64,
    body: Body,
    mode: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let path = caller.path(path)?;
    // The name of a directory may end with a slash.
    let trimmed = path.iter().rposition(|byte| *byte != b'/').map_or(&path[..], |last| &path[..=last]);
    let named = if matches!(body, Body::Folder { .. }) { trimmed } else { &path };
    let base = files.base(descriptor, &path)?;
    let place = files.tree.find(base, named, Last::Keep)?;
    if place.node.is_some() {
        return Err(Errno::Exists);
    }
    let now = caller.now;
    files.tree.add(place.folder, &place.name, body, mode as u32 & 0o7777, now)?;
    files.tree.node_mut(place.folder)?.changed = now;
    Ok(0)
}

pub(crate) fn make_folder(
    files: &mut Files,
    descriptor: u64,
    path: u64,
    mode: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let mode = mode & !u64::from(files.mask);
    make(files, descriptor, path, Body::Folder { parent: 0, entries: Default::default() }, mode, caller)
}

pub(crate) fn make_link(
    files: &mut Files,
    target: u64,
    descriptor: u64,
    path: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let target = caller.path(target)?;
    if target.is_empty() {
        return Err(Errno::NoEntry);
    }
    make(files, descriptor, path, Body::Link(target), 0o777, caller)
}

pub(crate) fn read_link(
    files: &mut Files,
    descriptor: u64,
    path: u64,
    buffer: u64,
    length: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let node = files.found(descriptor, path, Last::Keep, caller)?;
    let Body::Link(target) = &files.tree.node(node)?.body else { return Err(Errno::Invalid) };
    let count = target.len().min(length as usize);
    caller.store(buffer, target.get(..count).unwrap_or_default())?;
    Ok(count as u64)
}

pub(crate) fn unlink(
    files: &mut Files,
    descriptor: u64,
    path: u64,
    flags: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let place = files.place(descriptor, path, Last::Keep, caller)?;
    let node = place.node.ok_or(Errno::NoEntry)?;
    if place.name.is_empty() {
        return Err(Errno::Invalid);
    }
    match &files.tree.node(node)?.body {
        Body::Folder { .. } if flags & REMOVE_FOLDER == 0 => return Err(Errno::IsFolder),
        Body::Folder { entries, .. } if !entries.is_empty() => return Err(Errno::NotEmpty),
        Body::Folder { .. } => {}
        _ if flags & REMOVE_FOLDER != 0 => return Err(Errno::NotFolder),
        _ => {}
    }
    files.tree.forget(place.folder, &place.name)?;
    let now = caller.now;
    files.tree.node_mut(place.folder)?.changed = now;
    Ok(0)
}

pub(crate) fn remove_folder(
    files: &mut Files,
    descriptor: u64,
    path: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    unlink(files, descriptor, path, REMOVE_FOLDER, caller)
}

pub(crate) fn rename(
    files: &mut Files,
    [from, old, to, new, flags, _]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    if flags & !NO_REPLACE != 0 {
        return Err(Errno::Invalid);
    }
    let old = files.place(from, old, Last::Keep, caller)?;
    let new = files.place(to, new, Last::Keep, caller)?;
    let node = old.node.ok_or(Errno::NoEntry)?;
    if old.name.is_empty() || new.name.is_empty() {
        return Err(Errno::Invalid);
    }
    let is_folder = is_folder(files, node)?;
    if is_folder && files.tree.is_within(new.folder, node)? {
        return Err(Errno::Invalid);
    }
    match new.node {
        Some(there) if there == node => return Ok(0),
        Some(_) if flags & NO_REPLACE != 0 => return Err(Errno::Exists),
        Some(there) => match &files.tree.node(there)?.body {
            Body::Folder { .. } if !is_folder => return Err(Errno::IsFolder),
            Body::Folder { entries, .. } if !entries.is_empty() => return Err(Errno::NotEmpty),
            Body::Folder { .. } => {}
            _ if is_folder => return Err(Errno::NotFolder),
            _ => {}
        },
        None => {}
    }
    files.tree.name(new.folder, &new.name, node)?;
    files.tree.forget(old.folder, &old.name)?;
    Ok(0)
}

pub(crate) fn link(
    files: &mut Files,
    [from, old, to, new, flags, _]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let last = if flags & FOLLOW != 0 { Last::Follow } else { Last::Keep };
    let node = files.found(from, old, last, caller)?;
    if is_folder(files, node)? {
        return Err(Errno::NotPermitted);
    }
    let place = files.place(to, new, Last::Keep, caller)?;
    if place.node.is_some() {
        return Err(Errno::Exists);
    }
    files.tree.name(place.folder, &place.name, node).map(|()| 0)
}

pub(crate) fn change_folder(files: &mut Files, path: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let folder = files.found(HERE, path, Last::Follow, caller)?;
    files.tree.entries(folder)?;
    files.folder = folder;
    Ok(0)
}

pub(crate) fn change_folder_to(files: &mut Files, descriptor: u64) -> Result<u64, Errno> {
    let What::Node(folder) = files.descriptors.get(descriptor)?.what else { return Err(Errno::NotFolder) };
    files.tree.entries(folder)?;
    files.folder = folder;
    Ok(0)
}

pub(crate) fn getcwd(files: &Files, buffer: u64, size: u64, caller: &mut Caller<'_>) -> Result<u64, Errno> {
    let mut path = files.tree.path(files.folder)?;
    path.push(0);
    if path.len() > PATH_MAX || path.len() as u64 > size {
        return Err(Errno::Range);
    }
    caller.store(buffer, &path)?;
    Ok(path.len() as u64)
}

pub(crate) fn change_mode(files: &mut Files, node: NodeId, mode: u64) -> Result<u64, Errno> {
    files.tree.writable(node)?;
    files.tree.node_mut(node)?.mode = mode as u32 & 0o7777;
    Ok(0)
}

/// Sets the modification time; the access time is not kept.
pub(crate) fn change_time(
    files: &mut Files,
    [descriptor, path, times, flags, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let node = match path {
        0 => match files.descriptors.get(descriptor)?.what {
            What::Node(node) => node,
            _ => return Ok(0),
        },
        path => {
            let last = if flags & NO_FOLLOW != 0 { Last::Keep } else { Last::Follow };
            files.found(descriptor, path, last, caller)?
        }
    };
    let now = caller.now;
    let wanted = match times {
        0 => now,
        times => match *caller.words(times, 4)? {
            [.., TIME_NOW] => now,
            [.., TIME_OMIT] => return Ok(0),
            [.., seconds, nanoseconds] => (seconds, nanoseconds),
            _ => return Err(Errno::Fault),
        },
    };
    files.tree.writable(node)?;
    files.tree.node_mut(node)?.changed = wanted;
    Ok(0)
}

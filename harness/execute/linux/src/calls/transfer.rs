//! Reading and writing: files, standard input and output, pipes, devices.

use crate::caller::Caller;
use crate::contents::Contents;
use crate::descriptors::{What, flag};
use crate::errno::{Errno, Refusal};
use crate::files::Files;
use crate::threads::WaitFor;
use crate::tree::{Body, Device, NodeId};

/// `IOV_MAX` of Linux.
const IOV_MAX: u64 = 1024;
/// Maximum number of bytes per call (Linux transfers up to 2 GiB; it may always be less).
const MOST: u64 = 16 << 20;
/// `SEEK_SET` and what follows (Linux `include/uapi/linux/fs.h`).
const SEEK_SET: u64 = 0;
const SEEK_CUR: u64 = 1;
const SEEK_END: u64 = 2;
const SEEK_DATA: u64 = 3;
const SEEK_HOLE: u64 = 4;
/// Number of bytes that a pipe accepts atomically (Linux `include/uapi/linux/limits.h`).
const PIPE_BUF: usize = 4096;

/// The position of a transfer in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// At the offset of the open file, which advances.
    Offset,
    /// At an explicit offset.
    Place(u64),
}

impl Files {
    /// Reads up to `most` bytes of an open file.
    pub(crate) fn take(
        &mut self,
        descriptor: u64,
        most: usize,
        at: At,
        caller: &Caller<'_>,
    ) -> Result<Vec<u8>, Refusal> {
        let open = self.descriptors.get(descriptor)?;
        if !open.reads() {
            return Err(Errno::BadFile.into());
        }
        match open.what.clone() {
            What::Node(node) => take_of_node(self, descriptor, node, most, at),
            _ if at != At::Offset => Err(Errno::Seek.into()),
            end @ What::ReadEnd(id) => match self.pipes.fill(&end) {
                Some(fill) if fill.bytes == 0 && fill.other && open.never_waits() => Err(Errno::Again.into()),
                Some(fill) if fill.bytes == 0 && fill.other && most > 0 => {
                    let on = WaitFor::Bytes { pipe: id };
                    Err(Refusal::Blocks { on, alone: "it reads an empty pipe that only it could write to" })
                }
                _ => {
                    self.activity += 1;
                    Ok(self.pipes.take(id, most))
                }
            },
            What::Event { .. } if most < 8 => Err(Errno::Invalid.into()),
            What::Event { .. } => {
                let value = self.take_event(descriptor)?;
                Ok(caller.record().u64(value).bytes().to_vec())
            }
            What::Output | What::WriteEnd(_) => Err(Errno::BadFile.into()),
            What::Epoll(_) => Err(Errno::Invalid.into()),
        }
    }

    /// Writes to an open file.
    pub(crate) fn put(
        &mut self,
        descriptor: u64,
        bytes: &[u8],
        at: At,
        caller: &mut Caller<'_>,
    ) -> Result<u64, Refusal> {
        let open = self.descriptors.get(descriptor)?;
        if !open.writes() {
            return Err(Errno::BadFile.into());
        }
        let never_waits = open.never_waits();
        match open.what.clone() {
            What::Node(node) => put_to_node(self, descriptor, node, bytes, at, caller.now),
            _ if at != At::Offset => Err(Errno::Seek.into()),
            What::Output => {
                self.output.take(bytes);
                Ok(bytes.len() as u64)
            }
            end @ What::WriteEnd(id) => match self.pipes.fill(&end) {
                Some(fill) if fill.other => put_to_pipe(self, id, bytes, fill.room, never_waits, caller),
                _ if caller.written > 0 => Ok(caller.written as u64),
                _ => Err(Errno::Pipe.into()),
            },
            What::Event { .. } => {
                let word = bytes.first_chunk::<8>().ok_or(Errno::Invalid)?;
                self.raise_event(descriptor, caller.facts.order.u64(*word))?;
                Ok(8)
            }
            What::ReadEnd(_) => Err(Errno::BadFile.into()),
            What::Epoll(_) => Err(Errno::Invalid.into()),
        }
    }
}

fn take_of_node(files: &mut Files, descriptor: u64, node: NodeId, most: usize, at: At) -> Result<Vec<u8>, Refusal> {
    let offset = match at {
        At::Offset => files.descriptors.get(descriptor)?.offset,
        At::Place(place) => place,
    };
    let bytes = match &files.tree.node(node)?.body {
        Body::Folder { .. } | Body::Unlisted { .. } => return Err(Errno::IsFolder.into()),
        Body::Link(_) | Body::Unread { .. } | Body::Maps => return Err(Errno::Invalid.into()),
        Body::Device(Device::Null) => Vec::new(),
        Body::Device(Device::Zero | Device::Full) => vec![0; most],
        Body::Device(Device::Random) => (0..most).map(|_| files.random.byte()).collect(),
        Body::File(bytes) => {
            let start = usize::try_from(offset).map_or(bytes.len(), |start| start.min(bytes.len()));
            let end = bytes.len().min(start.saturating_add(most));
            bytes.get(start..end).unwrap_or_default().to_vec()
        }
    };
    if at == At::Offset {
        files.descriptors.get_mut(descriptor)?.offset += bytes.len() as u64;
    }
    Ok(bytes)
}

/// Writes to a pipe that has room for `room` bytes.
fn put_to_pipe(
    files: &mut Files,
    id: u64,
    bytes: &[u8],
    room: usize,
    never_waits: bool,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    // More than a pipe accepts atomically is written in parts (Linux pipe(7), PIPE_BUF).
    let may_be_part = bytes.len() > PIPE_BUF;
    let rest = bytes.get(caller.written..).unwrap_or_default();
    if room >= rest.len() || may_be_part && room > 0 {
        files.activity += 1;
        caller.written += files.pipes.put(id, rest);
    } else if never_waits {
        return Err(Errno::Again.into());
    }
    let written = caller.written;
    if written == bytes.len() || never_waits {
        return Ok(written as u64);
    }
    let on = WaitFor::Room { pipe: id, least: if may_be_part { 1 } else { rest.len() } };
    Err(Refusal::Blocks { on, alone: "it writes to a full pipe that only it could read" })
}

fn put_to_node(
    files: &mut Files,
    descriptor: u64,
    node: NodeId,
    bytes: &[u8],
    at: At,
    now: (u64, u64),
) -> Result<u64, Refusal> {
    let open = files.descriptors.get(descriptor)?;
    let (offset, appends) = (open.offset, open.flags & flag::APPEND != 0);
    let length = match &files.tree.node(node)?.body {
        Body::File(file) => file.len(),
        Body::Device(Device::Full) => return Err(Errno::NoSpace.into()),
        Body::Device(_) => return Ok(bytes.len() as u64),
        Body::Folder { .. } | Body::Unlisted { .. } => return Err(Errno::IsFolder.into()),
        Body::Link(_) | Body::Unread { .. } | Body::Maps => return Err(Errno::Invalid.into()),
    };
    let offset = match at {
        _ if appends => length as u64,
        At::Offset => offset,
        At::Place(place) => place,
    };
    let start = usize::try_from(offset).map_err(|_| Errno::NoSpace)?;
    let end = start.checked_add(bytes.len()).ok_or(Errno::NoSpace)?;
    files.tree.resize(node, end.max(length))?;
    let node = files.tree.node_mut(node)?;
    node.changed = now;
    if let Body::File(Contents::Own(file)) = &mut node.body
        && let Some(place) = file.get_mut(start..end)
    {
        place.copy_from_slice(bytes);
    }
    if at == At::Offset {
        files.descriptors.get_mut(descriptor)?.offset = end as u64;
    }
    Ok(bytes.len() as u64)
}

pub(crate) fn read(
    files: &mut Files,
    descriptor: u64,
    buffer: u64,
    length: u64,
    at: At,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let most = length.min(MOST) as usize;
    if most > 0 && !caller.memory.holds(buffer, most) {
        files.descriptors.get(descriptor)?;
        return Err(Errno::Fault.into());
    }
    let bytes = files.take(descriptor, most, at, caller)?;
    caller.memory.write(buffer, &bytes);
    Ok(bytes.len() as u64)
}

pub(crate) fn write(
    files: &mut Files,
    descriptor: u64,
    buffer: u64,
    length: u64,
    at: At,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let most = length.min(MOST) as usize;
    let bytes = match most {
        0 => Vec::new(),
        most => match caller.memory.copy(buffer, most) {
            Some(bytes) => bytes,
            None => {
                files.descriptors.get(descriptor)?;
                return Err(Errno::Fault.into());
            }
        },
    };
    files.put(descriptor, &bytes, at, caller)
}

/// `read` or `write`: descriptor, buffer and its length.
type Transfer = fn(&mut Files, u64, u64, u64, At, &mut Caller<'_>) -> Result<u64, Refusal>;

/// Transfers every part of a vector, until one is not transferred in full.
pub(crate) fn vector(
    files: &mut Files,
    transfer: Transfer,
    [descriptor, vector, count]: [u64; 3],
    at: At,
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    if count > IOV_MAX {
        return Err(Errno::Invalid.into());
    }
    let parts = caller.words(vector, count as usize * 2)?;
    let mut sum = 0;
    for [base, length] in parts.as_chunks::<2>().0 {
        let at = match at {
            At::Offset => At::Offset,
            At::Place(place) => At::Place(place.wrapping_add(sum)),
        };
        match transfer(files, descriptor, *base, *length, at, caller) {
            Ok(done) => {
                sum += done;
                caller.written = 0;
                if done < *length {
                    break;
                }
            }
            // The bytes transferred before count; the program gets the error in its next call.
            Err(Refusal::Errno(_) | Refusal::Blocks { .. }) if sum > 0 => {
                sum += caller.written as u64;
                break;
            }
            Err(refusal) => return Err(refusal),
        }
    }
    Ok(sum)
}

pub(crate) fn lseek(files: &mut Files, descriptor: u64, offset: u64, whence: u64) -> Result<u64, Errno> {
    let open = files.descriptors.get(descriptor)?;
    let What::Node(node) = open.what else { return Err(Errno::Seek) };
    let length = match &files.tree.node(node)?.body {
        Body::File(bytes) => bytes.len() as u64,
        // Directory entries start from the beginning again.
        Body::Folder { .. } | Body::Unlisted { .. } => 0,
        Body::Link(_) | Body::Unread { .. } | Body::Maps => return Err(Errno::Invalid),
        Body::Device(_) => return Ok(0),
    };
    let inside = || if offset < length { Ok(offset) } else { Err(Errno::NoEntry) };
    let place = match whence {
        SEEK_SET => offset,
        SEEK_CUR => open.offset.wrapping_add(offset),
        SEEK_END => length.wrapping_add(offset),
        // A file has no holes except after its end.
        SEEK_DATA => inside()?,
        SEEK_HOLE => inside().map(|_| length)?,
        _ => return Err(Errno::Invalid),
    };
    if place.cast_signed() < 0 {
        return Err(Errno::Invalid);
    }
    files.descriptors.get_mut(descriptor)?.offset = place;
    Ok(place)
}

/// `sendfile`: from one open file to another.
pub(crate) fn sendfile(
    files: &mut Files,
    [to, from, offset, count, ..]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Refusal> {
    let at = match offset {
        0 => At::Offset,
        address => At::Place(caller.word(address)?),
    };
    let bytes = files.take(from, count.min(MOST) as usize, at, caller)?;
    let done = files.put(to, &bytes, At::Offset, caller)?;
    if let At::Place(place) = at {
        caller.store_words(offset, &[place + done])?;
    }
    Ok(done)
}

//! `mmap` of zeroes or of a private copy of a file; `mincore`.

use crate::caller::Caller;
use crate::descriptors::What;
use crate::errno::Errno;
use crate::files::Files;
use crate::mappings::{Mapped, Mappings};
use crate::memory::{PAGE, USER_END};
use crate::space::{Space, Where};
use crate::tree::{Body, Device};

/// Linux `include/uapi/linux/mman.h`, `include/uapi/asm-generic/mman-common.h`, `mman.h`; equal on
/// all targets.
const TYPE: u64 = 0xf;
const SHARED: u64 = 1;
const PRIVATE: u64 = 2;
const SHARED_VALIDATED: u64 = 3;
const FIXED: u64 = 0x10;
const ANONYMOUS: u64 = 0x20;
const FIXED_IF_FREE: u64 = 0x10_0000;
/// `PROT_WRITE`, `PROT_EXEC`.
const WRITE: u64 = 2;
const EXECUTE: u64 = 4;

pub(crate) fn mmap(
    mappings: &mut Mappings,
    space: &mut Space,
    files: &Files,
    [address, length, protection, flags, descriptor, offset]: [u64; 6],
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    let place = match flags {
        flags if flags & FIXED_IF_FREE != 0 => Where::HereIfFree(address),
        flags if flags & FIXED != 0 => Where::Here(address),
        // An address hint is ignored.
        _ => Where::Anywhere,
    };
    if flags & ANONYMOUS != 0 {
        space.is_shared |= flags & TYPE != PRIVATE && protection & WRITE != 0;
        return space.map(place, length, protection, caller.memory);
    }
    if !offset.is_multiple_of(PAGE) {
        return Err(Errno::Invalid);
    }
    let What::Node(node) = files.descriptors.get(descriptor)?.what else { return Err(Errno::NoDevice) };
    let shared = matches!(flags & TYPE, SHARED | SHARED_VALIDATED);
    let bytes = match &files.tree.node(node)?.body {
        // Stores to a mapping are not written back to the file.
        Body::File(_) if shared && protection & WRITE != 0 => return Err(Errno::NoDevice),
        Body::File(bytes) => {
            let start = usize::try_from(offset).map_or(bytes.len(), |start| start.min(bytes.len()));
            let most = usize::try_from(length).unwrap_or(usize::MAX);
            bytes.get(start..start.saturating_add(most).min(bytes.len())).unwrap_or_default()
        }
        Body::Device(Device::Zero) => &[],
        _ => return Err(Errno::NoDevice),
    };
    let own = mappings.placed.get(&node).copied().filter(|_| caller.programs > 0 && place == Where::Anywhere);
    let base = match own.map(|base| space.map(Where::HereIfFree(base), length, protection, caller.memory)) {
        Some(Ok(base)) => base,
        None | Some(Err(_)) => space.map(place, length, protection, caller.memory)?,
    };
    if place == Where::Anywhere {
        mappings.placed.entry(node).or_insert(base);
    }
    if protection != 0 {
        caller.memory.write(base, bytes);
    }
    if protection & EXECUTE != 0
        && let Some(path) = files.tree.original(node)
    {
        let path = String::from_utf8_lossy(&path).into_owned();
        mappings.executable.push(Mapped { path, base, offset, program: caller.program });
    }
    Ok(base)
}

/// `mincore`: one byte for each page, whose lowest bit is set if the page is in memory. Pages
/// without access are not in memory (Linux `mm/mincore.c`).
pub(crate) fn mincore(
    space: &Space,
    base: u64,
    length: u64,
    bytes: u64,
    caller: &mut Caller<'_>,
) -> Result<u64, Errno> {
    if !base.is_multiple_of(PAGE) {
        return Err(Errno::Invalid);
    }
    for index in 0..length.div_ceil(PAGE) {
        let page = base.checked_add(index * PAGE).filter(|page| *page < USER_END).ok_or(Errno::NoMemory)?;
        let is_there = caller.memory.read(page, 1).is_some();
        if !is_there && !space.reserves(page, page + PAGE) {
            return Err(Errno::NoMemory);
        }
        caller.store(bytes.wrapping_add(index), &[u8::from(is_there)])?;
    }
    Ok(0)
}

//! Memory that the program maps: the break and mappings. Only permissions that add access are
//! applied: mappings stay readable and writable, and executable pages stay executable. Pages
//! without any access use no memory.

use std::collections::BTreeMap;

use crate::errno::Errno;
use crate::memory::{Access, Memory, PAGE, USER_END};

/// Minimum and maximum size of a block of the break. Each block is as large as all before it, so
/// that many small steps make few mappings.
const LEAST_BLOCK: u64 = 1 << 20;
const MOST_BLOCK: u64 = 32 << 20;
/// Mappings are placed downwards from here, each below the last: one tebibyte, used once.
const MAP_TOP: u64 = 0x200_0000_0000;
const MAP_BOTTOM: u64 = 0x100_0000_0000;
/// Room that a program gets for its mappings.
const ROOM: u64 = 64 << 30;
/// Maximum number of mappings. Linux allows 65530; the emulator slows down with their number.
const MAP_COUNT: usize = 1024;
/// Maximum number of changes to mappings in one run. Each costs the emulator up to a millisecond.
const CHANGES: u32 = 1 << 15;
/// `PROT_EXEC` (Linux `include/uapi/asm-generic/mman-common.h`).
const EXECUTE: u64 = 4;

/// The address of a new mapping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Anywhere,
    /// At this address, in place of existing mappings.
    Here(u64),
    /// At this address, if it is free.
    HereIfFree(u64),
}

/// The break and the mappings.
#[derive(Clone, Debug)]
pub(crate) struct Space {
    start: u64,
    current: u64,
    mapped: u64,
    next: u64,
    /// Reserved ranges without access: end address by start address.
    reserved: BTreeMap<u64, u64>,
    changes: u32,
    /// Memory is mapped that children would share.
    pub(crate) is_shared: bool,
}

impl Space {
    /// Creates the space; the break begins at the page after the image.
    pub(crate) fn new(image_end: u64) -> Self {
        let start = image_end.next_multiple_of(PAGE);
        Space {
            start,
            current: start,
            mapped: start,
            next: MAP_TOP,
            reserved: BTreeMap::new(),
            changes: 0,
            is_shared: false,
        }
    }

    /// The space of another program after this one: what it maps is below all that was mapped
    /// before, as long as there is room for a large program.
    pub(crate) fn after(image_end: u64, before: &Space) -> Space {
        let next = if before.next > MAP_BOTTOM + ROOM { before.next } else { MAP_TOP };
        Space { next, ..Space::new(image_end) }
    }

    /// Places the next mappings below those of another program as well.
    pub(crate) fn go_below(&mut self, other: &Space) {
        if other.next > MAP_BOTTOM + ROOM {
            self.next = self.next.min(other.next);
        }
    }

    /// `brk`: returns the new break, or the old one if the request fails. Memory below a former
    /// break stays mapped, and zero.
    pub(crate) fn brk(&mut self, wish: u64, memory: &mut dyn Memory) -> u64 {
        if wish < self.start {
            return self.current;
        }
        if wish > self.mapped {
            let block = (self.mapped - self.start).clamp(LEAST_BLOCK, MOST_BLOCK);
            let size = (wish - self.mapped).checked_next_multiple_of(PAGE);
            let room = |size: &u64| memory.is_free(self.mapped, *size);
            let sizes = [size.map(|size| size.max(block)), size].into_iter().flatten().find(room);
            let Some(size) = sizes else { return self.current };
            if memory.map(self.mapped, size, Access::READ_WRITE).is_err() {
                return self.current;
            }
            self.mapped += size;
        }
        if wish < self.current {
            memory.clear(wish, self.current - wish);
        }
        self.current = wish;
        self.current
    }

    /// Maps zeroed memory, or reserves pages without access.
    pub(crate) fn map(
        &mut self,
        place: Where,
        length: u64,
        protection: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        let size = length.checked_next_multiple_of(PAGE).filter(|size| *size > 0).ok_or(Errno::Invalid)?;
        if memory.mappings() >= MAP_COUNT || self.changes == CHANGES {
            return Err(Errno::NoMemory);
        }
        let base = match place {
            Where::Anywhere => self.room(size, memory)?,
            Where::Here(base) | Where::HereIfFree(base) => {
                let end = base.checked_add(size).filter(|end| *end <= USER_END && base.is_multiple_of(PAGE));
                let end = end.ok_or(Errno::Invalid)?;
                let free = memory.is_free(base, size) && !self.reserves(base, end);
                match place {
                    Where::HereIfFree(_) if !free => return Err(Errno::Exists),
                    // The image, the stack and the break cannot be replaced.
                    Where::Here(_) if !free && !is_ours(base, end) => return Err(Errno::Invalid),
                    Where::Here(_) => self.take_away(base, end, memory)?,
                    _ => {}
                }
                base
            }
        };
        self.changes += 1;
        if protection == 0 {
            self.reserved.insert(base, base + size);
        } else {
            memory.map(base, size, access(protection)).map_err(|_| Errno::NoMemory)?;
        }
        if place == Where::Anywhere {
            self.next = base;
        }
        Ok(base)
    }

    fn room(&self, size: u64, memory: &dyn Memory) -> Result<u64, Errno> {
        let mut end = self.next;
        loop {
            let base = end.checked_sub(size).filter(|base| *base >= MAP_BOTTOM).ok_or(Errno::NoMemory)?;
            // Skips fixed mappings below all others.
            let taken = self.reserved.range(..end).next_back().filter(|(_, over)| **over > base);
            match (taken, memory.is_free(base, size)) {
                (None, true) => return Ok(base),
                (Some((start, _)), _) => end = *start,
                (None, false) => {
                    end = memory.last_mapping(base, end).ok_or(Errno::NoMemory)?;
                }
            }
        }
    }

    /// Returns true if pages of the range are reserved without access.
    pub(crate) fn reserves(&self, base: u64, end: u64) -> bool {
        self.reserved.range(..end).next_back().is_some_and(|(_, over)| *over > base)
    }

    /// Removes a range from the reserved ones, and returns the removed parts.
    fn unreserve(&mut self, base: u64, end: u64) -> Vec<(u64, u64)> {
        let touched: Vec<(u64, u64)> =
            self.reserved.range(..end).filter(|(_, over)| **over > base).map(|(start, over)| (*start, *over)).collect();
        for (start, over) in &touched {
            self.reserved.remove(start);
            if *start < base {
                self.reserved.insert(*start, base);
            }
            if *over > end {
                self.reserved.insert(end, *over);
            }
        }
        touched.into_iter().map(|(start, over)| (start.max(base), over.min(end))).collect()
    }

    fn take_away(&mut self, base: u64, end: u64, memory: &mut dyn Memory) -> Result<(), Errno> {
        self.unreserve(base, end);
        memory.unmap(base, end - base).map_err(|_| Errno::Invalid)
    }

    /// Unmaps memory that the program mapped. The image and the stack stay.
    pub(crate) fn unmap(&mut self, base: u64, length: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        let size = length.checked_next_multiple_of(PAGE).filter(|size| *size > 0 && base.is_multiple_of(PAGE));
        let end = size.and_then(|size| base.checked_add(size)).ok_or(Errno::Invalid)?;
        if is_ours(base, end) && self.changes < CHANGES {
            self.changes += 1;
            self.take_away(base, end, memory)?;
            if base <= self.next && self.next < end {
                self.next = end;
            }
        }
        Ok(0)
    }

    pub(crate) fn protect(
        &mut self,
        base: u64,
        length: u64,
        protection: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        let size = length.checked_next_multiple_of(PAGE).filter(|_| base.is_multiple_of(PAGE));
        let end = size.and_then(|size| base.checked_add(size)).ok_or(Errno::Invalid)?;
        if protection == 0 {
            return Ok(0);
        }
        if self.changes == CHANGES {
            return Err(Errno::NoMemory);
        }
        for (from, to) in self.unreserve(base, end) {
            self.changes += 1;
            memory.map(from, to - from, access(protection)).map_err(|_| Errno::NoMemory)?;
        }
        if protection & EXECUTE != 0 {
            self.changes += 1;
            memory.protect(base, end - base, access(protection)).map_err(|_| Errno::NoMemory)?;
        }
        Ok(0)
    }

    /// Resizes a mapping: in place if it shrinks, else at another address.
    pub(crate) fn remap(
        &mut self,
        [base, old, new, flags, ..]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        // MREMAP_MAYMOVE (Linux `include/uapi/linux/mman.h`).
        const MAY_MOVE: u64 = 1;
        let pages = |length: u64| length.checked_next_multiple_of(PAGE).filter(|size| *size > 0).ok_or(Errno::Invalid);
        let (old, new) = (pages(old)?, pages(new)?);
        let end = base.checked_add(old).filter(|_| base.is_multiple_of(PAGE)).ok_or(Errno::Invalid)?;
        if !is_ours(base, end) || flags & !MAY_MOVE != 0 {
            return Err(Errno::Invalid);
        }
        if new <= old {
            if new < old {
                self.unmap(base + new, old - new, memory)?;
            }
            return Ok(base);
        }
        if flags & MAY_MOVE == 0 {
            return Err(Errno::NoMemory);
        }
        let bytes = memory.copy(base, usize::try_from(old).map_err(|_| Errno::NoMemory)?).ok_or(Errno::Fault)?;
        let moved = self.map(Where::Anywhere, new, Access::READ_WRITE.0.into(), memory)?;
        memory.write(moved, &bytes);
        self.unmap(base, old, memory)?;
        Ok(moved)
    }

    /// `MADV_DONTNEED` and `MADV_FREE` clear the memory; other advice has no effect.
    pub(crate) fn advise(base: u64, length: u64, advice: u64, memory: &mut dyn Memory) -> Result<u64, Errno> {
        // Linux `include/uapi/asm-generic/mman-common.h`.
        const NOT_NEEDED: u64 = 4;
        if !base.is_multiple_of(PAGE) {
            return Err(Errno::Invalid);
        }
        if advice == NOT_NEEDED {
            memory.clear(base, length.next_multiple_of(PAGE));
        }
        Ok(0)
    }
}

/// Returns true if a range is inside the area of mappings.
fn is_ours(base: u64, end: u64) -> bool {
    base >= MAP_BOTTOM && end <= MAP_TOP
}

/// The access to pages with these protection flags; see the head of this file.
fn access(protection: u64) -> Access {
    if protection & EXECUTE != 0 { Access(Access::READ_WRITE.0 | Access::EXECUTE.0) } else { Access::READ_WRITE }
}

//! Memory that the program maps: the break and mappings. Protections are applied as far as they
//! give something: what is mapped stays readable and writable, and what may be executed once may be
//! always. Pages without any access take no memory.

use std::collections::BTreeMap;

use crate::errno::Errno;
use crate::memory::{Access, Memory, PAGE, USER_END};

/// The break grows in blocks, each as large as all before it within these bounds, so that many
/// small steps stay few mappings.
const LEAST_BLOCK: u64 = 1 << 20;
const MOST_BLOCK: u64 = 32 << 20;
/// Mappings are placed downwards from here, each below the last: a tebibyte, used once.
const MAP_TOP: u64 = 0x200_0000_0000;
const MAP_BOTTOM: u64 = 0x100_0000_0000;
/// The most mappings at once. Linux allows 65530; the emulator slows down with their number.
const MAP_COUNT: usize = 1024;
/// The most changes to the mappings in one run. Each costs the emulator up to a millisecond.
const CHANGES: u32 = 1 << 15;
/// `PROT_EXEC` (Linux `include/uapi/asm-generic/mman-common.h`).
const EXECUTE: u64 = 4;

/// Where a mapping is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Where {
    Anywhere,
    /// Here, in place of what is there.
    Here(u64),
    /// Here, if nothing is.
    HereIfFree(u64),
}

/// The break and the mappings.
#[derive(Debug)]
pub(crate) struct Space {
    start: u64,
    current: u64,
    mapped: u64,
    next: u64,
    /// Pages that are taken and have no access, by their first address: the first address after.
    reserved: BTreeMap<u64, u64>,
    changes: u32,
}

impl Space {
    /// The break begins at the page after the image.
    pub(crate) fn new(image_end: u64) -> Self {
        let start = image_end.next_multiple_of(PAGE);
        Space { start, current: start, mapped: start, next: MAP_TOP, reserved: BTreeMap::new(), changes: 0 }
    }

    /// The new break, or the old one where the wish cannot be met. Memory once given stays, as
    /// zeroes.
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

    /// Maps zeroes, or takes pages without access.
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
                    // The image, the stack and the break are not taken away.
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
            // What was mapped at a fixed place below all others is passed by.
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

    /// It has pages of the range without access.
    pub(crate) fn reserves(&self, base: u64, end: u64) -> bool {
        self.reserved.range(..end).next_back().is_some_and(|(_, over)| *over > base)
    }

    /// Cuts a range out of what is reserved, and gives what it was.
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

    /// Unmaps what the program mapped. What it did not map, its image and stack, stays.
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

    /// A mapping of another size: in place where it shrinks, else elsewhere.
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

    /// `MADV_DONTNEED` and `MADV_FREE` leave zeroes; other advice changes nothing.
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

/// Returns true if a range lies among mappings.
fn is_ours(base: u64, end: u64) -> bool {
    base >= MAP_BOTTOM && end <= MAP_TOP
}

/// What the pages may be used for: see the head of this file.
fn access(protection: u64) -> Access {
    if protection & EXECUTE != 0 { Access(Access::READ_WRITE.0 | Access::EXECUTE.0) } else { Access::READ_WRITE }
}

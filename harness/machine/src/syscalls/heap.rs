//! Memory that the program maps: the break and anonymous mappings. Protections are not followed: what is mapped stays
//! readable and writable.

use std::collections::BTreeMap;

use super::Errno;
use crate::engine::Engine;
use crate::layout::{Access, PAGE, Span};
use crate::memory::Memory;

/// The break grows in blocks of this size, so that many small steps stay few mappings.
const BREAK_BLOCK: u64 = 1 << 20;
/// Mappings are placed downwards from here, each below the last: a tebibyte, used once.
const MAP_TOP: u64 = 0x200_0000_0000;
const MAP_BOTTOM: u64 = 0x100_0000_0000;
/// The most mappings at once. Linux allows 65530; the emulator slows down with their number.
const MAP_COUNT: usize = 1024;
/// The most changes to the mappings in one run. Each costs the emulator up to a millisecond.
const CHANGES: u32 = 4096;
/// `MAP_FIXED`, `MAP_ANONYMOUS` (Linux `include/uapi/asm-generic/mman-common.h`).
const FIXED: u64 = 0x10;
const ANONYMOUS: u64 = 0x20;

/// The break and the mappings.
#[derive(Debug)]
pub(super) struct Heap {
    current: u64,
    mapped: u64,
    next: u64,
    mappings: BTreeMap<u64, u64>,
    changes: u32,
}

impl Heap {
    /// The break begins at the page after the image.
    pub(super) fn new(image_end: u64) -> Self {
        let start = image_end.next_multiple_of(PAGE);
        Heap { current: start, mapped: start, next: MAP_TOP, mappings: BTreeMap::new(), changes: 0 }
    }

    /// The new break, or the old one where the wish cannot be met. It never falls: memory once given stays.
    pub(super) fn brk(&mut self, wish: u64, engine: &Engine, memory: &mut Memory) -> u64 {
        if wish < self.current {
            return self.current;
        }
        if wish > self.mapped {
            let size = (wish - self.mapped).checked_next_multiple_of(BREAK_BLOCK);
            let Some(size) = size.filter(|size| memory.is_free(self.mapped, *size)) else { return self.current };
            if memory.map(engine, Span::uniform(self.mapped, size, Access::READ_WRITE)).is_err() {
                return self.current;
            }
            self.mapped += size;
        }
        self.current = wish;
        self.current
    }

    /// Maps zeroes. Files and fixed places are not served.
    pub(super) fn mmap(&mut self, arguments: [u64; 6], engine: &Engine, memory: &mut Memory) -> Result<u64, Errno> {
        let [_, length, _, flags, ..] = arguments;
        if flags & ANONYMOUS == 0 {
            return Err(Errno::BadFile);
        }
        let size = length.checked_next_multiple_of(PAGE).filter(|size| *size > 0 && flags & FIXED == 0);
        let size = size.ok_or(Errno::Invalid)?;
        let base = self.next.checked_sub(size).filter(|base| *base >= MAP_BOTTOM).ok_or(Errno::NoMemory)?;
        if self.mappings.len() == MAP_COUNT || self.changes == CHANGES || !memory.is_free(base, size) {
            return Err(Errno::NoMemory);
        }
        memory.map(engine, Span::uniform(base, size, Access::READ_WRITE)).map_err(|_| Errno::NoMemory)?;
        self.changes += 1;
        self.next = base;
        self.mappings.insert(base, size);
        Ok(base)
    }

    /// Unmaps what one `mmap` mapped. A part of it stays: the program has no use for it any more.
    pub(super) fn munmap(
        &mut self,
        base: u64,
        length: u64,
        engine: &Engine,
        memory: &mut Memory,
    ) -> Result<u64, Errno> {
        let size = length.checked_next_multiple_of(PAGE).filter(|size| *size > 0 && base.is_multiple_of(PAGE));
        let size = size.ok_or(Errno::Invalid)?;
        if self.mappings.get(&base) == Some(&size) {
            memory.unmap(engine, base, size).map_err(|_| Errno::Invalid)?;
            self.mappings.remove(&base);
            if base == self.next {
                self.next += size;
            }
        }
        Ok(0)
    }
}

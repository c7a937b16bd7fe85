//! Guest memory: blocks of host memory that the emulator maps and that the hook reads directly.
#![allow(
    unsafe_code,
    reason = "the emulator writes through host pointers to memory that Rust reads between instructions"
)]

mod parked;
mod window;

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};
use std::rc::Rc;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous, munmap};
use types::Bytes;
use unicorn_engine::{Prot, uc_engine, uc_mem_map_ptr, uc_mem_protect, uc_mem_unmap};

use crate::engine::{Engine, check};
use crate::error::MachineError;
use crate::layout::{Access, PAGE, Span};

pub(crate) use parked::ParkedMemory;
pub(crate) use window::Window;

/// All memory of one guest. It must be dropped after the engine that maps it.
pub(crate) struct Memory {
    regions: Vec<Region>,
    used: u64,
    limit: u64,
    epoch: u64,
    version: u64,
}

/// A mapped span: a block, or a part of one.
pub(crate) struct Region {
    span: Span,
    window: Window,
    block: Rc<Block>,
    /// The memory is shared with the guest that loaded it, or with the file. It must not be
    /// written.
    shared: bool,
}

/// A block of host memory.
enum Block {
    /// Mapped for this block only.
    Own { start: NonNull<u8>, length: usize },
    /// Memory of a file, kept as long as it is mapped.
    Lent { _bytes: Bytes },
}

impl Memory {
    pub(crate) fn new(limit: u64) -> Self {
        Memory { regions: Vec::new(), used: 0, limit, epoch: 0, version: 0 }
    }

    /// Maps a span of zeroes.
    ///
    /// # Errors
    /// The limit is exceeded, or the emulator refuses (the place is taken).
    pub(crate) fn map(&mut self, engine: &Engine, span: Span) -> Result<(), MachineError> {
        let size = span.size();
        let needed = self.used.saturating_add(size);
        let too_large = || MachineError::TooLarge { needed, limit: self.limit };
        if needed > self.limit {
            return Err(too_large());
        }
        let length = usize::try_from(size.max(PAGE)).map_err(|_| too_large())?;
        // From the system itself: an allocator would clear all reused memory, most of which no
        // program touches, and need not be there.
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        // SAFETY: a new mapping at an address of the system's choice.
        let start = unsafe { mmap_anonymous(null_mut(), length, ProtFlags::READ | ProtFlags::WRITE, flags) };
        let host = start.ok().and_then(|start| NonNull::new(start.cast())).ok_or_else(too_large)?;
        let block = Rc::new(Block::Own { start: host, length });
        let window = Window { base: span.base, len: size as usize, host };
        self.regions.push(Region { span, window, block, shared: false });
        self.used = needed;
        self.regions.sort_by_key(|region| region.window.base);
        self.attach(engine, window.base)
    }

    /// Maps bytes without a copy: whole pages that are aligned to the host's pages and that the
    /// guest must not write.
    ///
    /// # Errors
    /// The bytes are not whole pages, the limit is exceeded, or the emulator refuses (the address
    /// is taken).
    pub(crate) fn lend(
        &mut self,
        engine: &Engine,
        base: u64,
        bytes: Bytes,
        access: Access,
    ) -> Result<(), MachineError> {
        let needed = self.used.saturating_add(bytes.len() as u64);
        let host = NonNull::from(bytes.as_ref()).cast::<u8>();
        let pages = is_lendable(&bytes) && base.is_multiple_of(PAGE) && !access.has(Access::WRITE);
        if !pages || needed > self.limit {
            return Err(MachineError::TooLarge { needed, limit: self.limit });
        }
        let span = Span::uniform(base, bytes.len() as u64, access);
        let window = Window { base, len: bytes.len(), host };
        self.regions.push(Region { span, window, block: Rc::new(Block::Lent { _bytes: bytes }), shared: true });
        self.used = needed;
        self.regions.sort_by_key(|region| region.window.base);
        self.attach(engine, base)
    }

    /// Maps another guest's memory in a span, shared.
    pub(crate) fn share(&mut self, engine: &Engine, other: &Memory, wanted: &Span) -> Result<(), MachineError> {
        for region in other.regions.iter().filter(|region| region.touches(wanted.base, wanted.end())) {
            let Region { span, window, block, .. } = region;
            let block = Rc::clone(block);
            self.regions.push(Region { span: span.clone(), window: *window, block, shared: true });
            self.regions.sort_by_key(|region| region.window.base);
            self.attach(engine, span.base)?;
        }
        Ok(())
    }

    fn attach(&mut self, engine: &Engine, base: u64) -> Result<(), MachineError> {
        self.version += 1;
        let Some(region) = self.regions.iter().find(|region| region.window.base == base) else { return Ok(()) };
        region.attach(engine.handle())
    }

    /// Unmaps the mapped parts of `[base, base + size)`, which begins and ends at pages.
    pub(crate) fn unmap(&mut self, engine: &Engine, base: u64, size: u64) -> Result<(), MachineError> {
        let end = base.saturating_add(size);
        self.version += 1;
        while let Some(index) = self.regions.iter().position(|region| region.touches(base, end)) {
            let region = self.regions.remove(index);
            let (from, to) = (base.max(region.span.base), end.min(region.span.end()));
            // SAFETY: the handle is live, and the mapped memory belongs to a block that is freed
            // only after this.
            check(unsafe { uc_mem_unmap(engine.handle(), from, to - from) }, "unmap memory")?;
            self.used = self.used.saturating_sub(to - from);
            self.epoch += 1;
            let (before, after) = (region.part(region.span.base, from), region.part(to, region.span.end()));
            self.regions.extend(before.into_iter().chain(after));
        }
        self.regions.sort_by_key(|region| region.window.base);
        Ok(())
    }

    /// Changes the access to the mapped parts of `[base, base + size)`, which begins and ends at
    /// pages.
    pub(crate) fn protect(
        &mut self,
        engine: &Engine,
        base: u64,
        size: u64,
        access: Access,
    ) -> Result<(), MachineError> {
        let end = base.saturating_add(size);
        self.version += 1;
        for region in self.regions.iter_mut().filter(|region| region.touches(base, end)) {
            let (from, to) = (base.max(region.span.base), end.min(region.span.end()));
            // SAFETY: the handle is live, and the pages are mapped.
            check(unsafe { uc_mem_protect(engine.handle(), from, to - from, prot(access).0) }, "protect memory")?;
            region.span.set_access(from, to, access);
        }
        // A page that refused an access has a substitute: see `pages`.
        engine.forget_pages()
    }

    /// Number of regions unmapped so far. A [`Window`] is valid only as long as this does not
    /// change.
    #[inline]
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Number of changes of mappings or access so far.
    #[inline]
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// The window of the region that contains an address.
    pub(crate) fn window(&self, address: u64) -> Option<Window> {
        self.region(address).map(|region| region.window)
    }

    fn region(&self, address: u64) -> Option<&Region> {
        let upto = self.regions.partition_point(|region| region.window.base <= address);
        self.regions.get(upto.checked_sub(1)?).filter(|region| region.window.holds(address))
    }

    /// The spans in use, sorted by address.
    pub(crate) fn spans(&self) -> impl Iterator<Item = &Span> {
        self.regions.iter().map(|region| &region.span)
    }

    /// Copies bytes into memory. Returns false, and writes nothing, if they are not all in memory
    /// that is not shared.
    pub(crate) fn write(&mut self, address: u64, bytes: &[u8]) -> bool {
        if !self.has(address, bytes.len(), |region| !region.shared) {
            return false;
        }
        let (mut at, mut rest) = (address, bytes);
        while let Some(window) = self.window(at).filter(|_| !rest.is_empty()) {
            let offset = (at - window.base) as usize;
            let (now, later) = rest.split_at(rest.len().min(window.len - offset));
            // SAFETY: the destination lies inside the region's block, which is this memory's alone
            // and which no Rust reference covers while `self` is borrowed mutably; the guest does
            // not run meanwhile.
            unsafe { window.host.add(offset).copy_from_nonoverlapping(NonNull::from(now).cast(), now.len()) };
            (at, rest) = (at + now.len() as u64, later);
        }
        true
    }

    /// Copies an image's bytes into memory, except into shared memory, which has them.
    pub(crate) fn load(&mut self, address: u64, bytes: &[u8]) {
        let end = address.saturating_add(bytes.len() as u64);
        let own = self.regions.iter().filter(|region| !region.shared && region.touches(address, end));
        let parts: Vec<(u64, u64)> =
            own.map(|region| (address.max(region.span.base), end.min(region.span.end()))).collect();
        for (from, to) in parts {
            let part = bytes.get((from - address) as usize..(to - address) as usize);
            self.write(from, part.unwrap_or_default());
        }
    }

    /// Clears the mapped parts of `[address, address + size)`.
    pub(crate) fn clear(&mut self, address: u64, size: u64) {
        let end = address.saturating_add(size);
        for region in self.regions.iter().filter(|region| !region.shared && region.touches(address, end)) {
            let (from, to) = (address.max(region.span.base), end.min(region.span.end()));
            let offset = (from - region.window.base) as usize;
            // SAFETY: the range lies inside the region's block, which no Rust reference covers
            // while `self` is borrowed mutably; the guest does not run meanwhile.
            unsafe { region.window.host.add(offset).write_bytes(0, (to - from) as usize) };
        }
    }

    /// Returns true if all `len` bytes from an address are in memory, in one region or in adjacent
    /// ones.
    pub(crate) fn holds(&self, address: u64, len: usize) -> bool {
        self.has(address, len, |_| true)
    }

    /// Returns true if all `len` bytes are in regions for which `is_so` returns true.
    fn has(&self, address: u64, len: usize, is_so: impl Fn(&Region) -> bool) -> bool {
        let Some(end) = address.checked_add(len as u64) else { return false };
        let mut at = address;
        while at < end {
            let Some(region) = self.region(at).filter(|region| is_so(region)) else { return false };
            at = region.window.base + region.window.len as u64;
        }
        len > 0 || self.region(address).is_some_and(is_so)
    }

    /// Overwrites all executable memory that is not shared with an instruction, without notice to
    /// the emulator.
    #[cold]
    pub(crate) fn overwrite_code(&mut self, instruction: &[u8]) {
        for region in self.regions.iter().filter(|region| !region.shared) {
            let mut offset = 0;
            for run in &region.span.runs {
                if run.access.has(Access::EXECUTE) {
                    // SAFETY: the run lies inside the region's block, which no Rust reference
                    // covers while `self` is borrowed mutably; the guest does not run meanwhile.
                    let bytes = unsafe {
                        std::slice::from_raw_parts_mut(region.window.host.add(offset).as_ptr(), run.size as usize)
                    };
                    for place in bytes.chunks_exact_mut(instruction.len()) {
                        place.copy_from_slice(instruction);
                    }
                }
                offset += run.size as usize;
            }
        }
    }

    /// The access to the page of an address; `None` if it is not mapped.
    pub(crate) fn access(&self, address: u64) -> Option<Access> {
        let span = &self.region(address)?.span;
        let mut end = span.base;
        let run = span.runs.iter().find(|run| {
            end += run.size;
            address < end
        });
        run.map(|run| run.access)
    }

    /// The bytes at an address, if all are in one region that allows the access.
    pub(crate) fn accessible(&self, address: u64, len: usize, access: Access) -> Option<&[u8]> {
        let Region { window, span, .. } = self.region(address)?;
        let last = address.checked_add(len as u64)?.checked_sub(1)?;
        let mut end = span.base;
        for run in &span.runs {
            let start = end;
            end += run.size;
            let touched = start <= last && address < end;
            if touched && !run.access.has(access) {
                return None;
            }
        }
        self.bytes(window, address, len)
    }

    /// The bytes at an address, if all are in one region.
    pub(crate) fn read(&self, address: u64, len: usize) -> Option<&[u8]> {
        self.bytes(&self.region(address)?.window, address, len)
    }

    /// The bytes at an address in a region.
    fn bytes(&self, window: &Window, address: u64, len: usize) -> Option<&[u8]> {
        // SAFETY: the region lives as long as `self` is borrowed, and the guest does not run
        // meanwhile.
        unsafe { window.bytes() }.get((address - window.base) as usize..)?.get(..len)
    }
}

impl Region {
    /// Returns true if the region has a byte of `[base, end)`.
    fn touches(&self, base: u64, end: u64) -> bool {
        base < self.span.end() && self.span.base < end
    }

    /// Maps the region for a processor.
    fn attach(&self, handle: *mut uc_engine) -> Result<(), MachineError> {
        let mut offset = 0u64;
        for run in &self.span.runs {
            // SAFETY: the handle is live. The block outlives the engine (declared after it in
            // `Core`) or its unmapping, and holds the whole span.
            let outcome = unsafe {
                let host = self.window.host.add(offset as usize).as_ptr();
                uc_mem_map_ptr(handle, self.span.base + offset, run.size, prot(run.access).0, host.cast::<c_void>())
            };
            check(outcome, "map memory")?;
            offset += run.size;
        }
        Ok(())
    }

    /// The part of the region between two pages; `None` if empty.
    fn part(&self, from: u64, to: u64) -> Option<Region> {
        let offset = (from - self.window.base) as usize;
        let len = usize::try_from(to.checked_sub(from).filter(|len| *len > 0)?).ok()?;
        // SAFETY: the part lies inside the region's window.
        let host = unsafe { self.window.host.add(offset) };
        let window = Window { base: from, len, host };
        Some(Region { span: self.span.part(from, to), window, block: Rc::clone(&self.block), shared: self.shared })
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Block::Own { start, length } = self {
            // SAFETY: mapped with this length in `map`, and no region has it any more.
            let outcome = unsafe { munmap(start.as_ptr().cast(), *length) };
            debug_assert!(outcome.is_ok(), "{outcome:?}");
        }
    }
}

/// Returns true if the bytes are whole pages of the emulator, aligned to the host's pages.
pub(crate) fn is_lendable(bytes: &Bytes) -> bool {
    !bytes.is_empty()
        && bytes.len().is_multiple_of(PAGE as usize)
        && bytes.as_ptr().addr().is_multiple_of(PAGE as usize)
}

/// The emulator's permissions for an access.
pub(crate) fn prot(access: Access) -> Prot {
    let bit = |has: Access, prot: Prot| if access.has(has) { prot.0 } else { 0 };
    Prot(bit(Access::READ, Prot::READ) | bit(Access::WRITE, Prot::WRITE) | bit(Access::EXECUTE, Prot::EXEC))
}

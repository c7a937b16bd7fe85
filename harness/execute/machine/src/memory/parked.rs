//! Memory that is parked while another process executes.

use std::ptr::{NonNull, null_mut};
use std::rc::Rc;

use rustix::mm::{MapFlags, ProtFlags, mmap_anonymous};
use unicorn_engine::uc_mem_unmap;

use super::{Block, Memory, Region, Window};
use crate::engine::{Engine, check};
use crate::error::MachineError;

/// All memory of a process that does not execute.
pub(crate) struct ParkedMemory {
    regions: Vec<Region>,
    used: u64,
}

impl Memory {
    pub(crate) fn copy(&self) -> Result<ParkedMemory, MachineError> {
        let regions = self.regions.iter().map(Region::copy).collect::<Option<_>>();
        let too_large = MachineError::TooLarge { needed: self.used, limit: self.limit };
        Ok(ParkedMemory { regions: regions.ok_or(too_large)?, used: self.used })
    }

    /// Unmaps all memory, and returns it.
    pub(crate) fn park(&mut self, engine: &Engine) -> Result<ParkedMemory, MachineError> {
        self.version += 1;
        self.epoch += 1;
        for region in &self.regions {
            // SAFETY: the handle is live, and the mapped memory belongs to a block that is freed
            // only after this.
            let unmapped = unsafe { uc_mem_unmap(engine.handle(), region.span.base, region.span.size()) };
            check(unmapped, "unmap memory")?;
        }
        Ok(ParkedMemory { regions: std::mem::take(&mut self.regions), used: std::mem::take(&mut self.used) })
    }

    /// Replaces all memory with memory that was parked or copied.
    pub(crate) fn unpark(&mut self, engine: &Engine, parked: ParkedMemory) -> Result<(), MachineError> {
        self.park(engine)?;
        (self.regions, self.used) = (parked.regions, parked.used);
        self.regions.iter().try_for_each(|region| region.attach(engine.handle()))
    }
}

impl Region {
    /// A region with the same bytes; memory that is never written is shared. `None` if the host has
    /// no memory for it.
    fn copy(&self) -> Option<Region> {
        let Region { span, window, block, shared } = self;
        if *shared {
            return Some(Region { span: span.clone(), window: *window, block: Rc::clone(block), shared: true });
        }
        // SAFETY: a new mapping at an address of the system's choice.
        let start =
            unsafe { mmap_anonymous(null_mut(), window.len, ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE) };
        let host: NonNull<u8> = NonNull::new(start.ok()?.cast())?;
        let block = Rc::new(Block::Own { start: host, length: window.len });
        // SAFETY: both blocks have this length and do not overlap, and the guest does not run
        // meanwhile. Pages of zeroes stay untouched, so that they use no memory.
        for (page, bytes) in unsafe { window.bytes() }.chunks(super::PAGE as usize).enumerate() {
            if bytes.iter().any(|byte| *byte != 0) {
                let at = page * super::PAGE as usize;
                // SAFETY: as above.
                unsafe { host.add(at).copy_from_nonoverlapping(NonNull::from(bytes).cast(), bytes.len()) };
            }
        }
        Some(Region { span: span.clone(), window: Window { host, ..*window }, block, shared: false })
    }
}

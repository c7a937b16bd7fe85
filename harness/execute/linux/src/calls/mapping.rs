//! `mmap` of zeroes or of a private copy of a file; `mincore`.

use crate::descriptors::What;
use crate::errno::Errno;
use crate::kernel::Kernel;
use crate::kernel::Mapped;
use crate::memory::{Memory, PAGE, USER_END};
use crate::space::Where;
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

impl Kernel {
    pub(crate) fn mmap(
        &mut self,
        [address, length, protection, flags, descriptor, offset]: [u64; 6],
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        let place = match flags {
            flags if flags & FIXED_IF_FREE != 0 => Where::HereIfFree(address),
            flags if flags & FIXED != 0 => Where::Here(address),
            // An address hint is ignored.
            _ => Where::Anywhere,
        };
        if flags & ANONYMOUS != 0 {
            self.processes.shares_memory |= flags & TYPE != PRIVATE && protection & WRITE != 0;
            return self.space.map(place, length, protection, memory);
        }
        if !offset.is_multiple_of(PAGE) {
            return Err(Errno::Invalid);
        }
        let What::Node(node) = self.descriptors.get(descriptor)?.what else { return Err(Errno::NoDevice) };
        let shared = matches!(flags & TYPE, SHARED | SHARED_VALIDATED);
        let bytes = match &self.tree.node(node)?.body {
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
        let own = self.placed.get(&node).copied().filter(|_| self.processes.programs > 0 && place == Where::Anywhere);
        let base = match own.map(|base| self.space.map(Where::HereIfFree(base), length, protection, memory)) {
            Some(Ok(base)) => base,
            None | Some(Err(_)) => self.space.map(place, length, protection, memory)?,
        };
        if place == Where::Anywhere {
            self.placed.entry(node).or_insert(base);
        }
        if protection != 0 {
            memory.write(base, bytes);
        }
        if protection & EXECUTE != 0
            && let Some(path) = self.tree.original(node)
        {
            let path = String::from_utf8_lossy(&path).into_owned();
            self.mapped.push(Mapped { path, base, offset, program: self.processes.program });
        }
        Ok(base)
    }

    /// The text of `/proc/self/maps`: all mappings (Linux `fs/proc/task_mmu.c`). Executable file
    /// mappings have the file's path.
    pub(crate) fn maps(&self, memory: &dyn Memory) -> Vec<u8> {
        let mut lines = Vec::new();
        let (mut end, program) = (USER_END, self.processes.program);
        while let Some(base) = memory.last_mapping(0, end) {
            let size = memory.rest(base).map_or(PAGE, |bytes| bytes.len() as u64);
            let file = self.mapped.iter().rev().find(|mapped| (mapped.base, mapped.program) == (base, program));
            let (offset, path) = file.map_or((0, ""), |mapped| (mapped.offset, mapped.path.as_str()));
            lines.push(format!("{base:08x}-{:08x} rwxp {offset:08x} 00:00 0 {path}\n", base + size));
            end = base;
        }
        lines.reverse();
        lines.concat().into_bytes()
    }

    /// `mincore`: one byte for each page, whose lowest bit is set if the page is in memory. Pages
    /// without access are not in memory (Linux `mm/mincore.c`).
    pub(crate) fn mincore(
        &mut self,
        base: u64,
        length: u64,
        bytes: u64,
        memory: &mut dyn Memory,
    ) -> Result<u64, Errno> {
        if !base.is_multiple_of(PAGE) {
            return Err(Errno::Invalid);
        }
        for index in 0..length.div_ceil(PAGE) {
            let page = base.checked_add(index * PAGE).filter(|page| *page < USER_END).ok_or(Errno::NoMemory)?;
            let is_there = memory.read(page, 1).is_some();
            if !is_there && !self.space.reserves(page, page + PAGE) {
                return Err(Errno::NoMemory);
            }
            self.give(memory, bytes.wrapping_add(index), &[u8::from(is_there)])?;
        }
        Ok(0)
    }
}

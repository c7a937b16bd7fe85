//! What the observer calls the instructions that were shown to it, by their addresses: those that nothing has to be looked for in, in memory that is not
//! written.

use model::Note;

use crate::layout::Access;
use crate::memory::Memory;

const PAGE: usize = 4096;

/// The notes of one execution. Of as many bytes of code as were executed, by pages.
#[derive(Default)]
pub(crate) struct Notes {
    regions: Vec<Region>,
    last: usize,
    /// How often the memory's map had changed when they were made.
    version: u64,
}

struct Region {
    start: u64,
    pages: Vec<Option<Box<[u32; PAGE]>>>,
}

impl Notes {
    /// The note of an instruction.
    #[inline(always)]
    pub(crate) fn get(&self, pc: u64) -> Option<Note> {
        let region = self.regions.get(self.last)?;
        let offset = pc.wrapping_sub(region.start) as usize;
        let page = region.pages.get(offset / PAGE)?.as_deref()?;
        Note::new(*page.get(offset % PAGE)?)
    }

    /// Goes to the region of an instruction, and forgets all where memory was mapped otherwise since.
    pub(crate) fn go(&mut self, pc: u64, memory: &Memory) {
        if self.version != memory.version() {
            *self = Notes { version: memory.version(), ..Notes::default() };
        }
        let size = |region: &Region| region.pages.len() * PAGE;
        let holds = |region: &Region| (pc.wrapping_sub(region.start) as usize) < size(region);
        if !self.regions.get(self.last).is_some_and(holds) {
            self.last = self.regions.iter().position(holds).unwrap_or(self.regions.len());
        }
    }

    /// Keeps a note, where code is not written.
    pub(crate) fn keep(&mut self, pc: u64, note: Note, memory: &Memory) {
        if memory.accessible(pc, 1, Access::WRITE).is_some() {
            return;
        }
        if self.regions.get(self.last).is_none() {
            let Some(window) = memory.window(pc) else { return };
            let pages = std::iter::repeat_with(|| None).take(window.len.div_ceil(PAGE)).collect();
            self.regions.push(Region { start: window.base, pages });
            self.last = self.regions.len() - 1;
        }
        let Some(region) = self.regions.get_mut(self.last) else { return };
        let offset = pc.wrapping_sub(region.start) as usize;
        let Some(page) = region.pages.get_mut(offset / PAGE) else { return };
        if let Some(place) = page.get_or_insert_with(|| Box::new([0; PAGE])).get_mut(offset % PAGE) {
            *place = note.get();
        }
    }
}

//! What the observer calls the instructions that were shown to it, by their addresses: those that
//! nothing has to be looked for in, in memory that is not written.

use types::memo::Note;

use crate::layout::Access;
use crate::memory::Memory;

/// Regions of more instructions are not kept in mind: a word for each, of which those of pages that
/// are executed are ever touched.
const MOST: usize = 1 << 25;

/// An instruction: the observer's note in the lower bits; above, how long the one before it is, if
/// a step from there is like that to it ([`types::memo::Memo::hit_alike`]); in the last bit,
/// whether a call that leads to it makes a frame.
#[derive(Clone, Copy, Default)]
pub(crate) struct Noted(u32);

const NOTE_BITS: u32 = 27;
const LENGTH_BITS: u32 = 4;

impl Noted {
    /// `before`: see [`Noted::before`]; `makes_frame`: see [`Noted::may_be_called`].
    pub(crate) fn new(note: Note, before: u64, makes_frame: bool) -> Option<Noted> {
        let (note, frame) = (note.get(), u32::from(makes_frame) << (NOTE_BITS + LENGTH_BITS));
        let fits = note >> NOTE_BITS == 0 && before >> LENGTH_BITS == 0;
        fits.then_some(Noted(note | (before as u32) << NOTE_BITS | frame))
    }

    /// The note.
    #[inline(always)]
    pub(crate) fn note(self) -> Option<Note> {
        Note::new(self.0 & ((1 << NOTE_BITS) - 1))
    }

    /// Bytes of the instruction before; 0 if a step from there has to be looked at.
    #[inline(always)]
    pub(crate) fn before(self) -> u64 {
        u64::from(self.0 >> NOTE_BITS & ((1 << LENGTH_BITS) - 1))
    }

    /// A call that leads here makes a frame.
    #[inline(always)]
    pub(crate) fn may_be_called(self) -> bool {
        self.0 >> (NOTE_BITS + LENGTH_BITS) != 0
    }
}

/// A word for each instruction of the code of one execution.
pub(crate) struct Places<W> {
    /// The region that control is in.
    now: Region<W>,
    others: Vec<Region<W>>,
    /// Instructions begin at multiples of 1 << shift.
    shift: u32,
    /// Version of the memory's map when they were made.
    version: u64,
}

/// The notes of one execution.
pub(crate) type Notes = Places<Noted>;

/// Instructions from an address on.
#[derive(Default)]
struct Region<W> {
    start: u64,
    words: Vec<W>,
}

impl<W: Copy + Default> Places<W> {
    /// None yet. `alignment`: of instructions.
    pub(crate) fn new(alignment: u64) -> Places<W> {
        Places { now: Region::default(), others: Vec::new(), shift: alignment.trailing_zeros(), version: 0 }
    }

    /// What is kept of an instruction.
    #[inline(always)]
    pub(crate) fn get(&self, pc: u64) -> W {
        let place = pc.wrapping_sub(self.now.start) >> self.shift;
        self.now.words.get(place as usize).copied().unwrap_or_default()
    }

    /// Goes to the region of an instruction, and forgets all where the version is another.
    #[inline]
    pub(crate) fn go(&mut self, pc: u64, memory: &Memory, version: u64) {
        if self.version != version {
            (self.now, self.version) = (Region::default(), version);
            self.others.clear();
        }
        if !self.now.holds(pc, self.shift) {
            self.change(pc, memory);
        }
    }

    #[cold]
    fn change(&mut self, pc: u64, memory: &Memory) {
        let found = self.others.iter().position(|region| region.holds(pc, self.shift));
        let next = match (found, memory.window(pc)) {
            (Some(found), _) => self.others.swap_remove(found),
            (None, Some(window)) if window.len >> self.shift <= MOST => {
                Region { start: window.base, words: vec![W::default(); window.len >> self.shift] }
            }
            (None, _) => Region::default(),
        };
        let left = std::mem::replace(&mut self.now, next);
        if !left.words.is_empty() {
            self.others.push(left);
        }
    }

    /// Keeps a word, where code is not written. The instruction is in the region that was gone to.
    pub(crate) fn keep(&mut self, pc: u64, word: W, memory: &Memory) {
        let place = pc.wrapping_sub(self.now.start) >> self.shift;
        if memory.accessible(pc, 1, Access::WRITE).is_none()
            && let Some(kept) = self.now.words.get_mut(place as usize)
        {
            *kept = word;
        }
    }
}

impl<W> Region<W> {
    fn holds(&self, pc: u64, shift: u32) -> bool {
        ((pc.wrapping_sub(self.start) >> shift) as usize) < self.words.len()
    }
}

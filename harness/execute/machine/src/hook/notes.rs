//! The observer's notes of instructions, by address: instructions that need no further check, in
//! memory that is not writable.

use types::memo::Note;
use witness::Branch;

use crate::layout::Access;
use crate::memory::Memory;

/// Maximum number of instructions in a region with notes: one word for each; only pages of executed
/// code are touched.
const MOST: usize = 1 << 25;

/// One instruction: the observer's note in the lower bits; above it the length of the instruction
/// before, if a step from there to here is alike ([`types::memo::Memo::hit_alike`]); then
/// three bits: whether its operands must be checked each time, whether a call of it makes a frame,
/// and whether it may write the link register.
#[derive(Clone, Copy, Default)]
pub(crate) struct Noted(u32);

const NOTE_BITS: u32 = 25;
const LENGTH_BITS: u32 = 4;
const CHECKED: u32 = 1 << (NOTE_BITS + LENGTH_BITS);
const FRAME: u32 = CHECKED << 1;
const LINKS: u32 = FRAME << 1;

impl Noted {
    /// `before`: see [`Noted::before`]; `branch`: the kind of the instruction.
    pub(crate) fn new(note: Note, before: u64, branch: Branch) -> Option<Noted> {
        let note = note.get();
        let frame = if matches!(branch, Branch::Discards | Branch::Retpoline) { 0 } else { FRAME };
        let links = if branch.may_link() { LINKS } else { 0 };
        let fits = note >> NOTE_BITS == 0 && before >> LENGTH_BITS == 0;
        fits.then_some(Noted(note | (before as u32) << NOTE_BITS | frame | links))
    }

    /// The same, of an instruction that the emulator executes wrongly for few operands.
    pub(crate) fn checked(self) -> Noted {
        Noted(self.0 | CHECKED)
    }

    /// Returns true if the operands must be checked each time.
    #[inline(always)]
    pub(crate) fn is_checked(self) -> bool {
        self.0 & CHECKED != 0
    }

    #[inline(always)]
    pub(crate) fn note(self) -> Option<Note> {
        Note::new(self.0 & ((1 << NOTE_BITS) - 1))
    }

    /// Length in bytes of the instruction before; 0 if a step from there must be checked.
    #[inline(always)]
    pub(crate) fn before(self) -> u64 {
        u64::from(self.0 >> NOTE_BITS & ((1 << LENGTH_BITS) - 1))
    }

    /// Returns true if a call of the instruction makes a frame.
    #[inline(always)]
    pub(crate) fn may_be_called(self) -> bool {
        self.0 & FRAME != 0
    }

    /// Returns true if the instruction is known, and may write the link register.
    #[inline(always)]
    pub(crate) fn may_link(self) -> bool {
        self.0 & LINKS != 0
    }
}

/// One word for each instruction of the executed code.
pub(crate) struct Places<W> {
    /// The current region.
    now: Region<W>,
    others: Vec<Region<W>>,
    /// Instructions begin at multiples of 1 << shift.
    shift: u32,
    /// Version of the memory map when the words were stored.
    version: u64,
}

/// The notes of one execution.
pub(crate) type Notes = Places<Noted>;

/// The words of a code region.
#[derive(Default)]
struct Region<W> {
    start: u64,
    words: Vec<W>,
}

impl<W: Copy + Default> Places<W> {
    /// Creates an empty table. `alignment` is that of instructions in bytes.
    pub(crate) fn new(alignment: u64) -> Places<W> {
        Places { now: Region::default(), others: Vec::new(), shift: alignment.trailing_zeros(), version: 0 }
    }

    /// The word of an instruction.
    #[inline(always)]
    pub(crate) fn get(&self, pc: u64) -> W {
        let place = pc.wrapping_sub(self.now.start) >> self.shift;
        self.now.words.get(place as usize).copied().unwrap_or_default()
    }

    /// Switches to the region of an instruction, and discards all words if the memory map has
    /// another version.
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

    /// Stores the word of an instruction in the current region, if its code is not writable.
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

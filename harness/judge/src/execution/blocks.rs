//! Blocks of steps that were judged one by one before: if one is entered in the same state again,
//! the earlier verdicts hold and the whole block counts as one block hit.
//!
//! The state is what the rows of its instructions read, each relative to the CFA: SP and FP, which
//! registers and words still hold the caller's. What the instructions make of it is the same each
//! time, but for words that they load and for stores through other pointers than SP and FP. So the
//! state after a block is compared too: if it differs, the execution is judged again
//! without blocks. A block in which one store may hit a word that a row then reads, and another
//! store may restore it, is not eligible ([`super::stores`]).

use types::memo::{Base, Block, BlockMemo, BlockNote, Boundary, Entered, FromCfa, Note};
use types::{AbiFacts, Event, Frame, LeftBy, Step};

use super::Judge;
use super::known::KnownInstructions;
use super::stores::{Begins, Looks, Word};
use crate::quick::{Held, Reads, SLOTS, has, is_far, is_there};

/// States that a block is known in.
const STATES: usize = 4;

/// A block. The fields that a block hit reads come first.
struct KnownBlock {
    states: [State; STATES],
    /// How many of them there are.
    used: usize,
    /// The first instruction; it has a row: 1.
    first: Note,
    first_answered: u32,
    reads: BlockReads,
}

/// The state at the start of a block, and at its end. Distances are from the CFA, or from SP if
/// there is no frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C, align(64))]
struct State {
    sp: i64,
    base_fp: i64,
    sp_after: i64,
    base_fp_after: i64,
    /// Words of the frame.
    words: Words,
    /// Of the block's instructions, those with a row.
    answered: u32,
    count: u32,
    /// The last instruction with a row; 0 if there is none.
    last: u32,
    is: BlockNeeds,
}

/// Where a frame has return address, FP and SP, as distances from the CFA.
type Words = [i32; 3];

/// What has to be so, as a bit set. Of words, the first three bits: which of them there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BlockNeeds(u16);

impl BlockNeeds {
    /// So far up are the same of when it has ended.
    const AFTER: u16 = 3;
    /// There is no frame.
    const OUTERMOST: BlockNeeds = BlockNeeds(1 << 6);
    const BASE_FP: BlockNeeds = BlockNeeds(1 << 7);
    const OWN_FP: BlockNeeds = BlockNeeds(1 << 8);
    const OWN_LINK: BlockNeeds = BlockNeeds(1 << 9);
    const BASE_FP_AFTER: BlockNeeds = BlockNeeds(1 << 10);
    const OWN_FP_AFTER: BlockNeeds = BlockNeeds(1 << 11);
    const OWN_LINK_AFTER: BlockNeeds = BlockNeeds(1 << 12);
    /// A function begins with it.
    const ENTRY: BlockNeeds = BlockNeeds(1 << 13);

    #[inline(always)]
    const fn any(self, other: BlockNeeds) -> bool {
        self.0 & other.0 != 0
    }

    fn set(&mut self, other: BlockNeeds, is: bool) {
        if is {
            self.0 |= other.0;
        }
    }
}

/// What its rows read.
#[derive(Clone, Copy, Debug, Default)]
struct BlockReads {
    /// Before FP and link register are written, and after.
    is: BlockNeeds,
    words: Words,
    /// Which words have to be there at the beginning, and at the end.
    looks: [Looks; SLOTS],
    /// Where SP and FP are at the beginning, if what the block stores is known by that.
    begins: Option<FromCfa>,
}

/// All blocks of a judge.
#[derive(Default)]
pub(super) struct Blocks {
    all: Vec<KnownBlock>,
    /// The one that is shown step by step, and what it began as.
    opened: Option<(BlockNote, State, u64)>,
    /// The block of the last hit and the state that it began in, by their indexes, and the base of
    /// the distances.
    taken: (usize, usize, u64),
}

impl BlockReads {
    fn new(facts: &AbiFacts, known: &KnownInstructions, block: &Block<'_>) -> Option<BlockReads> {
        let mut all = BlockReads::default();
        let mut readers: [Vec<usize>; SLOTS] = Default::default();
        for (number, note) in block.notes.iter().enumerate() {
            for read in known.reads(*note)? {
                let (old_fp, old_link) = (block.fp.is_old(number), block.link.is_old(number));
                if (read.base_fp || read.own_fp) && block.fp.is_hidden(number)
                    || read.own_link && block.link.is_hidden(number)
                {
                    return None;
                }
                all.is.set(if old_fp { BlockNeeds::BASE_FP } else { BlockNeeds::BASE_FP_AFTER }, read.base_fp);
                all.is.set(if old_fp { BlockNeeds::OWN_FP } else { BlockNeeds::OWN_FP_AFTER }, read.own_fp);
                all.is.set(if old_link { BlockNeeds::OWN_LINK } else { BlockNeeds::OWN_LINK_AFTER }, read.own_link);
                all.keep(&read)?;
                for (readers, word) in readers.iter_mut().zip(read.words) {
                    readers.extend(word.map(|_| number));
                }
            }
        }
        all.prove(facts, block, &readers)?;
        // A call leaves its own return address there.
        (!(all.is.any(BlockNeeds::OWN_LINK_AFTER) && block.calls)).then_some(all)
    }

    /// Finds out when words have to be looked at; none if that does not say what they were at
    /// each step.
    fn prove(&mut self, facts: &AbiFacts, block: &Block<'_>, readers: &[Vec<usize>; SLOTS]) -> Option<()> {
        let begins = Begins {
            fp_place: self.is.any(BlockNeeds::BASE_FP),
            own_fp: self.is.any(BlockNeeds::OWN_FP),
            own_link: self.is.any(BlockNeeds::OWN_LINK),
            caller_sp: facts.caller_sp_minus_cfa,
        };
        let words = self.words.into_iter().zip(HELD).zip(readers).enumerate();
        for (number, ((at, held), readers)) in words {
            let looks = Word { at: at.into(), held, readers }.looks(block, begins)?;
            self.is.set(BlockNeeds(1 << (number as u16 + BlockNeeds::AFTER)), looks.at_end);
            *self.looks.get_mut(number)? = looks;
        }
        let is_by_place = |base: Base| matches!(base, Base::Sp | Base::Fp);
        self.begins = block.stores.iter().any(|store| is_by_place(store.base)).then_some(block.begins);
        Some(())
    }

    /// Keeps which words a row reads; none if they are elsewhere than another row has them.
    fn keep(&mut self, read: &Reads) -> Option<()> {
        for (number, (kept, word)) in self.words.iter_mut().zip(read.words).enumerate() {
            let Some(word) = word else { continue };
            let bit = BlockNeeds(1 << number);
            if self.is.any(bit) && *kept != word {
                return None;
            }
            *kept = word;
            self.is.set(bit, true);
        }
        Some(())
    }
}

const HELD: [Held; 3] = [Held::Ra, Held::Fp, Held::Sp];

impl State {
    /// The state that a block begins in; none if it is no state to go by.
    fn new(abi: &AbiFacts, reads: &BlockReads, step: &Step<'_>) -> Option<State> {
        let Some(frame) = step.frames.innermost() else {
            return Some(State { is: BlockNeeds::OUTERMOST, ..State::default() });
        };
        let distance = |value: u64| value.wrapping_sub(frame.cfa) as i64;
        let before = BlockNeeds(BlockNeeds::BASE_FP.0 | BlockNeeds::OWN_FP.0 | BlockNeeds::OWN_LINK.0);
        let mut state = State {
            sp: distance(step.regs.sp),
            base_fp: distance(step.regs.fp),
            words: reads.words,
            is: BlockNeeds(reads.is.0 & before.0),
            ..State::default()
        };
        // What the block stores was placed by these.
        let is_so = |begins: FromCfa| {
            begins.sp == state.sp && (!reads.is.any(BlockNeeds::BASE_FP) || begins.fp == state.base_fp)
        };
        if !reads.begins.is_none_or(is_so) {
            return None;
        }
        // A word that is there later only was stored by the block.
        for (number, ((at, held), looks)) in reads.words.into_iter().zip(HELD).zip(reads.looks).enumerate() {
            let is_there = has(&step.stack, frame.cfa.wrapping_add_signed(at.into()), held.value(abi, frame));
            if looks.at_begin && !is_there {
                return None;
            }
            state.is.set(BlockNeeds(reads.is.0 & 1 << number), is_there);
        }
        let is_plain = frame.left_by == LeftBy::Call && frame.signed_by.is_none() && is_far(frame.cfa);
        let own = (!reads.is.any(BlockNeeds::OWN_FP) || step.regs.fp == frame.fp)
            && (!reads.is.any(BlockNeeds::OWN_LINK) || step.regs.ra == frame.ra.0);
        (is_plain && own).then_some(state)
    }

    #[inline(always)]
    fn is_that_of(&self, abi: &AbiFacts, step: &Step<'_>) -> bool {
        let Some(frame) = step.frames.innermost() else { return self.is.any(BlockNeeds::OUTERMOST) };
        let (cfa, regs) = (frame.cfa, &step.regs);
        regs.sp.wrapping_sub(cfa) as i64 == self.sp
            && !self.is.any(BlockNeeds::OUTERMOST)
            && (!self.is.any(BlockNeeds::BASE_FP) || regs.fp.wrapping_sub(cfa) as i64 == self.base_fp)
            && (!self.is.any(BlockNeeds::OWN_FP) || regs.fp == frame.fp)
            && (!self.is.any(BlockNeeds::OWN_LINK) || regs.ra == frame.ra.0)
            && frame.left_by == LeftBy::Call
            && frame.signed_by.is_none()
            && is_far(cfa)
            && self.words_are(self.is.0, |at, held| {
                has(&step.stack, cfa.wrapping_add_signed(at.into()), held.value(abi, frame))
            })
    }

    /// Returns true if those words are so whose bits are set.
    #[inline(always)]
    fn words_are(&self, bits: u16, is_so: impl Fn(i32, Held) -> bool) -> bool {
        let [ra, fp, sp] = self.words;
        (bits & 1 == 0 || is_so(ra, Held::Ra))
            && (bits & 2 == 0 || is_so(fp, Held::Fp))
            && (bits & 4 == 0 || is_so(sp, Held::Sp))
    }

    /// The same with the state after the block; `None` if that does not determine what its
    /// steps were.
    fn with_end(self, abi: &AbiFacts, reads: &BlockReads, base: u64, after: &Boundary<'_>) -> Option<State> {
        let mut state = State { sp_after: after.sp.wrapping_sub(base) as i64, ..self };
        let Some(frame) = after.frames.innermost() else { return Some(state) };
        state.base_fp_after = after.fp.wrapping_sub(frame.cfa) as i64;
        // Where FP is the caller's again at the end, it was between that it was where the CFA
        // counts from.
        let own_fp = reads.is.any(BlockNeeds::OWN_FP_AFTER);
        state.is.set(BlockNeeds::OWN_FP_AFTER, own_fp);
        state.is.set(BlockNeeds::BASE_FP_AFTER, reads.is.any(BlockNeeds::BASE_FP_AFTER) && !own_fp);
        state.is.set(BlockNeeds::OWN_LINK_AFTER, reads.is.any(BlockNeeds::OWN_LINK_AFTER));
        for (number, ((at, held), looks)) in reads.words.into_iter().zip(HELD).zip(reads.looks).enumerate() {
            let is_there = is_there(&after.stack, frame.cfa.wrapping_add_signed(at.into()), held.value(abi, frame));
            if looks.at_end && !is_there {
                return None;
            }
            state.is.set(BlockNeeds(reads.is.0 & 1 << number << BlockNeeds::AFTER), is_there);
        }
        state.ends_as(abi, base, after).then_some(state)
    }

    /// Returns true if the state after the block is the same.
    #[inline(always)]
    fn ends_as(&self, abi: &AbiFacts, base: u64, after: &Boundary<'_>) -> bool {
        let is_same = after.sp.wrapping_sub(base) as i64 == self.sp_after;
        let Some(frame) = after.frames.innermost() else { return is_same };
        is_same
            && (!self.is.any(BlockNeeds::BASE_FP_AFTER)
                || after.fp.wrapping_sub(frame.cfa) as i64 == self.base_fp_after)
            && (!self.is.any(BlockNeeds::OWN_FP_AFTER) || after.fp == frame.fp)
            && (!self.is.any(BlockNeeds::OWN_LINK_AFTER) || after.link == frame.ra.0)
            && self.words_are(self.is.0 >> BlockNeeds::AFTER, |at, held| {
                is_there(&after.stack, frame.cfa.wrapping_add_signed(at.into()), held.value(abi, frame))
            })
    }
}

/// What distances are from.
#[inline(always)]
fn base(step: &Step<'_>) -> u64 {
    step.frames.innermost().map_or(step.regs.sp, |frame: &Frame| frame.cfa)
}

/// Where a block is among all of a judge.
#[inline(always)]
fn place(block: BlockNote) -> usize {
    block.0.get() as usize - 1
}

impl BlockMemo for Judge<'_> {
    fn start_over(&mut self) {
        let fresh = Judge::new(self.image, self.tables, self.whole_chain).at_every_step(self.every_step);
        let outermost_is_real = self.outermost_is_real;
        *self = fresh;
        self.begin(outermost_is_real);
    }

    fn known(&mut self, step: &Step<'_>) -> Option<Note> {
        self.note_of(step)
    }

    fn block(&mut self, block: &Block<'_>) -> Option<BlockNote> {
        let (first, rest) = block.notes.split_first()?;
        // Where a function begins within, control may have been called there.
        if rest.iter().any(|note| self.known.is_entry(*note)) {
            return None;
        }
        let reads = BlockReads::new(self.facts, &self.known, block)?;
        let answered = || block.notes.iter().copied().filter(|note| self.known.is_answered(*note));
        let mut is = BlockNeeds::default();
        is.set(BlockNeeds::ENTRY, self.known.is_entry(*first));
        let state = State {
            count: u32::try_from(block.notes.len()).ok()?,
            answered: answered().count() as u32,
            last: answered().next_back().map_or(0, Note::get),
            is,
            ..State::default()
        };
        let first_answered = self.known.is_answered(*first).into();
        self.blocks.all.push(KnownBlock { states: [state; STATES], used: 0, first: *first, first_answered, reads });
        u32::try_from(self.blocks.all.len()).ok().and_then(Note::new).map(BlockNote)
    }

    fn open(&mut self, block: BlockNote, step: &Step<'_>) {
        let known = self.blocks.all.get(place(block));
        let state = known.and_then(|known| State::new(self.facts, &known.reads, step));
        self.blocks.opened = state.map(|state| (block, state, base(step)));
    }

    fn close(&mut self, after: &Boundary<'_>) {
        let Some((block, state, base)) = self.blocks.opened.take() else { return };
        let Some(known) = self.blocks.all.get_mut(place(block)) else { return };
        let (free, state) = (known.states.get_mut(known.used), state.with_end(self.facts, &known.reads, base, after));
        if let Some((free, state)) = free.zip(state) {
            let is = BlockNeeds(state.is.0 | free.is.0);
            let state = State { count: free.count, answered: free.answered, last: free.last, is, ..state };
            *free = state;
            // If its start state does not allow a hit, it may be known already.
            let is_new = !known.states.iter().take(known.used).any(|kept| *kept == state);
            known.used += usize::from(is_new);
        }
    }

    #[inline(always)]
    fn block_hit(&mut self, block: BlockNote, step: &Step<'_>, entered: Entered) -> bool {
        match entered {
            Entered::Within | Entered::Shown => self.hit_block(block, step, entered),
            Entered::Edge => self.enter_block(block, step),
        }
    }

    #[inline(always)]
    fn block_ended(&mut self, after: &Boundary<'_>) -> bool {
        let (block, state, base) = self.blocks.taken;
        let state = self.blocks.all.get(block).and_then(|known| known.states.get(state));
        state.is_some_and(|state| state.ends_as(self.facts, base, after))
    }
}

impl Judge<'_> {
    /// Counts the steps of a block: all of them, or all but the first, which was shown.
    #[inline(always)]
    fn hit_block(&mut self, block: BlockNote, step: &Step<'_>, entered: Entered) -> bool {
        let Some((place, number)) = self.state_of(block, step) else { return false };
        let Some(KnownBlock { states, first_answered, .. }) = self.blocks.all.get(place) else { return false };
        let Some(&State { count, answered, last, is, .. }) = states.get(number) else { return false };
        if step.event != Event::Sequential && is.any(BlockNeeds::ENTRY) && entered == Entered::Within {
            return false;
        }
        let first = if entered == Entered::Within { (0, 0) } else { (1, *first_answered) };
        self.blocks.taken = (place, number, base(step));
        self.counts.steps += u64::from(count - first.0);
        self.counts.judged += u64::from(answered - first.1);
        if let Some(last) = Note::new(last) {
            self.known.passed = Some((step.frames.depth(), last));
        }
        true
    }

    /// The same of a block that is called or returned to.
    fn enter_block(&mut self, block: BlockNote, step: &Step<'_>) -> bool {
        let Some((place, _)) = self.state_of(block, step) else { return false };
        let first = self.blocks.all.get(place).map(|known| known.first);
        first.is_some_and(|first| self.take_in_edge(first, step)) && self.hit_block(block, step, Entered::Shown)
    }

    /// Where a block is, and which of its states it begins in.
    #[inline(always)]
    fn state_of(&self, block: BlockNote, step: &Step<'_>) -> Option<(usize, usize)> {
        let place = place(block);
        let known = self.blocks.all.get(place)?;
        if self.waiting.leaves() {
            return None;
        }
        for (number, state) in known.states.iter().enumerate() {
            if number == known.used {
                break;
            }
            if state.is_that_of(self.facts, step) {
                return Some((place, number));
            }
        }
        None
    }
}

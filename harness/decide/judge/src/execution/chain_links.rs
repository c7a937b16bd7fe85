//! Cache of the callers of the executing function from the last walk of the chain: the stack words
//! that must be unchanged for a walk to give the same result. A frame stays while it is live, so a
//! call adds one link and a return removes one.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;
use types::{AbiFacts, Event, Frame, LeftBy, Pc, Step};

use crate::per_table::PerTable;
use crate::quick::{Check, Registers, SLOTS, has};

/// A table's answer for a frame that is in a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum Way {
    /// The table finds the caller if this check holds.
    Check(Check),
    /// There is no caller.
    Outermost,
    /// The table has no row: its walk ends, and nothing is wrong.
    Ends,
    /// The answer has to be judged.
    Unknown,
}

/// Answers of `.sframe` and `.eh_frame` for a frame in a call, by return address.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub(super) ways: PerTable<Way>,
}

/// Cached result for one caller.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// Addresses and contents of the words that were read.
    words: [(u64, u64); 2 * SLOTS],
    count: u8,
    /// The tables whose walks continue after this frame.
    lives: PerTable<bool>,
    /// True if a walk gives only right answers in this frame as long as the words are unchanged.
    good: bool,
}

/// The cached callers, outermost first.
#[derive(Default)]
pub(super) struct Links {
    links: Vec<Link>,
    sites: HashMap<Pc, Site, FxBuildHasher>,
    /// Value of [`Step::changes`] when the links were last updated.
    changes: u64,
}

impl Links {
    /// Updates the links to the frames of a step.
    #[inline]
    pub(super) fn follow(&mut self, abi: &AbiFacts, step: &Step<'_>, site: impl Fn(Pc) -> Site) {
        let depth = step.frames.depth();
        // 0: the engine does not count changes.
        let counted = step.changes != 0;
        if counted && step.changes == self.changes && self.links.len() == depth {
            return;
        }
        let by_one = step.changes == self.changes.wrapping_add(1);
        let is_next = match step.event {
            Event::Call => self.links.len().wrapping_add(1) == depth,
            Event::Return => self.links.len() == depth.wrapping_add(1),
            _ => false,
        };
        if !(counted && by_one && is_next) {
            self.links.clear();
        }
        self.changes = step.changes;
        self.links.truncate(depth);
        let frames = step.frames.0;
        for (index, frame) in frames.iter().enumerate().skip(self.links.len()) {
            let site = *self.sites.entry(frame.ra).or_insert_with(|| site(frame.ra));
            let truth = index.checked_sub(1).and_then(|around| frames.get(around));
            self.links.push(Link::new(abi, &site, frame, truth, step));
        }
    }

    /// Number of frames of a walk that begins with these tables, if every row on it is right.
    /// `None`: the walk has to be done.
    #[inline]
    pub(super) fn walk(&self, right: PerTable<bool>, outermost_is_real: bool, step: &Step<'_>) -> Option<u64> {
        let mut alive = right;
        let mut frames = 0;
        for (around, link) in self.links.iter().enumerate().rev() {
            if alive == PerTable::default() || (around == 0 && !outermost_is_real) {
                break;
            }
            frames += 1;
            let words = link.words.get(..usize::from(link.count))?;
            if !link.good || !words.iter().all(|(address, word)| has(&step.stack, *address, *word)) {
                return None;
            }
            alive.sframe &= link.lives.sframe;
            alive.eh_frame &= link.lives.eh_frame;
        }
        Some(frames)
    }
}

impl Link {
    /// Link of the function that returns to `frame.ra`; `truth` is its caller.
    fn new(abi: &AbiFacts, site: &Site, frame: &Frame, truth: Option<&Frame>, step: &Step<'_>) -> Link {
        let lives = PerTable::default();
        let mut link = Link { words: [(0, 0); 2 * SLOTS], count: 0, lives, good: frame.left_by == LeftBy::Call };
        let sp = frame.cfa.wrapping_add_signed(abi.caller_sp_minus_cfa);
        let registers = Registers { sp, fp: frame.fp, link: None };
        link.lives = site.ways.map(|_, way| match (way, truth) {
            (Way::Check(check), Some(truth)) => {
                link.good &= check.holds(abi, registers, truth, |address, word| {
                    link_word(&mut link.words, &mut link.count, address, word) && has(&step.stack, address, word)
                });
                true
            }
            (Way::Outermost, None) | (Way::Ends, _) => false,
            (Way::Check(_), None) | (Way::Outermost, Some(_)) | (Way::Unknown, _) => {
                link.good = false;
                false
            }
        });
        link
    }
}

/// Adds a word, unless it is already there.
fn link_word(words: &mut [(u64, u64); 2 * SLOTS], count: &mut u8, address: u64, word: u64) -> bool {
    let used = usize::from(*count);
    if words.iter().take(used).any(|kept| *kept == (address, word)) {
        return true;
    }
    let Some(place) = words.get_mut(used) else { return false };
    *place = (address, word);
    *count += 1;
    true
}

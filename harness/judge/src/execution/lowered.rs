//! Functions that were jumped to, as if called, with SP lower than their frame's caller left it.
//!
//! Whoever jumped there may keep stack for its caller: then the function returns with SP as low as it was jumped to with, its row
//! counts the CFA from there, and is not wrong. Or the function is a part of the one that jumped, split off, and its row lacks the
//! CFA: then SP comes back to where the caller left it. Only the return tells, so findings wait for it.

use std::collections::{BTreeMap, BTreeSet};

use model::Step;

use crate::fold::Fold;
use crate::slot::Slot;

/// The functions that run now and were entered so, by the number of frames around each.
#[derive(Default)]
pub(super) struct Lowered {
    entered: BTreeMap<usize, Entered>,
}

/// A function, and what waits for its return.
struct Entered {
    /// Its CFA, had it been called.
    cfa: u64,
    /// SP in its true caller.
    caller_sp: u64,
    waiting: Waiting,
}

/// What was found meanwhile.
#[derive(Default)]
pub(super) struct Waiting {
    pub(super) fold: Fold,
    pub(super) charged: BTreeSet<(Slot, Slot)>,
    /// Answers counted as undecided.
    pub(super) undecided: u64,
}

impl Lowered {
    /// Takes note of a jump to the first instruction of what looks like a function.
    pub(super) fn enter(&mut self, step: &Step<'_>) {
        let facts = step.regs.abi.facts();
        let Some(frame) = step.frames.innermost() else { return };
        let cfa = step.regs.sp.wrapping_add_signed(facts.cfa_minus_sp_at_entry);
        let caller_sp = frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
        if cfa < frame.cfa {
            self.entered.insert(step.frames.depth(), Entered { cfa, caller_sp, waiting: Waiting::default() });
        } else {
            self.entered.remove(&step.frames.depth());
        }
    }

    /// The CFA as it would be had the function with so many frames around it been called.
    pub(super) fn cfa(&self, level: usize) -> Option<u64> {
        self.entered.get(&level).map(|entered| entered.cfa)
    }

    /// What waits for the return of the function with so many frames around it.
    pub(super) fn waiting(&mut self, level: usize) -> Option<&mut Waiting> {
        self.entered.get_mut(&level).map(|entered| &mut entered.waiting)
    }

    /// Frames ended: forgets their functions. Gives what was found in one that gave all its stack back: it was wrong.
    #[inline]
    pub(super) fn leave(&mut self, step: &Step<'_>) -> Option<Waiting> {
        if self.entered.is_empty() {
            return None;
        }
        let depth = step.frames.depth();
        let left = self.entered.split_off(&(depth + 1)).remove(&(depth + 1));
        left.filter(|entered| entered.caller_sp == step.regs.sp).map(|entered| entered.waiting)
    }

    /// Another execution begins.
    pub(super) fn clear(&mut self) {
        self.entered.clear();
    }
}

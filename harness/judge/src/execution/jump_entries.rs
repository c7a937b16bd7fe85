//! Functions that were jumped to, as if called, with SP lower than their frame's caller left it.
//!
//! The code that jumped there may keep stack for its caller: then the function returns with SP as
//! low as it was jumped to with, its row counts the CFA from there, and is not wrong. Or the
//! function is a part of the one that jumped, split off, and its row lacks the CFA: then SP comes
//! back to where the caller left it. Only the end shows which, so findings wait for it: for the
//! return, or for SP above its value at the jump (the resolver that a procedure linkage table jumps
//! to with two words pushed, and that jumps to what it resolved without them).
//!
//! A tail call with other arguments moves the return address, and the callee pops its arguments as
//! it returns: SP comes back too, though no row of the callee can know where its caller's caller
//! left it. So it is where the stack has the return address on top, as a call leaves it.

use std::collections::{BTreeMap, BTreeSet};

use types::{Event, Step};

use super::doubts::Tally;
use crate::fold::Fold;
use crate::slot::Slot;

/// The functions that run now and were entered so, by the number of frames around each.
#[derive(Default)]
pub(super) struct JumpEntries {
    by_level: BTreeMap<usize, JumpEntry>,
}

/// A function, and what waits for its return.
struct JumpEntry {
    /// Its CFA, had it been called.
    cfa: u64,
    /// SP in its true caller.
    caller_sp: u64,
    /// The return address is where a call leaves it: on top of the stack, moved there.
    as_called: bool,
    pending: Pending,
}

/// What was found before its return.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) fold: Fold,
    pub(super) charged: BTreeSet<(Slot, Slot)>,
    /// Answers counted as undecided, which are wrong unless what follows shows them right.
    pub(super) undecided: Tally,
    /// Answers that stay undecided unless what follows shows them right.
    pub(super) doubted: Tally,
}

/// What the end of a function, or a landing, shows about answers that waited for it. Where it shows
/// neither they stay undecided.
pub(super) enum Decided {
    /// They were wrong.
    Wrong(Pending),
    /// They were right.
    Right(Pending),
}

impl JumpEntries {
    /// Takes note of a jump to the first instruction of what looks like a function; of an
    /// instruction that is repeated only once.
    pub(super) fn enter(&mut self, step: &Step<'_>) {
        let facts = step.regs.abi.facts();
        let Some(frame) = step.frames.innermost() else { return };
        let cfa = step.regs.sp.wrapping_add_signed(facts.cfa_minus_sp_at_entry);
        let caller_sp = frame.cfa.wrapping_add_signed(facts.caller_sp_minus_cfa);
        let as_called = !facts.link_register && step.stack.read(step.regs.sp) == Ok(frame.raw_ra);
        if cfa < frame.cfa || (as_called && cfa > frame.cfa) {
            if self.cfa(step.frames.depth()) == Some(cfa) {
                return;
            }
            let entry = JumpEntry { cfa, caller_sp, as_called, pending: Pending::default() };
            self.by_level.insert(step.frames.depth(), entry);
        } else {
            self.by_level.remove(&step.frames.depth());
        }
    }

    /// Returns what was found in the function that executes, if SP is above its value as the
    /// function was jumped to: it gives the words back, so they are of its frame, and it was wrong.
    pub(super) fn raised(&mut self, step: &Step<'_>) -> Option<Pending> {
        let (level, frame) = (step.frames.depth(), step.frames.innermost()?);
        let entry = self.by_level.get(&level).filter(|entry| !entry.as_called)?;
        let cfa = step.regs.sp.wrapping_add_signed(step.regs.abi.facts().cfa_minus_sp_at_entry);
        let is_raised = entry.cfa < cfa && cfa <= frame.cfa;
        is_raised.then(|| self.by_level.remove(&level)).flatten().map(|entry| entry.pending)
    }

    /// The CFA that a call would give the function with that many frames around it.
    pub(super) fn cfa(&self, level: usize) -> Option<u64> {
        self.by_level.get(&level).map(|entry| entry.cfa)
    }

    /// What waits for the return of the function with that many frames around it.
    pub(super) fn pending(&mut self, level: usize) -> Option<&mut Pending> {
        self.by_level.get_mut(&level).map(|entry| &mut entry.pending)
    }

    /// Frames ended: forgets their functions. What was found in one that gave all its stack back
    /// was wrong; in one that returned with SP as low as its row has it, right.
    #[inline]
    pub(super) fn leave(&mut self, step: &Step<'_>) -> Option<Decided> {
        if self.by_level.is_empty() {
            return None;
        }
        let depth = step.frames.depth();
        let left = self.by_level.split_off(&(depth + 1)).remove(&(depth + 1))?;
        let said_sp = left.cfa.wrapping_add_signed(step.regs.abi.facts().caller_sp_minus_cfa);
        match step.event {
            _ if !left.as_called && left.caller_sp == step.regs.sp => Some(Decided::Wrong(left.pending)),
            Event::Return if said_sp == step.regs.sp => Some(Decided::Right(left.pending)),
            _ => None,
        }
    }

    /// Returns true if none runs now.
    pub(super) fn is_empty(&self) -> bool {
        self.by_level.is_empty()
    }

    /// Forgets everything: another execution begins.
    pub(super) fn clear(&mut self) {
        self.by_level.clear();
    }
}

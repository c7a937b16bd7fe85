//! Functions that were jumped to, as if called, with SP below the value that their caller left.
//!
//! The jumping code may reserve stack for the caller: then the function returns with SP as low as
//! at the jump, its row's CFA is relative to that SP, and the row is right. Or the function is a
//! split-off part of the one that jumped, and its row has the wrong CFA: then SP returns to the
//! caller's value. Only the end of the function decides, so findings are deferred until the return,
//! or for SP above its value at the jump (the resolver that a procedure linkage table jumps to with
//! two words pushed, and that jumps to its result without them).
//!
//! A tail call with other arguments moves the return address, and the callee pops its arguments as
//! it returns: SP then also returns to the caller's value, although no row of the callee can know
//! that value. This is the case if the return address is at the top of the stack, where a call
//! leaves it.

use std::collections::{BTreeMap, BTreeSet};

use types::{Event, Step};

use super::doubts::Tally;
use crate::fold::Fold;
use crate::per_table::PerTable;
use crate::slot::Slot;

/// Executing functions that were entered by such a jump, by the number of frames around each.
#[derive(Default)]
pub(super) struct JumpEntries {
    by_level: BTreeMap<usize, JumpEntry>,
}

/// A function, with the findings that are deferred until its return.
struct JumpEntry {
    /// The CFA that it would have if it had been called.
    cfa: u64,
    caller_sp: u64,
    /// True if the return address is where a call leaves it: at the top of the stack, moved there.
    as_called: bool,
    pending: Pending,
}

/// Findings from before the return.
#[derive(Default)]
pub(super) struct Pending {
    pub(super) fold: Fold,
    pub(super) charged: BTreeSet<PerTable<Slot>>,
    /// Answers counted as undecided that are wrong unless later steps show them right.
    pub(super) undecided: Tally,
    /// Answers that stay undecided unless later steps show them right.
    pub(super) doubted: Tally,
}

/// What the end of a function, or a landing, shows about answers that waited for it. If it shows
/// neither, they stay undecided.
pub(super) enum Decided {
    /// The answers were wrong.
    Wrong(Pending),
    /// The answers were right.
    Right(Pending),
    /// The answers are about a frame that control has left for good: no row describes it.
    Gone(Tally),
}

impl JumpEntries {
    /// Records a jump to the first instruction of an apparent function; a repeated instruction is
    /// recorded once.
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

    /// Returns the findings in the executing function if SP is above its value at the jump: the
    /// function pops the words, so they belong to its frame, and its row was wrong.
    pub(super) fn raised(&mut self, step: &Step<'_>) -> Option<Pending> {
        let (level, frame) = (step.frames.depth(), step.frames.innermost()?);
        let entry = self.by_level.get(&level).filter(|entry| !entry.as_called)?;
        let cfa = step.regs.sp.wrapping_add_signed(step.regs.abi.facts().cfa_minus_sp_at_entry);
        let is_raised = entry.cfa < cfa && cfa <= frame.cfa;
        is_raised.then(|| self.by_level.remove(&level)).flatten().map(|entry| entry.pending)
    }

    /// The CFA that a call would give the function at this depth.
    pub(super) fn cfa(&self, level: usize) -> Option<u64> {
        self.by_level.get(&level).map(|entry| entry.cfa)
    }

    /// The findings that are deferred until the return of the function at this depth.
    pub(super) fn pending(&mut self, level: usize) -> Option<&mut Pending> {
        self.by_level.get_mut(&level).map(|entry| &mut entry.pending)
    }

    /// Removes functions whose frames ended. Answers in a function that popped all its stack were
    /// wrong; in one that returned with SP as low as its row describes, right.
    #[inline]
    pub(super) fn leave(&mut self, step: &Step<'_>) -> Option<Decided> {
        if self.by_level.is_empty() {
            return None;
        }
        let depth = step.frames.depth();
        let left = self.by_level.split_off(&(depth + 1)).remove(&(depth + 1))?;
        let row_sp = left.cfa.wrapping_add_signed(step.regs.abi.facts().caller_sp_minus_cfa);
        match step.event {
            _ if !left.as_called && left.caller_sp == step.regs.sp => Some(Decided::Wrong(left.pending)),
            Event::Return if row_sp == step.regs.sp => Some(Decided::Right(left.pending)),
            _ => None,
        }
    }

    /// Returns true if no such function executes.
    pub(super) fn is_empty(&self) -> bool {
        self.by_level.is_empty()
    }

    /// Removes everything: another execution begins.
    pub(super) fn clear(&mut self) {
        self.by_level.clear();
    }
}

//! Threads of an execution. Each has its own frames, so findings that wait for the end of a frame
//! are stored by thread.

use std::collections::BTreeMap;

use types::{Answer, CodePoint, Outermost, Step, ThreadId, UndecidedCause};

use super::chain_links::Links;
use super::jump_entries::Pending;
use super::waiting::Waiting;
use super::{Judge, answer};
use crate::memo::PcFacts;

/// The executing thread, and the state of the others.
pub(super) struct Threads {
    pub(super) now: ThreadId,
    others: BTreeMap<ThreadId, (Waiting, Links)>,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads { now: ThreadId::FIRST, others: BTreeMap::new() }
    }
}

impl Threads {
    /// Takes the findings that still waited in other threads when the execution ended.
    pub(super) fn end(&mut self) -> Vec<Pending> {
        let others = std::mem::take(&mut self.others);
        others.into_values().flat_map(|(mut waiting, _)| waiting.end()).collect()
    }
}

impl Judge<'_> {
    /// Switches to another thread.
    #[cold]
    pub(super) fn change_thread(&mut self, thread: ThreadId) {
        let (waiting, links) = self.threads.others.remove(&thread).unwrap_or_default();
        let waiting = std::mem::replace(&mut self.waiting, waiting);
        let links = std::mem::replace(&mut self.known.links, links);
        let left = std::mem::replace(&mut self.threads.now, thread);
        self.threads.others.insert(left, (waiting, links));
        self.known.forget_last();
    }

    /// Returns true if the outermost function of the thread is known to have no caller.
    #[inline]
    pub(super) fn knows_outermost(&self, step: &Step<'_>) -> bool {
        self.outermost_is_real && step.thread == ThreadId::FIRST && step.outermost == Outermost::Begun
    }

    /// Returns true if the step is in the function in which the thread was created. Its rows there
    /// are those of the creating thread, which has a caller: they are not judged in the new thread,
    /// which has none, unless a table marks the end of the chain.
    #[cold]
    pub(super) fn is_where_a_thread_began(&self, step: &Step<'_>, facts: &PcFacts) -> bool {
        let at = CodePoint::Exact(step.pc);
        let ends = |answer| matches!(answer, Some(Ok(Answer::Outermost)));
        step.thread != ThreadId::FIRST
            && !ends(answer(self.tables.sframe.as_ref(), facts.sframe, at, step))
            && !ends(answer(self.tables.cfi.as_ref(), facts.cfi, at, step))
    }

    /// A step in a function whose callers are not known: neither table can be judged there.
    #[cold]
    pub(super) fn pass_unfollowed(&mut self, step: &Step<'_>, answered: bool) {
        if answered {
            self.undecided(UndecidedCause::OtherStack, step.pc);
        }
        self.known.forget_last();
    }
}

//! The threads of an execution. Each has frames of its own, so that what waits for the end of one
//! is kept by thread.

use std::collections::BTreeMap;

use types::{Answer, CodePoint, Step, ThreadId};

use super::chain_links::Links;
use super::jump_entries::Pending;
use super::waiting::Waiting;
use super::{Judge, answer};
use crate::memo::PcFacts;

/// Which thread executes, and what is kept of the others.
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
    /// What waited in those that do not execute when the execution ended.
    pub(super) fn end(&mut self) -> Vec<Pending> {
        let others = std::mem::take(&mut self.others);
        others.into_values().flat_map(|(mut waiting, _)| waiting.end()).collect()
    }
}

impl Judge<'_> {
    /// Another thread executes.
    #[cold]
    pub(super) fn change_thread(&mut self, thread: ThreadId) {
        let (waiting, links) = self.threads.others.remove(&thread).unwrap_or_default();
        let waiting = std::mem::replace(&mut self.waiting, waiting);
        let links = std::mem::replace(&mut self.known.links, links);
        let left = std::mem::replace(&mut self.threads.now, thread);
        self.threads.others.insert(left, (waiting, links));
        self.known.forget_last();
    }

    /// The outermost function of the thread is known to have no caller.
    #[inline]
    pub(super) fn knows_outermost(&self) -> bool {
        self.outermost_is_real && self.threads.now == ThreadId::FIRST
    }

    /// A thread begins within the function that made it. The rows there are those of its maker,
    /// which has a caller: they are not judged where the new thread has none, unless a table marks
    /// the end of the chain.
    #[cold]
    pub(super) fn is_where_a_thread_began(&self, step: &Step<'_>, facts: &PcFacts) -> bool {
        let at = CodePoint::Exact(step.pc);
        let ends = |answer| matches!(answer, Some(Ok(Answer::Outermost)));
        step.thread != ThreadId::FIRST
            && !ends(answer(self.tables.sframe.as_ref(), facts.sframe, at, step))
            && !ends(answer(self.tables.cfi.as_ref(), facts.cfi, at, step))
    }
}

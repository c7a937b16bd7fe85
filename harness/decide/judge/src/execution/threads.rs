//! Threads of an execution. Each has its own frames, so deferred findings are stored by thread.

use std::collections::BTreeMap;

use types::{Answer, Outermost, Step, ThreadId};

use super::Judge;
use super::chain_links::Links;
use super::deferred::Deferred;
use super::jump_entries::Pending;
use super::known::KnownInstructions;
use crate::memo::PcFacts;
use crate::tables::Tables;

/// The executing thread, and the state of the others.
pub(super) struct Threads {
    pub(super) now: ThreadId,
    others: BTreeMap<ThreadId, (Deferred, Links)>,
}

impl Default for Threads {
    fn default() -> Threads {
        Threads { now: ThreadId::FIRST, others: BTreeMap::new() }
    }
}

impl Threads {
    /// Takes the findings that are still deferred in other threads when the execution ends.
    pub(super) fn end(&mut self) -> Vec<Pending> {
        let others = std::mem::take(&mut self.others);
        others.into_values().flat_map(|(mut deferred, _)| deferred.end()).collect()
    }

    /// Switches to another thread.
    #[cold]
    pub(super) fn change(&mut self, thread: ThreadId, deferred: &mut Deferred, known: &mut KnownInstructions) {
        let (next, links) = self.others.remove(&thread).unwrap_or_default();
        let kept = (std::mem::replace(deferred, next), std::mem::replace(&mut known.links, links));
        self.others.insert(std::mem::replace(&mut self.now, thread), kept);
        known.forget_last();
    }
}

impl Judge<'_> {
    /// Returns true if the outermost function of the thread is known to have no caller.
    #[inline]
    pub(super) fn knows_outermost(&self, step: &Step<'_>) -> bool {
        self.outermost_is_real && step.thread == ThreadId::FIRST && step.outermost == Outermost::Begun
    }
}

/// Returns true if the step is in the function in which the thread was created. Its rows there are
/// those of the creating thread, which has a caller: they are not judged in the new thread, which
/// has none, unless a table marks the end of the chain.
#[cold]
pub(super) fn is_where_a_thread_began(tables: &Tables, step: &Step<'_>, facts: &PcFacts) -> bool {
    let ends = |answer: &_| matches!(answer, Some(Ok(Answer::Outermost)));
    step.thread != ThreadId::FIRST && !tables.answers(facts.slots, step).any(ends)
}

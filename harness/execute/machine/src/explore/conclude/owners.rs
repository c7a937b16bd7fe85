//! Parts that only one function reaches, and what is decided once they are known.

use rustc_hash::FxHashMap;
use types::Compared;

use super::super::standing::Evidence;
use super::super::survey::Survey;
use super::super::territory::Entry;

/// A state of an instruction in a part that was executed with a function, not yet decided.
pub(super) struct Waiting {
    pub(super) part: u64,
    pub(super) home: u64,
    pub(super) pc: u64,
    pub(super) compared: Compared,
}

/// The functions that reach parts.
#[derive(Default)]
pub(super) struct Owners {
    /// The only function that reaches a part; `None` if several do.
    of_parts: FxHashMap<u64, Option<u64>>,
    /// States that count once it is known that only one function reaches their part.
    waiting: Vec<Waiting>,
    /// Functions with errors of a table in such parts.
    deferred: Vec<(Entry, Evidence)>,
}

impl Owners {
    /// Adds a function, which is not a part of another one.
    pub(super) fn add(&mut self, home: u64) {
        self.of_parts.insert(home, None);
    }

    /// Adds that a function reaches a part.
    pub(super) fn reaches(&mut self, home: u64, part: u64) {
        let one = |owner: Option<u64>| owner.filter(|one| *one == home);
        self.of_parts.entry(part).and_modify(|owner| *owner = one(*owner)).or_insert(Some(home));
    }

    /// Keeps a state until all owners are known.
    pub(super) fn wait(&mut self, waiting: Waiting) {
        self.waiting.push(waiting);
    }

    /// Keeps a function that is executed once more when all owners are known.
    pub(super) fn defer(&mut self, entry: Entry, evidence: Evidence) {
        self.deferred.push((entry, evidence));
    }

    /// Returns true if a part belongs to `home` only. A part whose address is in data may be the
    /// target of indirect jumps.
    pub(super) fn is_owner(&self, survey: &Survey, part: u64, home: u64) -> bool {
        self.of_parts.get(&part) == Some(&Some(home)) && !survey.is_pointed_into(part)
    }

    /// The states that waited and count, when all owners are known.
    pub(super) fn decided(&mut self, survey: &Survey) -> Vec<Waiting> {
        let mut waiting = std::mem::take(&mut self.waiting);
        waiting.retain(|one| self.is_owner(survey, one.part, one.home));
        waiting
    }

    /// The functions to execute once more.
    pub(super) fn deferred(&mut self) -> Vec<(Entry, Evidence)> {
        std::mem::take(&mut self.deferred)
    }
}

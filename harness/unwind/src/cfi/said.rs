//! What rows say, each thing once: the million rows of a large library say a few thousand different
//! things.

use std::collections::HashMap;

use types::{PacKey, Reg, ValueRule};

use super::error::CfiError;
use crate::eval::Rules;

/// The rules of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Said {
    /// What the hot path needs.
    pub(super) rules: Rules,
    /// The AArch64 key of the function's CIE, signed or not.
    pub(super) key: PacKey,
    /// The rules of all registers.
    pub(super) saved: SavedId,
}

/// The rules of rows, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SaidId(u32);

/// The rules of all registers, by where [`Sayings`] holds them: from, and one past the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct SavedId(u32, u32);

/// Everything that the rows of a table say.
#[derive(Debug, Default)]
pub(super) struct Sayings {
    all: Vec<Said>,
    saved: Vec<(Reg, ValueRule)>,
}

impl Sayings {
    /// The rules with that number.
    #[inline]
    pub(super) fn get(&self, id: SaidId) -> Option<&Said> {
        self.all.get(id.0 as usize)
    }

    /// The rules of every register that has one.
    pub(super) fn saved(&self, id: SavedId) -> &[(Reg, ValueRule)] {
        self.saved.get(id.0 as usize..id.1 as usize).unwrap_or_default()
    }

    /// Where no row has a rule for FP, all say that it is undefined.
    pub(super) fn leave_unsaid(&mut self, fp: Reg) {
        if self.saved.iter().all(|(reg, _)| *reg != fp) {
            self.all.iter_mut().for_each(|said| said.rules.fp = ValueRule::Undefined);
        }
    }
}

/// Sayings while a table is read: what was said before is found again.
#[derive(Debug)]
pub(super) struct Listener {
    heard: Sayings,
    ids: HashMap<Said, SaidId>,
    lists: HashMap<Box<[(Reg, ValueRule)]>, SavedId>,
    /// Number of further rules of registers that are kept: looking for them takes time, and keeping
    /// them memory.
    budget: usize,
}

impl Listener {
    pub(super) fn new(budget: usize) -> Self {
        Listener { heard: Sayings::default(), ids: HashMap::default(), lists: HashMap::default(), budget }
    }

    /// The number of a row's rules.
    pub(super) fn say(&mut self, said: Said) -> Result<SaidId, CfiError> {
        if let Some(id) = self.ids.get(&said) {
            return Ok(*id);
        }
        let id = SaidId(number(self.heard.all.len())?);
        self.heard.all.push(said);
        self.ids.insert(said, id);
        Ok(id)
    }

    /// Where the rules of all registers are.
    pub(super) fn save(&mut self, rules: &[(Reg, ValueRule)]) -> Result<SavedId, CfiError> {
        let left = self.budget.checked_sub(rules.len());
        self.budget = left.ok_or(CfiError::TooMany("register rules"))?;
        if let Some(id) = self.lists.get(rules) {
            return Ok(*id);
        }
        let first = self.heard.saved.len();
        let end = first.saturating_add(rules.len());
        let id = SavedId(number(first)?, number(end)?);
        self.heard.saved.extend_from_slice(rules);
        self.lists.insert(rules.into(), id);
        Ok(id)
    }

    /// All that was said.
    pub(super) fn heard(self) -> Sayings {
        self.heard
    }
}

/// Rows and rules are numbered with 32 bits.
pub(super) fn number(count: usize) -> Result<u32, CfiError> {
    u32::try_from(count).map_err(|_| CfiError::TooMany("rows"))
}

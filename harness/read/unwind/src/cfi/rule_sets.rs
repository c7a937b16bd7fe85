//! Distinct rules of rows, each stored once: the million rows of a large library have a few
//! thousand different rules.

use std::collections::{BTreeSet, HashMap};

use types::{PacKey, Reg, ValueRule};

use super::error::CfiError;
use crate::eval::Rules;

/// The rules of a row, shared by all rows with the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct RuleSet {
    /// Rules that are needed at every step.
    pub(super) rules: Rules,
    /// AArch64: key of the function's CIE, whether the return address is signed or not.
    pub(super) key: PacKey,
    /// Rules of all registers.
    pub(super) saved: SavedId,
}

/// Index of the rules of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RuleSetId(u32);

/// The rules of all registers, as a range in [`RuleSets`]: first index, and one past the last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct SavedId(u32, u32);

/// All distinct rules of the rows of a table.
#[derive(Debug, Default)]
pub(super) struct RuleSets {
    all: Vec<RuleSet>,
    saved: Vec<(Reg, ValueRule)>,
}

impl RuleSets {
    /// The rules with this index.
    #[inline]
    pub(super) fn get(&self, id: RuleSetId) -> Option<&RuleSet> {
        self.all.get(id.0 as usize)
    }

    /// The rules of every register that has one.
    pub(super) fn saved(&self, id: SavedId) -> &[(Reg, ValueRule)] {
        self.saved.get(id.0 as usize..id.1 as usize).unwrap_or_default()
    }

    pub(super) fn registers(&self) -> BTreeSet<Reg> {
        self.saved.iter().map(|(reg, _)| *reg).collect()
    }

    /// If no row has a rule for FP, makes FP undefined in all of them.
    pub(super) fn undefine_unused(&mut self, fp: Reg) {
        if self.saved.iter().all(|(reg, _)| *reg != fp) {
            self.all.iter_mut().for_each(|set| set.rules.fp = ValueRule::Undefined);
        }
    }
}

/// Builder of [`RuleSets`] while a table is read: finds rules that occurred before.
#[derive(Debug)]
pub(super) struct RuleSetsBuilder {
    sets: RuleSets,
    ids: HashMap<RuleSet, RuleSetId>,
    lists: HashMap<Box<[(Reg, ValueRule)]>, SavedId>,
    /// Number of further register rules that may be stored: looking them up takes time, and storing
    /// them memory.
    budget: usize,
}

impl RuleSetsBuilder {
    pub(super) fn new(budget: usize) -> Self {
        RuleSetsBuilder { sets: RuleSets::default(), ids: HashMap::default(), lists: HashMap::default(), budget }
    }

    /// Index of a row's rules.
    pub(super) fn add(&mut self, set: RuleSet) -> Result<RuleSetId, CfiError> {
        if let Some(id) = self.ids.get(&set) {
            return Ok(*id);
        }
        let id = RuleSetId(number(self.sets.all.len())?);
        self.sets.all.push(set);
        self.ids.insert(set, id);
        Ok(id)
    }

    /// Range of the rules of all registers.
    pub(super) fn add_saved(&mut self, rules: &[(Reg, ValueRule)]) -> Result<SavedId, CfiError> {
        let left = self.budget.checked_sub(rules.len());
        self.budget = left.ok_or(CfiError::TooMany("register rules"))?;
        if let Some(id) = self.lists.get(rules) {
            return Ok(*id);
        }
        let first = self.sets.saved.len();
        let end = first.saturating_add(rules.len());
        let id = SavedId(number(first)?, number(end)?);
        self.sets.saved.extend_from_slice(rules);
        self.lists.insert(rules.into(), id);
        Ok(id)
    }

    /// All rules that were stored.
    pub(super) fn finish(self) -> RuleSets {
        self.sets
    }
}

/// Converts an index of rows or rules to 32 bits.
pub(super) fn number(count: usize) -> Result<u32, CfiError> {
    u32::try_from(count).map_err(|_| CfiError::TooMany("rows"))
}

//! A function as its repair sees it: boundaries of instructions, with rows and facts.

use std::collections::{BTreeMap, BTreeSet};

use types::{Abi, Pc};

use crate::facts::Facts;
use crate::row::{Part, Row, Value};

/// A function.
#[derive(Clone, Debug)]
pub struct Function {
    /// ABI.
    pub abi: Abi,
    /// The row that the CIE gives, which is what `.cfi_restore` restores.
    pub initial: Row,
    /// The boundaries, in order of addresses.
    pub boundaries: Vec<Boundary>,
    /// First address after it.
    pub end: Pc,
}

/// The first address of an instruction.
#[derive(Clone, Debug)]
pub struct Boundary {
    /// Address.
    pub pc: Pc,
    /// How control reaches it.
    pub entered: Entered,
    /// The table's row.
    pub row: Row,
    /// The table's directives here; `None` if only its rows are known, as of `.sframe`.
    pub given: Option<Given>,
    /// True if the instruction here writes registers that a call preserves, and no others.
    pub restores: bool,
    /// The truth; `None` if no state was observed.
    pub facts: Option<Facts>,
}

/// The directives at a boundary. Those that do not change the row show only here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The parts that they set.
    pub sets: BTreeMap<Part, Spelling>,
    /// The values of the CFA that further directives here replace.
    pub passed: Vec<Value>,
    /// The state that a `.cfi_remember_state` remembers.
    pub remembers: Option<Remembers>,
    /// True if there is a `.cfi_restore_state`.
    pub restores_state: bool,
}

/// The state that is remembered at a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remembers {
    /// That before the other directives there.
    Before,
    /// That after some of them.
    Here,
}

/// How much of a part a directive sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// All of it.
    Whole,
    /// The offset of the CFA, or a change of it.
    CfaOffset,
    /// The register of the CFA.
    CfaRegister,
}

/// A part of a table's rows that a directive sets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Set {
    pub(crate) old: Value,
    pub(crate) new: Value,
    /// `None` if it is not known.
    pub(crate) spelling: Option<Spelling>,
}

/// How control reaches a boundary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entered {
    /// From the instruction before it, and perhaps by jumps.
    FromBefore,
    /// By jumps only.
    ByJump,
}

/// Maximum number of boundaries that are searched for a wrong row that an earlier edit would make
/// right.
pub(crate) const FARTHEST: usize = 400;

impl Function {
    pub(crate) fn at(&self, index: usize) -> Option<&Boundary> {
        self.boundaries.get(index)
    }

    /// The table's row before a boundary: at the first that of the CIE.
    pub(crate) fn row_before(&self, index: usize) -> &Row {
        index.checked_sub(1).and_then(|before| self.at(before)).map_or(&self.initial, |boundary| &boundary.row)
    }

    /// Returns true if only jumps lead to a boundary.
    pub(crate) fn is_barrier(&self, index: usize) -> bool {
        self.at(index).is_some_and(|boundary| boundary.entered == Entered::ByJump)
    }

    /// The values of a part that the table's directives at a boundary set and replace.
    pub(crate) fn passed(&self, index: usize, part: Part) -> &[Value] {
        let given = self.at(index).and_then(|boundary| boundary.given.as_ref()).filter(|_| part == Part::Cfa);
        given.map_or(&[], |given| &given.passed)
    }

    /// The boundaries at which states are in force that directives remember; `None` if they are not
    /// known.
    pub(crate) fn remembered(&self) -> Option<Vec<usize>> {
        let known = |(index, boundary): (usize, &Boundary)| match boundary.given.as_ref()?.remembers? {
            Remembers::Before => Some(index.saturating_sub(1)),
            Remembers::Here => Some(index),
        };
        let is_known = self.boundaries.iter().any(|boundary| boundary.given.is_some());
        is_known.then(|| self.boundaries.iter().enumerate().filter_map(known).collect())
    }

    /// The directive of the table that sets a part at a boundary, if it has one there.
    pub(crate) fn directive(&self, index: usize, part: Part) -> Option<Set> {
        let boundary = self.at(index)?;
        let (old, new) = (self.row_before(index).get(part), boundary.row.get(part));
        let spelling = boundary.given.as_ref().and_then(|given| given.sets.get(&part)).copied();
        // The state that is restored changes it.
        if spelling.is_none() && self.restores_state(index) {
            return None;
        }
        // Two changes of the signing are none.
        (old != new || (spelling.is_some() && part != Part::Signing)).then_some(Set { old, new, spelling })
    }

    /// Returns true if a row of the table has a value of a part.
    pub(crate) fn has(&self, part: Part, value: Value) -> bool {
        self.boundaries.iter().any(|boundary| boundary.row.get(part) == value)
    }

    /// Returns true if a directive restores a state at a boundary that the table had before.
    pub(crate) fn restores_state(&self, index: usize) -> bool {
        let restores = |boundary: &Boundary| boundary.given.as_ref().is_some_and(|given| given.restores_state);
        self.at(index).is_some_and(restores) && (0..index).any(|start| self.is_restored_from(index, start))
    }

    /// Returns true if the table's row at a boundary is an earlier one, but for what directives
    /// there set.
    pub(crate) fn is_restored_from(&self, index: usize, start: usize) -> bool {
        let (Some(boundary), Some(earlier)) = (self.at(index), self.at(start)) else { return false };
        let sets = |part: &Part| boundary.given.as_ref().is_some_and(|given| given.sets.contains_key(part));
        let mut parts = boundary.row.parts().chain(earlier.row.parts());
        boundary.row == earlier.row || parts.all(|part| sets(&part) || boundary.row.get(part) == earlier.row.get(part))
    }

    /// The parts in which rows differ or facts are known.
    pub(crate) fn parts(&self) -> Vec<Part> {
        let all = self.boundaries.iter();
        let parts: BTreeSet<Part> = all
            .flat_map(|boundary| boundary.row.parts().chain(boundary.facts.iter().flat_map(Facts::parts)))
            .chain(self.initial.parts())
            .collect();
        parts.into_iter().collect()
    }

    /// Returns true if the table's value of a part is wrong at a boundary.
    pub(crate) fn is_wrong(&self, index: usize, part: Part) -> bool {
        self.at(index).is_some_and(|boundary| {
            boundary.facts.as_ref().is_some_and(|facts| !facts.allows(part, boundary.row.get(part)))
        })
    }

    /// Returns true if the table is known to be right in a part at a boundary.
    pub(crate) fn is_right(&self, index: usize, part: Part) -> bool {
        let known = |boundary: &Boundary| boundary.facts.as_ref().is_some_and(|facts| facts.of(part).is_some());
        self.at(index).is_some_and(known) && !self.is_wrong(index, part)
    }

    /// Returns true if a value of a part is not known to be wrong at a boundary.
    pub(crate) fn allows(&self, index: usize, part: Part, value: Value) -> bool {
        let facts = self.at(index).and_then(|boundary| boundary.facts.as_ref());
        facts.is_none_or(|facts| facts.allows(part, value))
    }

    /// Returns true if a value of a part that is known to hold at a boundary holds from there up to
    /// a wrong row.
    pub(crate) fn leads_to_wrong(&self, index: usize, part: Part, value: Value) -> bool {
        let after = index.saturating_add(1)..index.saturating_add(FARTHEST);
        let mut after = after.take_while(|next| self.at(*next).is_some() && self.allows(*next, part, value));
        after.any(|next| self.is_wrong(next, part))
    }

    /// Returns true if the directive at the next boundary is right after a value of a part, and not
    /// after the table's: `.cfi_def_cfa_offset` after another register.
    pub(crate) fn is_needed(&self, index: usize, part: Part, value: Value) -> bool {
        let next = index.saturating_add(1);
        let set = self.directive(next, part).filter(|set| set.spelling == Some(Spelling::CfaOffset));
        let right = set.is_some_and(|set| set.readings(value).into_iter().any(|then| self.allows(next, part, then)));
        right && self.is_wrong(next, part) && !self.is_barrier(next)
    }

    /// The first reached boundary from one on, up to the next that only jumps lead to.
    pub(crate) fn next_reached(&self, index: usize) -> Option<usize> {
        let is_reached = |next: &usize| self.at(*next).is_some_and(|boundary| boundary.facts.is_some());
        let mut near = (index..self.boundaries.len()).take(FARTHEST);
        near.by_ref().take_while(|next| *next == index || !self.is_barrier(*next)).find(is_reached)
    }
}

//! What exploration showed that no run did.

use std::collections::{BTreeMap, BTreeSet};

use results::{AssumedIn, Contradicted};
use rustc_hash::FxHashMap;
use types::{AssumedEntry, Image, Pc, Step};

use super::contradicted;
use super::doubts::{Refusal, extent};
use crate::blame::Table;
use crate::memo::Memo;
use crate::tables::Tables;
use crate::witness::Held;

/// Results of exploration, beside its findings.
#[derive(Default)]
pub(crate) struct Exploration {
    /// The first row that could not be evaluated, in any state.
    pub(crate) refusal: Option<Refusal>,
    /// PCs with a row that could not be evaluated in some state.
    pub(super) refused: BTreeSet<Pc>,
    /// PCs at which exploration charges a finding and that no run reached.
    pub(super) alone: BTreeSet<Pc>,
    /// Tables that exploration shows to be wrong in a state in which a run showed them right.
    pub(super) contradicted: BTreeSet<(Pc, Table)>,
    /// What held where, and that no table was found wrong in any state.
    pub(super) seen: FxHashMap<Pc, (Held, bool)>,
    /// Functions whose entry exploration assumes, by their first address.
    pub(super) assumed: BTreeMap<Pc, AssumedEntry>,
}

impl Exploration {
    /// Adds a row that could not be evaluated in some state.
    pub(super) fn refuse(&mut self, refusal: Refusal) {
        self.refusal.get_or_insert(refusal);
        self.refused.insert(refusal.pc);
    }

    /// Adds a state in which no table is wrong, or one is.
    pub(super) fn see(&mut self, step: &Step<'_>, is_wrong: bool) {
        if let Some((_, right)) = self.seen.get_mut(&step.pc) {
            *right &= !is_wrong;
        } else if let Some(held) = Held::new(step) {
            self.seen.insert(step.pc, (held, !is_wrong));
        }
    }

    /// What held at a PC in the first state, and whether no table was found wrong in any.
    pub(crate) fn held(&self, pc: Pc) -> Option<(Held, bool)> {
        self.seen.get(&pc).copied()
    }

    /// Returns true if a run, not exploration alone, reached a PC.
    pub(crate) fn was_run(&self, memo: &Memo, pc: Pc) -> bool {
        memo.has_witness(pc) && !self.alone.contains(&pc)
    }

    /// Takes the first row of the function that contains a PC for right.
    pub(super) fn assume_first_row(&mut self, image: &Image, tables: &Tables, pc: Pc) {
        let start = Pc(extent(image, tables, pc).0);
        self.assumed.insert(start, AssumedEntry::FirstRow);
    }

    /// The places at which a run and exploration differ, by address.
    pub(crate) fn contradicted(&self, image: &Image) -> Vec<Contradicted> {
        contradicted::listed(self.contradicted.iter(), image)
    }

    /// The functions whose entry exploration assumes, by address.
    pub(crate) fn assumed_entries(&self, image: &Image, tables: &Tables) -> Vec<AssumedIn> {
        let one = |(start, why): (&Pc, &AssumedEntry)| {
            let (_, end) = extent(image, tables, *start);
            let (function, place) = (image.place(start.0), image.span(start.0, end));
            AssumedIn { why: *why, function, code: (start.0, end), place }
        };
        self.assumed.iter().map(one).collect()
    }
}

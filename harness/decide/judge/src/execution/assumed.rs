//! Functions whose entry exploration assumes.

use results::AssumedIn;
use types::{AssumedEntry, Pc};

use super::Judge;
use super::doubts::extent;

impl Judge<'_> {
    /// Adds entries that exploration assumes. An entry that a run executed is not assumed.
    pub(super) fn assume(&mut self, entries: impl IntoIterator<Item = (Pc, AssumedEntry)>) {
        for (start, why) in entries {
            if !self.was_run(start) {
                self.assumed.entry(start).or_insert(why);
            }
        }
    }

    /// The functions whose entry exploration assumes, by address.
    pub(crate) fn assumed_entries(&self) -> Vec<AssumedIn> {
        let one = |(start, why): (&Pc, &AssumedEntry)| {
            let (_, end) = extent(self.image, self.tables, *start);
            let (function, place) = (self.image.place(start.0), self.image.span(start.0, end));
            AssumedIn { why: *why, function, code: (start.0, end), place }
        };
        self.assumed.iter().map(one).collect()
    }

    /// Takes the first row of a function for right.
    pub(super) fn assume_first_row(&mut self, pc: Pc) {
        let start = Pc(extent(self.image, self.tables, pc).0);
        self.assumed.insert(start, AssumedEntry::FirstRow);
    }

    /// Returns true if a run, not exploration alone, reached a PC.
    pub(super) fn was_run(&mut self, pc: Pc) -> bool {
        self.memo.truth_at(pc).is_some() && !self.explored_alone.contains(&pc)
    }
}

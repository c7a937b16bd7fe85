//! The results of wrong rows that causes of undecided answers cover.

use std::ops::AddAssign;

use serde_json::{Value, json};

use super::table::Table;

/// Numbers of planted wrong rows by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fates {
    /// Number of planted wrong rows.
    pub planted: usize,
    /// Number reported as an error.
    pub found: usize,
    /// Number of others about which answers are undecided.
    pub undecided: usize,
    /// Number without any report.
    pub missed: usize,
}

impl Fates {
    /// Maximum share of rows that a cause may hide, in percent.
    pub const MOST_HIDDEN: usize = 1;

    /// Returns true if few enough of this many rows are hidden.
    pub const fn hides_few_of(&self, rows: usize) -> bool {
        self.missed * 100 <= rows * Self::MOST_HIDDEN
    }

    /// Counts a row.
    pub(super) fn add(&mut self, found: bool, undecided: bool) {
        self.planted += 1;
        *match (found, undecided) {
            (true, _) => &mut self.found,
            (false, true) => &mut self.undecided,
            (false, false) => &mut self.missed,
        } += 1;
    }

    /// The counts as JSON, for the cause of this name.
    pub(super) fn to_json(self, why: &str) -> Value {
        let Fates { planted, found, undecided, missed } = self;
        json!({"why": why, "planted": planted, "found": found, "undecided": undecided, "missed": missed})
    }

    /// A table with a line for each cause.
    pub(super) fn table<'c>(causes: impl IntoIterator<Item = (&'c str, Fates)>) -> Table {
        let mut table = Table::new("cause", ["planted", "found", "undecided", "missed"]);
        for (why, Fates { planted, found, undecided, missed }) in causes {
            table.line(why, [planted, found, undecided, missed]);
        }
        table
    }
}

impl AddAssign for Fates {
    fn add_assign(&mut self, other: Fates) {
        self.planted += other.planted;
        self.found += other.found;
        self.undecided += other.undecided;
        self.missed += other.missed;
    }
}

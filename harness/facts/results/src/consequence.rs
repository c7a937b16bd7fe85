//! Findings that are consequences of others: a walk that fails at a wrong row.

use spec::RuleGroup;

use crate::{Finding, Source, WrongRow};

/// Maximum number of rows of other findings that a walk is compared with: hostile tables have any.
const MOST_ROWS: usize = 1_024;

/// Maximum number of rows of a walk that are compared.
const MOST_OWN: usize = 8;

impl Finding {
    /// Returns true if the finding is about frames of a walk, in which no row is known to be right.
    pub fn is_of_walk(&self) -> bool {
        let rows = &self.evidence.rows;
        self.rule().group() == RuleGroup::Chain || (!rows.is_empty() && rows.iter().all(|row| row.right.is_none()))
    }

    /// The finding among `all` whose wrong row broke this walk; `None` if this is no walk, or no
    /// other finding is about that row.
    pub fn follows<'a>(&self, all: impl IntoIterator<Item = &'a Finding>) -> Option<&'a Finding> {
        if !self.is_of_walk() {
            return None;
        }
        let others = all.into_iter().filter(|other| !other.is_of_walk());
        let mut rows = others.flat_map(|other| other.evidence.rows.iter().map(move |row| (other, row))).take(MOST_ROWS);
        let breaks = |row: &WrongRow| self.evidence.rows.iter().take(MOST_OWN).any(|own| own.is_same(row));
        rows.find(|(_, row)| breaks(row)).map(|(other, _)| other)
    }
}

impl WrongRow {
    /// Returns true if a row of a walk is the other wrong row, of whichever table that was
    /// reported.
    pub fn is_same(&self, other: &WrongRow) -> bool {
        let its = match self.wrong {
            Source::Sframe => Some(&other.sframe),
            Source::EhFrame => Some(&other.eh_frame),
            Source::Truth => None,
        };
        let meets = |(start, end): &(u64, u64)| other.ranges.iter().any(|(from, to)| start < to && from < end);
        self.wrong() == its && self.ranges.iter().any(meets)
    }
}

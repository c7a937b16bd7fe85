//! A wrong row: the claims of both tables and of execution, and the adjacent rows.

use std::fmt;

use crate::merge_ranges;
use types::Claim;

/// A row that is wrong in one way, with all addresses of a finding at which it occurs. Findings
/// list each row once.
///
/// The fingerprint of a finding does not depend on its rows; the ledger does: it covers a finding
/// only if every row is listed or explained.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
pub struct WrongRow {
    /// PCs: first address and first address after it, ascending, merged. Of several files of a
    /// build: those of the first.
    pub ranges: Vec<(u64, u64)>,
    /// The source that is wrong.
    pub wrong: Source,
    /// The source that is right, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Source")]
    pub right: Option<Source>,
    /// Claim of `.sframe`.
    pub sframe: Claim,
    /// Claim of `.eh_frame`.
    pub eh_frame: Claim,
    /// True frame, if the instruction was executed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Claim")]
    pub truth: Option<Claim>,
    /// The row before, in the same function, of the table that is right, or else of the wrong one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Claim")]
    pub before: Option<Claim>,
    /// The row after, of the same table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Claim")]
    pub after: Option<Claim>,
}

/// A source of rows: a table, or execution.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// The section `.sframe`.
    Sframe,
    /// The section `.eh_frame`, or `.debug_frame` if there is no `.eh_frame`.
    EhFrame,
    /// Execution.
    Truth,
}

/// Maximum number of wrong rows that a finding lists. Further ones are counted as
/// [`crate::Evidence::rows_cut`], which no ledger covers.
pub const MOST_WRONG_ROWS: usize = 256;

impl WrongRow {
    /// The claim of one source; `None` for execution if nothing was executed.
    pub fn claim_of(&self, source: Source) -> Option<&Claim> {
        match source {
            Source::Sframe => Some(&self.sframe),
            Source::EhFrame => Some(&self.eh_frame),
            Source::Truth => self.truth.as_ref(),
        }
    }

    /// The wrong row.
    pub fn wrong(&self) -> Option<&Claim> {
        self.claim_of(self.wrong)
    }

    /// The expected row, if it is known.
    pub fn right(&self) -> Option<&Claim> {
        self.right.and_then(|right| self.claim_of(right))
    }

    /// Returns true if the rows are equal except for their addresses.
    pub fn is_like(&self, other: &WrongRow) -> bool {
        fn claims(row: &WrongRow) -> [Option<&Claim>; 5] {
            [Some(&row.sframe), Some(&row.eh_frame), row.truth.as_ref(), row.before.as_ref(), row.after.as_ref()]
        }
        (self.wrong, self.right) == (other.wrong, other.right) && claims(self) == claims(other)
    }

    /// Adds the row to a finding and returns its index; `None` if there are already
    /// [`MOST_WRONG_ROWS`] others.
    pub fn add_to(self, rows: &mut Vec<WrongRow>) -> Option<usize> {
        if let Some(index) = rows.iter().position(|row| row.is_like(&self)) {
            return Some(index);
        }
        if rows.len() >= MOST_WRONG_ROWS {
            return None;
        }
        rows.push(self);
        Some(rows.len() - 1)
    }

    /// Adds addresses.
    pub fn extend(&mut self, ranges: impl IntoIterator<Item = (u64, u64)>) {
        self.ranges = merge_ranges(self.ranges.drain(..).chain(ranges).collect());
    }
}

/// Prints `WRONG where RIGHT` as in the ledger, or only the wrong row if the right one is unknown.
impl fmt::Display for WrongRow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wrong() {
            Some(wrong) => wrong.fmt(f)?,
            None => f.write_str("-")?,
        }
        self.right().map_or(Ok(()), |right| write!(f, " where {right}"))
    }
}

//! Counts of the covered instructions that were executed.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;

/// Coverage of exploration: counts of instructions, without padding, that tables cover.
/// Instructions in none of `executed`, `unconfirmed` and `not_entered` were never reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Reach {
    /// Instructions inside the functions.
    pub covered: u64,
    /// Executed with SP and return address known, in a state that a real execution can reach.
    pub executed: u64,
    /// Executed, but only in states that may be impossible.
    pub unconfirmed: u64,
    /// Instructions of functions in which nothing was executed.
    pub not_entered: u64,
    /// Padding that was executed like `executed`; no other count includes it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub padding: u64,
    /// Number of executions of instructions: one for each state of SP, FP and return address.
    #[cfg_attr(feature = "serde", serde(default))]
    pub states: u64,
    /// Those of them at which a table was judged.
    #[cfg_attr(feature = "serde", serde(default))]
    pub judged: u64,
}

/// The instructions of one function that exploration did not reach in a state that a real execution
/// can reach. No table is judged there by execution.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Unreached {
    /// The first address of the function.
    #[cfg_attr(feature = "serde", serde(rename = "pc_start"))]
    pub start: u64,
    /// The first address after it.
    #[cfg_attr(feature = "serde", serde(rename = "pc_end"))]
    pub end: u64,
    /// Instructions of the function.
    pub instructions: u64,
    /// Executed only in states that may be impossible.
    pub unconfirmed: u64,
    /// Not executed.
    pub unreached: u64,
    /// The first instruction that ended a path: SP is unknown after it, or where it leads.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"), schemars(with = "u64"))]
    pub stopped_at: Option<u64>,
}

impl Reach {
    /// The executed share of the covered code: `97.4 %`, or `-` if nothing is covered.
    pub fn percent(&self) -> String {
        match self.covered {
            0 => "-".to_owned(),
            _ => percent(self.permille()),
        }
    }

    /// The executed share of the covered code in per mille, rounded down; 1000 if nothing is
    /// covered.
    pub fn permille(&self) -> u64 {
        permille(self.executed, self.covered)
    }
}

impl Unreached {
    /// Returns true if no more than the first of several instructions was executed, in any state: a
    /// table that is wrong in a doubtful state is undecided by itself.
    pub fn is_unseen(&self) -> bool {
        self.instructions > 1 && self.instructions.saturating_sub(self.unreached) <= 1
    }
}

/// The steps of runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSteps {
    /// Number of steps.
    pub steps: u64,
    /// Those of them at which a table was judged.
    pub judged: u64,
}

impl RunSteps {
    /// The judged share: `0.4 %`.
    pub fn percent(&self) -> String {
        percent(self.permille())
    }

    /// The judged share in per mille, rounded down.
    pub fn permille(&self) -> u64 {
        permille(self.judged, self.steps)
    }
}

fn permille(part: u64, whole: u64) -> u64 {
    let share = (u128::from(part) * 1000).checked_div(u128::from(whole));
    share.map_or(1000, |share| u64::try_from(share).unwrap_or(u64::MAX))
}

fn percent(permille: u64) -> String {
    format!("{}.{} %", permille / 10, permille % 10)
}

/// Counts of the states that exploration judged: states that a real execution can reach and that a
/// table has a row for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExploredCounts {
    /// Number of states.
    pub states: u64,
    /// States with a row that could not be evaluated.
    pub refused: u64,
    /// Rows that could not be evaluated.
    pub refused_answers: u64,
}

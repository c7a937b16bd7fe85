//! How much of the code that tables cover was executed.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::String;

/// How much of the code that tables cover was executed without inputs, in instructions that are not
/// padding. What is in none of `executed`, `unconfirmed` and `not_entered` was never reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
pub struct Reach {
    /// Inside the functions.
    pub covered: u64,
    /// Executed with SP and return address known, in a state that a real execution can reach.
    pub executed: u64,
    /// Executed, but only in states that may be impossible.
    pub unconfirmed: u64,
    /// In functions of which nothing was executed.
    pub not_entered: u64,
    /// Padding executed as `executed` has it, which is in no other count of instructions.
    #[cfg_attr(feature = "serde", serde(default))]
    pub padding: u64,
    /// How often instructions were executed: once in each state of SP, FP and return address.
    #[cfg_attr(feature = "serde", serde(default))]
    pub states: u64,
}

impl Reach {
    /// The executed share of the covered code: `97.4 %`, or `-` if nothing is covered.
    pub fn percent(&self) -> String {
        match self.covered {
            0 => "-".to_owned(),
            covered => {
                let tenths = u128::from(self.executed) * 1000 / u128::from(covered);
                format!("{}.{} %", tenths / 10, tenths % 10)
            }
        }
    }
}

/// How much exploration judged: states that a real execution can reach and that a table has a row
/// for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExploredCounts {
    /// All of them.
    pub states: u64,
    /// Those with a row that could not be evaluated.
    pub refused: u64,
    /// Those rows.
    pub refused_answers: u64,
}

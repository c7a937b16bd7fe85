//! How a file's ways of unwinding are measured.

use accuracy::Timing;
use serde::{Deserialize, Serialize};

use crate::options::Inputs;

/// What to execute, how far, and how much of it to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Most steps.
    pub step_limit: u64,
    /// Steps that are looked at.
    pub samples: u64,
    /// The seed that they are drawn by.
    pub seed: u64,
    /// Whether time is measured too.
    pub timing: Timing,
    /// What the program is given.
    pub inputs: Inputs,
}

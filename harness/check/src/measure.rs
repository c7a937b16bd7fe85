//! Options of measuring unwinding methods on a file.

use accuracy::Timing;
use serde::{Deserialize, Serialize};

use crate::options::Inputs;

/// Inputs, limits and samples of a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Maximum number of steps.
    pub step_limit: u64,
    /// Number of sampled steps.
    pub samples: u64,
    /// Seed of the samples.
    pub seed: u64,
    /// Whether time is also measured.
    pub timing: Timing,
    /// Inputs of the program.
    pub inputs: Inputs,
}

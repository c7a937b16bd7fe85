//! Options of measuring unwinding methods on a file.

use accuracy::{QuestionedTable, Timing};
use results::Accuracy;
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
    /// Number of sampled chains whose frames become questions for readers.
    pub questions: u64,
    /// Inputs of the program.
    pub inputs: Inputs,
}

/// Result of a measurement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// How often each method is right.
    #[serde(with = "results::embedded")]
    pub accuracy: Accuracy,
    /// Frames as questions for readers, if requested.
    pub questions: Vec<QuestionedTable>,
}

//! One file's execution as witnessed, without any table: each step as a value that goes from
//! process to process.

use std::io;

use serde::{Deserialize, Serialize};
use types::{Claim, Event, FileError, Frame, RunEnd, SignalCounts};

use crate::options::Inputs;

/// What to execute, and how far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// The symbol of a function to run in place of the ELF entry.
    pub entry: Option<String>,
    /// Most steps.
    pub step_limit: u64,
    /// What the program is given.
    pub inputs: Inputs,
}

/// What a step showed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedStep {
    /// The instruction about to execute.
    pub pc: u64,
    /// Its place in the file.
    pub place: String,
    /// Its mnemonic and operands; empty where the file has no bytes of it.
    pub text: String,
    /// How control reached it.
    pub event: Event,
    /// Callers.
    pub depth: u64,
    /// The stack pointer.
    pub sp: u64,
    /// The true caller.
    pub caller: Option<Frame>,
    /// Where its values are, in the form of a row.
    pub claim: Claim,
}

/// How an execution went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traced {
    /// Steps that were shown.
    pub steps: u64,
    /// How it ended.
    pub end: RunEnd,
    /// The place of the instruction at which it ended, where the end names one.
    pub place: Option<String>,
    /// What became of signals.
    pub signals: SignalCounts,
}

/// Why there is no trace, or not all of it.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The code cannot be executed.
    #[error("{}", .0.message)]
    NotRun(FileError),
    /// A step could not be shown.
    #[error(transparent)]
    Unshown(io::Error),
    /// No worker, or no answer of one.
    #[error("{0}")]
    Failed(String),
}

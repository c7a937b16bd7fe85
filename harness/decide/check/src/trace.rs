//! A trace of one file's execution, without any table: each step as a value that can be sent
//! between processes.

use std::io;

use serde::{Deserialize, Serialize};
use types::{Claim, Event, FileError, Frame, RunEnd, SignalCounts};

use crate::options::Inputs;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Symbol of a function to execute instead of the ELF entry.
    pub entry: Option<String>,
    /// Maximum number of steps.
    pub step_limit: u64,
    /// Inputs of the program.
    pub inputs: Inputs,
}

/// One step of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracedStep {
    /// The instruction about to execute.
    pub pc: u64,
    /// PC as a position in the file.
    pub place: String,
    /// Disassembly; empty if the file does not contain the instruction's bytes.
    pub text: String,
    /// How control reached it.
    pub event: Event,
    /// Number of callers.
    pub depth: u64,
    /// The stack pointer.
    pub sp: u64,
    pub caller: Option<Frame>,
    /// Locations of the caller's values, in the form of a row.
    pub claim: Claim,
}

/// Summary of an execution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traced {
    /// Number of steps that were shown.
    pub steps: u64,
    /// How it ended.
    pub end: RunEnd,
    /// Position of the instruction at which it ended, if there is one.
    pub place: Option<String>,
    pub signals: SignalCounts,
}

/// Why there is no trace, or an incomplete one.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The code cannot be executed.
    #[error("{}", .0.message)]
    NotRun(FileError),
    #[error(transparent)]
    Unshown(io::Error),
    /// There is no worker, or it did not answer.
    #[error("{0}")]
    Failed(String),
}

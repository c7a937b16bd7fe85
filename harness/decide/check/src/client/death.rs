//! How a worker died, and at which position.

use std::fmt;

use machine::position::Position;
use types::StopReason;

use crate::signals;

/// The death of a worker during a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    pub cause: DeathCause,
    /// Position that the execution had reached.
    pub position: Position,
}

/// Cause of a worker's death.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeathCause {
    Signal(i32),
    /// It exited with this status.
    Status(i32),
    /// It made no progress and was killed.
    Hung,
    /// It exceeded its memory limit.
    Memory,
}

impl DeathCause {
    /// Reason in reports.
    pub fn reason(self) -> StopReason {
        match self {
            DeathCause::Signal(_) | DeathCause::Status(_) => StopReason::EngineDied,
            DeathCause::Hung => StopReason::EngineHung,
            DeathCause::Memory => StopReason::MemoryLimit,
        }
    }
}

impl fmt::Display for DeathCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeathCause::Signal(number @ 9) => {
                write!(f, "the emulator was killed ({})", signals::name(number.cast_unsigned().into()))
            }
            DeathCause::Signal(number) => {
                write!(f, "the emulator crashed ({})", signals::name(number.cast_unsigned().into()))
            }
            DeathCause::Status(status) => write!(f, "the emulator exited with status {status}"),
            DeathCause::Hung => f.write_str("the emulator hung and was killed"),
            DeathCause::Memory => f.write_str("the emulator reached its memory limit"),
        }
    }
}

//! How a worker died, and at which position.

use std::fmt;

use backend::Position;
use types::StopReason;

/// The death of a worker during a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Death {
    /// Cause of the death.
    pub cause: DeathCause,
    /// Position that the execution had reached.
    pub position: Position,
}

/// Cause of a worker's death.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeathCause {
    /// A signal, by number.
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
        // Linux `arch/x86/include/uapi/asm/signal.h`, the same in
        // `include/uapi/asm-generic/signal.h`.
        match self {
            DeathCause::Signal(4) => f.write_str("the emulator crashed (SIGILL)"),
            DeathCause::Signal(6) => f.write_str("the emulator crashed (SIGABRT)"),
            DeathCause::Signal(7) => f.write_str("the emulator crashed (SIGBUS)"),
            DeathCause::Signal(8) => f.write_str("the emulator crashed (SIGFPE)"),
            DeathCause::Signal(9) => f.write_str("the emulator was killed (SIGKILL)"),
            DeathCause::Signal(11) => f.write_str("the emulator crashed (SIGSEGV)"),
            DeathCause::Signal(number) => write!(f, "the emulator crashed (signal {number})"),
            DeathCause::Status(status) => write!(f, "the emulator exited with status {status}"),
            DeathCause::Hung => f.write_str("the emulator hung and was killed"),
            DeathCause::Memory => f.write_str("the emulator reached its memory limit"),
        }
    }
}
